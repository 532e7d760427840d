/** Idempotency keys: work is done once, and its answer kept in the transaction that does it. */
import { Problem } from '../problem.ts'
import type { Runtime } from '../runtime.ts'
import { type Session, transaction } from '../store/connect.ts'
import { claimIdempotencyKey, findKeptAnswer, keepAnswer } from '../store/idempotency.ts'
import type { Caller } from './apiKey.ts'
import type { Secrets } from './secret.ts'

interface Answer {
  status: number
  body: { readonly success: boolean; readonly data: object }
}

export interface Idempotency {
  /**
   * Does `work`, or answers as it was answered before. When the process dies on the way, nothing is done and nothing kept.
   *
   * @throws Problem `idempotency_key_reused`, `idempotency_in_progress`, and what `work` throws; then nothing is kept
   */
  once: (
    request: { caller: Caller; operationId: string; key: string; body: Buffer },
    work: (tx: Session) => Promise<Answer>,
  ) => Promise<{ answer: Answer; replayed: boolean }>
}

/** Milliseconds that an answer is kept. */
export const idempotencyKeptMs = 24 * 3600 * 1000

/** Whether an answer of this status is kept: not those that may be different the next time. */
export function isKept(status: number): boolean {
  return status < 500 && status !== 401 && status !== 403 && status !== 429
}

export function createIdempotency(session: Session, runtime: Pick<Runtime, 'now'>, secrets: Secrets): Idempotency {
  return {
    once: ({ caller, operationId, key, body }, work) => {
      const id = { accountId: caller.accountId, mode: caller.mode, operation: operationId, key }
      return transaction(session, async (tx) => {
        const now = runtime.now()
        const fingerprint = secrets.sign('fingerprint', body)
        if (await claimIdempotencyKey(tx, id, fingerprint, now, new Date(now.getTime() - idempotencyKeptMs))) {
          const answer = await work(tx)
          await keepAnswer(tx, id, { status: answer.status, body: JSON.stringify(answer.body) })
          return { answer, replayed: false }
        }
        const kept = await findKeptAnswer(tx, id)
        if (!kept) throw new Problem('idempotency_in_progress')
        if (!secrets.verify('fingerprint', kept.fingerprint, kept.fingerprintKeyId, body)) {
          throw new Problem('idempotency_key_reused')
        }
        return { answer: { status: kept.status, body: JSON.parse(kept.body) }, replayed: true }
      })
    },
  }
}
