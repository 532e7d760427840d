/** The ids of messages: made in the order of time, so that an id tells when its message was made. */
import { leastUlid, ulidTime } from '../../kit/runtime.ts'
import type { Moved } from '../../store/sending/change.ts'

/** Of each message's id; behind it stands a ULID. */
export const messageIdPrefix = 'req_'

/** Below the ids of all messages that are made from then on. */
export function leastMessageId(at: Date): string {
  return `${messageIdPrefix}${leastUlid(at)}`
}

/**
 * The least and the greatest id of messages that are made around these times.
 *
 * @param seconds how far before and after: what another process makes at the moment may be a little ahead
 */
export function messageIdsAround(times: readonly Date[], seconds: number): [least: string, greatest: string] {
  const ms = times.map((time) => time.getTime())
  const idOf = (at: number) => leastMessageId(new Date(Math.max(at, 0)))
  return [idOf(Math.min(...ms) - seconds * 1000), idOf(Math.max(...ms) + seconds * 1000)]
}

/** Seconds from the request for a message until a channel took it for the first time; undefined where that is not what happened. */
export function takenAfterSeconds({
  id,
  at,
  isFirstTaken,
}: Pick<Moved, 'id' | 'at' | 'isFirstTaken'>): number | undefined {
  if (!isFirstTaken) return undefined
  return Math.max(0, at.getTime() - ulidTime(id.slice(messageIdPrefix.length)).getTime()) / 1000
}
