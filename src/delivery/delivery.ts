/** Puts deliveries together: channels, the tasks of the worker, and the queues that they need. */
import { createDispatch, type Dispatch, queueOf } from '../domain/dispatch.ts'
import { expireOverdue } from '../domain/message.ts'
import type { Purged } from '../domain/retention.ts'
import type { FindRoute } from '../domain/route.ts'
import type { Secrets } from '../domain/secret.ts'
import type { Runtime } from '../runtime.ts'
import type { Commit } from '../store/commit.ts'
import type { Queue, QueueOptions } from '../store/queue.ts'
import { abandonedQueue, createAbandoned } from './abandoned.ts'
import type { Channel, Channels } from './channel.ts'
import { createSandbox } from './channels/sandbox/sandbox.ts'
import { createDeliver, type DeliverParts } from './deliver.ts'
import { createReceipts, reportQueue } from './receipts.ts'
import { createWorker, type Task, type Worker } from './worker.ts'

/** What there is to be in every installation. */
const builtIn = ['sandbox'] as const
const purgeQueue = 'purge'
const everyHour = '23 * * * *'
/** Verifications that one transaction ends. */
const expiredMax = 500

/** Those that the worker's tasks take their jobs from; the deliveries that never end go to one of them. */
export const queues: readonly QueueOptions[] = [
  { name: abandonedQueue },
  { name: reportQueue },
  { name: purgeQueue, schedule: everyHour },
  ...builtIn.map((channel) => ({ name: queueOf(channel), deadLetter: abandonedQueue })),
]

export interface DeliveryParts {
  commit: Commit
  queue: Queue
  secrets: Secrets
  runtime: Runtime
  purge: (isStopping: () => boolean) => Promise<Purged>
  /** Jobs of one channel that are done at once. */
  jobsMax: number
  answerMs?: DeliverParts['answerMs']
  /** In place of the built-in ones. */
  replaced?: Channels | undefined
  onOutcome: NonNullable<DeliverParts['onOutcome']>
  /** Shows what a sandbox phone receives. */
  onSandboxText?: ((phone: string, text: string) => void) | undefined
}

export function createDelivery(parts: DeliveryParts): { worker: Worker; dispatch: Dispatch; route: FindRoute } {
  const { commit, queue, runtime, purge, replaced } = parts
  const dispatch = createDispatch(queue)
  const receipts = createReceipts({ commit, queue, channels: () => channels })
  const channels: Record<(typeof builtIn)[number], Channel> = {
    sandbox: createSandbox({
      ...parts,
      report: (tx, report, afterSeconds) => receipts.later(tx, 'sandbox', report, afterSeconds),
      onText: parts.onSandboxText,
    }),
    ...replaced,
  }
  const taskOf = createDeliver({ ...parts, dispatch })
  const purgeTask: Task = {
    queue: purgeQueue,
    jobsMax: 1,
    run: async ({ id }, isStopping) => {
      runtime.log.info(await purge(isStopping), 'purged')
      await commit.transaction((tx) => queue.complete(tx, purgeQueue, [id]))
    },
  }
  const worker = createWorker({
    queue,
    tasks: [
      ...Object.entries(channels).map(([name, channel]) => taskOf(name, channel)),
      receipts.task,
      createAbandoned({ commit, queue, runtime }),
      purgeTask,
    ],
    sweep: async () => {
      while ((await commit.transaction((tx) => expireOverdue(tx, runtime.now(), expiredMax))) === expiredMax);
    },
    log: runtime.log,
  })
  return { worker, dispatch, route: routeBy(channels) }
}

/** There is one channel so far; what it refuses on purpose, it refuses for test keys alone. */
function routeBy(channels: Record<'sandbox', Channel>): FindRoute {
  return ({ mode, phone, kind }) => {
    const refused = mode === 'test' && kind === 'verification' ? channels.sandbox.refuses?.(phone) : undefined
    return refused ? { refused } : { channel: 'sandbox' }
  }
}
