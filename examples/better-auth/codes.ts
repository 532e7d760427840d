/** Sends and checks codes by Watchword, and throws what better-auth tells the page when that is refused. */
import { randomUUID } from 'node:crypto'
import { APIError } from 'better-auth/api'
import createClient from 'openapi-fetch'
import type { components, paths } from './watchword.ts'

const watchword = createClient<paths>({
  baseUrl: process.env.WATCHWORD_URL ?? 'http://127.0.0.1:3000',
  headers: { Authorization: `Bearer ${process.env.WATCHWORD_API_KEY}` },
})

export async function sendCode(phone: string): Promise<void> {
  const body: components['schemas']['SendVerificationRequest'] = { phone, brand_name: 'Acme' }
  const params = { header: { 'Idempotency-Key': randomUUID() } }
  const { error } = await watchword.POST('/v1/verify/send', { body, params })
  if (error) throw refusalOf(error.data)
}

/** @returns whether this is the code that is pending for the phone */
export async function isRight(phone: string, code: string): Promise<boolean> {
  const body: components['schemas']['CheckVerificationByPhoneRequest'] = { phone, code }
  const params = { header: { 'Idempotency-Key': randomUUID() } }
  const { data, error } = await watchword.POST('/v1/verify/check-by-phone', { body, params })
  if (data) return data.data.result === 'verified'
  // Nothing is pending, or this is no code at all. The page says the same as after a wrong one: so nobody learns who signs in.
  if (error.data.code === 'verification_not_found' || error.data.code === 'invalid_request') return false
  throw refusalOf(error.data)
}

/** What the page shows stands in `message`; `code` is that of Watchword. */
function refusalOf(problem: { code: string; message: string; trace_id: string; retry_after?: number }): APIError {
  const { code, retry_after: seconds } = problem
  switch (code) {
    case 'invalid_phone':
    case 'invalid_request':
      return new APIError('BAD_REQUEST', {
        code,
        message: 'Write your phone with the code of its country: +1 415 555 2671.',
      })
    case 'country_not_allowed':
    case 'no_channel':
      return new APIError('BAD_REQUEST', { code, message: 'We cannot send codes to this country.' })
    case 'resend_cooldown':
      return new APIError('TOO_MANY_REQUESTS', {
        code,
        message: `A code is on its way. Wait ${seconds} seconds for another.`,
      })
    case 'send_limit_reached':
    case 'check_limit_reached':
      return new APIError('TOO_MANY_REQUESTS', { code, message: `Too often. Try again in ${seconds} seconds.` })
    default:
      throw new Error(`${code}, trace ${problem.trace_id}: ${problem.message}`)
  }
}
