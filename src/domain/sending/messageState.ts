/** What a reader is told of a message. */
import { leastUlid, ulidTime } from '../../kit/runtime.ts'
import type { DeliveryErrorCode, MessageStatus } from '../../store/schema/schema.ts'
import type { Moved } from '../../store/sending/change.ts'
import type { MessageRow } from '../../store/sending/message.ts'
import { follows } from './status.ts'

/** Of each message's id; behind it stands a ULID. */
export const messageIdPrefix = 'req_'

/** Below the ids of all messages that are made from then on. */
export function leastMessageId(at: Date): string {
  return `${messageIdPrefix}${leastUlid(at)}`
}

export interface MessageState {
  id: string
  status: MessageStatus
  /** When that status was reached. */
  at: Date
  errorCode: DeliveryErrorCode | null
}

type Stateful = Pick<MessageRow, 'status' | 'statusAt' | 'errorCode' | 'expiresAt' | 'verified'>

/** What every reader is told, whoever asks. That a code ran out, the sweep writes down in its own time; a reader is told at once. */
export function stateAt(row: Stateful, now: Date): Omit<MessageState, 'id'> {
  const { status, statusAt, errorCode, expiresAt, verified } = row
  if (expiresAt !== null && expiresAt <= now && !verified && follows.expired.includes(status)) {
    return { status: 'expired', at: expiresAt, errorCode: null }
  }
  return { status, at: statusAt, errorCode: status === 'failed' ? errorCode : null }
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
