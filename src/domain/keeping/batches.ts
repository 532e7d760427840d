/** Erases what is old, a batch after the other, so that others go on between two. */
import { setTimeout } from 'node:timers/promises'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import { countBlocks } from '../../store/keeping/partition.ts'
import type { Blocks } from '../../store/keeping/retention.ts'

/** Rows that one statement may lock, or looks at: for milliseconds. */
export const batchSize = 500

/**
 * Until a batch has less to do than it could, or `isStopping`.
 *
 * @param work does a batch, and tells how many rows it has locked or looked at
 * @returns how many that were in all
 */
export async function inBatches(
  commit: Commit,
  isStopping: () => boolean,
  work: (tx: Tx) => Promise<number>,
): Promise<number> {
  for (let total = 0; ; ) {
    const startedAt = performance.now()
    const done = await commit.transaction(work)
    total += done
    if (done < batchSize || isStopping()) return total
    await rest(startedAt)
  }
}

/** Blocks of 8 KB that a transaction of `inBlocks` goes through: some hundred messages, some thousand smaller rows. */
const blocksMax = 64

/**
 * Goes through a table that has no index for what is old, block after block, until its end, or `isStopping`.
 *
 * @param from the first block
 * @returns the sum of what `work` tells
 */
export async function inBlocks(
  commit: Commit,
  isStopping: () => boolean,
  { table, from = 0, work }: { table: string; from?: number; work: (tx: Tx, blocks: Blocks) => Promise<number> },
): Promise<number> {
  const count = await countBlocks(commit.reader, table)
  let total = 0
  for (let first = from; first < count && !isStopping(); first += blocksMax) {
    const startedAt = performance.now()
    total += await commit.transaction((tx) => work(tx, { from: first, to: first + blocksMax }))
    await rest(startedAt)
  }
  return total
}

/** For as long as the work took: at most half of the database's time is spent on what is old. @param startedAt by `performance.now` */
export async function rest(startedAt: number): Promise<void> {
  await setTimeout(performance.now() - startedAt)
}
