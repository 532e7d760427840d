/** Reports that have overtaken what they are about: they are looked at again, so many of a connection at the most. */
import { laneOf } from '../../domain/sending/dispatch.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { createWindow } from '../../kit/window.ts'
import type { Queue } from '../../store/engine/queue.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { Receipt, Reporter } from '../channel.ts'

export const earlyQueue = 'report-early'

/** Seconds after which a message is looked for again that a provider names by an id we do not know yet. */
export const earlySeconds = [3, 30]

export interface Early {
  reporter: Reporter
  receipts: (Omit<Receipt, 'at'> & { at: string })[]
  tries: number
}

/** With the commit. Who reports of what is not ours fills no queue with it, and has a lane of his own. */
export async function addEarly(
  tx: Tx,
  queue: Queue,
  { reporter, receipts, tries }: Early,
  room: EarlyRoom,
): Promise<void> {
  const count = tries === 0 ? room(reporter, receipts.length) : receipts.length
  if (count === 0) return
  const data: Early = { reporter, tries, receipts: receipts.slice(0, count) }
  const lane = laneOf({ ...reporter, isLast: true })
  await queue.add(tx, earlyQueue, [{ data, afterSeconds: earlySeconds[tries], lane }])
}

/** @returns how many of those that are wanted there is room for; the others are not looked at again */
export type EarlyRoom = (reporter: Reporter, wanted: number) => number

/** Receipts of one connection in so many milliseconds. A report overtakes our own commit by milliseconds, and few do. */
const [receiptsMax, windowMs] = [3000, 30_000]

export function createEarlyRoom({ elapsedMs, log }: Pick<Runtime, 'elapsedMs' | 'log'>): EarlyRoom {
  const counts = createWindow(windowMs, elapsedMs)
  return ({ accountId, connection }, wanted) => {
    const before = counts.add(`${accountId} ${connection}`, wanted)
    const given = Math.min(wanted, Math.max(0, receiptsMax - before))
    if (given < wanted && before <= receiptsMax) {
      log.warn({ account: accountId, connection }, 'too many reports of unknown messages: some are ignored')
    }
    return given
  }
}
