/** What providers report, brought to the messages. One way for every channel. */
import { follows } from '../domain/status.ts'
import { type Session, transaction } from '../store/connect.ts'
import { applyChanges, inLockOrder } from '../store/message.ts'
import type { Job, Queue } from '../store/queue.ts'
import type { Channels, Receipt } from './channel.ts'

/**
 * Takes a provider's payload. Safe to repeat.
 *
 * @throws when there is no such channel, or it does not know the form
 */
export async function acceptReceipts(
  session: Session,
  channels: Channels,
  channel: string,
  payload: unknown,
): Promise<void> {
  const receipts = receiptsOf(channels, channel, payload)
  await transaction(session, (tx) => applyReceipts(tx, receipts))
}

/** @returns handles `sandbox-report` jobs: what the sandbox's phones report, by the way that any provider's reports take */
export function createSandboxReports(session: Session, queue: Queue, channels: Channels) {
  return async (jobs: Job[]): Promise<void> => {
    const receipts = jobs.flatMap((job) => receiptsOf(channels, 'sandbox', job.data))
    await transaction(session, async (tx) => {
      await applyReceipts(tx, receipts)
      await queue.complete(
        tx,
        'sandbox-report',
        jobs.map((job) => job.id),
      )
    })
  }
}

function receiptsOf(channels: Channels, channel: string, payload: unknown): Receipt[] {
  const receipts = channels[channel]?.parseReceipts(payload)
  if (!receipts) throw new Error(`no channel ${channel}`)
  return receipts
}

/** One after the other: two of them may be of one message. */
async function applyReceipts(tx: Session, receipts: Receipt[]): Promise<void> {
  for (const { status, ...receipt } of inLockOrder(receipts)) {
    await applyChanges(tx, [{ ...receipt, status, follows: follows[status], erase: true }])
  }
}
