/** Ends messages whose code ran out before they were delivered. */
import type { Runtime } from '../runtime.ts'
import type { Session } from '../store/connect.ts'
import { expireOverdue } from '../store/message.ts'

/** Rows that one statement may lock. */
const batchSize = 500

/** @returns ends all that are due, and tells how many */
export function createExpire(session: Session, runtime: Pick<Runtime, 'now'>): () => Promise<number> {
  return async () => {
    let total = 0
    for (;;) {
      const ended = await expireOverdue(session, runtime.now(), batchSize)
      total += ended
      if (ended < batchSize) return total
    }
  }
}
