/** Posts the hook "Send SMS" as Supabase Auth does, and says what an app of Supabase is told. */
import { randomInt, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const { HOOK_URL = '', SUPABASE_HOOK_SECRET = '' } = process.env
const [phone = '', otp = `${randomInt(1_000_000)}`.padStart(6, '0'), userId = randomUUID()] = process.argv.slice(2)

const body = JSON.stringify({
  metadata: { uuid: randomUUID(), time: new Date(), name: 'send-sms', ip_address: '203.0.113.7' },
  user: { id: userId, aud: 'authenticated', role: 'authenticated', email: '', phone: digits(phone) },
  sms: { otp, phone: digits(phone) },
})

const told = await send(3)
console.log(told)
process.exitCode = told.status === 200 ? 0 : 1

/** Supabase tries three times. Each try has an id and a signature of its own. */
async function send(triesLeft: number): Promise<{ status: number; message?: string }> {
  const [id, at] = [randomUUID(), new Date()]
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': signature(id, at),
  }
  const answer = await fetch(HOOK_URL, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) })
  const isLater = [429, 503].includes(answer.status) && answer.headers.has('retry-after')
  if (isLater && triesLeft > 1) return send(triesLeft - 1)
  if (![200, 202].includes(answer.status)) return { status: 500, message: `The hook answered ${answer.status}` }
  const { error } = (await answer.json()) as { error?: { http_code?: number; message?: string } }
  return error?.message ? { status: error.http_code ?? 500, message: error.message } : { status: 200 }
}

/** Of each secret one: there are two while one is replaced. */
function signature(id: string, at: Date): string {
  const keys = SUPABASE_HOOK_SECRET.split('|').map((secret) => secret.replace(/^v1,/, ''))
  return keys.map((key) => new Webhook(key).sign(id, at, body)).join(', ')
}

/** Supabase keeps phones without their plus. */
function digits(text: string): string {
  return text.replace(/^\+/, '')
}
