/** What providers report, brought to the messages. One way for every channel. */
import type { Move, Step } from '../domain/sending/message.ts'
import type { Task } from '../jobs/worker.ts'
import { noTracing, type Tracing } from '../kit/tracing.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Job, Queue } from '../store/engine/queue.ts'
import type { Tx } from '../store/engine/session.ts'
import type { Moved } from '../store/sending/change.ts'
import { findTakenLegs, findUntaken, type UntakenKey } from '../store/sending/delivery.ts'
import type { MessageKey } from '../store/sending/message.ts'
import { traceMessages } from '../store/sending/trace.ts'
import type { Channel, Receipt, Report, Reporter } from './channel.ts'
import { addEarly, type Early, type EarlyRoom, earlyQueue, earlySeconds } from './early.ts'
import { downIn } from './reportedFault.ts'
import { operatorFault, takenStep } from './settlement.ts'

export interface Receipts {
  /**
   * Takes a provider's report; all of it in one transaction. Safe to repeat.
   *
   * @returns `refused` when it is not the provider's own, `unknown` when there is no such connection
   * @throws UnreadableReport when it is not of the channel's form
   */
  accept: (reporter: Reporter, report: Report) => Promise<'accepted' | 'refused' | 'unknown'>
  /** The answer to a provider that asks whether the address is ours; undefined refuses it. */
  handshake: (reporter: Reporter, query: URLSearchParams) => Promise<string | undefined>
  tasks: Task[]
}

/** The queue of reports that come later. */
export const reportQueue = 'report'

interface Draft {
  reporter: Reporter | undefined
  receipts: Receipt[]
  /** How often they were looked for before. */
  tries: number
  /** Of the request that brought them. */
  trace?: string | undefined
  /** The job that brought them. */
  job?: { queue: string; id: string }
}

interface Later {
  headers: Record<string, string>
  body: string
}

export interface ReceiptParts {
  commit: Commit
  queue: Queue
  move: Move
  /** Off when left out. */
  tracing?: Tracing
  channelOf: (reporter: Reporter) => Promise<Channel | undefined>
  /** Told that a provider has reported of messages, also where that is no news. */
  onReport?: (reporter: Reporter) => void
  /** Told of what an operator must act on, when it is written down. */
  onDown?: (reporter: Reporter, receipt: Receipt) => void
  /** Unbounded when left out. */
  earlyRoom?: EarlyRoom
  /** The one whose reports come by the queue: see `createLaterReports`. */
  queued: Channel
}

/** Has a report accepted by the worker, after so many seconds, when `tx` commits: for a provider within the service. */
export type ReportLater = (tx: Tx, report: Report, afterSeconds: number) => Promise<void>

export function createLaterReports(queue: Pick<Queue, 'add'>): ReportLater {
  return (tx, { headers, body }, afterSeconds) => {
    const data: Later = { headers: { ...headers }, body: body.toString() }
    return queue.add(tx, reportQueue, [{ data, afterSeconds }])
  }
}

export function createReceipts(parts: ReceiptParts): Receipts {
  const { commit, queue, move, channelOf, onReport, onDown, queued, tracing = noTracing } = parts
  const { earlyRoom = (_reporter, wanted) => wanted } = parts
  const apply = commit.share<Draft, undefined>({
    ownerOf: ({ reporter }) => reporter?.accountId ?? '',
    work: async (tx, drafts) => {
      const { steps, early } = await stepsOf(tx, drafts)
      const moved = await move(tx, steps)
      noteInTraces({ reader: commit.reader, tracing }, tx, { moved, drafts })
      for (const one of early) await addEarly(tx, queue, one, earlyRoom)
      await completeJobs(queue, tx, drafts)
      return drafts.map(() => undefined)
    },
  })

  const findNews = commit.shareReads<UntakenKey[], boolean[]>({
    ownerOf: ([first]) => first?.accountId ?? '',
    work: async (reader, lists) => {
      const found = (await findUntaken(reader, lists.flat())).values()
      return lists.map((list) => list.map(() => found.next().value === true))
    },
  })

  return {
    accept: async (reporter, report) => {
      const channel = await channelOf(reporter)
      if (!channel) return 'unknown'
      if (!channel.verify(report)) return 'refused'
      const told = channel.parse(report.body, report.target)
      if (told.length > 0) onReport?.(reporter)
      const receipts = await newsOf(reporter, told, findNews)
      if (receipts.length > 0) await apply({ reporter, receipts, tries: 0, trace: tracing.current() })
      for (const receipt of downIn(receipts)) onDown?.(reporter, receipt)
      return 'accepted'
    },
    handshake: async (reporter, query) => (await channelOf(reporter))?.handshake?.(query),
    tasks: [
      {
        queue: reportQueue,
        jobsMax: 32,
        run: async ({ id, data }: Job<Later>) => {
          const report = { headers: data.headers, body: Buffer.from(data.body) }
          const receipts = queued.verify(report) ? queued.parse(report.body) : []
          await apply({ reporter: undefined, receipts, tries: 0, job: { queue: reportQueue, id } })
        },
      },
      {
        queue: earlyQueue,
        jobsMax: 32,
        // A provider that reports of messages that are not ours holds up those of its own connection.
        lanes: { weightMax: 96, weigh: () => 1 },
        run: async ({ id, data }: Job<Early>) => {
          const receipts = data.receipts.map((receipt) => ({ ...receipt, at: new Date(receipt.at) }))
          await apply({ ...data, receipts, tries: data.tries + 1, job: { queue: earlyQueue, id } })
        },
      },
    ],
  }
}

/**
 * Without what our own answer told before: every message that a provider takes is reported as sent, and each would cost a
 * transaction.
 */
async function newsOf(
  reporter: Reporter,
  receipts: readonly Receipt[],
  findNews: (keys: UntakenKey[]) => Promise<boolean[]>,
): Promise<Receipt[]> {
  const sent = receipts.filter(({ status }) => status === 'sent')
  const rest = receipts.filter(({ status }) => status !== 'sent')
  const arrived = new Set(rest.flatMap(({ message }) => message?.id ?? []))
  const open = sent.flatMap((receipt) => {
    const { message = receipt.orMessage, connection = reporter.connection } = receipt
    return message && isOf(reporter, message) && !arrived.has(message.id) ? [{ ...message, connection, receipt }] : []
  })
  const isNews = open.length > 0 ? await findNews(open) : []
  const news = open.flatMap(({ receipt }, index): Receipt[] => {
    if (isNews[index]) return [receipt]
    return receipt.price ? [{ ...receipt, isPriceAlone: true }] : []
  })
  return [...news, ...rest]
}

/** Those that brought the drafts. */
async function completeJobs(queue: Queue, tx: Tx, drafts: readonly Draft[]): Promise<void> {
  const jobs = Map.groupBy(
    drafts.flatMap(({ job }) => job ?? []),
    (job) => job.queue,
  )
  for (const [name, list] of jobs) {
    const ids = list.map(({ id }) => id)
    await queue.complete(tx, name, ids)
  }
}

/** In the trace of each message that moved, which is linked to the requests that brought the news. */
function noteInTraces(
  parts: Parameters<typeof traceMessages>[0],
  tx: Tx,
  { moved, drafts }: { moved: readonly Moved[]; drafts: readonly Draft[] },
): void {
  if (!parts.tracing.isOn || moved.length === 0) return
  const links = [...new Set(drafts.flatMap(({ trace }) => trace ?? []))]
  tx.afterCommit(async () => {
    const inTrace = await traceMessages(parts, moved)
    for (const one of moved) {
      const attributes = { 'watchword.message': one.id, 'watchword.connection': one.connection ?? undefined }
      await inTrace(one, { name: `report ${one.to}`, kind: 'consumer', links, attributes }, async () => {})
    }
  })
}

/** What a receipt says of a message. */
export function stepOf(receipt: Receipt, { accountId, id, connection }: MessageKey & { connection: string }): Step {
  const { status, at, errorCode, reason, providerCode, price, isHearsay = false } = receipt
  const told = { accountId, id, connection, at, ...(price && { price }) }
  if (receipt.isPriceAlone) return told
  if (isHearsay && (status === 'delivered' || status === 'read')) {
    // That the provider took it is proven by that, also when its answer was lost.
    const note = `${connection}: reported as ${status}, which is not proven`
    return { ...told, ...takenStep(connection, receipt.providerMessageId), note }
  }
  const step: Step = { ...told, status }
  if (providerCode !== undefined) step.providerCode = providerCode
  if (reason !== undefined) step.note = `${connection}: ${reason}`
  if (status === 'sent') return { ...step, ...takenStep(connection, receipt.providerMessageId) }
  if (status !== 'failed') return step
  const fault = errorCode === operatorFault.errorCode ? operatorFault : { errorCode: errorCode ?? 'not_delivered' }
  return { ...step, ends: true, ...fault }
}

/** The messages that receipts are about, by our own word or by the provider's. What is known under neither may be early. */
async function stepsOf(tx: Tx, drafts: Draft[]): Promise<{ steps: Step[]; early: Early[] }> {
  const named = drafts.flatMap(({ reporter, receipts }) =>
    receipts.flatMap(({ message, providerMessageId }) =>
      !message && reporter && providerMessageId !== undefined && isAscii(providerMessageId)
        ? [{ ...reporter, providerMessageId }]
        : [],
    ),
  )
  const ids = named.length > 0 ? await findTakenLegs(tx, named) : []
  const idOf = new Map(named.map((leg, index) => [nameOf(leg), ids[index]]))
  const early: Early[] = []
  const steps = drafts.flatMap(({ reporter, receipts, tries }) => {
    const unknown: Receipt[] = []
    const known = receipts.flatMap((receipt) => {
      const connection = receipt.connection ?? reporter?.connection
      if (connection === undefined) return []
      if (receipt.message)
        return isOf(reporter, receipt.message) ? [stepOf(receipt, { ...receipt.message, connection })] : []
      if (!reporter) return []
      const { providerMessageId, orMessage } = receipt
      const id = providerMessageId === undefined ? undefined : idOf.get(nameOf({ ...reporter, providerMessageId }))
      if (id !== undefined) return [stepOf(receipt, { accountId: reporter.accountId, id, connection })]
      if (orMessage && isOf(reporter, orMessage)) return [stepOf(receipt, { ...orMessage, connection })]
      if (providerMessageId !== undefined) unknown.push(receipt)
      return []
    })
    if (reporter && unknown.length > 0 && tries < earlySeconds.length) {
      early.push({
        reporter,
        tries,
        receipts: unknown.map((receipt) => ({ ...receipt, at: receipt.at.toISOString() })),
      })
    }
    return known
  })
  return { steps: distinct(steps), early }
}

/** Prices that count of one message, of those that one connection names at once: a report corrects an answer, perhaps twice. */
const pricesMax = 4

/**
 * Of each message what a connection says first, by status and price: what it says again moves nothing, and takes a round of
 * its own. Prices are a provider's to invent: of a few thousand for one message, the first ones count.
 */
function distinct(steps: readonly Step[]): Step[] {
  const said = new Map<string, Set<string>>()
  return steps.filter((step) => {
    const { amount, currency } = step.price ?? {}
    // One that was taken can be reported as arrived besides, without a proof.
    const name = `${step.accountId} ${step.id} ${step.connection} ${step.status} ${step.taken ? step.note : ''}`
    const prices = said.get(name) ?? new Set<string>()
    const price = `${amount} ${currency}`
    if (prices.has(price) || prices.size === pricesMax) return false
    said.set(name, prices.add(price))
    return true
  })
}

/** A provider may speak of the messages of the account whose connection it is, and what the store cannot be asked for is no id of ours. */
function isOf(reporter: Reporter | undefined, { accountId, id }: MessageKey): boolean {
  return [accountId, id].every(isAscii) && (!reporter || reporter.accountId === accountId)
}

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text)
}

function nameOf({ accountId, connection, providerMessageId }: Reporter & { providerMessageId: string }): string {
  return `${accountId} ${connection} ${providerMessageId}`
}
