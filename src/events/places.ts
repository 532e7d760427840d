/**
 * How many requests are under way. An endpoint that answers soon, one that does not, and one that never answered take places of
 * their own: no kind waits for another. Of each kind, an account has at most as many as it leaves free for others.
 */
import { createCache } from '../kit/cache.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { DueEndpoint, EndpointCursor as Endpoint } from '../store/webhooks/event.ts'

export interface EndpointPlaces {
  /** Whether any is free. */
  areFree: () => boolean
  /** Divides what is free: the account and the endpoint with the fewest come first, then those that wait longest. */
  divide: (due: readonly SeenEndpoint[]) => (Endpoint & { count: number })[]
  /** @returns frees the place, and is told the pace of the answer; undefined when nothing was learned */
  take: (endpoint: Endpoint) => (pace: EndpointPace | undefined) => void
}

/** Something is due for it. */
export interface SeenEndpoint extends DueEndpoint {
  /** When the database was asked, in milliseconds by `elapsedMs`. */
  seenAt: number
}

/** Of the last answer. */
export type EndpointPace = 'quick' | 'slow'
type Kind = EndpointPace | 'unknown'

export interface PlacesParts {
  max: PlacesMax
  runtime: Pick<Runtime, 'elapsedMs'>
}

/** Requests under way at once, of a process if nothing else is said. */
export interface PlacesMax {
  ofEndpoint: number
  quick: number
  slow: number
  unknown: number
  /** Of `unknown`: so many are in their first second. */
  fresh: number
}

/**
 * An attempt ends after 16 s at the latest. So 8 unknown endpoints a second never fill the 128 places, however many of them
 * hang: the next ones get their turn within a second.
 */
export const placesMax: PlacesMax = { ofEndpoint: 5, quick: 100, slow: 50, unknown: 128, fresh: 8 }

/** Milliseconds within which an answer is soon. */
const soonMs = 1000
const endpointsMax = 10_000

/** Of an attempt: of its answer; slow when none came. */
export function paceOf({ status, durationMs }: { status: number | null; durationMs: number }): EndpointPace {
  return status !== null && durationMs <= soonMs ? 'quick' : 'slow'
}

interface State {
  underWay: number
  pace: Kind
  /** When its pace was found out here. */
  judgedAt: number
  /** When the run of requests under way began of which none was answered soon. */
  silentSince: number
  /** When it was given places last, in order. */
  turn: number
}

interface Request {
  accountId: string
  kind: Kind
  startedAt: number
}

export function createEndpointPlaces({ max, runtime: { elapsedMs } }: PlacesParts): EndpointPlaces {
  const requests = new Set<Request>()
  const { stateOf, keep } = createStates()
  const turnsOfAccounts = createCache<number>(endpointsMax)
  let turns = 0
  const turnOf = (accountId: string) => turnsOfAccounts.peek(accountId) ?? 0

  return {
    areFree: () => kinds.some((kind) => countRoom(kind, requests, max, elapsedMs()).free > 0),
    divide: (due) => {
      const waiting = due.map((endpoint) => toWaiting(endpoint, stateOf(endpointNameOf(endpoint)), elapsedMs()))
      for (const kind of kinds) {
        const room = countRoom(kind, requests, max, elapsedMs())
        if (room.free <= 0) continue
        const ofKind = waiting.filter((one) => one.kind === kind)
        const accounts = [...Map.groupBy(ofKind, ({ endpoint }) => endpoint.accountId)]
        const inTurn = accounts.toSorted(([one], [other]) => turnOf(one) - turnOf(other))
        const seats = inTurn.map(([accountId, list]) => ({ accountId, seats: shareSeats(list, max.ofEndpoint) }))
        share(room, seats)
      }
      const given = waiting.filter(({ count }) => count > 0)
      for (const { endpoint, state, pace } of given) keep(endpointNameOf(endpoint), Object.assign(state, { pace }))
      return given.map(({ endpoint: { accountId, endpointId }, count }) => ({ accountId, endpointId, count }))
    },
    take: (endpoint) => {
      const name = endpointNameOf(endpoint)
      const state = stateOf(name)
      const startedAt = elapsedMs()
      const request = { accountId: endpoint.accountId, kind: kindOf(state, startedAt), startedAt }
      if (state.underWay === 0) state.silentSince = startedAt
      turns += 1
      requests.add(request)
      turnsOfAccounts.set(endpoint.accountId, turns)
      keep(name, Object.assign(state, { underWay: state.underWay + 1, turn: turns }))
      return (pace) => {
        const now = elapsedMs()
        requests.delete(request)
        state.underWay -= 1
        if (pace) Object.assign(state, { pace, judgedAt: now })
        if (pace === 'quick') state.silentSince = now
        keep(name, state)
      }
    },
  }
}

/** What is known of endpoints: of all that have a request, and of the latest others. */
function createStates() {
  const busy = new Map<string, State>()
  const idle = createCache<State>(endpointsMax)
  return {
    stateOf: (name: string): State =>
      busy.get(name) ?? idle.peek(name) ?? { underWay: 0, pace: 'unknown', judgedAt: -1, silentSince: 0, turn: 0 },
    keep: (name: string, state: State): void => {
      if (state.underWay > 0) {
        idle.delete(name)
        busy.set(name, state)
      } else {
        busy.delete(name)
        idle.set(name, state)
      }
    },
  }
}

/** One that was quick, and is silent now, is not. */
function kindOf({ pace, underWay, silentSince }: Pick<State, 'pace' | 'underWay' | 'silentSince'>, now: number): Kind {
  return pace === 'quick' && underWay > 0 && now - silentSince > soonMs ? 'slow' : pace
}

/** What is free of a kind, and what each account has of it that counts against this. */
function countRoom(kind: Kind, requests: ReadonlySet<Request>, max: PlacesMax, now: number): Room {
  const all = [...requests].filter((request) => request.kind === kind)
  const free = max[kind] - all.length
  const ofAccount = ({ accountId }: Request) => accountId
  if (kind !== 'unknown') return { free, taken: Map.groupBy(all, ofAccount) }
  const fresh = all.filter(({ startedAt }) => now - startedAt <= soonMs)
  return { free: Math.min(free, max.fresh - fresh.length), taken: Map.groupBy(fresh, ofAccount) }
}

const kinds: Kind[] = ['quick', 'slow', 'unknown']

interface Room {
  free: number
  taken: Map<string, unknown[]>
}

interface Waiting {
  endpoint: DueEndpoint
  state: State
  kind: Kind
  pace: Kind
  /** Places that it is given. */
  count: number
}

/** Whoever found out later knows it: this process, or the one that wrote what the database knew. */
function toWaiting(endpoint: SeenEndpoint, state: State, now: number): Waiting {
  const pace = endpoint.pace !== null && endpoint.seenAt > state.judgedAt ? endpoint.pace : state.pace
  return { endpoint, state, kind: kindOf({ ...state, pace }, now), pace, count: 0 }
}

/** An endpoint for each place that an account could use, in the order of its turns. One that never answered could use one. */
function shareSeats(list: readonly Waiting[], ofEndpoint: number): Waiting[] {
  const seats = list.flatMap((one) => {
    const { underWay, turn } = one.state
    const most = Math.min(one.kind === 'unknown' ? 1 : ofEndpoint, underWay + one.endpoint.due)
    return Array.from({ length: Math.max(0, most - underWay) }, (_, more) => ({ one, level: underWay + more, turn }))
  })
  return seats.toSorted((a, b) => a.level - b.level || a.turn - b.turn).map(({ one }) => one)
}

/** The accounts with the fewest first, each until it has as many as are free. */
function share({ free: inAll, taken }: Room, accounts: readonly { accountId: string; seats: Waiting[] }[]): void {
  let free = inAll
  const waiting = accounts.map(({ accountId, seats }) => ({ seats, count: taken.get(accountId)?.length ?? 0, next: 0 }))
  for (let level = 0; level < free; level++) {
    for (const account of waiting) {
      const seat = account.seats[account.next]
      if (account.count !== level || level >= free || !seat) continue
      seat.count += 1
      account.count += 1
      account.next += 1
      free -= 1
    }
  }
}

/** What an endpoint is known by in this process. */
export function endpointNameOf({ accountId, endpointId }: Endpoint): string {
  return `${accountId} ${endpointId}`
}
