/** The first service, and its user at a terminal: it verifies a phone, and gets a receipt for the shop. */
import { randomUUID } from 'node:crypto'
import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline/promises'

const { WATCHWORD_URL = 'http://127.0.0.1:3000', WATCHWORD_API_KEY, SHOP_URL = 'http://127.0.0.1:8081' } = process.env
const [phone = ''] = process.argv.slice(2)

const key = { Authorization: `Bearer ${WATCHWORD_API_KEY}` }

// The one who will read the receipt says what must be in it.
const { nonce } = await post(`${SHOP_URL}/nonces`, {})

const { data: sent } = await post(`${WATCHWORD_URL}/v1/verify/send`, { phone, brand_name: 'Acme' }, key)
const terminal = createInterface({ input: stdin, output: stdout })
const code = await terminal.question(`The code that ${phone} got: `)
terminal.close()

const wanted = { request_id: sent.request_id, code, receipt: { audience: 'shop', nonce } }
const { data: checked } = await post(`${WATCHWORD_URL}/v1/verify/check`, wanted, key)
if (!checked.verified) throw new Error(`Not verified: ${checked.reason}`)
// A code of your own verifies, and proves nothing to others: `receipt_unavailable` is `custom_code` then.
if (!checked.receipt) throw new Error(`Verified, but there is no receipt: ${checked.receipt_unavailable}`)
console.log(checked.receipt)

// In a web application, the user's browser brings it.
console.log(await post(`${SHOP_URL}/orders`, { receipt: checked.receipt }))

async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const sent = { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }
  const answer = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}
