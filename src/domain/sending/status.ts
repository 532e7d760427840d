/** The statuses of a message, the one table of what may follow what, and what a reader is told. */
import type { DeliveryErrorCode, MessageStatus } from '../../store/schema/schema.ts'
import type { MessageRow } from '../../store/sending/message.ts'

/**
 * The statuses that each may follow. A status only moves up; `failed` and `expired` end it, but what the messaging
 * application says of a message that arrived wins over them, because its reports come late and in any order.
 */
export const follows: Record<MessageStatus, readonly MessageStatus[]> = {
  queued: [],
  sent: ['queued'],
  failed: ['queued', 'sent'],
  expired: ['queued', 'sent'],
  delivered: ['queued', 'sent', 'failed', 'expired'],
  read: ['queued', 'sent', 'failed', 'expired', 'delivered'],
}

/** What a right code keeps away: it has proved that the message arrived, whatever is reported or runs out after it. */
export const unlessVerified: readonly MessageStatus[] = ['failed', 'expired']

export interface MessageState {
  status: MessageStatus
  /** When that status was reached. */
  at: Date
  errorCode: DeliveryErrorCode | null
}

type Stateful = Pick<MessageRow, 'kind' | 'template' | 'status' | 'statusAt' | 'errorCode' | 'expiresAt' | 'verified'>

/**
 * What every caller and user is told. That a code ran out, the sweep writes down in its own time, and of a notification the
 * worker: a reader is told at once. What a connection has taken of a notification is with that.
 */
export function stateAt(row: Stateful, now: Date): MessageState {
  const { kind, template, status, statusAt, errorCode, expiresAt, verified } = row
  const isTaken = kind === 'notification' && template !== null && status !== 'queued'
  if (expiresAt !== null && expiresAt <= now && !verified && !isTaken && follows.expired.includes(status)) {
    return { status: 'expired', at: expiresAt, errorCode: null }
  }
  return { status, at: statusAt, errorCode: status === 'failed' ? errorCode : null }
}
