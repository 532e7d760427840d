/**
 * The parts of the tables that grow: made before their time begins, and dropped with all that is in them when it is past.
 * What comes while there is no part for it goes to the default part: nothing is ever refused for want of one.
 */
import { setTimeout } from 'node:timers/promises'
import { leastUlid, type Runtime, ulidTime } from '../runtime.ts'
import type { Commit } from '../store/commit.ts'
import {
  addPart,
  beginProof,
  countBlocks,
  Disproof,
  dropPart,
  dropProof,
  hasStrays,
  type IdRange,
  isHeld,
  listParts,
  listProofs,
  type NewPart,
  type Part,
  type Parted,
  prove,
} from '../store/partition.ts'
import { eraseQuietPhones } from '../store/retention.ts'
import type { Reader, Tx } from '../store/session.ts'
import { messageIdPrefix } from './messageState.ts'

const hourMs = 3600 * 1000
/** The parts of a span that is kept: what is past goes at most one of them later. */
const partsKept = 30
/**
 * A part begins so long after it was made at least. While it is made, the default part refuses its ids; and a backup that
 * begins in that moment holds the table, so that nothing of it can be taken back before the backup is over.
 */
const leadMs = 12 * hourMs
/** Parts are there for so much time, and so many of them, ahead. */
const aheadMs = 24 * hourMs
const partsAhead = 3
/** Blocks of 8 KB that one transaction erases the phones of: some hundred messages. */
const blocksMax = 64
/** Milliseconds until a change is tried again for which somebody held a table. */
const pausesMs = [250, 500, 1000]

/** Tables whose ids begin alike, those first that hang on the last: what has a part, has one for what hangs on it. */
const families: { prefix: string; tables: readonly Parted[] }[] = [
  { prefix: messageIdPrefix, tables: ['leg', 'sandbox_message', 'message'] },
  { prefix: 'evt_', tables: ['event_attempt', 'event_delivery', 'event'] },
]

export interface PartsParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'log'>
  retentionDays: number
}

export interface PartsChanged {
  partsMade: number
  partsDropped: number
  /** Tables for which it is tried again in the next round: somebody held them, or it failed. */
  partsHeld: number
}

/** @returns makes the parts that are needed next, and drops those of which all is from before a time */
export function createParts({ commit, runtime, retentionDays }: PartsParts) {
  const known = new Set<string>()
  return async (before: Date, isStopping: () => boolean): Promise<PartsChanged> => {
    const changed: PartsChanged = { partsMade: 0, partsDropped: 0, partsHeld: 0 }
    const attempt = async (work: () => Promise<void>) => {
      try {
        await work()
      } catch (error) {
        changed.partsHeld++
        if (!isHeld(error)) runtime.log.error({ err: error }, 'could not change the parts of a table')
      }
    }
    for (const { prefix, tables } of families) {
      const wanted = partsWanted(prefix, runtime.now(), retentionDays)
      for (const table of tables) {
        const above = table === tables.at(-1) ? tables.slice(0, -1) : []
        await attempt(async () => {
          await dropLeft(commit, table)
          for (const range of await missing(commit, table, wanted, above)) {
            if (isStopping()) return
            if (await make(commit, partOf(table, prefix, range))) changed.partsMade++
          }
        })
        await attempt(async () => {
          for (const part of (await listParts(commit.reader, table)).filter(isPast(`${prefix}${leastUlid(before)}`))) {
            if (table === 'message') await forgetPhones({ commit, part, before, known, isStopping })
            if (isStopping()) return
            await patiently(commit, (tx) => dropPart(tx, part))
            changed.partsDropped++
          }
        })
      }
    }
    return changed
  }
}

/**
 * Parts that began before a time, go on behind it, and are wider than those that are made now: `RETENTION_DAYS` was greater
 * then. Until they are dropped, what is past in them would be kept for longer than is said.
 */
export async function listWide(
  reader: Reader,
  table: Parted,
  { before, retentionDays }: { before: Date; retentionDays: number },
): Promise<Part[]> {
  return (await listParts(reader, table)).filter(({ from, to }) => {
    const [begin, end] = [from, to].map((id) => ulidTime(id.slice(id.indexOf('_') + 1)).getTime()) as [number, number]
    return begin < before.getTime() && before.getTime() < end && end - begin > partMs(retentionDays)
  })
}

/** Milliseconds of time that a part holds: a thirtieth of what is kept, in whole hours. */
export function partMs(retentionDays: number): number {
  return Math.max(1, Math.floor((retentionDays * 24) / partsKept)) * hourMs
}

/** The parts that should be there, each from a round time to the next. */
export function partsWanted(prefix: string, now: Date, retentionDays: number): IdRange[] {
  const width = partMs(retentionDays)
  const least = (ms: number) => `${prefix}${leastUlid(new Date(ms))}`
  const first = Math.ceil((now.getTime() + leadMs) / width) * width
  const count = Math.max(partsAhead, Math.ceil(aheadMs / width))
  return Array.from({ length: count }, (_, place) => first + place * width).map((from) => ({
    from: least(from),
    to: least(from + width),
  }))
}

/** What of the wanted parts a table does not have, and may get: what hangs on it has parts for it. */
async function missing(
  { reader }: Commit,
  table: Parted,
  wanted: readonly IdRange[],
  above: readonly Parted[],
): Promise<IdRange[]> {
  const there = await listParts(reader, table)
  const hanging = await Promise.all(above.map((name) => listParts(reader, name)))
  return wanted
    .flatMap((range) => gapsOf(there, range))
    .filter((gap) => hanging.every((parts) => gapsOf(parts, gap).length === 0))
}

/** What of a range no part covers: those of another width may be there, from before `RETENTION_DAYS` was changed. */
export function gapsOf(parts: readonly IdRange[], { from, to }: IdRange): IdRange[] {
  const gaps: IdRange[] = []
  let at = from
  for (const part of parts.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    if (part.to <= at || part.from >= to) continue
    if (part.from > at) gaps.push({ from: at, to: part.from })
    at = part.to
  }
  if (at < to) gaps.push({ from: at, to })
  return gaps
}

function partOf(table: Parted, prefix: string, range: IdRange): NewPart {
  const from = ulidTime(range.from.slice(prefix.length))
  return { table, suffix: from.toISOString().replace(/\D/g, '').slice(0, 12), ...range }
}

/**
 * Makes a part in three short transactions; between them the default part refuses ids that nobody has yet.
 *
 * @returns whether it was made: not where the default part holds such ids, which clocks have made that were wrong
 */
async function make(commit: Commit, part: NewPart): Promise<boolean> {
  if (await hasStrays(commit.reader, part.table, part)) return false
  await patiently(commit, (tx) => beginProof(tx, part))
  try {
    await patiently(commit, (tx) => prove(tx, part))
    await patiently(commit, (tx) => addPart(tx, part))
    return true
  } catch (error) {
    await dropLeft(commit, part.table)
    if (error instanceof Disproof) return false
    throw error
  }
}

async function dropLeft(commit: Commit, table: Parted): Promise<void> {
  for (const name of await listProofs(commit.reader, table)) {
    await patiently(commit, (tx) => dropProof(tx, table, name))
  }
}

/** Tries a change again for which somebody held a table. */
async function patiently(commit: Commit, work: (tx: Tx) => Promise<void>): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      return await commit.transaction(work)
    } catch (error) {
      if (!isHeld(error)) throw error
      await setTimeout(pauseMs)
    }
  }
  await commit.transaction(work)
}

/** @param leastKept the least id that is kept */
function isPast(leastKept: string): (part: Part) => boolean {
  return ({ to }) => to <= leastKept
}

interface Forgetting {
  commit: Commit
  part: Part
  before: Date
  /** Parts that have been gone through in this process. */
  known: Set<string>
  isStopping: () => boolean
}

/** Erases what is remembered of the phones of a part, a little at a time, as the purge erases rows. */
async function forgetPhones({ commit, part, before, known, isStopping }: Forgetting): Promise<void> {
  if (known.has(part.name)) return
  const count = await countBlocks(commit.reader, part)
  for (let from = 0; from < count; from += blocksMax) {
    if (isStopping()) return
    const startedAt = performance.now()
    await commit.transaction((tx) => eraseQuietPhones(tx, part, before, { from, to: from + blocksMax }))
    await setTimeout(performance.now() - startedAt)
  }
  known.add(part.name)
}
