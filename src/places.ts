/** Places: as many do something at once, the others wait for one. */

export interface Places {
  /**
   * @param owner who it is for; all are one owner when left out
   * @returns false when none came free in time
   */
  take: (waitMs: number, owner?: string) => Promise<boolean>
  /** Gives a taken place to the owner who has fewest, and of these to the one who waits longest. */
  free: (owner?: string) => void
}

interface Waiting {
  owner: string
  end: (got: boolean) => void
}

/**
 * @param count how many there are
 * @param ofOwner how many of them one owner may have
 */
export function createPlaces(count: () => number, ofOwner = Number.POSITIVE_INFINITY): Places {
  const taken = new Map<string, number>()
  let takenInAll = 0
  const waiting = new Set<Waiting>()
  const takenBy = (owner: string) => taken.get(owner) ?? 0

  const add = (owner: string, change: 1 | -1): void => {
    takenInAll += change
    const left = takenBy(owner) + change
    if (left === 0) taken.delete(owner)
    else taken.set(owner, left)
  }
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined
    for (const one of waiting) {
      if (takenBy(one.owner) >= ofOwner) continue
      if (!first || takenBy(one.owner) < takenBy(first.owner)) first = one
    }
    return first
  }

  return {
    take: async (waitMs, owner = '') => {
      if (takenInAll < count() && takenBy(owner) < ofOwner) {
        add(owner, 1)
        return true
      }
      return new Promise((resolve) => {
        const one: Waiting = {
          owner,
          end: (got) => {
            clearTimeout(timer)
            waiting.delete(one)
            if (got) add(owner, 1)
            resolve(got)
          },
        }
        const timer = setTimeout(one.end, waitMs, false)
        waiting.add(one)
      })
    },
    free: (owner = '') => {
      add(owner, -1)
      // A place that was taken away meanwhile goes to nobody.
      if (takenInAll < count()) next()?.end(true)
    },
  }
}
