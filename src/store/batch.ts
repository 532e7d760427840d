/** Large work in small statements. */

/** Rows that one statement may lock: for milliseconds, so that others go on between two. */
const batchSize = 500

/**
 * Repeats `work` until it finds less than it may do at once.
 *
 * @param work does at most `count` rows, and tells how many it did
 * @returns how many in all
 */
export async function inBatches(work: (count: number) => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const done = await work(batchSize)
    total += done
    if (done < batchSize) return total
  }
}
