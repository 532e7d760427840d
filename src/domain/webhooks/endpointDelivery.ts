/** What endpoints were told: shown, offered again, and tried with samples. */
import { type ContractEvent, type EventType, eventTypes } from '../../contract/event.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Tx } from '../../store/engine/session.ts'
import { type Endpoint, type EndpointKey, lockEndpoint } from '../../store/webhooks/endpoint.ts'
import { behindAt } from '../../store/webhooks/event.ts'
import {
  countHeld,
  type DeliveryCursor,
  type EventDelivery,
  findDelivery,
  insertEventsFor,
  listDeliveries,
  replayEvent,
  replayEvents,
  type WholeDelivery,
} from '../../store/webhooks/eventDelivery.ts'
import {
  countStates,
  cursorOf,
  type DeliveryLine,
  type DeliveryPage,
  pageDeliveries,
  type StateCounts,
} from '../../store/webhooks/eventDeliveryPage.ts'
import type { ActCommit } from '../access/act.ts'
import { type Actor, may } from '../access/actor.ts'
import { type ChangeEndpoint, missingEndpoint, requireSeen } from './endpointChange.ts'
import { makeEventSample } from './sample.ts'

export interface EndpointDeliveries {
  /** Of the latest events, at most `count`, the latest first. @throws Refusal when the actor does not see it */
  deliveries: (actor: Actor, key: EndpointKey, count: number) => Promise<EventDelivery[]>
  /**
   * The latest event first; of those that are due the one that is tried next.
   *
   * @returns at most `count`, and where the next page begins; undefined when there is none
   * @throws Refusal when the actor does not see it
   */
  page: (
    actor: Actor,
    key: EndpointKey,
    page: DeliveryPage,
  ) => Promise<{ lines: DeliveryLine[]; next: DeliveryCursor | undefined }>
  /** What an endpoint was told of one event. @throws Refusal when it was not to be told of it, or the actor does not see it */
  delivery: (actor: Actor, key: EndpointKey, eventId: string) => Promise<WholeDelivery>
  /** How many events are due, held and failed; each is counted up to `countedMax`. @throws as `page` */
  counts: (actor: Actor, list: readonly EndpointKey[]) => Promise<StateCounts[]>
  /** What waits for it because it was disabled; undefined when nothing does. @throws as `page` */
  held: (actor: Actor, key: EndpointKey) => Promise<Held | undefined>
  /**
   * Has the events of a time, or one, tried again as if they had not been: those that are held, failed or delivered. Ends after
   * some seconds, however many they are: what is done by then stays done, and another call goes on from there.
   *
   * @throws Refusal when there is no such endpoint, it is disabled, or it was not to be told of that event; Forbidden
   */
  replay: (actor: Actor, key: EndpointKey, what: ReplayedTime | { eventId: string }) => Promise<ReplayStep>
  /** What is sent to try an endpoint, one of each type that it wants. */
  samples: (endpoint: Pick<Endpoint, 'mode' | 'types'>) => ContractEvent[]
  /**
   * Has a sample sent of each type that the endpoint wants, or of those of them that are named.
   *
   * @throws Refusal when there is no such endpoint, it is disabled, or it wants none of the types; Forbidden
   */
  test: (actor: Actor, key: EndpointKey, types?: readonly string[]) => Promise<{ id: string; type: string }[]>
}

/** Events that wait for an endpoint because it was disabled. */
export interface Held {
  /** Up to `heldCountedMax`. */
  count: number
  /** When the first of them happened. */
  since: Date
}

/** What happened since then, or behind that place, until now. */
export interface ReplayedTime {
  since: Date | ReplayPlace
  /** Leaves out what was delivered. */
  isMissedOnly?: boolean
}

/** How far a replay has come. */
export interface ReplayPlace {
  after: DeliveryCursor
  /** When it began: what comes meanwhile is not offered again. */
  until: Date
}

export interface ReplayStep {
  /** How many are sent again, by this call. */
  count: number
  /** Where another call goes on; undefined when all is done. */
  next: ReplayPlace | undefined
}

export interface EndpointDeliveryParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now' | 'newId' | 'elapsedMs'>
  change: ChangeEndpoint
}

/** How far the events in a state are counted. */
export const countedMax = 1000
/** How far those that are held are, where somebody is told what an endpoint missed. */
export const heldCountedMax = 100_000
/** Attempts of one event that are shown, the latest: somebody may have it sent again and again. */
export const attemptsShown = 100
/** Events that one transaction offers again. */
const pageMax = 500
/** Milliseconds for the pages of one call: who asked by HTTP is cut off after thirty seconds without a byte. */
const replayMs = 10_000

export function createEndpointDeliveries(parts: EndpointDeliveryParts): EndpointDeliveries {
  const { commit, runtime } = parts
  return {
    deliveries: async (actor, key, count) => {
      requireSeen(actor, key)
      const found = await listDeliveries(commit.reader, key, { count, attempts: attemptsShown })
      return found.map((one) => shownTo(actor, one))
    },
    page: async (actor, key, page) => {
      requireSeen(actor, key)
      // One more tells whether there is a next page.
      const found = await pageDeliveries(commit.reader, key, { ...page, count: page.count + 1 })
      const lines = found.slice(0, page.count)
      return { lines, next: found.length > page.count ? cursorOf(lines.at(-1)!, page.state) : undefined }
    },
    delivery: async (actor, key, eventId) => {
      requireSeen(actor, key)
      const found = await findDelivery(commit.reader, key, { eventId, attempts: attemptsShown })
      if (!found) throw notTold(key, eventId)
      return shownTo(actor, found)
    },
    counts: async (actor, list) => {
      for (const key of list) requireSeen(actor, key)
      return countStates(commit.reader, list, countedMax)
    },
    held: async (actor, key) => {
      requireSeen(actor, key)
      return countHeld(commit.reader, key, heldCountedMax)
    },
    replay: (actor, key, what) =>
      'since' in what ? replaySince(parts, actor, key, what) : replayOne(parts, actor, key, what.eventId),
    samples: (endpoint) => samplesFor(endpoint, runtime.now()),
    test: (actor, key, types) => test(parts, actor, key, types),
  }
}

/** To a viewer without what was answered: many name the path that was asked for, which may be secret. */
function shownTo<Shown extends EventDelivery>(actor: Actor, delivery: Shown): Shown {
  if (may(actor, 'developer')) return delivery
  return { ...delivery, attempts: delivery.attempts.map((one) => ({ ...one, answer: null })) }
}

function samplesFor({ mode, types }: Pick<Endpoint, 'mode' | 'types'>, now: Date): ContractEvent[] {
  return eventTypes.filter((type) => types?.includes(type) ?? true).map((type) => makeEventSample(type, mode, now))
}

function test(
  { runtime, change }: EndpointDeliveryParts,
  actor: Actor,
  key: EndpointKey,
  types: readonly string[] | undefined,
) {
  return change(actor, key, 'endpoint.tested', async (tx, row) => {
    requireEnabled(row)
    const now = runtime.now()
    const samples = samplesFor(row, now)
      .filter(({ type }) => types?.includes(type) ?? true)
      .map((event) => ({ id: `evt_${runtime.newId()}`, type: event.type, body: JSON.stringify(event) }))
    if (samples.length === 0) throw new Refusal('Choose an event type of this endpoint.')
    insertEventsFor(tx, { ...key, mode: row.mode }, now, samples)
    const detail = { types: samples.map(({ type }): EventType => type) }
    return { result: samples.map(({ id, type }) => ({ id, type })), detail }
  })
}

function replayOne(
  { change, runtime }: EndpointDeliveryParts,
  actor: Actor,
  key: EndpointKey,
  eventId: string,
): Promise<ReplayStep> {
  return change(actor, key, 'endpoint.replayed', async (tx, row) => {
    requireEnabled(row)
    const count = await replayEvent(tx, key, { eventId, now: runtime.now() })
    if (count === undefined) throw notTold(key, eventId)
    return { result: { count, next: undefined }, isDone: count > 0, detail: { event: eventId } }
  })
}

/** Page after page: no transaction holds the endpoint for long. What comes meanwhile is not offered again. */
async function replaySince(
  { commit, runtime, change }: EndpointDeliveryParts,
  actor: Actor,
  key: EndpointKey,
  { since, isMissedOnly = false }: ReplayedTime,
): Promise<ReplayStep> {
  const endsAt = runtime.elapsedMs() + replayMs
  const begin = since instanceof Date ? { after: { at: since, eventId: '' }, until: runtime.now() } : since
  const { until } = begin
  let from = new Date(behindAt(runtime.now()).getTime() - pageMax)
  const offer = async (tx: Tx, after: DeliveryCursor) => {
    const due = { from, until: behindAt(runtime.now()) }
    const page = await replayEvents(tx, key, { after, until, count: pageMax, isMissedOnly, due })
    from = due.until
    return page
  }
  // The first one says who wanted it.
  const first = await change(actor, key, 'endpoint.replayed', async (tx, row) => {
    requireEnabled(row)
    const result = await offer(tx, begin.after)
    const detail = { since: begin.after.at.toISOString(), missed_only: isMissedOnly }
    return { result, isDone: result !== undefined, detail }
  })
  let count = 0
  for (let page = first; page; ) {
    count += page.replayed
    const { last } = page
    if (runtime.elapsedMs() >= endsAt) return { count, next: { after: last, until } }
    page = await commit.as(actor).transaction(async (tx) => {
      const row = await lockEndpoint(tx, key)
      if (!row) throw missingEndpoint(key.id)
      requireEnabled(row)
      return offer(tx, last)
    })
  }
  return { count, next: undefined }
}

/** Asked of a row that one holds, so that nobody disables it meanwhile. */
function requireEnabled({ id, disabledAt }: Endpoint): void {
  if (disabledAt) throw new Refusal(`The endpoint ${id} is disabled: enable it first.`)
}

function notTold({ id }: EndpointKey, eventId: string): Refusal {
  return new Refusal(`The endpoint ${id} has no event ${eventId}.`)
}
