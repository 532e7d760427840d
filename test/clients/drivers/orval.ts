/** A client team with orval: plain functions, whose answers are told apart by their HTTP status. */
import { randomUUID } from 'node:crypto'
import type { Outcome } from '../outcome.ts'
import {
  type CheckResult,
  checkVerification,
  getMessage,
  listMessages,
  type Problem,
  sendNotification,
  sendVerification,
  type sendVerificationResponse429,
  type WebhookEvent,
} from './generated/client.ts'

type Limit = sendVerificationResponse429['data']['data']['code']

export async function drive(baseUrl: string, key: string): Promise<Outcome> {
  process.env.WATCHWORD_URL = baseUrl
  const auth = { headers: { Authorization: `Bearer ${key}` } }

  const once = { 'Idempotency-Key': randomUUID() }
  const sent = await sendVerification({ phone: '+14155550100', brand_name: 'Acme' }, once, auth)
  if (sent.status !== 200) throw new Error(explain(sent.data.data))
  const { request_id, status, expires_in } = sent.data.data

  const again = await sendVerification({ phone: '+14155550100', brand_name: 'Acme' }, once, auth)
  if (again.status !== 200) throw new Error(explain(again.data.data))

  const wrong = await checkVerification({ request_id, code: '123456' }, {}, auth)
  if (wrong.status !== 200) throw new Error(explain(wrong.data.data))

  const right = await checkVerification({ request_id, code: '000000' }, {}, auth)
  if (right.status !== 200) throw new Error(explain(right.data.data))

  const message = await getMessage(request_id, auth)
  if (message.status !== 200) throw new Error(explain(message.data.data))
  const { status: reached, error: failure } = message.data.data

  const query = { phone: '+14155550100', kind: 'verification', limit: 100 } as const
  const listed = await listMessages(query, auth)
  if (listed.status !== 200) throw new Error(explain(listed.data.data))
  const { messages } = listed.data.data

  const welcome = { phone: '+14155550100', template: 'welcome' }
  const notified = await sendNotification({ ...welcome, variables: { name: 'Ada' } }, {}, auth)
  if (notified.status !== 200) throw new Error(explain(notified.data.data))

  const invalid = await sendVerification({ phone: '0100' }, {}, auth)
  const unfilled = await sendNotification(welcome, {}, auth)
  const stranger = await sendVerification(
    { phone: '+14155550100' },
    {},
    { headers: { Authorization: 'Bearer ww_test_unknown' } },
  )
  const unknown = await checkVerification({ request_id: 'req_00000000000000000000000000', code: '000000' }, {}, auth)
  const hasty = await sendVerification({ phone: '+14155550160' }, {}, auth)

  return {
    sent: `${status} for ${expires_in} seconds`,
    repeated: again.data.data.request_id === request_id ? 'the same answer' : 'another answer',
    wrongCode: judge(wrong.data.data),
    rightCode: judge(right.data.data),
    message: failure ? failure.code : reached,
    listed: messages.some(({ id }) => id === request_id) ? 'there' : 'missing',
    notification: notified.data.data.status,
    invalidPhone: invalid.status === 400 ? explain(invalid.data.data) : 'passed',
    missingVariable: unfilled.status === 400 ? explain(unfilled.data.data) : 'passed',
    unknownKey: stranger.status === 401 ? explain(stranger.data.data) : 'passed',
    unknownVerification: unknown.status === 404 ? explain(unknown.data.data) : 'passed',
    tooSoon: hasty.status === 429 ? explain(hasty.data.data) : 'passed',
    advice: hasty.status === 429 ? limits[hasty.data.data.code] : 'none',
  }
}

export async function refusal(baseUrl: string): Promise<string> {
  process.env.WATCHWORD_URL = baseUrl
  const { status, data } = await getMessage('req_00000000000000000000000000')
  return status === 200 ? 'passed' : `${status} ${explain(data.data)}`
}

export async function mistakes(check: CheckResult, { code }: Problem, limit: Limit): Promise<unknown[]> {
  // @ts-expect-error: the contract has no such field
  await sendVerification({ phone: '+14155550100', colour: 'red' })
  // @ts-expect-error: the phone is missing
  await sendVerification({ brand_name: 'Acme' })
  const sent = await sendVerification({ phone: '+14155550100' })
  return [
    // @ts-expect-error: it may have been refused
    sent.data.data.request_id,
    // @ts-expect-error: an answer has no such field
    sent.status === 200 && sent.data.data.code,
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
