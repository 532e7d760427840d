/**
 * The figures of the charts, counted from the messages themselves: a send pays nothing for them. The running minute is counted
 * every few seconds, the minutes whose codes can still be used every half minute, and an hour as a whole some times more, as
 * reports come late. What is counted is replaced, so that a process may die anywhere.
 */
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import {
  type Counted,
  type Counts,
  countMessages,
  deleteMinutes,
  findNextMessage,
  findProgress,
  holdProgress,
  insertProgress,
  type Progress,
  replaceFigures,
  updateProgress,
} from '../../store/insight/counting.ts'
import type { Slice } from '../../store/insight/replacing.ts'
import { type CountedSpend, countSpend, replaceSpend } from '../../store/insight/spend.ts'
import { latencyBoundsMs, noLatencies } from './figure.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Milliseconds between two counts of the running minute. */
export const countMs = 5000
/** Milliseconds between two counts of all minutes that are not settled, at least. */
const recountMinMs = 30_000
/** Age at which a minute is settled: codes live for ten minutes, and what ends them comes a little later. */
const settledMs = 12 * minuteMs
/** A message is seen so much later than it was made, at most: the minute before is counted with the running one until then. */
const lateMs = 10_000
/** Minutes that one statement counts: at a thousand messages a second, it takes two or three seconds. */
const minutesMax = 20
/** Ages of an hour at which it is counted once more, for reports that come late. Minutes are kept until the first of them. */
const hourAgesMs = [hourMs, 6 * hourMs, dayMs, 3 * dayMs, 7 * dayMs]
/** Parts of an hour that are counted in one statement. */
const partMs = 10 * minuteMs
/**
 * Parts of the time of one of the database's processors that may be taken by counting the running minute, by counting those
 * that are not settled, and by all while it is behind. The more there is to count, the less often it is done.
 */
const shares = { count: 1 / 40, recount: 1 / 60, behind: 1 / 4 }
/** However long it takes: what is counted twice an hour is still right. */
const restMaxMs = 2 * minuteMs
const idle: Round = { restMs: countMs, isBehind: false }

export interface CountingParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
  /** What is older may have been erased: it is not counted again. */
  retentionDays: number
}

export interface Round {
  /** Milliseconds until there may be more to count. */
  restMs: number
  /** There is more that is due. */
  isBehind: boolean
}

/** Counts what is due, unless another process has or does. */
export type Counting = () => Promise<Round>

export function createCounting({ commit, runtime, retentionDays }: CountingParts): Counting {
  const { reader } = commit

  return async () => {
    const now = runtime.now()
    const known = believed(await findProgress(reader), now)
    if (known && rests(known, now)) return { ...idle, restMs: Math.min(known.dueAt.getTime() - now.getTime(), countMs) }
    const first = await findNextMessage(reader, known?.settledUntil ?? new Date(0))
    // Nothing is written while nothing happens.
    if (!first && (!known || listHours(known.hoursUntil, now, retentionDays).due.length === 0)) return idle
    if (!known && first) await commit.transaction((tx) => insertProgress(tx, beginningAt(first, now)))
    return commit.transaction((tx) => count(tx, now))
  }

  async function count(tx: Tx, now: Date): Promise<Round> {
    const held = await holdProgress(tx)
    const progress = believed(held, now)
    // Another process counts, or has just done so.
    if (!progress || rests(progress, now)) return idle
    const startedAt = runtime.elapsedMs()
    if (progress !== held) await forgetFrom(tx, progress.hoursUntil, now)
    const { slice, isRecount, isBehind: isLate, next } = planMinutes(progress, now)
    await replaceFigures(tx, slice, toFigures(await countMessages(tx, slice, latencyBoundsMs)))
    await replaceSpend(tx, slice, await countSpend(tx, slice))
    const minutesMs = runtime.elapsedMs() - startedAt
    const hours = await countHour(tx, progress.hoursUntil, now)
    const isBehind = isLate || hours.isBehind
    const tookMs = runtime.elapsedMs() - startedAt
    const restMs = Math.min(isBehind ? tookMs / shares.behind : Math.max(countMs, minutesMs / shares.count), restMaxMs)
    const recountMs = Math.min(Math.max(recountMinMs, minutesMs / shares.recount), restMaxMs)
    const after = (ms: number) => new Date(now.getTime() + tookMs + ms)
    updateProgress(tx, {
      ...next,
      recountAt: isRecount && !isLate ? after(recountMs) : progress.recountAt,
      hoursUntil: hours.until,
      dueAt: after(isRecount && !isBehind ? countMs : restMs),
    })
    return { restMs: isRecount && !isBehind ? countMs : restMs, isBehind }
  }

  /** One hour as a whole, if one is due. */
  async function countHour(tx: Tx, given: readonly Date[], now: Date): Promise<{ until: Date[]; isBehind: boolean }> {
    const { marks, ends, due } = listHours(given, now, retentionDays)
    const isDue = (mark: number, place: number) => mark < ends[place]!
    const done = (until: readonly number[]) => ({
      until: until.map((mark) => new Date(mark)),
      isBehind: until.some(isDue),
    })
    if (due.length === 0) return done(marks)
    const next = await findNextMessage(tx, new Date(Math.min(...due)))
    // An hour without messages has nothing to count: what is erased was counted before.
    const hour = floor((next ?? now).getTime(), hourMs)
    const reached = marks.map((mark, place) => Math.min(Math.max(mark, hour), ends[place]!))
    const isCounted = (mark: number, place: number) => mark === hour && isDue(mark, place)
    if (!reached.some(isCounted)) return done(reached)
    await recountHour(tx, hour)
    return done(reached.map((mark, place) => (isCounted(mark, place) ? hour + hourMs : mark)))
  }
}

/** Up to where hours are counted at each age, up to where they can be, and the marks of those that are behind. */
function listHours(
  given: readonly Date[],
  now: Date,
  retentionDays: number,
): { marks: number[]; ends: number[]; due: number[] } {
  const oldest = floor(now.getTime() - retentionDays * dayMs, hourMs) + 2 * hourMs
  const ends = hourAgesMs.map((ageMs) => floor(now.getTime() - ageMs, hourMs))
  const marks = ends.map((end, place) => Math.min(Math.max((given[place] ?? now).getTime(), oldest), end))
  return { marks, ends, due: marks.filter((mark, place) => mark < ends[place]!) }
}

/** The progress of who has counted nothing: the minutes of the last hours, and every hour before. */
function beginningAt(first: Date, now: Date): Progress {
  const hour = new Date(floor(first.getTime(), hourMs))
  const before = new Date(0)
  return {
    settledUntil: before,
    recountAt: before,
    countedAt: before,
    dueAt: now,
    hoursUntil: hourAgesMs.map(() => hour),
  }
}

/** Where it is ahead, a clock wrote it that has been set back since: the minutes from the last hour on are counted again. */
function believed(progress: Progress | undefined, now: Date): Progress | undefined {
  if (!progress) return undefined
  const { settledUntil, recountAt, countedAt } = progress
  const ahead = Math.max(...[settledUntil, recountAt, countedAt].map((at) => at.getTime())) - now.getTime()
  const before = new Date(0)
  return ahead > 2 * restMaxMs ? { ...progress, settledUntil: before, recountAt: before, countedAt: before } : progress
}

/** A longer rest than any there is was begun by a clock that has been set back since. */
function rests({ dueAt }: Progress, now: Date): boolean {
  return dueAt > now && dueAt.getTime() - now.getTime() <= 2 * restMaxMs
}

interface Minutes {
  slice: Slice
  /** They are all that are not settled, or the first of those. */
  isRecount: boolean
  /** There are more. */
  isBehind: boolean
  next: Pick<Progress, 'settledUntil' | 'countedAt'>
}

/** Which minutes are counted now, and how far that gets. */
export function planMinutes(progress: Progress, now: Date): Minutes {
  const nowMs = now.getTime()
  // Hours from before are counted as a whole, and have no minutes any more.
  const first = Math.max(progress.settledUntil.getTime(), floor(nowMs, hourMs) - hourMs)
  const isRecount = now >= progress.recountAt || first > progress.settledUntil.getTime()
  const from = isRecount ? first : Math.max(first, floor(progress.countedAt.getTime() - lateMs, minuteMs))
  const end = floor(nowMs, minuteMs) + minuteMs
  const to = Math.min(end, from + minutesMax * minuteMs)
  const isBehind = to < end
  const settled = Math.max(first, Math.min(to, floor(nowMs - settledMs, minuteMs)))
  return {
    slice: { grain: 'minute', from: new Date(from), to: new Date(to) },
    isRecount,
    isBehind,
    next: { settledUntil: new Date(isRecount ? settled : first), countedAt: isBehind ? progress.countedAt : now },
  }
}

/**
 * Of the hours whose minutes are counted again, some were counted as a whole by the clock that was ahead, and have no minutes any
 * more: what is added to them again would be in them twice. So all of these hours begin again.
 */
async function forgetFrom(tx: Tx, hoursUntil: readonly Date[], now: Date): Promise<void> {
  const hour = floor(now.getTime(), hourMs)
  const ends = [hour + hourMs, ...hoursUntil.map((mark) => mark.getTime())]
  const [from, to] = [new Date(hour - hourMs), new Date(Math.max(...ends))]
  await deleteMinutes(tx, from, to)
  await replaceFigures(tx, { grain: 'hour', from, to }, [])
  await replaceSpend(tx, { grain: 'hour', from, to }, [])
}

async function recountHour(tx: Tx, hour: number): Promise<void> {
  const counted: Counted[] = []
  const spent: CountedSpend[] = []
  for (let from = hour; from < hour + hourMs; from += partMs) {
    const part: Slice = { grain: 'hour', from: new Date(from), to: new Date(from + partMs) }
    counted.push(...(await countMessages(tx, part, latencyBoundsMs)))
    spent.push(...(await countSpend(tx, part)))
  }
  const [from, to] = [new Date(hour), new Date(hour + hourMs)]
  await replaceFigures(tx, { grain: 'hour', from, to }, toFigures(counted))
  await replaceSpend(tx, { grain: 'hour', from, to }, spent)
  await deleteMinutes(tx, from, to)
}

function toFigures(list: readonly Counted[]): Counts[] {
  const figures = new Map<string, Counts>()
  for (const { place, ...one } of list) {
    const { at, accountId, mode, kind, connection, country } = one
    const key = `${at} ${accountId} ${mode} ${kind} ${connection} ${country}`
    let figure = figures.get(key)
    if (!figure) {
      figure = { accountId, mode, kind, connection, country, at: new Date(at), ...nothing, latencies: noLatencies() }
      figures.set(key, figure)
    }
    for (const name of Object.keys(nothing) as (keyof typeof nothing)[]) figure[name] += one[name]
    if (place !== null) figure.latencies[place]! += one.created
  }
  return [...figures.values()]
}

const nothing = { created: 0, sent: 0, delivered: 0, verified: 0, failed: 0, expired: 0, superseded: 0 }

function floor(ms: number, widthMs: number): number {
  return Math.floor(ms / widthMs) * widthMs
}
