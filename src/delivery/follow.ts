/** Where no report can come, the provider is asked what became of a message, a few times. */
import { laneOf } from '../domain/sending/dispatch.ts'
import type { Move } from '../domain/sending/message.ts'
import type { Task } from '../jobs/worker.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Job, Queue } from '../store/engine/queue.ts'
import type { Tx } from '../store/engine/session.ts'
import type { MessageKey } from '../store/sending/message.ts'
import type { OpenConnections } from './openConnections.ts'
import { stepsOfReceipt } from './reports/receiptSteps.ts'
import type { Settlement } from './settlement.ts'

export const followQueue = 'follow'

interface Question extends MessageKey {
  connection: string
  providerMessageId: string
  /** Seconds after the hand-over, of each question that is left. */
  afterSeconds: readonly number[]
  /** Those of the question before. */
  passedSeconds: number
}

/** With the commit of the hand-over. */
export async function addQuestions(tx: Tx, queue: Queue, settlements: readonly Settlement[]): Promise<void> {
  for (const { delivery, follow } of settlements) {
    if (!follow) continue
    const { accountId, id, connection } = delivery
    await addQuestion(tx, queue, { accountId, id, connection, passedSeconds: 0, ...follow })
  }
}

async function addQuestion(tx: Tx, queue: Queue, question: Question): Promise<void> {
  const { afterSeconds, passedSeconds, ...key } = question
  const [next, ...rest] = afterSeconds
  if (next === undefined) return
  const data: Question = { ...key, afterSeconds: rest, passedSeconds: next }
  const lane = laneOf({ ...key, isLast: true })
  await queue.add(tx, followQueue, [{ data, afterSeconds: next - passedSeconds, lane }])
}

export interface FollowParts {
  commit: Commit
  queue: Queue
  move: Move
  connections: Pick<OpenConnections, 'find'>
  runtime: Pick<Runtime, 'internalErrors'>
}

export function createFollow({ commit, queue, move, connections, runtime }: FollowParts): Task {
  return {
    queue: followQueue,
    jobsMax: 32,
    // A provider that does not answer holds up the questions of its own connection.
    lanes: { weightMax: 96, weigh: () => 1 },
    run: async ({ id: jobId, data }: Job<Question>) => {
      const { accountId, id, connection, providerMessageId } = data
      const found = await connections.find({ accountId, mode: 'live', connection })
      const receipt = await runtime.internalErrors.guard(
        'ask',
        { account: accountId, connection, message_id: id },
        // As if nothing were known yet.
        { work: () => found?.channel.ask?.(providerMessageId), instead: () => undefined },
      )
      const isOver = !found || receipt?.status === 'read' || receipt?.status === 'failed'
      await commit.transaction(async (tx) => {
        if (receipt) await move(tx, stepsOfReceipt(receipt, { accountId, id, connection }))
        if (!isOver) await addQuestion(tx, queue, data)
        await queue.complete(tx, followQueue, [jobId])
      })
    },
  }
}
