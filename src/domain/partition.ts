/**
 * The partitions of the tables that grow: made before their time begins, and dropped with all that is in them when it is past.
 * What comes while there is no partition for it goes to the default partition: nothing is ever refused for want of one.
 */
import { setTimeout } from 'node:timers/promises'
import { leastUlid, type Runtime, ulidTime } from '../runtime.ts'
import type { Commit } from '../store/commit.ts'
import {
  addPartition,
  beginProof,
  countBlocks,
  Disproof,
  dropPartition,
  dropProof,
  hasStrays,
  type IdRange,
  isHeld,
  listPartitions,
  listProofs,
  type NewPartition,
  type Partition,
  type Partitioned,
  type Proof,
  prove,
  Unproven,
} from '../store/partition.ts'
import { eraseQuietPhones } from '../store/retention.ts'
import type { Reader, Tx } from '../store/session.ts'
import { messageIdPrefix } from './messageState.ts'

const hourMs = 3600 * 1000
/** The partitions of a span that is kept: what is past goes at most one of them later. */
const partitionsKept = 30
/**
 * A partition begins so long after it was made at least. While it is made, the default partition refuses its ids; and a
 * backup that begins in that moment holds the table, so that nothing of it can be taken back before the backup is over.
 */
const leadMs = 12 * hourMs
/** Partitions are there for so much time, and so many of them, ahead. */
const aheadMs = 24 * hourMs
const partitionsAhead = 3
/** Of a table in one round: a clock that is far ahead, or a wrong `RETENTION_DAYS`, does not take everything at once. */
const dropsMax = 2
/** Blocks of 8 KB that one transaction erases the phones of: some hundred messages. */
const blocksMax = 64
/** Milliseconds until a change is tried again for which somebody held a table. */
const pausesMs = [250, 500, 1000]

/** Tables whose ids begin alike, those first that hang on the last: what has a partition, has one for what hangs on it. */
const families: { prefix: string; tables: readonly Partitioned[] }[] = [
  { prefix: messageIdPrefix, tables: ['leg', 'sandbox_message', 'message'] },
  { prefix: 'evt_', tables: ['event_attempt', 'event_delivery', 'event'] },
]

export interface PartitionParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'log'>
  retentionDays: number
}

export interface PartitionsChanged {
  partitionsMade: number
  partitionsDropped: number
  /** Tables for which it is tried again in the next round: somebody held them, or it failed. */
  partitionsHeld: number
}

/** @returns makes the partitions that are needed next, and drops those of which all is from before a time */
export function createPartitions({ commit, runtime, retentionDays }: PartitionParts) {
  const seen = new Map<string, number>()
  return async (before: Date, isStopping: () => boolean): Promise<PartitionsChanged> => {
    const changed: PartitionsChanged = { partitionsMade: 0, partitionsDropped: 0, partitionsHeld: 0 }
    const round = { commit, runtime, isStopping, changed }
    for (const { prefix, tables } of families) {
      const wanted = partitionsWanted(prefix, runtime.now(), retentionDays)
      for (const table of tables) {
        const above = table === tables.at(-1) ? tables.slice(0, -1) : []
        await attempt(round, table, async () => {
          await dropLeft(commit, table)
          for (const ranges of await spansOf(commit, table, await missing(commit, table, wanted, above))) {
            if (isStopping()) return
            await make(
              round,
              ranges.map((range) => partitionOf(table, prefix, range)),
            )
          }
        })
      }
    }
    // After all are made: it may take so long that the round is stopped over it.
    for (const { prefix, tables } of families) {
      // What hangs on others goes after them: nothing is added to it any more.
      for (const table of tables.toReversed()) {
        await attempt(round, table, async () => {
          const past = (await listPartitions(commit.reader, table)).filter(isPast(`${prefix}${leastUlid(before)}`))
          for (const partition of past.slice(0, dropsMax)) {
            if (table === 'message') await forgetPhones({ commit, partition, before, seen, isStopping })
            if (isStopping()) return
            await patiently(commit, (tx) => dropPartition(tx, partition))
            changed.partitionsDropped++
          }
        })
      }
    }
    return changed
  }
}

interface Round extends Pick<PartitionParts, 'commit' | 'runtime'> {
  isStopping: () => boolean
  changed: PartitionsChanged
}

/** What is not to be had for one table is left to the next round, and others go on. */
async function attempt({ runtime, changed }: Round, table: Partitioned, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    changed.partitionsHeld++
    if (error instanceof Unproven) {
      const { seconds } = error
      runtime.log.warn({ table, seconds }, 'a default partition was not looked through: the next purge begins anew')
    } else if (!isHeld(error)) {
      runtime.log.error({ err: error }, 'could not change the partitions of a table')
    }
  }
}

/**
 * Partitions that began before a time, go on behind it, and are wider than those that are made now: `RETENTION_DAYS` was greater
 * then. Until they are dropped, what is past in them would be kept for longer than is said.
 */
export async function listWide(
  reader: Reader,
  table: Partitioned,
  { before, retentionDays }: { before: Date; retentionDays: number },
): Promise<Partition[]> {
  return (await listPartitions(reader, table)).filter(({ from, to }) => {
    const [begin, end] = [from, to].map((id) => ulidTime(id.slice(id.indexOf('_') + 1)).getTime()) as [number, number]
    return begin < before.getTime() && before.getTime() < end && end - begin > partitionMs(retentionDays)
  })
}

/** Milliseconds of time that a partition holds: a thirtieth of what is kept, in whole hours. */
export function partitionMs(retentionDays: number): number {
  return Math.max(1, Math.floor((retentionDays * 24) / partitionsKept)) * hourMs
}

/** The partitions that should be there, each from a round time to the next. */
export function partitionsWanted(prefix: string, now: Date, retentionDays: number): IdRange[] {
  const width = partitionMs(retentionDays)
  const least = (ms: number) => `${prefix}${leastUlid(new Date(ms))}`
  const first = Math.ceil((now.getTime() + leadMs) / width) * width
  const count = Math.max(partitionsAhead, Math.ceil(aheadMs / width))
  return Array.from({ length: count }, (_, place) => first + place * width).map((from) => ({
    from: least(from),
    to: least(from + width),
  }))
}

/** What of the wanted partitions a table does not have, and may get: what hangs on it has partitions for it. */
async function missing(
  { reader }: Commit,
  table: Partitioned,
  wanted: readonly IdRange[],
  above: readonly Partitioned[],
): Promise<IdRange[]> {
  const there = await listPartitions(reader, table)
  const hanging = await Promise.all(above.map((name) => listPartitions(reader, name)))
  return wanted
    .flatMap((range) => gapsOf(there, range))
    .filter((gap) => hanging.every((partitions) => gapsOf(partitions, gap).length === 0))
}

/** What of a range no partition covers: those of another width may be there, from before `RETENTION_DAYS` was changed. */
export function gapsOf(partitions: readonly IdRange[], { from, to }: IdRange): IdRange[] {
  const gaps: IdRange[] = []
  let at = from
  for (const partition of partitions.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    if (partition.to <= at || partition.from >= to) continue
    if (partition.from > at) gaps.push({ from: at, to: partition.from })
    at = partition.to
  }
  if (at < to) gaps.push({ from: at, to })
  return gaps
}

function partitionOf(table: Partitioned, prefix: string, range: IdRange): NewPartition {
  const from = ulidTime(range.from.slice(prefix.length))
  return { table, suffix: from.toISOString().replace(/\D/g, '').slice(0, 12), ...range }
}

/** @returns those of which the default partition holds no ids, which clocks have made that were wrong; each span has no gap */
async function spansOf({ reader }: Commit, table: Partitioned, ranges: readonly IdRange[]): Promise<IdRange[][]> {
  const spans: IdRange[][] = []
  for (const range of ranges) {
    if (await hasStrays(reader, table, range)) continue
    const span = spans.at(-1)
    if (span?.at(-1)?.to === range.from) span.push(range)
    else spans.push([range])
  }
  return spans
}

/**
 * Makes partitions of one span: the default one is looked through once for all of them, and each other step is a short transaction.
 * Between them the default partition refuses ids that nobody has yet.
 */
async function make({ commit, isStopping, changed }: Round, partitions: readonly NewPartition[]): Promise<void> {
  const [first, last] = [partitions[0]!, partitions.at(-1)!]
  const proof: Proof = { ...first, to: last.to }
  await patiently(commit, (tx) => beginProof(tx, proof))
  try {
    await patiently(commit, (tx) => prove(tx, proof, { reader: commit.reader, isStopping }))
    for (const partition of partitions) {
      if (partition !== first && isStopping()) break
      await patiently(commit, (tx) => addPartition(tx, partition, proof))
      changed.partitionsMade++
    }
  } catch (error) {
    // What is held is dropped in the next round.
    await dropLeft(commit, first.table).catch(() => {})
    if (!(error instanceof Disproof)) throw error
  }
  await dropLeft(commit, first.table)
}

async function dropLeft(commit: Commit, table: Partitioned): Promise<void> {
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
function isPast(leastKept: string): (partition: Partition) => boolean {
  return ({ to }) => to <= leastKept
}

interface Forgetting {
  commit: Commit
  partition: Partition
  before: Date
  /** Blocks of partitions that have been gone through in this process: where it was stopped, it goes on. */
  seen: Map<string, number>
  isStopping: () => boolean
}

/** Erases what is remembered of the phones of a partition, a little at a time, as the purge erases rows. */
async function forgetPhones({ commit, partition, before, seen, isStopping }: Forgetting): Promise<void> {
  const count = await countBlocks(commit.reader, partition)
  for (let from = seen.get(partition.name) ?? 0; from < count; from += blocksMax) {
    if (isStopping()) return
    const startedAt = performance.now()
    await commit.transaction((tx) => eraseQuietPhones(tx, partition, before, { from, to: from + blocksMax }))
    seen.set(partition.name, from + blocksMax)
    await setTimeout(performance.now() - startedAt)
  }
}
