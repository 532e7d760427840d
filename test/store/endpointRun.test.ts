import { beforeAll, expect, it } from 'vitest'
import { newUlid } from '../../src/kit/runtime.ts'
import { write } from '../../src/store/engine/session.ts'
import {
  disableEndpoint,
  type Endpoint,
  enableEndpoint,
  heldMax,
  holdDeliveries,
} from '../../src/store/webhooks/endpoint.ts'
import { type EndpointOutcome, recordOutcomes } from '../../src/store/webhooks/endpointRun.ts'
import { type EventAttempt, settleAttempts } from '../../src/store/webhooks/event.ts'
import { openCommit } from '../support/commit.ts'
import {
  deliveryStates,
  endpointNow,
  giveBacklog,
  giveDeliveries,
  giveEndpoint,
  later,
  start,
} from '../support/endpoint.ts'

const limits = { seconds: 100, failures: 3 }

const { test, commit } = await openCommit()
beforeAll(async () => {
  // The events of a backlog lie in all of them.
  for (let part = 0; part < 30; part++) {
    const from = `evt_${String(part).padStart(2, '0')}`
    await test.sql.unsafe(
      `create table event_delivery_${part} partition of event_delivery for values from ('${from}') to ('${from}z')`,
    )
  }
})

const outcome = (
  { accountId, id }: Endpoint,
  seconds: number,
  result: EndpointOutcome['result'],
  pace: EndpointOutcome['pace'] = 'quick',
) => ({ accountId, id, at: later(seconds), result, pace })

function record(...list: EndpointOutcome[]) {
  return commit.transaction((tx) => recordOutcomes(tx, list, limits))
}

async function run(endpoint: Endpoint): Promise<unknown[]> {
  const { failures, failingSince, disabledAt, disabledReason } = await endpointNow(commit, endpoint)
  return [failures, failingSince, disabledAt, disabledReason]
}

it('counts a run of failures over attempts that come together and apart, in any order', async () => {
  const [one, other] = [await giveEndpoint(commit), await giveEndpoint(commit, { id: 'ep_0' })]
  await record(outcome(one, 5, 'failed'), outcome(other, 1, 'taken'), outcome(one, 0, 'failed'))
  expect(await run(one)).toEqual([2, later(0), null, null])
  expect(await run(other)).toEqual([0, null, null, null])
  await record(outcome(other, 7, 'failed'), outcome(one, 6, 'failed'))
  expect(await run(one)).toEqual([3, later(0), null, null])
  expect(await run(other)).toEqual([1, later(7), null, null])
})

it('keeps whether the last answer came soon, and writes an endpoint only when that changes', async () => {
  const endpoint = await giveEndpoint(commit)
  const version = async () => (await test.sql`select xmin from endpoint where id = ${endpoint.id}`)[0]?.xmin
  expect(endpoint.pace).toBeNull()
  await record(outcome(endpoint, 1, 'taken', 'slow'), outcome(endpoint, 2, 'taken'), outcome(endpoint, 0, 'failed'))
  expect(await endpointNow(commit, endpoint)).toMatchObject({ pace: 'quick', failures: 0 })
  const written = await version()
  await record(outcome(endpoint, 3, 'taken'))
  expect(await version()).toBe(written)
  await record(outcome(endpoint, 4, 'taken', 'slow'))
  expect(await endpointNow(commit, endpoint)).toMatchObject({ pace: 'slow', failures: 0 })
})

it('begins a run anew after anything that was taken', async () => {
  const endpoint = await giveEndpoint(commit)
  await record(outcome(endpoint, 0, 'failed'), outcome(endpoint, 1, 'failed'))
  await record(outcome(endpoint, 3, 'failed'), outcome(endpoint, 2, 'taken'))
  expect(await run(endpoint)).toEqual([1, later(3), null, null])
  await record(outcome(endpoint, 4, 'taken'))
  expect(await run(endpoint)).toEqual([0, null, null, null])
})

it.each([
  ['is long enough and has too few failures', [0, 100], null],
  ['has enough failures and is too short', [0, 1, 99.999], null],
  ['is long enough and has enough failures', [0, 1, 100], 'failing'],
])('a run that %s', async (_what, seconds, reason) => {
  const endpoint = await giveEndpoint(commit)
  const told = []
  for (const second of seconds) told.push(...(await record(outcome(endpoint, second, 'failed'))))
  const { accountId, id } = endpoint
  const at = later(seconds.at(-1)!)
  expect(told).toEqual(reason ? [{ accountId, id, mode: 'live', reason, at }] : [])
  expect(await run(endpoint)).toEqual([seconds.length, later(0), reason && at, reason])
})

it('disables at once what is gone, and tells of it once', async () => {
  const [endpoint, other] = [await giveEndpoint(commit), await giveEndpoint(commit, { mode: 'test' })]
  const told = await record(outcome(endpoint, 1, 'gone'), outcome(other, 1, 'failed'), outcome(other, 2, 'gone'))
  expect(told.map(({ id, mode, reason }) => [id, mode, reason]).toSorted()).toEqual(
    [
      [endpoint.id, 'live', 'gone'],
      [other.id, 'test', 'gone'],
    ].toSorted(),
  )
  expect(await record(outcome(endpoint, 500, 'gone'), outcome(endpoint, 501, 'failed'))).toEqual([])
  expect(await run(endpoint)).toEqual([3, later(1), later(1), 'gone'])
})

it('tells of it once however many find it out at the same time', async () => {
  const endpoint = await giveEndpoint(commit)
  await record(outcome(endpoint, 0, 'failed'), outcome(endpoint, 1, 'failed'))
  const told = await Promise.all(
    Array.from({ length: 20 }, (_, index) => record(outcome(endpoint, 100 + index, 'failed'))),
  )
  expect(told.flat()).toHaveLength(1)
  expect(await run(endpoint)).toMatchObject([22, later(0), expect.any(Date), 'failing'])
})

it('counts every failure of many endpoints that settle at once, in any order', async () => {
  const endpoints = await Promise.all(Array.from({ length: 5 }, () => giveEndpoint(commit)))
  const rounds = Array.from({ length: 30 }, (_, round) => {
    const order = round % 2 ? endpoints : endpoints.toReversed()
    return record(...order.map((endpoint) => outcome(endpoint, round, 'failed')))
  })
  await Promise.all(rounds)
  for (const endpoint of endpoints) expect((await endpointNow(commit, endpoint)).failures).toBe(30)
})

it('holds what is due for an endpoint that is disabled, and for one that was disabled meanwhile', async () => {
  const [endpoint, other] = [await giveEndpoint(commit), await giveEndpoint(commit)]
  const list = [
    { event: 'evt_1', state: 'due', at: later(0) },
    { event: 'evt_2', state: 'due', at: later(0), dueAt: later(7200), attempts: 3 },
    { event: 'evt_3', state: 'delivered', at: later(0) },
    { event: 'evt_4', state: 'failed', at: later(0) },
  ] as const
  for (const one of [endpoint, other]) await giveDeliveries(test.sql, one, ...list)
  await record(outcome(endpoint, 1, 'gone'), outcome(other, 1, 'failed'))
  const held = [
    ['evt_1', 'held', null, 1],
    ['evt_2', 'held', null, 3],
    ['evt_3', 'delivered', null, 1],
    ['evt_4', 'failed', null, 1],
  ]
  expect(await deliveryStates(test.sql, endpoint)).toEqual(held)
  expect((await deliveryStates(test.sql, other)).slice(0, 2)).toEqual([
    ['evt_1', 'due', later(0), 1],
    ['evt_2', 'due', later(7200), 3],
  ])

  await giveDeliveries(test.sql, endpoint, { event: 'evt_5', state: 'due', at: later(2) })
  await record(outcome(endpoint, 2, 'failed'))
  expect(await deliveryStates(test.sql, endpoint)).toEqual([...held, ['evt_5', 'held', null, 1]])
})

const countsOf = async ({ id }: Endpoint) =>
  test.sql`select state, count(*)::int from event_delivery where endpoint_id = ${id} group by state order by state`

it("disables an endpoint with days of due events at the cost of a few, and keeps others' outcomes", async () => {
  const eventId = `evt_${newUlid(start)}`
  const [endpoint, healthy] = [await giveEndpoint(commit), await giveEndpoint(commit)]
  await giveBacklog(test.sql, endpoint, 5000)
  await giveDeliveries(test.sql, healthy, { event: eventId, state: 'due', at: later(0) })
  await record(outcome(endpoint, 0, 'failed'), outcome(endpoint, 1, 'failed'))
  const told = await commit.transaction((tx) => {
    settleAttempts(tx, [taken(healthy, eventId)])
    return recordOutcomes(tx, [outcome(healthy, 100, 'taken'), outcome(endpoint, 100, 'failed')], limits)
  })
  expect(told.map(({ id }) => id)).toEqual([endpoint.id])
  expect(await deliveryStates(test.sql, healthy)).toEqual([[eventId, 'delivered', null, 2]])
  expect(await countsOf(endpoint)).toEqual([
    { state: 'due', count: 5000 - heldMax },
    { state: 'held', count: heldMax },
  ])

  const byHand = await giveEndpoint(commit)
  await giveBacklog(test.sql, byHand, 1000)
  expect(await commit.transaction((tx) => disableEndpoint(tx, byHand, later(9)))).toBe(true)
  expect(await countsOf(byHand)).toContainEqual({ state: 'held', count: heldMax })
})

it('holds no more at once for many endpoints than for one, and nothing for those that are enabled', async () => {
  const [one, other, enabled] = [await giveEndpoint(commit), await giveEndpoint(commit), await giveEndpoint(commit)]
  for (const endpoint of [one, other, enabled]) await giveBacklog(test.sql, endpoint, 150)
  await test.sql`update endpoint set disabled_at = now() where id in ${test.sql([one.id, other.id])}`
  const hold = () => commit.transaction(async (tx) => holdDeliveries(tx, [one, enabled, other]))
  const held = async () =>
    (await Promise.all([one, other].map(countsOf))).flat().filter(({ state }) => state === 'held')
  await hold()
  expect((await held()).reduce((sum, { count }) => sum + count, 0)).toBe(heldMax)
  await hold()
  expect((await held()).map(({ count }) => count)).toEqual([150, 150])
  expect(await countsOf(enabled)).toEqual([{ state: 'due', count: 150 }])
})

it('holds nothing for an endpoint that somebody enables meanwhile, and does not wait for that', async () => {
  const endpoint = await giveEndpoint(commit)
  await giveDeliveries(test.sql, endpoint, { event: 'evt_1', state: 'due', at: later(0) })
  await test.sql`update endpoint set disabled_at = now() where id = ${endpoint.id}`
  await commit.transaction(async (tx) => {
    await enableEndpoint(tx, endpoint)
    await commit.transaction(async (other) => holdDeliveries(other, [endpoint]))
  })
  expect(await countsOf(endpoint)).toEqual([{ state: 'due', count: 1 }])
})

const late = write(`
  update event_delivery set due_at = due_at + interval '1 h' where event_id = $1 and endpoint_id = $2`)

it('waits for nobody who settles a delivery, and neither do they', async () => {
  const endpoint = await giveEndpoint(commit)
  const [first, second] = ['evt_1', 'evt_2'].map((event) => ({ event, state: 'due', at: later(0) }) as const)
  await giveDeliveries(test.sql, endpoint, first!, second!)
  const settled = Promise.withResolvers<void>()
  let tries = 0
  const both = await Promise.all(
    ['evt_1', 'evt_2'].map((event) =>
      commit.transaction(async (tx) => {
        tries += 1
        await tx.run(late, [event, endpoint.id])
        if (event === 'evt_2') settled.resolve()
        await settled.promise
        return recordOutcomes(tx, [outcome(endpoint, 1, 'gone')], limits)
      }),
    ),
  )
  // A deadlock would have one of them do it again.
  expect(tries).toBe(2)
  expect(both.flat()).toHaveLength(1)
  expect((await deliveryStates(test.sql, endpoint)).map(([, state]) => state)).toEqual(['held', 'held'])
})

it('enabling clears the run', async () => {
  const endpoint = await giveEndpoint(commit)
  await record(outcome(endpoint, 0, 'failed'), outcome(endpoint, 1, 'gone'))
  expect(await commit.transaction((tx) => enableEndpoint(tx, endpoint))).toBe(true)
  expect(await run(endpoint)).toEqual([0, null, null, null])
  expect(await commit.transaction((tx) => enableEndpoint(tx, endpoint))).toBe(false)
})

it('disabling by hand holds what is due, once', async () => {
  const endpoint = await giveEndpoint(commit)
  await giveDeliveries(test.sql, endpoint, { event: 'evt_1', state: 'due', at: later(0) })
  expect(await commit.transaction((tx) => disableEndpoint(tx, endpoint, later(9)))).toBe(true)
  expect(await commit.transaction((tx) => disableEndpoint(tx, endpoint, later(10)))).toBe(false)
  expect(await run(endpoint)).toEqual([0, null, later(9), 'manual'])
  expect(await deliveryStates(test.sql, endpoint)).toEqual([['evt_1', 'held', null, 1]])
})

function taken({ accountId, id: endpointId }: Endpoint, eventId: string): EventAttempt {
  const answer = { status: 200, error: null, durationMs: 5, answer: '' }
  return {
    accountId,
    endpointId,
    eventId,
    leasedUntil: later(0),
    at: later(100),
    ...answer,
    state: 'delivered',
    dueAt: null,
  }
}
