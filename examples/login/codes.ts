/** Sends and checks codes, and says in people's words what they can do when that is refused. */
import { watchword } from './client.ts'
import { codeIn, phoneIn } from './typed.ts'
import type { components } from './watchword.ts'

/** What to tell the user. */
interface Refused {
  told: string
}

export async function sendCode(typed: unknown): Promise<{ requestId: string; phone: string } | Refused> {
  const phone = phoneIn(typed)
  const body: components['schemas']['SendVerificationRequest'] = { phone, brand_name: 'Acme' }
  const { data, error } = await watchword.POST('/v1/verify/send', { body })
  if (data) return { requestId: data.data.request_id, phone }
  const problem = error.data
  switch (problem.code) {
    case 'invalid_phone':
    case 'invalid_request':
      return { told: 'This phone cannot get a code. Write it with the code of its country: +1 415 555 2671.' }
    case 'country_not_allowed':
    case 'no_channel':
      return { told: 'We cannot send codes to this country.' }
    case 'resend_cooldown':
      return { told: `A code is on its way. You can ask for another one in ${spanOf(problem.retry_after)}.` }
    case 'send_limit_reached':
      return { told: `This phone got too many codes. Try again in ${spanOf(problem.retry_after)}.` }
    default:
      throw new Error(`${problem.code}, trace ${problem.trace_id}: ${problem.message}`)
  }
}

/** @returns what to tell the user; undefined when the code was right */
export async function checkCode(requestId: string, typed: unknown): Promise<string | undefined> {
  const code = codeIn(typed)
  const body: components['schemas']['CheckVerificationRequest'] = { request_id: requestId, code }
  const { data, error } = await watchword.POST('/v1/verify/check', { body })
  if (data) return data.data.result === 'verified' ? undefined : toldOf(data.data)
  const problem = error.data
  switch (problem.code) {
    case 'invalid_request':
      return 'A code has six digits.'
    case 'check_limit_reached':
      return `Too many wrong codes for this phone. Try again in ${spanOf(problem.retry_after)}.`
    default:
      throw new Error(`${problem.code}, trace ${problem.trace_id}: ${problem.message}`)
  }
}

function toldOf({ reason, attempts_remaining: left }: components['schemas']['NotVerified']): string {
  if (left > 0) return `This is not the code. You can try ${left === 1 ? 'once' : `${left} times`} more.`
  switch (reason) {
    case 'expired':
      return 'This code is too old. Ask for a new one.'
    case 'superseded':
      return 'A newer code was sent to this phone. Type that one, or ask for another.'
    default:
      return 'This code does not work any more. Ask for a new one.'
  }
}

function spanOf(seconds: number): string {
  return seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
