/** How much an account keeps of test mode: programs under test send without end, and nobody pays for their messages. */
import { LRUCache } from 'lru-cache'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { findSeries } from '../../store/insight/figure.ts'
import {
  eraseTestAnswers,
  eraseTestMessages,
  findOldestKept,
  listCrowded,
  listTalkative,
} from '../../store/keeping/testMode.ts'
import type { Grain } from '../../store/schema/userSchema.ts'
import { leastMessageId } from '../sending/messageId.ts'
import { batchSize, inBatches } from './batches.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 24 * 3_600_000]
/** Nothing younger is erased: its code may be typed yet, and its request may come again. */
const youngMs = 15 * minuteMs
/** Accounts of which it is remembered how far they have nothing left to erase. */
const rememberedMax = 10_000

export interface TestModeParts {
  commit: Commit
  runtime: Pick<Runtime, 'now'>
  /** Messages of test mode that an account keeps, and as many answers to requests with an `Idempotency-Key`. */
  messagesMax: number
  retentionDays: number
}

export interface Trimmed {
  testMessages: number
  testAnswers: number
}

/** Erases what accounts have beyond that, the oldest first, in batches. It rests after each for as long as that took. */
export type TrimTestMode = (isStopping: () => boolean) => Promise<Trimmed>

export function createTestMode({ commit, runtime, messagesMax, retentionDays }: TestModeParts): TrimTestMode {
  /** By account: no message of test mode has a lesser id, but for what somebody worked on. */
  const reached = new LRUCache<string, string>({ max: rememberedMax })

  return async (isStopping) => {
    const now = runtime.now()
    const since = new Date(now.getTime() - (retentionDays + 1) * dayMs)
    const trimmed: Trimmed = { testMessages: 0, testAnswers: 0 }
    for (const accountId of await listCrowded(commit.reader, since, messagesMax)) {
      if (isStopping()) return trimmed
      trimmed.testMessages += await trimMessages(accountId, { since, now }, isStopping)
    }
    for (const accountId of await listTalkative(commit.reader, messagesMax)) {
      if (isStopping()) return trimmed
      const before = settled(await findOldestKept(commit.reader, accountId, messagesMax), now)
      if (before) trimmed.testAnswers += await trimAnswers(commit, { accountId, before }, isStopping)
    }
    return trimmed
  }

  async function trimMessages(accountId: string, span: Span, isStopping: () => boolean): Promise<number> {
    const before = settled(await findEnd(accountId, span), span.now)
    if (!before) return 0
    const belowId = leastMessageId(before)
    let total = 0
    await inBatches(commit, isStopping, async (tx) => {
      const fromId = reached.get(accountId) ?? ''
      const walk = { accountId, fromId, belowId, before, count: batchSize }
      const { looked, erased, lastId } = await eraseTestMessages(tx, walk)
      tx.afterCommit(() => {
        total += erased
        if (lastId !== undefined) reached.set(accountId, lastId)
      })
      return looked
    })
    return total
  }

  /** @returns when the first of so many of the newest messages was made, to the minute where minutes are counted; not later */
  async function findEnd(accountId: string, { since, now }: Span): Promise<Date | undefined> {
    const owner = { accountId, mode: 'test' as const }
    const find = (grain: Grain, from: Date, to: Date) => findSeries(commit.reader, owner, { grain, from, to })
    const hours = await find('hour', since, new Date(now.getTime() + hourMs))
    const hour = planEnd(hours, messagesMax)
    if (!hour) return undefined
    const minutes = await find('minute', hour.at, new Date(hour.at.getTime() + hourMs))
    return (planEnd(minutes, messagesMax - hour.newer) ?? hour).at
  }
}

interface Old {
  accountId: string
  before: Date
}

function trimAnswers(commit: Commit, { accountId, before }: Old, isStopping: () => boolean): Promise<number> {
  return inBatches(commit, isStopping, (tx) => eraseTestAnswers(tx, accountId, before, batchSize))
}

interface Span {
  since: Date
  now: Date
}

/** The part of a series in which the newest `count` begin, and how many are in newer parts; undefined when all are fewer. */
function planEnd(
  series: readonly { at: Date; created: number }[],
  count: number,
): { at: Date; newer: number } | undefined {
  let newer = 0
  for (const { at, created } of series.toReversed()) {
    if (newer + created >= count) return { at, newer }
    newer += created
  }
  return undefined
}

function settled(end: Date | undefined, now: Date): Date | undefined {
  return end && new Date(Math.min(end.getTime(), now.getTime() - youngMs))
}
