/** How much a process does for reports: so much of an account in some seconds, and one large report of a connection at a time. */
import { setImmediate as turn } from 'node:timers/promises'
import { createLoopTurns } from '../../kit/loopTurns.ts'
import { createPlaces } from '../../kit/places.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { createWindow } from '../../kit/window.ts'
import type { Reporter } from '../channel.ts'
import { OverlongReport, UnreadableReport } from '../report.ts'

/** Receipts that are read or applied in one go, about a millisecond's work each time. */
export const partMax = 250

/** Bytes above which a report is large: what fits into fewer is parsed in a millisecond. Of reports, so many begin in a turn. */
const largeBytes = 64 * 1024
/** Large ones at once, of all connections. */
const largeMax = 4
/** Milliseconds that a large one waits for its turn. Providers wait for an answer for 5 seconds and more. */
const waitMs = 4000
const windowSeconds = 10
/** Milliseconds for which no large one of an account is read, after one that was read and then refused for what it holds. */
const refusedMs = 1000
/** So many bytes count as a receipt, whatever is in them: those of providers are as long. */
const receiptBytes = 600

export interface ReportRoomParts {
  runtime: Pick<Runtime, 'elapsedMs' | 'log'>
  /** Of one account, over ten seconds. */
  receiptsPerSecond: number
}

export interface ReportRoom {
  /** Whether a report of so many bytes is to come again, and is not read: its account has had its share, or a large one of it was just refused. */
  isFull: (accountId: string, bytes: number) => boolean
  /** Resolves when there is time for what takes longer the more bytes there are, such as a look at their signature. */
  enterTurn: (bytes: number) => Promise<void>
  /** @returns what `work` does; `busy` when the account has had its share, or the report had no place in time */
  enter: <Done>(reporter: Reporter, bytes: number, work: () => Promise<Done>) => Promise<Done | 'busy'>
  /** Counts what a report turned out to tell. */
  count: (reporter: Reporter, bytes: number, receipts: number) => void
}

export function createReportRoom({ runtime, receiptsPerSecond }: ReportRoomParts): ReportRoom {
  const told = createWindow(windowSeconds * 1000, runtime.elapsedMs)
  const warned = createWindow(windowSeconds * 1000, runtime.elapsedMs)
  const refused = createWindow(refusedMs, runtime.elapsedMs)
  const places = createPlaces(() => largeMax, 1)
  const turns = createLoopTurns(largeBytes)
  const countOf = (bytes: number) => Math.max(1, Math.ceil(bytes / receiptBytes))
  // A small report takes as long as its bytes, and a receipt's more.
  const enterTurn = (bytes: number) => turns(bytes + receiptBytes)

  const isRefused = (accountId: string, bytes: number) => bytes > largeBytes && refused.of(accountId) > 0
  const isFull = (accountId: string, bytes: number) => {
    if (isRefused(accountId, bytes)) return true
    if (told.of(accountId) < receiptsPerSecond * windowSeconds) return false
    if (warned.add(accountId, 1) === 0) {
      runtime.log.warn({ account: accountId, receiptsPerSecond }, 'too many reports of an account: some are refused')
    }
    return true
  }

  return {
    isFull,
    enterTurn,
    enter: async ({ accountId, connection }, bytes, work) => {
      if (isFull(accountId, bytes)) return 'busy'
      told.add(accountId, countOf(bytes))
      if (bytes <= largeBytes) return work()
      const owner = `${accountId} ${connection}`
      if (!(await places.take(waitMs, owner))) return 'busy'
      // One that is refused makes way at once, and the next one would be parsed in the same turn.
      return enterTurn(bytes)
        .then(async () => (isRefused(accountId, bytes) ? 'busy' : work()))
        .catch((error: unknown) => {
          if (error instanceof OverlongReport || error instanceof UnreadableReport) refused.add(accountId, 1)
          throw error
        })
        .finally(() => places.free(owner))
    },
    count: ({ accountId }, bytes, receipts) => void told.add(accountId, Math.max(0, receipts - countOf(bytes))),
  }
}

/** Reads what a report tells, some hundred at a time: others have their turn between. @throws what the report throws as it is read */
export async function readInTurns<One>(receipts: Iterable<One | undefined>): Promise<One[]> {
  const read: One[] = []
  let looked = 0
  for (const receipt of receipts) {
    if (receipt) read.push(receipt)
    if (++looked % partMax === 0) await turn()
  }
  return read
}

/** @returns the list in its order, in parts of some hundred; one that is empty when the list is */
export function splitReceipts<One>(list: readonly One[]): One[][] {
  const count = Math.max(1, Math.ceil(list.length / partMax))
  return Array.from({ length: count }, (_, index) => list.slice(index * partMax, (index + 1) * partMax))
}
