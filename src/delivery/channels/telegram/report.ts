/** What Telegram says of a message later: its signature, and what a status is to the service. */
import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { toPrice } from '../../../domain/channels/price.ts'
import type { Price } from '../../../store/schema/schema.ts'
import type { Receipt, Report } from '../../channel.ts'
import { digestOf, toReportTime } from '../../report.ts'

/** Its id of a message: what the store takes. */
export const requestId = z.string().regex(/^[\x21-\x7e]{1,255}$/)

/**
 * A RequestStatus, as far as it is kept: above all without `code_entered`, which is what a person typed. `updated_at` is in
 * seconds.
 */
export const requestStatus = z.object({
  request_id: requestId,
  payload: z.string().nullish(),
  delivery_status: z.object({ status: z.string(), updated_at: z.number() }).nullish(),
  request_cost: z.unknown().optional(),
  is_refunded: z.unknown().optional(),
})

/** Telegram names no currency with its prices. They are in dollars: https://telegram.org/gateway */
const currency = 'USD'

/** What Telegram charges by what a `RequestStatus` says; undefined where it says no price. What was paid back costs nothing. */
export function toRequestPrice(status: { request_cost?: unknown; is_refunded?: unknown }): Price | undefined {
  if (status.is_refunded === true) return toPrice('0', currency)
  const { request_cost: cost } = status
  // It names none where another request has paid.
  return typeof cost === 'number' && cost > 0 ? toPrice(String(cost), currency) : undefined
}

/** Seconds that a report may be old, or ahead of our clock. */
const toleranceSeconds = 300

/** @returns whether a report was signed under the token, and lately */
export function createTelegramVerify(token: string, now: () => Date): (report: Report) => boolean {
  const key = createSecretKey(hash('sha256', token, 'buffer'))
  return ({ headers, body }) => {
    const timestamp = headers['x-request-timestamp'] ?? ''
    const given = digestOf(headers['x-request-signature'])
    if (!given || !/^\d{1,12}$/.test(timestamp)) return false
    if (Math.abs(now().getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false
    return timingSafeEqual(given, createHmac('sha256', key).update(`${timestamp}\n`).update(body).digest())
  }
}

type Seen = Pick<Receipt, 'status' | 'errorCode' | 'reason' | 'providerCode'>

/** Of `delivery_status`: an `expired` of `verification_status` is about the code, and says nothing of its delivery. */
const seen = new Map<string, Seen>([
  ['sent', { status: 'sent' }],
  ['delivered', { status: 'delivered' }],
  ['read', { status: 'read' }],
  ['expired', notDelivered('not delivered in time', 'expired')],
  ['revoked', notDelivered('revoked', 'revoked')],
])

function notDelivered(reason: string, providerCode: string): Seen {
  return { status: 'failed', errorCode: 'not_delivered', reason, providerCode }
}

/** @returns undefined while nothing is known of it, and for an unknown status */
export function toReceipt(
  { request_id: providerMessageId, payload, delivery_status: delivery, ...costs }: z.infer<typeof requestStatus>,
  { accountId, now }: { accountId: string; now: Date },
): Receipt | undefined {
  const status = delivery && seen.get(delivery.status)
  if (!status) return undefined
  const id = payload ? idIn(payload, accountId) : undefined
  if (id === undefined && status.status === 'sent') return undefined
  const message = id === undefined ? {} : { message: { accountId, id } }
  const price = toRequestPrice(costs)
  return {
    ...message,
    ...(price && { price }),
    providerMessageId,
    at: toReportTime(delivery.updated_at * 1000, now),
    ...status,
  }
}

/** What comes back in reports. */
export function payloadOf({ accountId, id, leg }: { accountId: string; id: string; leg: number }): string {
  return `${accountId}/${id}/${leg}`
}

/** Of another account's message, a connection has nothing to report: its operator knows the token, and could sign that. */
function idIn(payload: string, accountId: string): string | undefined {
  const [, account, id] = /^([\x21-\x2e\x30-\x7e]{1,100})\/([\x21-\x2e\x30-\x7e]{1,100})\/\d{1,5}$/.exec(payload) ?? []
  return account === accountId ? id : undefined
}
