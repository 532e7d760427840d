/** What providers report, brought to the messages. One way for every channel. */
import { move } from '../domain/message.ts'
import type { Commit } from '../store/commit.ts'
import type { Job, Queue } from '../store/queue.ts'
import type { Tx } from '../store/session.ts'
import type { Channels, Receipt, Report } from './channel.ts'
import type { Task } from './worker.ts'

export interface Receipts {
  /**
   * Takes a provider's report; all of it in one transaction. Safe to repeat.
   *
   * @returns false when it is not the provider's own
   * @throws UnreadableReport when it is not of the channel's form
   */
  accept: (channel: string, report: Report) => Promise<boolean>
  /** Has a report accepted by the worker, after so many seconds, when `tx` commits. */
  later: (tx: Tx, channel: string, report: Report, afterSeconds: number) => Promise<void>
  task: Task
}

/** The queue of reports that come later. */
export const reportQueue = 'report'

interface Draft {
  receipts: Receipt[]
  /** Of the job that brought it. */
  jobId?: string
}

interface Later {
  channel: string
  headers: Record<string, string>
  body: string
}

export interface ReceiptParts {
  commit: Commit
  queue: Queue
  /** Asked when a report comes: channels are made with what brings reports here. */
  channels: () => Channels
}

export function createReceipts({ commit, queue, channels }: ReceiptParts): Receipts {
  const apply = commit.share<Draft, undefined>({
    work: async (tx, drafts) => {
      const steps = drafts.flatMap(({ receipts }) => receipts.map((receipt) => ({ ...receipt, erase: true })))
      await move(tx, steps)
      const done = drafts.flatMap(({ jobId }) => jobId ?? [])
      if (done.length > 0) await queue.complete(tx, reportQueue, done)
      return drafts.map(() => undefined)
    },
  })

  const receiptsOf = (name: string, report: Report): Receipt[] | undefined => {
    const channel = channels()[name]
    if (!channel) throw new Error(`no channel ${name}`)
    return channel.verify(report) ? channel.parse(report.body).filter(canBeOurs) : undefined
  }

  return {
    accept: async (channel, report) => {
      const receipts = receiptsOf(channel, report)
      if (!receipts) return false
      await apply({ receipts })
      return true
    },
    later: (tx, channel, { headers, body }, afterSeconds) => {
      const data: Later = { channel, headers: { ...headers }, body: body.toString() }
      return queue.add(tx, reportQueue, [{ data, afterSeconds }])
    },
    task: {
      queue: reportQueue,
      jobsMax: 32,
      run: async ({ id, data }: Job<Later>) => {
        const receipts = receiptsOf(data.channel, { headers: data.headers, body: Buffer.from(data.body) })
        await apply({ receipts: receipts ?? [], jobId: id })
      },
    },
  }
}

/** What the store cannot even be asked for is no id of ours. */
function canBeOurs({ accountId, id }: Receipt): boolean {
  return [accountId, id].every((text) => /^[\x21-\x7e]{1,100}$/.test(text))
}
