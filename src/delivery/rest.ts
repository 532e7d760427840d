/** When a connection is not asked: its provider refuses the operator, or has not answered for a while. */

export interface Resting {
  until: Date
  reason: string
}

export interface Rest {
  /** What keeps everybody from asking; undefined when it may be asked. */
  resting: (now: Date) => Resting | undefined
  /** As `resting`. When a rest is over, the first who calls may try, and the others wait for what comes of it. */
  admit: (now: Date) => Resting | undefined
  /** What came of asking. `down` and `silent` may begin a rest; with neither, whoever was admitted asked nothing. */
  note: (outcome: { kind: 'up' | 'silent' | 'down'; reason: string; now: Date } | undefined) => void
  /** What another process found. */
  heard: (resting: Resting) => void
}

/** Outcomes in a row that tell of no provider at work. */
const silentMax = 10
const silentRestMs = 15_000
const downRestMs = 60_000
/** For those who wait for the one that tries. */
const trialMs = 1000

/** @param onChange told when a rest begins, and with undefined when the connection is up again */
export function createRest(onChange: (resting: Resting | undefined) => void): Rest {
  let current: Resting | undefined
  let silent = 0
  let trying = false

  /** No rest is longer: one that is, began by a clock that has been set back since. */
  const lasts = ({ until }: Resting, now: Date): boolean => now < until && until.getTime() - now.getTime() <= downRestMs

  const resting = (now: Date): Resting | undefined => {
    if (!current) return undefined
    if (lasts(current, now)) return current
    return trying ? { ...current, until: new Date(now.getTime() + trialMs) } : undefined
  }

  const rest = (ms: number, { reason, now }: { reason: string; now: Date }) => {
    silent = 0
    // Those that were under way together all tell of it.
    if (current && lasts(current, now)) return
    current = { until: new Date(now.getTime() + ms), reason }
    onChange(current)
  }

  return {
    resting,
    admit: (now) => {
      const found = resting(now)
      if (!found && current) trying = true
      return found
    },
    note: (outcome) => {
      const wasTrying = trying
      trying = false
      if (outcome?.kind === 'down') rest(downRestMs, outcome)
      else if (outcome?.kind === 'silent') {
        silent += 1
        if (silent >= silentMax || (wasTrying && current)) rest(silentRestMs, outcome)
      } else if (outcome) {
        silent = 0
        // What was under way when the rest began does not end it.
        if (!current || lasts(current, outcome.now)) return
        current = undefined
        onChange(undefined)
      }
    },
    heard: (told) => {
      if (!current || told.until > current.until) current = told
    },
  }
}

/** For what is no provider's. */
export const neverRests: Rest = { resting: () => undefined, admit: () => undefined, note: () => {}, heard: () => {} }
