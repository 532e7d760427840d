/** A provider that is slow now and then, whoever asks. */

export interface SlownessSettings {
  /** Every so many requests; 1 is each. */
  every: number
  /** Milliseconds until such a one is answered. */
  ms: number
}

export interface Slowness {
  settings: () => SlownessSettings | undefined
  /** Counts again. @param settings undefined ends it */
  set: (settings: SlownessSettings | undefined) => void
  /** Counts a request. @returns milliseconds that its answer is held back */
  next: () => number
}

export function createSlowness(): Slowness {
  let current: SlownessSettings | undefined
  let count = 0
  return {
    settings: () => current,
    set: (settings) => {
      current = settings
      count = 0
    },
    next: () => (current && ++count % current.every === 0 ? current.ms : 0),
  }
}
