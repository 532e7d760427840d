/** The ids of messages: made in the order of time, so that an id tells when its message was made. */
import { leastUlid, ulidTime } from '../../kit/runtime.ts'
import type { Moved } from '../../store/sending/change.ts'

/** Of each message's id; behind it stands a ULID. */
export const messageIdPrefix = 'req_'

/** Below the ids of all messages that are made from then on. */
export function leastMessageId(at: Date): string {
  return `${messageIdPrefix}${leastUlid(at)}`
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
