/** Whether something is broken just now, or was a moment ago. */

export interface Calm {
  /** Counts as broken from now on. @returns what ends that */
  disturb: () => () => void
  /** Whether nothing was broken since that moment of `performance.now()`. */
  since: (ms: number) => boolean
}

/** Milliseconds after a fault until what waited has been done. */
const afterMs = 5000

export function createCalm(): Calm {
  let broken = 0
  let endedAt = Number.NEGATIVE_INFINITY
  return {
    disturb: () => {
      broken++
      return () => {
        broken--
        endedAt = performance.now()
      }
    },
    since: (ms) => broken === 0 && ms > endedAt + afterMs,
  }
}
