/** Codes that a connection took, and that are not delivered when they should be: the next connection has its turn. */
import type { Move } from '../domain/sending/message.ts'
import type { Task } from '../jobs/worker.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Job, Queue } from '../store/engine/queue.ts'
import type { Tx } from '../store/engine/session.ts'
import type { MessageKey } from '../store/sending/message.ts'
import type { Settlement } from './settlement.ts'

export const failoverQueue = 'failover'

/** Seconds that a code must be good for, for its user to have something of another copy. */
const spareSeconds = 60

interface Failovers {
  afterSeconds: number
  messages: (MessageKey & { connection: string })[]
}

/** With the commit of what began the time. */
export async function addFailovers(tx: Tx, queue: Queue, settlements: readonly Settlement[]): Promise<void> {
  const timed = settlements.filter(({ failoverAfterSeconds }) => failoverAfterSeconds !== undefined)
  for (const [afterSeconds, list] of Map.groupBy(timed, ({ failoverAfterSeconds = 0 }) => failoverAfterSeconds)) {
    const messages = list.map(({ delivery: { accountId, id, connection } }) => ({ accountId, id, connection }))
    const data: Failovers = { afterSeconds, messages }
    await queue.add(tx, failoverQueue, [{ data, afterSeconds }])
  }
}

export interface FailoverParts {
  commit: Commit
  queue: Queue
  move: Move
  runtime: Pick<Runtime, 'now'>
}

export function createFailover({ commit, queue, move, runtime }: FailoverParts): Task {
  return {
    queue: failoverQueue,
    jobsMax: 32,
    run: async ({ id: jobId, data }: Job<Failovers>) => {
      const note = (connection: string) => `${connection}: not delivered within ${data.afterSeconds} s`
      const ended = { at: runtime.now(), ends: true, spareSeconds }
      await commit.transaction(async (tx) => {
        await move(
          tx,
          data.messages.map(({ accountId, id, connection }) => ({
            ...ended,
            accountId,
            id,
            connection,
            note: note(connection),
          })),
        )
        await queue.complete(tx, failoverQueue, [jobId])
      })
    },
  }
}
