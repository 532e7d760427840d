/** A client team with @hey-api/openapi-ts and the fetch client that it brings. */
import { randomUUID } from 'node:crypto'
import type { Outcome } from '../outcome.ts'
import { client } from './generated/client.gen.ts'
import {
  type CheckResult,
  checkVerification,
  getMessage,
  listMessages,
  type Problem,
  type SendVerificationErrors,
  sendNotification,
  sendVerification,
  type WebhookEvent,
} from './generated/index.ts'

type Limited = SendVerificationErrors[429]
type Limit = Limited['data']['code']

export async function drive(baseUrl: string, key: string): Promise<Outcome> {
  client.setConfig({ baseUrl, auth: key })

  const send = {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { phone: '+14155550100', brand_name: 'Acme' },
  }
  const sent = await sendVerification(send)
  if (sent.error) throw new Error(explain(sent.error.data))
  const { request_id, status, expires_in } = sent.data.data

  const again = await sendVerification(send)
  if (again.error) throw new Error(explain(again.error.data))

  const wrong = await checkVerification({ body: { request_id, code: '123456' } })
  if (wrong.error) throw new Error(explain(wrong.error.data))

  const right = await checkVerification({ body: { request_id, code: '000000' } })
  if (right.error) throw new Error(explain(right.error.data))

  const message = await getMessage({ path: { id: request_id } })
  if (message.error) throw new Error(explain(message.error.data))
  const { status: reached, error: failure } = message.data.data

  const query = { phone: '+14155550100', kind: 'verification', limit: 100 } as const
  const listed = await listMessages({ query })
  if (listed.error) throw new Error(explain(listed.error.data))
  const { messages } = listed.data.data

  const notified = await sendNotification({
    body: { phone: '+14155550100', template: 'welcome', variables: { name: 'Ada' } },
  })
  if (notified.error) throw new Error(explain(notified.error.data))

  const invalid = await sendVerification({ body: { phone: '0100' } })
  const unfilled = await sendNotification({ body: { phone: '+14155550100', template: 'welcome' } })
  const stranger = await sendVerification({ auth: 'ww_test_unknown', body: { phone: '+14155550100' } })
  const unknown = await checkVerification({ body: { request_id: 'req_00000000000000000000000000', code: '000000' } })
  const hasty = await sendVerification({ body: { phone: '+14155550160' } })

  return {
    sent: `${status} for ${expires_in} seconds`,
    repeated: again.data.data.request_id === request_id ? 'the same answer' : 'another answer',
    wrongCode: judge(wrong.data.data),
    rightCode: judge(right.data.data),
    message: failure ? failure.code : reached,
    listed: messages.some(({ id }) => id === request_id) ? 'there' : 'missing',
    notification: notified.data.data.status,
    invalidPhone: invalid.error ? explain(invalid.error.data) : 'passed',
    missingVariable: unfilled.error ? explain(unfilled.error.data) : 'passed',
    unknownKey: stranger.error ? explain(stranger.error.data) : 'passed',
    unknownVerification: unknown.error ? explain(unknown.error.data) : 'passed',
    tooSoon: hasty.error ? explain(hasty.error.data) : 'passed',
    advice: hasty.response?.status === 429 ? limits[(hasty.error as Limited).data.code] : 'none',
  }
}

export async function refusal(baseUrl: string): Promise<string> {
  client.setConfig({ baseUrl })
  const { error, response } = await getMessage({ path: { id: 'req_00000000000000000000000000' } })
  return error ? `${response?.status} ${explain(error.data)}` : 'passed'
}

export async function mistakes(check: CheckResult, { code }: Problem, limit: Limit): Promise<unknown[]> {
  // @ts-expect-error: the contract has no such field
  await sendVerification({ body: { phone: '+14155550100', colour: 'red' } })
  // @ts-expect-error: the phone is missing
  await sendVerification({ body: { brand_name: 'Acme' } })
  const sent = await sendVerification({ body: { phone: '+14155550100' } })
  return [
    // @ts-expect-error: it may have been refused
    sent.data.data.request_id,
    // @ts-expect-error: an answer has no such field
    sent.data?.data.code,
    // @ts-expect-error: a code that matched has none
    check.attempts_remaining,
    // @ts-expect-error: the contract has no such code
    code === 'phone_is_off',
    // @ts-expect-error: it is no code of this status
    limit === 'country_not_allowed',
  ]
}

/** What an event says, whichever it is. */
export function tell(event: WebhookEvent): string {
  switch (event.type) {
    case 'message.failed':
      return event.data.error.code
    case 'verification.blocked':
      return event.data.rules.join()
    case 'budget.reached':
      return event.data.budget
    case 'phone.opted_out':
    case 'phone.opted_in':
      return event.data.recipient
    case 'template.unusable':
      return event.data.reason
    case 'endpoint.disabled':
      return event.data.endpoint_id
    default:
      return event.data.request_id
  }
}

export function mistake(event: WebhookEvent): unknown {
  // @ts-expect-error: only a message that failed has one
  return event.data.error
}

/** Every code of a send's 429, and none of another status: one more or one less does not compile. */
const limits: Record<Limit, string> = {
  resend_cooldown: 'wait a minute',
  send_limit_reached: 'come back later',
  rate_limited: 'ask less often',
}

function judge(check: CheckResult): string {
  return check.result === 'verified' ? 'verified' : `${check.reason}, ${check.attempts_remaining} left`
}

function explain({ code, details = [], retry_after }: Problem): string {
  switch (code) {
    case 'invalid_request':
    case 'invalid_variables':
      return `${code}: ${details.map((detail) => `${detail.field} ${detail.code}`).join(', ')}`
    case 'resend_cooldown':
      return `${code}: ${retry_after} seconds`
    default:
      return code
  }
}
