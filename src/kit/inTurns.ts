/** Long lists in parts: the process does its other work between two of them. */
import { setImmediate as otherWork } from 'node:timers/promises'

/** @param partSize items that are a few milliseconds' work together */
export async function* inTurns<Item>(list: readonly Item[], partSize: number): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < list.length; from += partSize) {
    if (from > 0) await otherWork()
    yield list.slice(from, from + partSize)
  }
}
