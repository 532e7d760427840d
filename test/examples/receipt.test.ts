/** `examples/receipt/`: a second service that believes a phone because of a receipt. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { compile, openStage, type Stage, serve, start } from './stage.ts'

const phone = '+14155552671'

let stage: Stage
let shop: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  stage = await openStage()
  shop = await serve('receipt', 'shop.ts', { WATCHWORD_URL: stage.service.url })
})
afterAll(async () => {
  await shop?.end()
  await stage?.close()
})

it('the example of receipts compiles under strict settings', async () => {
  expect(await compile('receipt')).toBe('')
})

describe('the shop of the example', () => {
  it('takes the order of somebody whose phone another service has verified at a terminal', async () => {
    const settings = { WATCHWORD_URL: stage.service.url, WATCHWORD_API_KEY: stage.liveKey, SHOP_URL: shop.url }
    const verify = start('receipt', ['node', 'verify.ts', phone], settings)
    await vi.waitFor(() => expect(verify.output()).toContain('The code that'), { timeout: 60_000, interval: 20 })
    verify.child.stdin!.write(`${await stage.code(phone)}\n`)
    await verify.ended
    expect(verify.output()).toContain(`{ order: 'taken', phone: '${phone}' }`)
  })

  it('takes each receipt once, also of ten that come at once', async () => {
    const receipt = await receiptFor('shop', await nonce())
    const statuses = await Promise.all(Array.from({ length: 10 }, () => order(receipt)))
    expect(statuses.toSorted()).toEqual([201, ...Array(9).fill(401)])
  })

  it('takes one receipt for each nonce', async () => {
    const given = await nonce()
    const receipts = [await receiptFor('shop', given), await receiptFor('shop', given)]
    expect([await order(receipts[0]), await order(receipts[1])]).toEqual([201, 401])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['for another audience', async () => receiptFor('bank', await nonce())],
    ['with a nonce that it did not give out', () => receiptFor('shop', 'n-0S6')],
    ['without a nonce', () => receiptFor('shop')],
    ['of a test key', async () => receiptFor('shop', await nonce(), stage.testKey)],
    ['with another phone under the signature', async () => forged(await receiptFor('shop', await nonce()))],
    ['that is no receipt', async () => 'nonsense'],
    ['that is not there', async () => undefined],
  ])('refuses a receipt %s', async (_which, make) => {
    expect(await order(await make())).toBe(401)
  })

  // The last one: it ends the service.
  it('takes a receipt while Watchword is away', async () => {
    const receipt = await receiptFor('shop', await nonce())
    await stage.service.end('SIGTERM')
    expect(await order(receipt)).toBe(201)
  })
})

async function nonce(): Promise<string> {
  const answer = await fetch(`${shop.url}/nonces`, { method: 'POST' })
  return ((await answer.json()) as { nonce: string }).nonce
}

/** @returns the status of the shop's answer */
async function order(receipt: unknown): Promise<number> {
  return (await post(`${shop.url}/orders`, { receipt })).status
}

let phones = 0
/** Of a phone that was just verified. */
async function receiptFor(audience: string, nonce?: string, key = stage.liveKey): Promise<string> {
  const other = `+1415555${3000 + ++phones}`
  const sent = await ask<{ request_id: string }>('/v1/verify/send', { phone: other }, key)
  const wanted = { audience, ...(nonce && { nonce }) }
  const code = await stage.code(other)
  const body = { request_id: sent.request_id, code, receipt: wanted }
  return (await ask<{ receipt: string }>('/v1/verify/check', body, key)).receipt
}

async function ask<Data>(path: string, body: object, key: string): Promise<Data> {
  const answer = await post(`${stage.service.url}${path}`, body, { Authorization: `Bearer ${key}` })
  return ((await answer.json()) as { data: Data }).data
}

function post(url: string, body: object, more: Record<string, string> = {}): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...more }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** The same signature over another phone. */
function forged(receipt: string): string {
  const [head, body = '', signature] = receipt.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const other = Buffer.from(JSON.stringify({ ...claims, phone_number: '+14155550199' })).toString('base64url')
  return `${head}.${other}.${signature}`
}
