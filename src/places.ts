/** Places: as many do something at once, the others wait for one. */

export interface Places {
  /** @returns false when none came free in time */
  take: (waitMs: number) => Promise<boolean>
  /** Gives a taken place to who waits longest. */
  free: () => void
}

/** @param count how many there are */
export function createPlaces(count: () => number): Places {
  let taken = 0
  const waiting = new Set<(got: boolean) => void>()
  return {
    take: async (waitMs) => {
      if (taken < count()) {
        taken += 1
        return true
      }
      return new Promise((resolve) => {
        const end = (got: boolean) => {
          clearTimeout(timer)
          waiting.delete(end)
          resolve(got)
        }
        const timer = setTimeout(end, waitMs, false)
        waiting.add(end)
      })
    },
    free: () => {
      const [next] = waiting
      if (next) next(true)
      else taken -= 1
    },
  }
}
