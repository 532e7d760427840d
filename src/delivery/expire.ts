/** Ends messages whose code ran out before they were delivered. */
import type { Runtime } from '../runtime.ts'
import { inBatches } from '../store/batch.ts'
import type { Session } from '../store/connect.ts'
import { expireOverdue } from '../store/message.ts'

/** @returns ends all that are due, and tells how many */
export function createExpire(session: Session, runtime: Pick<Runtime, 'now'>): () => Promise<number> {
  return () => inBatches((count) => expireOverdue(session, runtime.now(), count))
}
