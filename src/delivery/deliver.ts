/** Deliveries: hand each message of a job over, and settle each as its answer comes. */
import { type Addressed, type Deliveries, type Dispatch, queueOf } from '../domain/sending/dispatch.ts'
import { leastMessageId } from '../domain/sending/messageId.ts'
import type { OptOuts } from '../domain/sending/phones/optOut.ts'
import { type Run, Unsaved } from '../jobs/turn.ts'
import type { Task } from '../jobs/worker.ts'
import type { SpanStart } from '../kit/tracing.ts'
import { claimSeconds, type Job, type Queue } from '../store/engine/queue.ts'
import type { Tx } from '../store/engine/session.ts'
import { type Delivery, type DeliveryKey, findAttempts, findDeliveries } from '../store/sending/delivery.ts'
import { traceMessages } from '../store/sending/trace.ts'
import { addFailovers } from './failover.ts'
import { addQuestions } from './follow.ts'
import { createHandOver, type HandOverParts } from './handOver.ts'
import { holdsCode, type Settlement, stopped } from './settlement.ts'

export interface DeliverParts extends HandOverParts {
  queue: Queue
  dispatch: Dispatch
  optOuts: Pick<OptOuts, 'among'>
  /** Of one kind of connections. */
  jobsMax: (kind: string) => number
}

/** Milliseconds: no code is good for longer. */
const codeMsMax = 3600_000

/** Messages under way at once of all lanes together, for one kind of connections: codes, and as many notifications. */
const messagesMax = 2048

/** What is written down together with others of the moment. */
interface Draft {
  settlement?: Settlement
  /** The job whose last message this was. */
  done?: { queue: string; id: string }
}

/**
 * @returns the tasks of each kind, for connections that hang hold up messages of their own kind at most: codes have one of
 * their own, so that notifications never stand before them
 */
export function createDeliver(parts: DeliverParts): (kind: string) => Task[] {
  const { commit, runtime, jobsMax } = parts
  const handOver = createHandOver(parts)
  const settle = commit.share<Draft, undefined>({
    membersMax: 256,
    isPatient: true,
    work: async (tx, drafts) => {
      await settleAll(tx, drafts, parts)
      return drafts.map(() => undefined)
    },
  })

  const save = async (draft: Draft) => {
    try {
      await settle(draft)
    } catch (error) {
      throw draft.settlement?.step?.attempted ? new Unsaved(error) : error
    }
  }
  const find = createFind(parts)

  return (kind) => {
    const run: Run = async (job: Job<Deliveries>, { claimedAt }) => {
      const done = { queue: queueOf(kind), id: job.id }
      const foundAt = runtime.elapsedMs()
      // Also when nothing waits any more: another worker was faster.
      const { waiting, optedOut } = await find(distinct(job.data.messages))
      if (waiting.length === 0) await save({ done })
      let open = waiting.length
      const saved: Promise<void>[] = []
      const deliver = async (delivery: Delivery) => {
        const settlement = optedOut.has(delivery)
          ? stopped(delivery, runtime.now())
          : await handOver(delivery, { claimedAt, foundAt })
        open -= 1
        if (open > 0) {
          saved.push(save({ settlement }))
          await saved.at(-1)
          return
        }
        // A message that could not be settled is found again by its job.
        const others = await Promise.allSettled(saved)
        await save(others.every(({ status }) => status === 'fulfilled') ? { settlement, done } : { settlement })
      }
      const inTrace = await traceMessages({ reader: commit.reader, tracing: runtime.tracing }, waiting)
      const ends = waiting.map((delivery) => inTrace(delivery, toJobSpan(delivery, job.id), () => deliver(delivery)))
      const faults = (await Promise.allSettled(ends)).flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
      if (faults.length > 0) throw faults.find((fault) => fault instanceof Unsaved) ?? faults[0]
    }
    const lanes = { weightMax: messagesMax, weigh: ({ data }: Job<Deliveries>) => data.messages.length }
    const task = { queue: queueOf(kind), jobsMax: jobsMax(kind), lanes, run }
    return [
      { ...task, isUrgent: true },
      { ...task, isUrgent: false },
    ]
  }
}

interface Found {
  waiting: Delivery[]
  /** Notifications whose recipients have opted out since they were sent. */
  optedOut: ReadonlySet<Delivery>
}

/** Jobs that were claimed together are looked up together. */
function createFind({ commit, runtime, optOuts }: DeliverParts): (keys: DeliveryKey[]) => Promise<Found> {
  return commit.shareReads({
    work: async (reader, lists) => {
      const pendingSince = leastMessageId(new Date(runtime.now().getTime() - codeMsMax))
      const found = await findDeliveries(reader, lists.flat(), pendingSince)
      const fromTemplates = found.flatMap((delivery) => (delivery?.isFromTemplate ? delivery : []))
      const optedOut = await optOuts.among(reader, fromTemplates)
      let end = 0
      return lists.map((list) => {
        const start = end
        end += list.length
        const waiting = found.slice(start, end).filter((delivery) => delivery !== undefined)
        return { waiting, optedOut }
      })
    },
  })
}

function toJobSpan({ id, leg, connection }: Delivery, jobId: string): SpanStart {
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
  for (const [afterSeconds, list] of Map.groupBy(await findAgain(tx, settlements), ({ seconds }) => seconds)) {
    await dispatch(tx, list, { afterSeconds })
  }
  // A replaced code can be with another worker: by then, that has settled it, or is dead.
  const replaced = settlements.flatMap(({ delivery }) => delivery.replaces ?? [])
  // It needs no connection, and waits behind none that do.
  const apart = { isUrgent: true, isLast: false }
  await dispatch(
    tx,
    replaced.map((key) => ({ ...key, ...apart })),
    { afterSeconds: claimSeconds },
  )
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

/** Those that are to be asked for again, as their next job has to know them. */
async function findAgain(tx: Tx, settlements: readonly Settlement[]): Promise<(Addressed & { seconds: number })[]> {
  const again = settlements.flatMap(({ delivery, step, againAfterSeconds }) => {
    if (againAfterSeconds === undefined) return []
    const isUrgent = holdsCode(delivery)
    return { step, delivery: { ...delivery, isUrgent, seconds: Math.ceil(againAfterSeconds) } }
  })
  const asked = again.filter(({ step }) => step?.attempted).map(({ delivery }) => delivery)
  const unasked = again.filter(({ step }) => !step?.attempted).map(({ delivery }) => delivery)
  if (asked.length === 0) return unasked
  // Reckoned from what was found, it could be wrong: where another worker asked as well, both have counted.
  const attempts = await findAttempts(tx, asked)
  return [
    ...unasked,
    ...asked.flatMap((delivery, index) => {
      const count = attempts[index]
      return count === undefined ? [] : { ...delivery, attempts: count }
    }),
  ]
}

function distinct(keys: readonly DeliveryKey[]): DeliveryKey[] {
  const nameOf = ({ accountId, id, leg, attempts }: DeliveryKey) => `${accountId} ${id} ${leg} ${attempts}`
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()]
}
