/** Deliveries: hand each message of a job over, and settle each as its answer comes. */
import { type Deliveries, type Dispatch, queueOf } from '../domain/dispatch.ts'
import type { Move } from '../domain/message.ts'
import { type Delivery, findDeliveries, type LegKey } from '../store/delivery.ts'
import type { Job, Queue } from '../store/queue.ts'
import type { Tx } from '../store/session.ts'
import { traceMessages } from '../store/trace.ts'
import type { SpanStart } from '../tracing.ts'
import { addFailovers } from './failover.ts'
import { addQuestions } from './follow.ts'
import { createHandOver, type HandOverParts } from './handOver.ts'
import type { Settlement } from './settlement.ts'
import type { Task } from './worker.ts'

export interface DeliverParts extends HandOverParts {
  queue: Queue
  dispatch: Dispatch
  move: Move
  /** Of one kind of connections. */
  jobsMax: (kind: string) => number
}

/** Messages of one kind that are under way at once: with that many, no more jobs are claimed. */
const messagesMax = 2048

/** What is written down together with others of the moment. */
interface Draft {
  settlement?: Settlement
  /** The job whose last message this was. */
  done?: { queue: string; id: string }
}

/** @returns a task for each kind: connections that hang hold up messages of their own kind at most */
export function createDeliver(parts: DeliverParts): (kind: string) => Task {
  const { commit, runtime, jobsMax } = parts
  const handOver = createHandOver(parts)
  const settle = commit.share<Draft, undefined>({
    membersMax: 256,
    work: async (tx, drafts) => {
      await settleAll(tx, drafts, parts)
      return drafts.map(() => undefined)
    },
  })

  // Jobs that were claimed together are looked up together.
  const find = commit.shareReads<LegKey[], Delivery[]>({
    work: async (reader, lists) => {
      const found = Map.groupBy(await findDeliveries(reader, distinct(lists.flat())), nameOf)
      return lists.map((list) => list.flatMap((key) => found.get(nameOf(key)) ?? []))
    },
  })

  return (kind) => ({
    queue: queueOf(kind),
    jobsMax: jobsMax(kind),
    weightMax: messagesMax,
    weigh: ({ data }: Job<Deliveries>) => data.messages.length,
    run: async (job: Job<Deliveries>) => {
      const claimedAt = runtime.elapsedMs()
      const done = { queue: queueOf(kind), id: job.id }
      // Also when nothing waits any more: another worker was faster.
      const waiting = await find(distinct(job.data.messages))
      if (waiting.length === 0) await settle({ done })
      let open = waiting.length
      const settled: Promise<undefined>[] = []
      const deliver = async (delivery: Delivery) => {
        const settlement = await handOver(delivery, claimedAt)
        open -= 1
        if (open > 0) {
          settled.push(settle({ settlement }))
          await settled.at(-1)
          return
        }
        // A message that could not be settled is found again by its job.
        const others = await Promise.allSettled(settled)
        await settle(others.every(({ status }) => status === 'fulfilled') ? { settlement, done } : { settlement })
      }
      const inTrace = await traceMessages({ reader: commit.reader, tracing: runtime.tracing }, waiting)
      const ends = waiting.map((delivery) => inTrace(delivery, jobSpanOf(delivery, job.id), () => deliver(delivery)))
      for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason
    },
  })
}

function jobSpanOf({ id, leg, connection }: Delivery, jobId: string): SpanStart {
  const attributes = { 'watchword.job': jobId, 'watchword.message': id, 'watchword.leg': leg }
  return { name: 'deliver', kind: 'consumer', attributes: { ...attributes, 'watchword.connection': connection } }
}

async function settleAll(tx: Tx, drafts: Draft[], { queue, dispatch, move }: DeliverParts): Promise<void> {
  const settlements = drafts.flatMap(({ settlement }) => settlement ?? [])
  await move(
    tx,
    settlements.flatMap(({ step }) => step ?? []),
  )
  // Those that are to be asked for again get jobs of their own.
  const again = settlements.filter(({ againAfterSeconds }) => againAfterSeconds !== undefined)
  for (const [seconds, list] of Map.groupBy(again, ({ againAfterSeconds = 0 }) => Math.ceil(againAfterSeconds))) {
    await dispatch(
      tx,
      list.map(({ delivery }) => delivery),
      { afterSeconds: seconds },
    )
  }
  await addFailovers(tx, queue, settlements)
  await addQuestions(tx, queue, settlements)
  const done = drafts.flatMap(({ done }) => done ?? [])
  for (const [name, list] of Map.groupBy(done, (job) => job.queue)) {
    await queue.complete(
      tx,
      name,
      list.map(({ id }) => id),
    )
  }
}

/** With the leg: a job of an earlier one may come together with that of the leg that the message is on. */
function nameOf({ accountId, id, leg }: LegKey): string {
  // The jobs of an earlier version have no leg: it knew one only.
  return `${accountId} ${id} ${leg ?? 1}`
}

function distinct(keys: readonly LegKey[]): LegKey[] {
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()]
}
