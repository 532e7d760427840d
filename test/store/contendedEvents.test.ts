/** Deliveries of events that somebody changes while others work on them: none is lost, in whatever partition it is. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPartitions } from '../../src/domain/keeping/partition.ts'
import { createLog, newUlid } from '../../src/kit/runtime.ts'
import type { Tx } from '../../src/store/engine/session.ts'
import { disableEndpoint, type Endpoint, holdDeliveries } from '../../src/store/webhooks/endpoint.ts'
import { claimEvents, settleAttempts } from '../../src/store/webhooks/event.ts'
import { eraseDeliveries, replayEvent, replayEvents } from '../../src/store/webhooks/eventDelivery.ts'
import { openCommit } from '../support/commit.ts'
import { giveDeliveries, giveEndpoint, later } from '../support/endpoint.ts'

const days = ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24']
const soon = { timeout: 10_000, interval: 10 }
const { test, commit } = await openCommit()
let endpoint: Endpoint
let events: string[]

beforeAll(async () => {
  const runtime = { now: () => new Date('2026-11-21T09:00:00Z'), log: createLog('silent') }
  await createPartitions({ commit, runtime, retentionDays: 30 })(new Date(0), () => false)
})
beforeEach(async () => {
  endpoint = await giveEndpoint(commit)
  // Two in each of four partitions, in no order.
  events = [...days, ...days].map((day) => `evt_${newUlid(new Date(`${day}T12:00:00Z`))}`)
  await giveDeliveries(test.sql, endpoint, ...events.map((event) => ({ event, state: 'due', at: later(0) }) as const))
})

/** Somebody changes a delivery, and commits when the work of others has come to it. */
async function changeMeanwhile<T>(place: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  const beside = await test.sql.reserve()
  await beside`begin`
  await beside`update event_delivery set attempts = 7 where event_id = ${events[place]!} and endpoint_id = ${endpoint.id}`
  const working = commit.transaction(work)
  try {
    await expect.poll(() => test.stuckAt('event_delivery'), soon).not.toEqual([])
  } finally {
    await beside`commit`
    beside.release()
  }
  return working
}

async function count(condition: string): Promise<number> {
  const rows = await test.sql.unsafe(
    `select 1 from event_delivery where endpoint_id = '${endpoint.id}' and ${condition}`,
  )
  return rows.length
}

const places = [0, 3, 5, 7]

it('they lie in several partitions', async () => {
  const found = await test.sql`select distinct tableoid from event_delivery where endpoint_id = ${endpoint.id}`
  expect(found).toHaveLength(days.length)
})

describe.each(places)('while somebody changes the delivery at %i', (place) => {
  it('all attempts are kept, and what follows of them', async () => {
    await changeMeanwhile(place, async (tx) => {
      const attempt = { leasedUntil: later(0), at: later(1), status: 200, error: null, durationMs: 5, answer: '' }
      const after = { state: 'due', dueAt: later(60) } as const
      const { accountId, id: endpointId } = endpoint
      settleAttempts(
        tx,
        events.map((eventId) => ({ accountId, eventId, endpointId, ...attempt, ...after })),
      )
    })
    expect(await count(`state = 'due' and due_at = '${later(60).toISOString()}'`)).toBe(events.length)
    expect(await count('attempts = 8')).toBe(1)
    const kept = await test.sql`select 1 from event_attempt where endpoint_id = ${endpoint.id}`
    expect(kept).toHaveLength(events.length)
  })

  it('all are offered again', async () => {
    await test.sql`update event_delivery set state = 'failed', due_at = null where endpoint_id = ${endpoint.id}`
    const time = { after: { at: later(0), eventId: '' }, until: later(1), due: { from: later(2), until: later(3) } }
    const page = { ...time, count: 100, isMissedOnly: true }
    const done = await changeMeanwhile(place, (tx) => replayEvents(tx, endpoint, page))
    expect(done?.replayed).toBe(events.length)
    expect(await count(`state = 'due' and attempts = 0 and due_at is not null`)).toBe(events.length)
  })

  it('it is offered again', async () => {
    await test.sql`update event_delivery set state = 'failed', due_at = null where endpoint_id = ${endpoint.id}`
    expect(
      await changeMeanwhile(place, (tx) => replayEvent(tx, endpoint, { eventId: events[place]!, now: later(2) })),
    ).toBe(1)
    expect(await count(`state = 'due' and attempts = 0`)).toBe(1)
  })

  it('all are erased', async () => {
    expect(await changeMeanwhile(place, (tx) => eraseDeliveries(tx, endpoint, 100))).toBe(events.length)
    expect(await count('true')).toBe(0)
  })
})

describe.each(places)('somebody who changes the delivery at %i holds up nobody', (place) => {
  async function besideChange(work: () => Promise<void>): Promise<void> {
    const beside = await test.sql.reserve()
    await beside`begin`
    await beside`update event_delivery set attempts = 7 where event_id = ${events[place]!} and endpoint_id = ${endpoint.id}`
    try {
      await work()
    } finally {
      await beside`commit`
      beside.release()
    }
  }

  it.each(['oldest', 'recent'] as const)('who claims the others, and then that one, the %s first', async (first) => {
    const wanted = [{ accountId: endpoint.accountId, endpointId: endpoint.id, count: 100 }]
    const at = { now: later(0), leasedUntil: later(30), first }
    const claim = () => commit.transaction((tx) => claimEvents(tx, wanted, at))
    await besideChange(async () => {
      const claimed = (await claim()).map(({ eventId }) => eventId)
      expect(claimed.toSorted()).toEqual(events.filter((_event, index) => index !== place).toSorted())
    })
    expect((await claim()).map(({ eventId }) => eventId)).toEqual([events[place]])
    expect(await claim()).toEqual([])
  })

  it('who holds the others, and then that one', async () => {
    await besideChange(async () => {
      await commit.transaction((tx) => disableEndpoint(tx, endpoint, later(1)))
      expect(await count(`state = 'held' and due_at is null`)).toBe(events.length - 1)
    })
    await commit.transaction(async (tx) => holdDeliveries(tx, [endpoint]))
    expect(await count(`state = 'held' and due_at is null`)).toBe(events.length)
  })
})
