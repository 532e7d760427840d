/** What providers report, brought to the messages. One way for every channel. */
import type { Move } from '../domain/sending/message.ts'
import type { InboundReplies } from '../domain/sending/phones/reply.ts'
import type { Task } from '../jobs/worker.ts'
import { noTracing, type Tracing } from '../kit/tracing.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Job, Queue } from '../store/engine/queue.ts'
import type { Tx } from '../store/engine/session.ts'
import type { Moved } from '../store/sending/change.ts'
import { findUntaken, type UntakenKey } from '../store/sending/delivery.ts'
import { traceMessages } from '../store/sending/trace.ts'
import type { Channel, Receipt, Report, Reporter, ReportPart, TemplateNews } from './channel.ts'
import { isReply, isTemplateNews } from './report.ts'
import { addEarly, type Early, type EarlyRoom, earlyQueue } from './reports/early.ts'
import { type Draft, findSteps, isOf, keepFirst } from './reports/receiptSteps.ts'
import { downIn } from './reports/reportedFault.ts'
import { type ReportRoom, readInTurns, splitReceipts } from './reports/reportRoom.ts'

export interface Receipts {
  /**
   * Takes a provider's report. Some hundred receipts of it share a transaction, and others have their turn between them. Safe to
   * repeat.
   *
   * @returns `refused` when it is not the provider's own, `unknown` when there is no such connection, `busy` when it is to come again
   * @throws UnreadableReport when it is not of the channel's form, OverlongReport
   */
  accept: (reporter: Reporter, report: Report) => Promise<'accepted' | 'refused' | 'unknown' | 'busy'>
  /** Whether there is such a connection: of others, no body is read. */
  knows: (reporter: Reporter) => Promise<boolean>
  /** Whether a report of so many bytes is to come again, before it is read. */
  isFull: (reporter: Pick<Reporter, 'accountId'>, bytes: number) => boolean
  /** The answer to a provider that asks whether the address is ours; undefined refuses it. */
  handshake: (reporter: Reporter, query: URLSearchParams) => Promise<string | undefined>
  tasks: Task[]
}

/** The queue of reports that come later. */
export const reportQueue = 'report'

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
  /** Takes what people answered; left out, that is dropped. */
  replies?: InboundReplies
  /** Takes what is told of templates; left out, that is dropped. */
  onTemplates?: (reporter: Reporter, news: readonly TemplateNews[]) => Promise<void>
  /** Told that a provider has reported of messages, also where that is no news. */
  onReport?: (reporter: Reporter) => void
  /** Told of what an operator must act on, when it is written down. */
  onDown?: (reporter: Reporter, receipt: Receipt) => void
  /** Unbounded when left out. */
  earlyRoom?: EarlyRoom
  room: ReportRoom
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
  const { commit, queue, move, channelOf, onReport, onDown, queued, room, tracing = noTracing } = parts
  const { earlyRoom = (_reporter, wanted) => wanted } = parts
  const apply = commit.share<Draft, undefined>({
    ownerOf: ({ reporter }) => reporter?.accountId ?? '',
    weigh: ({ receipts }) => weightOf(receipts),
    work: async (tx, drafts) => {
      const { steps, early } = await findSteps(tx, drafts)
      const moved = await move(tx, steps)
      noteInTraces({ reader: commit.reader, tracing }, tx, { moved, drafts })
      for (const one of early) await addEarly(tx, queue, one, earlyRoom)
      await completeJobs(queue, tx, drafts)
      return drafts.map(() => undefined)
    },
  })

  const findNews = createFindNews(commit)

  /** One part after the other; its job is done with the last. */
  const applyAll = async ({ receipts, job, ...draft }: Draft) => {
    const parts = splitReceipts(receipts)
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1
      await apply({ ...draft, receipts: part, ...(job && isLast && { job }) })
    }
  }

  const take = async (channel: Channel, reporter: Reporter, { body, target }: Report) => {
    const read = await readInTurns(channel.parse(body, target))
    room.count(reporter, body.length, read.length)
    const told = read.filter(isReceipt)
    if (told.length > 0) onReport?.(reporter)
    const news: Receipt[] = []
    for (const part of splitReceipts(keepFirst(told))) news.push(...(await listNews(reporter, part, findNews)))
    if (news.length > 0) await applyAll({ reporter, receipts: news, tries: 0, trace: tracing.current() })
    for (const receipt of downIn(news)) onDown?.(reporter, receipt)
    // Last: what is wrong with others holds up no report.
    await takeOthers(parts, reporter, read)
    return 'accepted' as const
  }

  return {
    accept: async (reporter, report) => {
      const channel = await channelOf(reporter)
      if (!channel) return 'unknown'
      const bytes = report.body.length
      await room.enterTurn(bytes)
      // Another one was refused while this one came.
      if (room.isFull(reporter.accountId, bytes)) return 'busy'
      if (!channel.verify(report)) return 'refused'
      return room.enter(reporter, bytes, () => take(channel, reporter, report))
    },
    knows: async (reporter) => (await channelOf(reporter)) !== undefined,
    isFull: ({ accountId }, bytes) => room.isFull(accountId, bytes),
    handshake: async (reporter, query) => (await channelOf(reporter))?.handshake?.(query),
    tasks: createTasks(queued, applyAll),
  }
}

/** What is told of no message. */
async function takeOthers({ replies, onTemplates }: ReceiptParts, reporter: Reporter, read: readonly ReportPart[]) {
  const answered = read.filter(isReply)
  if (answered.length > 0) await replies?.take(reporter, answered)
  const ofTemplates = read.filter(isTemplateNews)
  if (ofTemplates.length > 0) await onTemplates?.(reporter, ofTemplates)
}

function isReceipt(told: ReportPart): told is Receipt {
  return !isReply(told) && !isTemplateNews(told)
}

/** @param apply all of a draft, whose job is done with it */
function createTasks(queued: Channel, apply: (draft: Draft) => Promise<void>): Task[] {
  return [
    {
      queue: reportQueue,
      jobsMax: 32,
      run: async ({ id, data }: Job<Later>) => {
        const report = { headers: data.headers, body: Buffer.from(data.body) }
        const receipts = queued.verify(report) ? (await readInTurns(queued.parse(report.body))).filter(isReceipt) : []
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
  ]
}

/** Receipts that take as long as a draft of one: of one, most is its message. */
const receiptsOfDraft = 8

function weightOf({ length }: readonly unknown[]): number {
  return Math.max(1, length / receiptsOfDraft)
}

function createFindNews(commit: Commit) {
  return commit.shareReads<UntakenKey[], boolean[]>({
    ownerOf: ([first]) => first?.accountId ?? '',
    weigh: weightOf,
    work: async (reader, lists) => {
      const found = (await findUntaken(reader, lists.flat())).values()
      return lists.map((list) => list.map(() => found.next().value === true))
    },
  })
}

/**
 * Without what our own answer told before: every message that a provider takes is reported as sent, and each would cost a
 * transaction.
 */
async function listNews(
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
