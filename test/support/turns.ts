import { setImmediate as turn } from 'node:timers/promises'

/** Counts the turns of this process, so that a test tells what was done in one of them. It keeps the process busy until it ends. */
export function countTurns(): { now: () => number; end: () => Promise<void> } {
  let [turns, isOver] = [0, false]
  const counting = (async () => {
    for (; !isOver; turns++) await turn()
  })()
  return {
    now: () => turns,
    end: () => {
      isOver = true
      return counting
    },
  }
}
