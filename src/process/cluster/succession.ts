/** When another process takes the place of one that ended. */

/** What is known of one that ended. */
export interface Life {
  /** Milliseconds, by the same clock as the end. */
  startedAt: number
  isServing: boolean
  /** How often, one after the other, those before it in its place ended soon. */
  soonEnded: number
}

export interface Next {
  afterMs: number
  soonEnded: number
}

/** Milliseconds in which an end is a soon one, and in which failed starts are counted together. */
const soonMs = 60_000
/** So many of them are enough, when none serves. */
const failedStartsMax = 5
/** Milliseconds before a process is started again, at first; twice as long each time that it ends soon. */
const [restMs, restMaxMs] = [100, 10_000]

/**
 * @param elapsedMs a clock that nobody sets
 * @returns for one that ended, while so many serve; undefined when there is no sense in another
 */
export function createSuccession(elapsedMs: () => number): (life: Life, serving: number) => Next | undefined {
  let failedStarts: number[] = []
  return ({ startedAt, isServing, soonEnded: soonBefore }, serving) => {
    const now = elapsedMs()
    failedStarts = [...failedStarts, ...(isServing ? [] : [now])].filter((at) => now - at < soonMs)
    // While some serve, they are not given up for those that cannot start: the database may be away.
    if (serving === 0 && failedStarts.length >= failedStartsMax) return undefined
    const soonEnded = now - startedAt < soonMs ? soonBefore + 1 : 0
    return { soonEnded, afterMs: Math.min(restMs * 2 ** Math.max(soonEnded - 1, 0), restMaxMs) }
  }
}
