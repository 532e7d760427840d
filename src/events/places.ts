/**
 * How many requests are under way. Who answers soon never waits for who does not: those who do not have half of the places
 * at most, and whoever is not known has one until it has answered.
 */
import { LRUCache } from 'lru-cache'
import type { Runtime } from '../runtime.ts'
import type { DueEndpoint, Place as Endpoint } from '../store/event.ts'

export interface Places {
  /** Whether any is free. */
  areFree: () => boolean
  /** Divides what is free among endpoints that something is due for: the fewest under way first, then who waits longest. */
  divide: (due: readonly DueEndpoint[]) => (Endpoint & { count: number })[]
  take: (endpoint: Endpoint) => void
  /** @param ms that its answer took; undefined when none came */
  free: (endpoint: Endpoint, ms: number | undefined) => void
}

export interface PlacesParts {
  ofEndpoint: number
  inAll: number
  runtime: Pick<Runtime, 'elapsedMs'>
}

/** Milliseconds within which an answer is soon. */
const soonMs = 1000
const endpointsMax = 10_000

interface State {
  underWay: number
  pace: 'unknown' | 'quick' | 'slow'
  /** When the run of requests under way began of which none was answered. */
  silentSince: number
  /** When it was given places last, in order. */
  turn: number
}

export function createPlaces({ ofEndpoint, inAll, runtime }: PlacesParts): Places {
  const busy = new Map<string, State>()
  const idle = new LRUCache<string, State>({ max: endpointsMax })
  let [taken, turns] = [0, 0]
  const stateOf = (name: string): State =>
    busy.get(name) ?? idle.peek(name) ?? { underWay: 0, pace: 'unknown', silentSince: 0, turn: 0 }
  const isSlow = ({ pace, underWay, silentSince }: State) =>
    pace === 'slow' || (underWay > 0 && runtime.elapsedMs() - silentSince > soonMs)
  const slowTaken = () => [...busy.values()].filter(isSlow).reduce((sum, { underWay }) => sum + underWay, 0)

  return {
    areFree: () => taken < inAll,
    divide: (due) => {
      const waiting = due
        .map((endpoint) => ({ ...endpoint, state: stateOf(nameOf(endpoint)), count: 0 }))
        .toSorted((one, other) => one.state.turn - other.state.turn)
      let free = inAll - taken
      let slowFree = Math.min(free, Math.floor(inAll / 2) - slowTaken())
      for (let level = 0; level < ofEndpoint; level++) {
        for (const one of waiting) {
          const slow = isSlow(one.state)
          const most = one.state.pace === 'unknown' && !slow ? 1 : ofEndpoint
          const isNext = one.state.underWay + one.count === level && level < most && one.count < one.due
          if (!isNext || free <= 0 || (slow && slowFree <= 0)) continue
          one.count += 1
          free -= 1
          if (slow) slowFree -= 1
        }
      }
      return waiting.flatMap(({ accountId, endpointId, count }) =>
        count > 0 ? [{ accountId, endpointId, count }] : [],
      )
    },
    take: (endpoint) => {
      const name = nameOf(endpoint)
      const state = stateOf(name)
      if (state.underWay === 0) state.silentSince = runtime.elapsedMs()
      turns += 1
      taken += 1
      busy.set(name, Object.assign(state, { underWay: state.underWay + 1, turn: turns }))
      idle.delete(name)
    },
    free: (endpoint, ms) => {
      const name = nameOf(endpoint)
      const state = stateOf(name)
      taken -= 1
      state.underWay -= 1
      state.pace = ms !== undefined && ms <= soonMs ? 'quick' : 'slow'
      if (ms !== undefined) state.silentSince = runtime.elapsedMs()
      if (state.underWay > 0) return
      busy.delete(name)
      idle.set(name, state)
    },
  }
}

/** What an endpoint is known by in this process. */
export function nameOf({ accountId, endpointId }: Endpoint): string {
  return `${accountId} ${endpointId}`
}
