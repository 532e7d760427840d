/** Which partitions a table should have, and which of these it lacks. */
import { leastUlid } from '../../kit/runtime.ts'
import { idForm } from '../../store/engine/idRange.ts'
import type { Reader } from '../../store/engine/session.ts'
import { hasStrays, type IdRange, listPartitions, type Partitioned } from '../../store/keeping/partition.ts'

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

/**
 * What of the wanted partitions a table does not have, and may get: not where the default partition holds such ids, which clocks
 * have made that were wrong.
 *
 * @param above the tables that hang on it
 * @returns spans without a gap
 */
export async function findMissing(
  reader: Reader,
  table: Partitioned,
  wanted: readonly IdRange[],
  above: readonly Partitioned[],
): Promise<IdRange[][]> {
  const spans: IdRange[][] = []
  for (const range of await listMissing(reader, table, wanted, above)) {
    if (await hasStrays(reader, table, range)) continue
    const span = spans.at(-1)
    if (span?.at(-1)?.to === range.from) span.push(range)
    else spans.push([range])
  }
  return spans
}

/**
 * What a table may get: what hangs on it has partitions for it. Behind a partition that an operator has made, with a bound of no
 * time, it gets none before the next one that is wanted.
 */
async function listMissing(
  reader: Reader,
  table: Partitioned,
  wanted: readonly IdRange[],
  above: readonly Partitioned[],
): Promise<IdRange[]> {
  const there = await listPartitions(reader, table)
  const hanging = await Promise.all(above.map((name) => listPartitions(reader, name)))
  return wanted
    .flatMap((range) => findGaps(there, range))
    .filter(({ from }) => idForm.test(from))
    .filter((gap) => hanging.every((partitions) => findGaps(partitions, gap).length === 0))
}

/** What of a range no partition covers: those of another width may be there, from before `RETENTION_DAYS` was changed. */
export function findGaps(partitions: readonly IdRange[], { from, to }: IdRange): IdRange[] {
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
