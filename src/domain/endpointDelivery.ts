/** What endpoints were told: shown, offered again, and tried with samples. */
import { eventTypes } from '../contract/event.ts'
import type { Runtime } from '../runtime.ts'
import type { Commit } from '../store/commit.ts'
import { type Endpoint, type EndpointKey, lockEndpoint } from '../store/endpoint.ts'
import {
  type EventDelivery,
  insertEventsFor,
  listDeliveries,
  type Place,
  replayEvent,
  replayEvents,
} from '../store/eventDelivery.ts'
import type { Tx } from '../store/session.ts'
import { Refusal } from './refusal.ts'
import { sampleOf } from './sample.ts'

export interface EndpointDeliveries {
  /** Of the latest events, at most `count`, the latest first. */
  deliveries: (key: EndpointKey, count: number) => Promise<EventDelivery[]>
  /**
   * Has the events of a time, or one, tried again as if they had not been: those that are held, failed or delivered.
   *
   * @returns how many they are
   * @throws Refusal when there is no such endpoint, it is disabled, or it was not to be told of that event
   */
  replay: (key: EndpointKey, what: { since: Date } | { eventId: string }) => Promise<number>
  /**
   * Has a sample sent of each type that the endpoint wants.
   *
   * @throws Refusal when there is no such endpoint, or it is disabled
   */
  test: (key: EndpointKey) => Promise<{ id: string; type: string }[]>
}

export interface EndpointDeliveryParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'newId'>
}

/** Events that one transaction offers again. */
const pageMax = 500

export function createEndpointDeliveries({ commit, runtime }: EndpointDeliveryParts): EndpointDeliveries {
  return {
    deliveries: (key, count) => listDeliveries(commit.reader, key, count),
    replay: (key, what) =>
      'since' in what ? replaySince(commit, key, what.since, runtime.now()) : replayOne(commit, key, what.eventId),
    test: (key) =>
      commit.transaction(async (tx) => {
        const { mode, types } = await lockEnabled(tx, key)
        const now = runtime.now()
        const samples = eventTypes
          .filter((type) => types?.includes(type) ?? true)
          .map((type) => ({
            id: `evt_${runtime.newId()}`,
            type,
            body: JSON.stringify(sampleOf(type, mode, now)),
          }))
        insertEventsFor(tx, { ...key, mode }, now, samples)
        return samples.map(({ id, type }) => ({ id, type }))
      }),
  }
}

async function replayOne(commit: Commit, key: EndpointKey, eventId: string): Promise<number> {
  const replayed = await commit.transaction(async (tx) => {
    await lockEnabled(tx, key)
    return replayEvent(tx, key, eventId)
  })
  if (replayed === undefined) throw new Refusal(`The endpoint ${key.id} was not to be told of an event ${eventId}.`)
  return replayed
}

/** Page after page: no transaction holds the endpoint for long. What comes meanwhile is not offered again. */
async function replaySince(commit: Commit, key: EndpointKey, since: Date, until: Date): Promise<number> {
  let total = 0
  for (let after: Place | undefined = { at: since, eventId: '' }; after; ) {
    const from: Place = after
    const page = await commit.transaction(async (tx) => {
      await lockEnabled(tx, key)
      return replayEvents(tx, key, { after: from, until, count: pageMax })
    })
    total += page?.replayed ?? 0
    after = page?.last
  }
  return total
}

/** So that nobody disables it meanwhile. */
async function lockEnabled(tx: Tx, key: EndpointKey): Promise<Endpoint> {
  const row = await lockEndpoint(tx, key)
  if (!row) throw missingEndpoint(key.id)
  if (row.disabledAt) throw new Refusal(`The endpoint ${key.id} is disabled: enable it first.`)
  return row
}

export function missingEndpoint(id: string): Refusal {
  return new Refusal(`There is no endpoint ${id}.`)
}
