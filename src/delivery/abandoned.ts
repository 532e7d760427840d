/** Deliveries that took worker after worker with them. Here they end, and so these jobs are claimed until they are done. */
import type { Deliveries } from '../domain/sending/dispatch.ts'
import type { Move } from '../domain/sending/message.ts'
import type { Task } from '../jobs/worker.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Job, Queue } from '../store/engine/queue.ts'
import { findDeliveries } from '../store/sending/delivery.ts'

export const abandonedQueue = 'abandoned'

export interface AbandonedParts {
  commit: Commit
  queue: Queue
  move: Move
  runtime: Runtime
}

/** Fails what is left of a job that never ended: a message fails rather than stays. */
export function createAbandoned({ commit, queue, move, runtime }: AbandonedParts): Task {
  return {
    queue: abandonedQueue,
    jobsMax: 4,
    run: async ({ id: jobId, data }: Job<Deliveries>) => {
      const at = runtime.now()
      const count = await commit.transaction(async (tx) => {
        const found = await findDeliveries(tx, data.messages)
        const left = found.filter((delivery) => delivery !== undefined)
        const failed = { status: 'failed', at, errorCode: 'not_delivered' } as const
        await move(
          tx,
          left.map(({ accountId, id }) => ({ accountId, id, ...failed })),
        )
        await queue.complete(tx, abandonedQueue, [jobId])
        return left.length
      })
      runtime.log.error({ count }, 'gave up on deliveries that never ended')
    },
  }
}
