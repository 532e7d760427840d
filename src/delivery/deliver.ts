/** Deliveries: ask the channel for each message of a job, and settle each as its answer comes. */
import { setTimeout } from 'node:timers/promises'
import { openContent } from '../domain/content.ts'
import { type Deliveries, type Dispatch, queueOf } from '../domain/dispatch.ts'
import { move } from '../domain/message.ts'
import { maskPhone } from '../domain/phone.ts'
import type { Secrets } from '../domain/secret.ts'
import type { Runtime } from '../runtime.ts'
import type { Commit } from '../store/commit.ts'
import { isUnavailable } from '../store/failure.ts'
import { type Delivery, findDeliveries, type MessageKey } from '../store/message.ts'
import { claimSeconds, type Job, type Queue } from '../store/queue.ts'
import type { Tx } from '../store/session.ts'
import type { Channel, Outcome } from './channel.ts'
import { type Settlement, settlementOf } from './settlement.ts'
import type { Task } from './worker.ts'

export interface DeliverParts {
  commit: Commit
  queue: Queue
  dispatch: Dispatch
  secrets: Secrets
  runtime: Runtime
  /** Jobs of one channel that are done at once. */
  jobsMax: number
  /** Milliseconds that a channel has to answer; 10,000 when left out. */
  answerMs?: number | undefined
  /** Told of every outcome; for metrics. */
  onOutcome?: (outcome: { channel: string; kind: Outcome['kind'] | 'expired' }) => void
}

/** A claimed job is taken to be lost some time after that. */
const standardAnswerMs = 10_000

/** What is written down together with others of the moment. */
interface Draft {
  settlement?: Settlement
  /** The job whose last message this was. */
  done?: { queue: string; id: string }
}

/** @returns a task for each channel: a channel that hangs holds up its own messages only */
export function createDeliver(parts: DeliverParts): (name: string, channel: Channel) => Task {
  const { commit, runtime, jobsMax } = parts
  const settle = commit.share<Draft, undefined>({
    membersMax: 256,
    work: async (tx, drafts) => {
      await settleAll(tx, drafts, parts)
      return drafts.map(() => undefined)
    },
  })

  // Jobs that were claimed together are looked up together.
  const find = commit.shareReads<MessageKey[], Delivery[]>({
    work: async (reader, lists) => {
      const found = Map.groupBy(await findDeliveries(reader, distinct(lists.flat())), nameOf)
      return lists.map((list) => list.flatMap((key) => found.get(nameOf(key)) ?? []))
    },
  })

  return (name, channel) => ({
    queue: queueOf(name),
    jobsMax,
    run: async (job: Job<Deliveries>) => {
      const claimedAt = runtime.elapsedMs()
      const done = { queue: queueOf(name), id: job.id }
      // Also when nothing waits any more: another worker was faster.
      const waiting = await find(distinct(job.data.messages))
      if (waiting.length === 0) await settle({ done })
      let open = waiting.length
      const settled: Promise<undefined>[] = []
      const ends = waiting.map(async (delivery) => {
        const settlement = await deliver(parts, delivery, channel, claimedAt)
        open -= 1
        if (open > 0) {
          settled.push(settle({ settlement }))
          await settled.at(-1)
          return
        }
        // A message that could not be settled is found again by its job.
        const others = await Promise.allSettled(settled)
        await settle(others.every(({ status }) => status === 'fulfilled') ? { settlement, done } : { settlement })
      })
      for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason
    },
  })
}

async function settleAll(tx: Tx, drafts: Draft[], { queue, dispatch }: DeliverParts): Promise<void> {
  const settlements = drafts.flatMap(({ settlement }) => settlement ?? [])
  await move(
    tx,
    settlements.map(({ step }) => step),
  )
  // Those that are to be tried again get jobs of their own.
  const again = settlements.filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined)
  for (const { delivery, retryAfterSeconds } of again) await dispatch(tx, [delivery], retryAfterSeconds)
  const done = drafts.flatMap(({ done }) => done ?? [])
  for (const [name, list] of Map.groupBy(done, (job) => job.queue)) {
    await queue.complete(
      tx,
      name,
      list.map(({ id }) => id),
    )
  }
}

/** @throws when the service itself is short of something: then nothing was asked, and the job will be claimed again */
async function deliver(
  { secrets, runtime, onOutcome, answerMs = standardAnswerMs }: DeliverParts,
  delivery: Delivery,
  channel: Channel,
  claimedAt: number,
): Promise<Settlement> {
  const { accountId, id, phone } = delivery
  const now = runtime.now()
  if (delivery.expiresAt && delivery.expiresAt <= now) {
    onOutcome?.({ channel: delivery.channel, kind: 'expired' })
    const status = delivery.verified ? delivery.status : 'expired'
    return { delivery, step: { accountId, id, status, at: delivery.expiresAt, erase: true } }
  }
  // A worker that was stopped for so long has lost its job to another one, which asks by now.
  if (runtime.elapsedMs() - claimedAt > claimSeconds * 1000) throw new Error('the claim of the job ran out')
  const outcome = await ask()
  onOutcome?.({ channel: delivery.channel, kind: outcome.kind })
  runtime.log.info(
    { message_id: id, phone: maskPhone(phone), channel: delivery.channel, outcome: outcome.kind },
    'delivery',
  )
  return settlementOf(delivery, outcome, runtime.now())

  async function ask(): Promise<Outcome> {
    const { expiresAt, attempts } = delivery
    try {
      const content = openContent(secrets, delivery, delivery.content)
      return await inTime(channel.send({ accountId, id, phone, content, attempt: attempts + 1, expiresAt }), answerMs)
    } catch (error) {
      // The service's own want of a database is no attempt of the channel.
      if (isUnavailable(error)) throw error
      runtime.log.error({ err: error, channel: delivery.channel, message_id: id }, 'a channel failed unexpectedly')
      return { kind: 'retry', reason: 'unexpected error' }
    }
  }
}

/** A channel that does not answer keeps its place no longer. Whether it took the message, a report may tell. */
async function inTime(sent: Promise<Outcome>, answerMs: number): Promise<Outcome> {
  const timer = new AbortController()
  const late = setTimeout(answerMs, undefined, { signal: timer.signal }).then(
    (): Outcome => ({ kind: 'retry', reason: 'no answer in time' }),
  )
  // Also when it is called off.
  late.catch(() => {})
  return Promise.race([sent, late]).finally(() => timer.abort())
}

function nameOf({ accountId, id }: MessageKey): string {
  return `${accountId} ${id}`
}

function distinct(keys: readonly MessageKey[]): MessageKey[] {
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()]
}
