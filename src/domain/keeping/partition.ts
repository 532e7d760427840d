/**
 * The partitions of the tables that grow: made before their time begins, and dropped with all that is in them when it is past.
 * What comes while there is no partition for it goes to the default partition: nothing is ever refused for want of one.
 */
import { setTimeout } from 'node:timers/promises'
import { leastUlid, type Runtime, ulidTime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Reader, Tx } from '../../store/engine/session.ts'
import { emptyDefault, isDefaultEmpty, sizeOfDefault } from '../../store/keeping/defaultPartition.ts'
import {
  addPartition,
  beginProof,
  countBlocks,
  Disproof,
  dropPartition,
  dropProof,
  type IdRange,
  isHeld,
  listPartitions,
  listProofs,
  type NewPartition,
  type Partition,
  type Partitioned,
  type PartitionProof,
  partitioned,
  prove,
  Unproven,
} from '../../store/keeping/partition.ts'
import { ownsTables } from '../../store/keeping/partitionOwner.ts'
import { eraseQuietPhones } from '../../store/keeping/retention.ts'
import { messageIdPrefix } from '../sending/messageId.ts'
import { inBlocks } from './batches.ts'
import { findMissing, partitionMs, partitionsWanted } from './partitionsWanted.ts'

/** Of a table in one round: a clock that is far ahead, or a wrong `RETENTION_DAYS`, does not take everything at once. */
const dropsMax = 2
/** Blocks of 8 KB of a default partition, a gigabyte, that are looked through in moments. */
const usualQuickBlocks = 131_072
/** Bytes that an empty default partition may keep. */
const usualEmptyBytes = 64 * 1024 * 1024
/** Milliseconds until a change is tried again for which somebody held a table. */
const pausesMs = [250, 500, 1000]

interface Family {
  prefix: string
  tables: readonly Partitioned[]
}

/** Tables whose ids begin alike, those first that hang on the last: what has a partition, has one for what hangs on it. */
const families: Family[] = [
  { prefix: messageIdPrefix, tables: ['leg', 'sandbox_message', 'message'] },
  { prefix: 'evt_', tables: ['event_attempt', 'event_delivery', 'event'] },
]

export interface PartitionParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'log'>
  retentionDays: number
  /** Blocks of a default partition that are looked through in moments. */
  quickBlocks?: number
  /** Bytes that an empty default partition may keep. */
  emptyBytes?: number
}

export interface PartitionsChanged {
  partitionsMade: number
  partitionsDropped: number
  /** Default partitions that were empty, and whose disk was given back. */
  partitionsEmptied: number
  /** Tables for which it is tried again in the next round: somebody held them, or it failed. */
  partitionsHeld: number
}

/**
 * @returns makes the partitions that are needed next, drops those of which all is from before a time, and has `erase` do what else
 *   the round does: what makes default partitions smaller comes before large ones are looked through, which takes what is left of
 *   the round
 */
export function createPartitions(parts: PartitionParts) {
  const { commit, quickBlocks = usualQuickBlocks } = parts
  const seen = new Map<string, number>()
  return async <Erased extends object>(
    before: Date,
    isStopping: () => boolean,
    erase: () => Promise<Erased> = async () => ({}) as Erased,
  ): Promise<PartitionsChanged & Erased> => {
    const changed = { partitionsMade: 0, partitionsDropped: 0, partitionsEmptied: 0, partitionsHeld: 0 }
    const round: Round = { ...parts, before, isStopping, changed, seen }
    if (!(await ownsTables(commit.reader))) {
      await tellOwner(round)
      return { ...changed, ...(await erase()) }
    }
    const late: Partitioned[] = []
    for (const family of families) {
      for (const table of family.tables) {
        await attempt(round, table, async () => {
          await dropLeft(commit, table)
          const isLarge = (await countBlocks(commit.reader, `${table}_default`)) > quickBlocks
          // What others hang on gets none before those.
          if (isLarge || family.tables.some((other) => late.includes(other))) late.push(table)
          else await makeMissing(round, family, table)
        })
      }
    }
    // After these are made: it may take so long that the round is stopped over it.
    await dropPast(round)
    const erased = await erase()
    for (const table of partitioned) await attempt(round, table, () => giveBack(round, table))
    for (const family of families) {
      for (const table of family.tables.filter((table) => late.includes(table))) {
        await attempt(round, table, () => makeMissing(round, family, table))
      }
    }
    return { ...changed, ...erased }
  }
}

interface Round extends PartitionParts {
  before: Date
  isStopping: () => boolean
  changed: PartitionsChanged
  /** Blocks of partitions that have been gone through in this process: where it was stopped, it goes on. */
  seen: Map<string, number>
}

/** What only the owner of the tables may do waits for the command `partitions`. */
async function tellOwner({ commit: { reader }, runtime, retentionDays, before }: Round): Promise<void> {
  const due: Partitioned[] = []
  for (const { prefix, tables } of families) {
    const wanted = partitionsWanted(prefix, runtime.now(), retentionDays)
    for (const table of tables) {
      const isDue =
        (await findMissing(reader, table, wanted, [])).length > 0 ||
        (await listProofs(reader, table)).length > 0 ||
        (await listPartitions(reader, table)).some(isPast(`${prefix}${leastUlid(before)}`))
      if (isDue) due.push(table)
    }
  }
  if (due.length === 0) return
  runtime.log.warn(
    { tables: due },
    'this database user may not change partitions: run the command partitions as the owner',
  )
}

/** What is not to be had for one table is left to the next round, and others go on. */
async function attempt({ runtime, changed }: Round, table: Partitioned, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    changed.partitionsHeld++
    if (error instanceof Unproven) {
      const { seconds } = error
      runtime.log.warn({ table, seconds }, 'a default partition was not looked through: the next purge starts over')
    } else if (!isHeld(error)) {
      runtime.log.error({ err: error }, 'could not change the partitions of a table')
    }
  }
}

async function makeMissing(round: Round, { prefix, tables }: Family, table: Partitioned): Promise<void> {
  const { commit, runtime, retentionDays, isStopping } = round
  const wanted = partitionsWanted(prefix, runtime.now(), retentionDays)
  const above = table === tables.at(-1) ? tables.slice(0, -1) : []
  for (const ranges of await findMissing(commit.reader, table, wanted, above)) {
    if (isStopping()) return
    await make(
      round,
      ranges.map((range) => toPartition(table, prefix, range)),
    )
  }
}

async function dropPast(round: Round): Promise<void> {
  const { commit, before, isStopping, changed } = round
  for (const { prefix, tables } of families) {
    // What hangs on others goes after them: nothing is added to it any more.
    for (const table of tables.toReversed()) {
      await attempt(round, table, async () => {
        const past = (await listPartitions(commit.reader, table)).filter(isPast(`${prefix}${leastUlid(before)}`))
        for (const partition of past.slice(0, dropsMax)) {
          if (table === 'message') await forgetPhones(round, partition)
          if (isStopping()) return
          await patiently(commit, (tx) => dropPartition(tx, partition))
          changed.partitionsDropped++
        }
      })
    }
  }
}

/** Gives back what a default partition has on the disk, once it is empty: PostgreSQL keeps most of it. */
async function giveBack(round: Round, table: Partitioned): Promise<void> {
  const { commit, emptyBytes = usualEmptyBytes, isStopping, changed } = round
  if ((await sizeOfDefault(commit.reader, table)) <= emptyBytes || isStopping()) return
  // Nobody waits for this look. Where it takes long, rows that were erased are not cleaned up yet, and the next round is soon enough.
  const isEmpty = commit.transaction((tx) => isDefaultEmpty(tx, table))
  if (!(await isEmpty.catch(falseIfHeld))) return
  if (await patiently(commit, (tx) => emptyDefault(tx, table))) changed.partitionsEmptied++
}

function falseIfHeld(error: unknown): false {
  if (isHeld(error)) return false
  throw error
}

/**
 * Partitions with rows to erase one by one, which would be kept for longer than is said. They go on behind a time, and began longer
 * before it than those are wide that are made now: `RETENTION_DAYS` was greater then, or an operator has made them, with whatever
 * bounds. And those that are past, where this database user may not drop them.
 */
export async function listErased(
  reader: Reader,
  table: Partitioned,
  { before, retentionDays }: { before: Date; retentionDays: number },
): Promise<Partition[]> {
  const { prefix } = families.find(({ tables }) => tables.includes(table))!
  const leastId = (ms: number) => `${prefix}${leastUlid(new Date(ms))}`
  const [longBefore, now] = [leastId(before.getTime() - partitionMs(retentionDays)), leastId(before.getTime())]
  const mayDrop = await ownsTables(reader)
  return (await listPartitions(reader, table)).filter(({ from, to }) => (to > now ? from < longBefore : !mayDrop))
}

function toPartition(table: Partitioned, prefix: string, range: IdRange): NewPartition {
  const from = ulidTime(range.from.slice(prefix.length))
  return { table, suffix: from.toISOString().replace(/\D/g, '').slice(0, 12), ...range }
}

/**
 * Makes partitions of one span: the default one is looked through once for all of them, and each other step is a short transaction.
 * Between them the default partition refuses ids that nobody has yet.
 */
async function make({ commit, isStopping, changed }: Round, partitions: readonly NewPartition[]): Promise<void> {
  const [first, last] = [partitions[0]!, partitions.at(-1)!]
  const proof: PartitionProof = { ...first, to: last.to }
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
async function patiently<T>(commit: Commit, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await commit.transaction(work)
    } catch (error) {
      if (!isHeld(error)) throw error
      await setTimeout(pauseMs)
    }
  }
  return commit.transaction(work)
}

/** @param leastKept the least id that is kept */
function isPast(leastKept: string): (partition: Partition) => boolean {
  return ({ to }) => to <= leastKept
}

/** Erases what is remembered of the phones of a partition, a little at a time, as the purge erases rows. */
async function forgetPhones({ commit, before, seen, isStopping }: Round, partition: Partition): Promise<void> {
  await inBlocks(commit, isStopping, {
    table: partition.name,
    from: seen.get(partition.name) ?? 0,
    work: async (tx, blocks) => {
      await eraseQuietPhones(tx, partition, before, blocks)
      tx.afterCommit(() => seen.set(partition.name, blocks.to))
      return 0
    },
  })
}
