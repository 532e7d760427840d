/** What becomes of a message that its connection has no turn for: it waits, or goes on to the next one. */
import type { Runtime } from '../../kit/runtime.ts'
import type { Delivery } from '../../store/sending/delivery.ts'
import type { OpenConnection, OpenConnections } from '../openConnections.ts'
import type { Resting } from '../rest.ts'
import { holdsCode, later, patienceLeftMs, type Settlement, skipped } from '../settlement.ts'
import { type Full, findFull } from './capacity.ts'

interface WaitParts {
  connections: Pick<OpenConnections, 'known'>
  runtime: Pick<Runtime, 'now'>
}

/**
 * Milliseconds that a message waits for a place at its provider, with its job claimed: as long as the claim lets it, since each
 * that waits in vain is written again.
 */
const placeWaitMs = 8000
export const noPlaceSeconds = 2

/** Whether another connection of the route can be asked, and is better than a late one: a user waits for a code. */
export function mayGoOn({ known }: Pick<OpenConnections, 'known'>, delivery: Delivery, at: Date): boolean {
  const { accountId, mode, others } = delivery
  if (!holdsCode(delivery)) return false
  return others.some((connection) => {
    const other = known({ accountId, mode, connection })
    return other !== undefined && !other.rest.resting(at)
  })
}

/** Milliseconds to wait for a place. What can go on, goes on as soon as it would be late. */
export function computePlaceWait({ connections, runtime }: WaitParts, delivery: Delivery): number {
  const at = runtime.now()
  if (!mayGoOn(connections, delivery, at)) return placeWaitMs
  return Math.min(placeWaitMs, Math.max(0, patienceLeftMs(delivery, noPlaceSeconds, at)))
}

/** @param afterSeconds when its connection may have a turn for it, if no others wait */
export function untilTurn(
  { connections, runtime }: WaitParts,
  delivery: Delivery,
  { comeBack }: OpenConnection,
  afterSeconds: number,
): Settlement {
  const at = runtime.now()
  const canGoOn = mayGoOn(connections, delivery, at)
  if (canGoOn && patienceLeftMs(delivery, afterSeconds, at) <= 0) return skipped(delivery, 'no turn in time', at)
  const seconds = comeBack(afterSeconds, at)
  return later(delivery, canGoOn ? Math.min(seconds, patienceLeftMs(delivery, 0, at) / 1000) : seconds)
}

/** Seconds after it was made in which a code has to have a turn, where its connection does not say so. */
const turnSeconds = 20
/** Seconds after which a message that waits for a turn is looked at again: caps may have been raised. */
const fullSecondsMax = 300

/** What has no turn in time goes on to the next connection, unless that has none either. */
export function untilFree(
  { connections: { known }, runtime }: WaitParts,
  delivery: Delivery,
  { failoverSeconds, comeBack, kind, share }: OpenConnection,
  { until, isOfDay }: Full,
): Settlement {
  const at = runtime.now()
  const { accountId, mode, others, createdAt } = delivery
  const inSeconds = failoverSeconds ?? (holdsCode(delivery) ? turnSeconds : Number.POSITIVE_INFINITY)
  const lateAt = createdAt.getTime() + inSeconds * 1000
  const next = others
    .flatMap((connection) => known({ accountId, mode, connection }) ?? [])
    .find((other) => !other.rest.resting(at) && (findFull(other, at)?.until ?? at) < until)
  const canGoOn = next !== undefined
  // Of a pool, whichever is free carries it.
  const isPooled = share && next?.share && next.kind === kind
  if (canGoOn && isOfDay) return skipped(delivery, 'its messages of a day are used up', at)
  if (canGoOn && (isPooled || until.getTime() >= lateAt)) return skipped(delivery, 'no turn in time', at)
  const seconds = comeBack(Math.min(fullSecondsMax, (until.getTime() - at.getTime()) / 1000), at)
  return later(delivery, canGoOn ? Math.min(seconds, (lateAt - at.getTime()) / 1000) : seconds)
}

/** The next connection is asked at once; with none left, the message waits for this one. */
export function whileResting(
  delivery: Delivery,
  { comeBack }: OpenConnection,
  { until, reason }: Resting,
  now: Date,
): Settlement {
  if (!delivery.isLast) return skipped(delivery, reason, now)
  return later(delivery, comeBack((until.getTime() - now.getTime()) / 1000, now))
}
