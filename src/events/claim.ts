/** Takes events that are due, as many as there are places for: each endpoint by its own places, all of them by turns. */
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import { holdDeliveries } from '../store/webhooks/endpoint.ts'
import {
  type ClaimedEvent,
  claimEvents,
  type EndpointCursor,
  findWaiting,
  type WaitingEndpoint,
} from '../store/webhooks/event.ts'
import { type EndpointPlaces, endpointNameOf, type SeenEndpoint } from './places.ts'

export interface Claims {
  /** Some may be due that were not when it was looked last. */
  hint: () => void
  /** @returns what this process has to send now */
  take: () => Promise<ClaimedEvent[]>
  /**
   * Puts away a part of what is due for endpoints that are disabled; the next look finds the rest.
   *
   * @returns undefined when the last look has found none, or that part of another look is still being put away
   */
  putAway: () => Promise<void> | undefined
}

export interface ClaimParts {
  commit: Commit
  places: Pick<EndpointPlaces, 'areFree' | 'divide'>
  runtime: Pick<Runtime, 'now' | 'elapsedMs' | 'randomDigits'>
}

/** Milliseconds after which it is looked again, also while what was found is not all taken. */
const lookMs = 200
/** Endpoints that one statement looks at, and statements of one look; the next look goes on from there. */
const [endpointsMax, pagesMax] = [500, 4]
/** How far the events of one endpoint are counted. Those that do not answer soon have few places, and many events. */
const dueMax = { ofQuick: 100, ofOthers: 5 }
/** Milliseconds after which what was claimed is taken to be lost with its process: longer than any attempt takes. */
const leaseMs = 30_000

export function createClaims({ commit, places, runtime }: ClaimParts): Claims {
  const { due, disabled, look, note } = createLooks({ commit, runtime })
  let isPuttingAway = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let isHinted = true

  return {
    hint: () => {
      isHinted = true
    },
    take: async () => {
      if (!places.areFree()) return []
      const now = runtime.now()
      if (isHinted || performance.now() - lookedAt >= lookMs) {
        isHinted = false
        lookedAt = performance.now()
        await look(now)
      }
      const wanted = places.divide([...due.values()])
      if (wanted.length === 0) return []
      const leasedUntil = new Date(now.getTime() + leaseMs)
      // Of an endpoint that is behind, half of the requests are for what just happened: it does not wait for all of a replay.
      const first = runtime.randomDigits(1) < '5' ? 'oldest' : 'recent'
      const claimed = await commit.transaction((tx) => claimEvents(tx, wanted, { now, leasedUntil, first }))
      const got = Map.groupBy(claimed, endpointNameOf)
      for (const one of wanted) isHinted = note(one, one.count, got.get(endpointNameOf(one))?.length ?? 0) || isHinted
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

/** Looks at the endpoints that events wait for, some at a time. */
function createLooks({ commit, runtime }: Omit<ClaimParts, 'places'>) {
  /** What looks found and nobody has taken, by endpoint: of all endpoints, so that each has its turn. */
  const due = new Map<string, SeenEndpoint & { isMore: boolean; round: number }>()
  /** That something is due for all the same, by the last look: more than was held when they were disabled. */
  const disabled: EndpointCursor[] = []
  let after: EndpointCursor | undefined
  /** Looks that came to the last endpoint. */
  let round = 0

  const keep = ({ isDisabled, ...one }: WaitingEndpoint, seenAt: number): void => {
    if (isDisabled) disabled.push(one)
    const isMore = one.due === (one.pace === 'quick' ? dueMax.ofQuick : dueMax.ofOthers)
    if (one.due > 0 && !isDisabled) due.set(endpointNameOf(one), { ...one, seenAt, isMore, round })
    else due.delete(endpointNameOf(one))
  }

  return {
    due,
    disabled,
    look: async (now: Date): Promise<void> => {
      disabled.length = 0
      for (let page = 0; page < pagesMax; page++) {
        const seenAt = runtime.elapsedMs()
        const found = await findWaiting(commit.reader, { after, now, dueMax, endpointsMax })
        for (const one of found) keep(one, seenAt)
        after = found.length === endpointsMax ? found.at(-1) : undefined
        if (after) continue
        // What was not seen in a whole round is not due any more.
        for (const [name, one] of due) if (one.round !== round) due.delete(name)
        round += 1
        return
      }
    },
    /** @returns whether there may be more than was counted */
    note: (endpoint: EndpointCursor, wanted: number, got: number): boolean => {
      const one = due.get(endpointNameOf(endpoint))
      if (!one) return false
      one.due = got < wanted ? 0 : one.due - got
      if (one.due > 0) return false
      due.delete(endpointNameOf(endpoint))
      return one.isMore
    },
  }
}
