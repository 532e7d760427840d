/** Takes events that are due, as many as there are places for: each endpoint by its own places, all of them by turns. */
import type { Runtime } from '../runtime.ts'
import type { Commit } from '../store/commit.ts'
import { holdDeliveries } from '../store/endpoint.ts'
import { claimEvents, type DueEndpoint, type EventDelivery, findWaiting, type Place } from '../store/event.ts'
import { nameOf, type Places } from './places.ts'

export interface Claims {
  /** Some may be due that were not when it was looked last. */
  hint: () => void
  /** @returns what this process has to send now */
  take: () => Promise<EventDelivery[]>
  /**
   * Puts away a part of what is due for endpoints that are disabled; the next look finds the rest.
   *
   * @returns undefined when the last look has found none, or that part of another look is still being put away
   */
  putAway: () => Promise<void> | undefined
}

export interface ClaimParts {
  commit: Commit
  places: Pick<Places, 'areFree' | 'divide'>
  runtime: Pick<Runtime, 'now'>
}

/** Milliseconds after which it is looked again, also while what was found is not all taken. */
const lookMs = 200
/** Endpoints that one look is about; the next goes on from there. */
const endpointsMax = 500
/** How far the events of one endpoint are counted. */
const dueMax = 100
/** Milliseconds after which what was claimed is taken to be lost with its process: longer than any attempt takes. */
const leaseMs = 30_000

export function createClaims({ commit, places, runtime }: ClaimParts): Claims {
  /** What the last look found and nobody has taken, by endpoint. */
  let due = new Map<string, DueEndpoint & { isMore: boolean }>()
  /** That something is due for all the same, by the last look: more than was held when they were disabled. */
  let disabled: Place[] = []
  let isPuttingAway = false
  let after: Place | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let isHinted = true

  const look = async (now: Date): Promise<void> => {
    isHinted = false
    lookedAt = performance.now()
    disabled = []
    do {
      const found = await findWaiting(commit.reader, { after, now, dueMax, endpointsMax })
      after = found.length === endpointsMax ? found.at(-1) : undefined
      disabled.push(...found.filter(({ isDisabled }) => isDisabled))
      const some = found.filter((one) => one.due > 0 && !one.isDisabled)
      due = new Map(some.map((one) => [nameOf(one), { ...one, isMore: one.due === dueMax }]))
    } while (after && due.size === 0)
  }

  const note = (endpoint: Place, wanted: number, got: number): void => {
    const one = due.get(nameOf(endpoint))
    if (!one) return
    one.due = got < wanted ? 0 : one.due - got
    if (one.due > 0) return
    due.delete(nameOf(endpoint))
    if (one.isMore) isHinted = true
  }

  return {
    hint: () => {
      isHinted = true
    },
    take: async () => {
      if (!places.areFree()) return []
      const now = runtime.now()
      if (isHinted || performance.now() - lookedAt >= lookMs) await look(now)
      const wanted = places.divide([...due.values()])
      if (wanted.length === 0) return []
      const leasedUntil = new Date(now.getTime() + leaseMs)
      const claimed = await commit.transaction((tx) => claimEvents(tx, wanted, now, leasedUntil))
      const got = Map.groupBy(claimed, nameOf)
      for (const one of wanted) note(one, one.count, got.get(nameOf(one))?.length ?? 0)
      return claimed
    },
    putAway: () => {
      if (disabled.length === 0 || isPuttingAway) return undefined
      const list = disabled.splice(0).map(({ accountId, endpointId: id }) => ({ accountId, id }))
      isPuttingAway = true
      const held = commit.transaction(async (tx) => holdDeliveries(tx, list))
      return held.finally(() => {
        isPuttingAway = false
      })
    },
  }
}
