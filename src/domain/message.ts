/** Messages: what became of one. */
import { Problem } from '../problem.ts'
import type { Runtime } from '../runtime.ts'
import type { Session } from '../store/connect.ts'
import { findMessage, type MessageRow } from '../store/message.ts'
import type { DeliveryErrorCode, MessageStatus } from '../store/schema.ts'
import type { Caller } from './apiKey.ts'
import { follows } from './status.ts'

export interface MessageState {
  id: string
  status: MessageStatus
  /** When that status was reached. */
  at: Date
  errorCode: DeliveryErrorCode | null
}

export interface Messages {
  /** @throws Problem `message_not_found`, also for one of another account or mode */
  get: (session: Session, caller: Caller, id: string) => Promise<MessageState>
}

export function createMessages(runtime: Pick<Runtime, 'now'>): Messages {
  return {
    get: async (session, caller, id) => {
      const found = await findMessage(session, caller.accountId, caller.mode, id)
      if (!found) throw new Problem('message_not_found')
      // The sweep writes it down in its own time; a reader is told at once.
      if (found.expiresAt && hasExpired(found, runtime.now())) {
        return { id, status: 'expired', at: found.expiresAt, errorCode: null }
      }
      return { id, status: found.status, at: found.statusAt, errorCode: found.errorCode }
    },
  }
}

function hasExpired({ expiresAt, verified, status }: MessageRow, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now && !verified && follows.expired.includes(status)
}
