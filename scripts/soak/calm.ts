/** Whether something is broken just now, or was a moment ago; or the machine has given this process no turn. */

export interface Calm {
  /** Counts as broken from now on. @returns what ends that */
  disturb: () => () => void
  /** Whether nothing was broken since that moment of `performance.now()`. */
  since: (ms: number) => boolean
  /** How often the machine stood still for this process. */
  stalls: () => number
  close: () => void
}

/** Milliseconds after a fault until what waited has been done. */
const afterMs = 5000
/** Milliseconds between two looks at the clock, and how late one may be: where others take the machine, it says nothing of the service. */
const [beatMs, lateMs] = [100, 250]

export function createCalm(): Calm {
  let broken = 0
  let endedAt = Number.NEGATIVE_INFINITY
  let [beatAt, stalls] = [performance.now(), 0]
  const beat = setInterval(() => {
    const now = performance.now()
    if (now - beatAt > beatMs + lateMs) {
      stalls++
      endedAt = now
    }
    beatAt = now
  }, beatMs)
  return {
    disturb: () => {
      broken++
      return () => {
        broken--
        endedAt = performance.now()
      }
    },
    since: (ms) => broken === 0 && ms > endedAt + afterMs,
    stalls: () => stalls,
    close: () => clearInterval(beat),
  }
}
