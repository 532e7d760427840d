/**
 * Shares of what a loop may have under way. A lane may have as much as it and its account leave free: one that is slow has a
 * third at most, however much waits for it, each further one a part of the rest. A little is there for every account.
 */
import { accountOf } from '../domain/sending/dispatch.ts'

export interface Shares {
  /** The lanes that have what they may have: no more of theirs is to be claimed. */
  full: () => string[]
  /** @returns false when the lane has what it may have: it is full from then on, until it has half of that */
  take: (lane: string | undefined, weight: number) => boolean
  /** Of what was taken. @returns whether a lane is full no longer */
  free: (lane: string | undefined, weight: number) => boolean
  hasRoom: () => boolean
}

/** What every account may have, whatever others have: a part of what is divided, and no more than this. */
const eachMinMax = 16
const eachMinPart = 1 / 16
/** With so many times what is divided, no more is claimed at all. */
const excessMax = 2

/** @param max what is divided, by weight; one that takes the last of its share may go beyond it */
export function createShares(max: number): Shares {
  const ofLanes = new Map<string, number>()
  const ofAccounts = new Map<string, number>()
  const full = new Set<string>()
  const eachMin = Math.max(1, Math.min(eachMinMax, Math.floor(max * eachMinPart)))
  let total = 0
  const has = (lane: string) => ofLanes.get(lane) ?? 0
  const mayHave = (lane: string) => {
    const ofAccount = ofAccounts.get(accountOf(lane)) ?? 0
    return Math.max(max - total - ofAccount, eachMin - (ofAccount - has(lane)))
  }
  const count = (lane: string | undefined, weight: number) => {
    total += weight
    // Jobs of an earlier version have messages of many accounts.
    if (lane === undefined) return
    add(ofLanes, lane, weight)
    add(ofAccounts, accountOf(lane), weight)
  }

  return {
    full: () => [...full],
    take: (lane, weight) => {
      if (lane !== undefined && (full.has(lane) || has(lane) >= mayHave(lane))) {
        full.add(lane)
        return false
      }
      count(lane, weight)
      return true
    },
    free: (lane, weight) => {
      count(lane, -weight)
      const open = [...full].filter((one) => 2 * has(one) <= mayHave(one))
      for (const one of open) full.delete(one)
      return open.length > 0
    },
    hasRoom: () => total < max * excessMax,
  }
}

function add(counts: Map<string, number>, name: string, weight: number): void {
  const count = (counts.get(name) ?? 0) + weight
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}
