/** What became of a message with each connection that its turn has come to, and what that costs, as its timeline tells it. */
import type { DeliveryErrorCode, MessageStatus, Price, TimelineStep } from '../../store/schema/schema.ts'
import type { MessageRow } from '../../store/sending/message.ts'
import type { MessageState } from './status.ts'

export interface Attempt {
  /** The id of the connection. */
  connection: string
  status: MessageStatus
  /** When that status was reached. */
  at: Date
  /** Why it failed; null for what has not failed, and where an earlier version did not write it down. */
  errorCode: DeliveryErrorCode | null
  /** How many SMS the text took; null where it took none as a text, and where that was not written down. */
  segments: number | null
  /** What its provider charges; null where it has not said so. */
  price: Price | null
}

type Routed = Pick<MessageRow, 'route' | 'leg' | 'timeline' | 'prices'>

/** @returns in the order of the route; connections whose turn has not come are left out */
export function listAttempts(row: Routed, state: MessageState): Attempt[] {
  const { route, leg, timeline, prices } = row
  const byConnection = Map.groupBy(timeline, (step) => step.connection)
  return route.slice(0, leg).flatMap((connection, index): Attempt[] => {
    const steps = byConnection.get(connection)
    if (!steps) return []
    const reached = reachedBy(steps, timeline) ?? unfinished(steps, index + 1 === leg ? state : undefined)
    const { segments = null } = steps.find((step) => step.segments !== undefined) ?? {}
    return [{ connection, segments, price: prices?.[connection] ?? null, ...reached }]
  })
}

/** What the connection has said: that the message arrived wins over a failure, and that over its having taken it. */
function reachedBy(steps: readonly TimelineStep[], timeline: readonly TimelineStep[]): MessageState | undefined {
  const own = steps.filter((step) => !isPriceAlone(step, timeline))
  const step =
    own.findLast(({ status }) => status === 'read') ??
    own.find(({ status }) => status === 'delivered') ??
    own.findLast(({ status }) => status === 'failed')
  const taken = own.find(({ taken }) => taken)
  if (step) return { status: step.status, at: timeOf(step, steps), errorCode: errorOf(step) }
  return taken && { status: 'sent', at: timeOf(taken, steps), errorCode: null }
}

/** A provider's clock may be behind: nothing happened before the connection was asked. */
function timeOf({ at }: TimelineStep, [first]: readonly TimelineStep[]): Date {
  return new Date(Math.max(Date.parse(at), Date.parse(first!.at)))
}

/**
 * A report of a price alone has the status that the message had by then, which another connection may have brought about. It
 * looks like a report of an arrival with its price.
 */
function isPriceAlone(step: TimelineStep, timeline: readonly TimelineStep[]): boolean {
  if (step.price === undefined || step.taken || step.error !== undefined) return false
  if (step.status === 'failed') return true
  return timeline.slice(0, timeline.indexOf(step)).some(({ status, connection }) => {
    return status === step.status && connection !== step.connection
  })
}

function errorOf({ status, error }: TimelineStep): DeliveryErrorCode | null {
  return status === 'failed' ? (error ?? null) : null
}

/**
 * It was asked, or passed over, and has said nothing that counts.
 *
 * @param state of the message, where the connection is the last that its turn came to
 */
function unfinished(steps: readonly TimelineStep[], state: MessageState | undefined): MessageState {
  const at = new Date(steps.at(-1)!.at)
  if (!state) return { status: 'failed', at, errorCode: 'channel_unavailable' }
  const { status } = state
  return status === 'failed' || status === 'expired' ? state : { status: 'queued', at, errorCode: null }
}

/** Places behind the point that a price may have. */
const places = 20

/** @returns one sum for each currency, in the order of their codes */
export function sumPrices(prices: readonly Price[]): Price[] {
  const sums = new Map<string, bigint>()
  for (const { amount, currency } of prices) {
    const [whole = '0', part = ''] = amount.split('.')
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(whole + part.padEnd(places, '0')))
  }
  return [...sums].toSorted().map(([currency, sum]) => {
    const digits = String(sum).padStart(places + 1, '0')
    const part = digits.slice(-places).replace(/0+$/, '')
    return { amount: digits.slice(0, -places) + (part && `.${part}`), currency }
  })
}
