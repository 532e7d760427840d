/** Places: as many do something at once, the others wait for one. */

export interface Places {
  /**
   * @param owner who it is for; all are one owner when left out
   * @param isFirst whether it comes before all that wait and are not, whoever's they are
   * @returns false when none came free in time
   */
  take: (waitMs: number, owner?: string, isFirst?: boolean) => Promise<boolean>
  /**
   * Gives a taken place to who comes first, if somebody does; of these to the owner who has fewest, and then to the one who
   * waits longest.
   */
  free: (owner?: string) => void
}

interface Waiting {
  owner: string
  isFirst: boolean
  /** The later it came, the more. */
  turn: number
  end: (got: boolean) => void
}

/**
 * @param count how many there are
 * @param ofOwner how many of them one owner may have
 */
export function createPlaces(count: () => number, ofOwner = Number.POSITIVE_INFINITY): Places {
  const taken = new Map<string, number>()
  let takenInAll = 0
  /** By what they have in common but for their turn, so that of a long line only the first one is looked at. */
  const lines = new Map<string, Set<Waiting>>()
  let turns = 0
  const takenBy = (owner: string) => taken.get(owner) ?? 0

  const add = (owner: string, change: 1 | -1): void => {
    takenInAll += change
    const left = takenBy(owner) + change
    if (left === 0) taken.delete(owner)
    else taken.set(owner, left)
  }
  const compare = (one: Waiting, other: Waiting): number =>
    Number(other.isFirst) - Number(one.isFirst) || takenBy(one.owner) - takenBy(other.owner) || one.turn - other.turn
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined
    for (const [one] of lines.values()) {
      if (!one || takenBy(one.owner) >= ofOwner) continue
      if (!first || compare(one, first) < 0) first = one
    }
    return first
  }

  return {
    take: async (waitMs, owner = '', isFirst = false) => {
      if (takenInAll < count() && takenBy(owner) < ofOwner) {
        add(owner, 1)
        return true
      }
      const name = `${isFirst} ${owner}`
      const line = lines.get(name) ?? new Set()
      lines.set(name, line)
      return new Promise((resolve) => {
        const one: Waiting = {
          ...{ owner, isFirst, turn: turns++ },
          end: (got) => {
            clearTimeout(timer)
            line.delete(one)
            if (line.size === 0 && lines.get(name) === line) lines.delete(name)
            if (got) add(owner, 1)
            resolve(got)
          },
        }
        const timer = setTimeout(one.end, waitMs, false)
        line.add(one)
      })
    },
    free: (owner = '') => {
      add(owner, -1)
      // A place that was taken away meanwhile goes to nobody.
      if (takenInAll < count()) next()?.end(true)
    },
  }
}
