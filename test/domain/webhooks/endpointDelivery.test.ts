import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { eventTypes } from '../../../src/contract/event.ts'
import { createEventCheck } from '../../../src/contract/eventCheck.ts'
import { createActCommit } from '../../../src/domain/access/act.ts'
import { createSecrets } from '../../../src/domain/access/secret.ts'
import { createPurge } from '../../../src/domain/keeping/retention.ts'
import { createEndpoints, type Endpoints } from '../../../src/domain/webhooks/endpoint.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { disableEndpoint, type Endpoint, heldMax } from '../../../src/store/webhooks/endpoint.ts'
import { countHeld } from '../../../src/store/webhooks/eventDelivery.ts'
import { type Acting, acting, testOperator } from '../../support/acting.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import {
  deliveryStates,
  type GivenDelivery,
  giveBacklog,
  giveDeliveries,
  giveEndpoint,
  later,
} from '../../support/endpoint.ts'
import { testRuntime } from '../../support/runtime.ts'

const runtime = testRuntime()

let test: TestDatabase
let database: Database
let commit: Commit
let endpoints: Acting<Endpoints>
/** What each page of a replay takes. */
let pageSeconds = 0
beforeAll(async () => {
  test = await createDatabase()
  database = await connect(test.settings)
  commit = createCommit(database, commitOptions(database))
  const secrets = createSecrets(['a secret of the service, of enough characters'])
  const guard = { faultOfPlace: async () => undefined, faultOfUrl: () => undefined }
  const elapsedMs = () => {
    runtime.advance(pageSeconds)
    return runtime.elapsedMs()
  }
  const parts = { commit: createActCommit(commit, { runtime }), secrets, runtime: { ...runtime, elapsedMs }, guard }
  endpoints = acting(createEndpoints(parts), testOperator)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

/** Before the time of the test. */
const ago = (seconds: number) => later(-seconds)

async function withDeliveries(...list: GivenDelivery[]): Promise<Endpoint> {
  const endpoint = await giveEndpoint(commit)
  await giveDeliveries(test.sql, endpoint, ...list)
  return endpoint
}

function refusal(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'was done',
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

let events = 0
const nextEvent = () => `evt_${++events}`

describe('a replay', () => {
  it('offers all of a time again that is held, failed or delivered, in the order in which it happened', async () => {
    const [early, held, failed, delivered, due] = [1, 2, 3, 4, 5].map(nextEvent) as [
      string,
      string,
      string,
      string,
      string,
    ]
    const list: GivenDelivery[] = [
      { event: delivered, state: 'delivered', at: ago(100) },
      { event: failed, state: 'failed', at: ago(50), attempts: 10 },
      { event: held, state: 'held', at: ago(10), attempts: 2 },
      { event: early, state: 'held', at: ago(100.001) },
      { event: due, state: 'due', at: ago(60), dueAt: later(300), attempts: 3 },
    ]
    const [endpoint, other] = [await withDeliveries(...list), await withDeliveries(...list)]
    const untouched = await deliveryStates(test.sql, other)
    expect(await endpoints.replay(endpoint, { since: ago(100) })).toEqual({ count: 3, next: undefined })
    const states = await deliveryStates(test.sql, endpoint)
    expect(states.map(([event, state, , attempts]) => [event, state, attempts])).toEqual([
      [early, 'held', 1],
      [held, 'due', 0],
      [failed, 'due', 0],
      [delivered, 'due', 0],
      [due, 'due', 3],
    ])
    const inTurn = states
      .filter(([, state]) => state === 'due')
      .toSorted((one, other) => Number(one[2]) - Number(other[2]))
    expect(inTurn.map(([event]) => event)).toEqual([delivered, failed, held, due])
    expect(inTurn.at(-1)).toEqual([due, 'due', later(300), 3])
    expect(await deliveryStates(test.sql, other)).toEqual(untouched)
    expect(await endpoints.replay(endpoint, { since: ago(100) })).toEqual({ count: 0, next: undefined })
  })

  it('offers one again', async () => {
    const [one, other] = [nextEvent(), nextEvent()]
    const endpoint = await withDeliveries(
      { event: one, state: 'delivered', at: ago(1) },
      { event: other, state: 'delivered', at: ago(2) },
    )
    expect(await endpoints.replay(endpoint, { eventId: one })).toEqual({ count: 1, next: undefined })
    expect(await endpoints.replay(endpoint, { eventId: one })).toEqual({ count: 0, next: undefined })
    expect(await deliveryStates(test.sql, endpoint)).toEqual([
      [one, 'due', runtime.now(), 0],
      [other, 'delivered', null, 1],
    ])
    expect(await refusal(endpoints.replay(endpoint, { eventId: 'evt_none' }))).toBe(
      `Refusal: The endpoint ${endpoint.id} has no event evt_none.`,
    )
  })

  it('offers each of thousands once, in their order, many of the same moment too', async () => {
    const endpoint = await giveEndpoint(commit)
    const { accountId, id } = endpoint
    await test.sql`insert into event (account_id, id, mode, type, body, at)
      select ${accountId}, 'evt_many_' || n, 'live', 'message.sent', '{}', ${ago(10)} from generate_series(1, 1700) n`
    await test.sql`insert into event_delivery (account_id, event_id, endpoint_id, state, at)
      select account_id, id, ${id}, 'held', ${ago(10)}::timestamptz + make_interval(secs => length(id) - 10) from event
      where id like 'evt_many_%'`
    pageSeconds = 0.02
    expect(await endpoints.replay(endpoint, { since: ago(60) })).toEqual({ count: 1700, next: undefined })
    pageSeconds = 0
    const rows = await test.sql<{ state: string; dueAt: Date }[]>`select state, due_at as "dueAt" from event_delivery
      where endpoint_id = ${id} order by at, event_id`
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['due']))
    const times = rows.map(({ dueAt }) => dueAt.getTime())
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(new Set(times).size).toBeGreaterThan(500)
  })

  it('of more than its time allows says how far it came, and goes on from there, with each once', async () => {
    const endpoint = await giveEndpoint(commit)
    const { accountId, id } = endpoint
    const many = `evt_long_${id}_`
    await test.sql`insert into event (account_id, id, mode, type, body, at)
      select ${accountId}, ${many} || lpad(n::text, 4, '0'), 'live', 'message.sent', '{}', ${ago(10)} from generate_series(1, 2200) n`
    await test.sql`insert into event_delivery (account_id, event_id, endpoint_id, state, at)
      select account_id, id, ${id}, 'delivered', at from event where id like ${`${many}%`}`
    const since = ago(60)
    // Ten are given.
    pageSeconds = 6
    const first = await endpoints.replay(endpoint, { since })
    expect(first).toEqual({
      count: 1000,
      next: { after: { at: ago(10), eventId: `${many}1000` }, until: expect.any(Date) },
    })
    const states = async () => Object.groupBy(await deliveryStates(test.sql, endpoint), ([, state]) => String(state))
    expect((await states()).delivered).toHaveLength(1200)
    // What was taken meanwhile is not sent a third time.
    await test.sql`update event_delivery set state = 'delivered', due_at = null where endpoint_id = ${id}`
    const second = await endpoints.replay(endpoint, { since: first.next! })
    expect(second).toMatchObject({ count: 1000, next: { after: { eventId: `${many}2000` } } })
    expect(await endpoints.replay(endpoint, { since: second.next! })).toEqual({ count: 200, next: undefined })
    pageSeconds = 0
    expect((await states()).due).toHaveLength(1200)
    expect((await states()).delivered!.every(([event]) => String(event) <= `${many}1000`)).toBe(true)
  })

  it('is refused while the endpoint is disabled, and when there is none', async () => {
    const endpoint = await withDeliveries({ event: nextEvent(), state: 'held', at: ago(1) })
    await endpoints.disable(endpoint)
    const replays = [{ since: ago(60) }, { eventId: `evt_${events}` }]
    for (const what of replays) {
      expect(await refusal(endpoints.replay(endpoint, what))).toBe(
        `Refusal: The endpoint ${endpoint.id} is disabled: enable it first.`,
      )
    }
    await endpoints.remove(endpoint)
    for (const what of replays) {
      expect(await refusal(endpoints.replay(endpoint, what))).toBe(`Refusal: There is no endpoint ${endpoint.id}.`)
    }
  })

  it('leaves nothing due when the endpoint is disabled meanwhile', async () => {
    const list = Array.from({ length: 20 }, () => ({ event: nextEvent(), state: 'held', at: ago(1) }) as const)
    for (let round = 0; round < 10; round++) {
      const endpoint = await withDeliveries(...list)
      await Promise.all([
        refusal(endpoints.replay(endpoint, { since: ago(60) })),
        commit.transaction((tx) => disableEndpoint(tx, endpoint, runtime.now())),
      ])
      const states = (await deliveryStates(test.sql, endpoint)).map(([, state]) => state)
      expect(new Set(states)).toEqual(new Set(['held']))
    }
  })
})

it('enabling tells how much is held, and since when', async () => {
  const endpoint = await withDeliveries(
    { event: nextEvent(), state: 'held', at: ago(70) },
    { event: nextEvent(), state: 'held', at: ago(5) },
    { event: nextEvent(), state: 'due', at: ago(80) },
    { event: nextEvent(), state: 'delivered', at: ago(90) },
  )
  await endpoints.disable(endpoint)
  // Those of a busy account are not all counted: it would take longer than a statement may, and nobody could enable it.
  expect(await countHeld(commit.reader, endpoint, 2)).toEqual({ count: 2, since: ago(80) })
  expect(await endpoints.enable(endpoint)).toEqual({ count: 3, since: ago(80) })
  const unheld = await giveEndpoint(commit)
  await endpoints.disable(unheld)
  expect(await endpoints.enable(unheld)).toBeUndefined()
})

it('an endpoint enabled before all is held goes on with the rest, and a replay brings the held', async () => {
  const endpoint = await giveEndpoint(commit)
  await giveBacklog(test.sql, endpoint, heldMax + 200)
  await endpoints.disable(endpoint)
  expect(await endpoints.enable(endpoint)).toMatchObject({ count: heldMax })
  expect(await endpoints.replay(endpoint, { since: ago(7200) })).toEqual({ count: heldMax, next: undefined })
  const states = await deliveryStates(test.sql, endpoint)
  expect(states.map(([, state]) => state)).toEqual(Array.from({ length: heldMax + 200 }, () => 'due'))
})

it('removing an endpoint erases what it was told, and nothing of the others', async () => {
  const list = Array.from({ length: 3 }, () => ({ event: nextEvent(), state: 'delivered', at: ago(1) }) as const)
  const [endpoint, other] = [await withDeliveries(...list), await withDeliveries(...list)]
  for (const { accountId, id } of [endpoint, other]) {
    await test.sql`insert into event_attempt (account_id, event_id, endpoint_id, at, status, duration_ms)
      values (${accountId}, ${list[0]!.event}, ${id}, ${ago(1)}, 200, 5)`
  }
  await endpoints.remove(endpoint)
  expect(await deliveryStates(test.sql, endpoint)).toEqual([])
  expect(await test.sql`select 1 from event_attempt where endpoint_id = ${endpoint.id}`).toHaveLength(0)
  expect(await deliveryStates(test.sql, other)).toHaveLength(3)
  expect(await test.sql`select 1 from event_attempt where endpoint_id = ${other.id}`).toHaveLength(1)
})

it('removing an endpoint that was told very much is done soon, and the purge erases the rest', async () => {
  const endpoint = await giveEndpoint(commit)
  await giveBacklog(test.sql, endpoint, 1200)
  pageSeconds = 6
  await endpoints.remove(endpoint)
  pageSeconds = 0
  expect(await deliveryStates(test.sql, endpoint)).toHaveLength(700)
  await createPurge({ commit, runtime, retentionDays: 30 })(() => false)
  expect(await deliveryStates(test.sql, endpoint)).toEqual([])
})

it('shows every attempt of the latest events', async () => {
  const [older, retried, waiting] = [nextEvent(), nextEvent(), nextEvent()]
  const endpoint = await withDeliveries(
    { event: older, state: 'delivered', at: ago(100) },
    { event: retried, type: 'message.read', state: 'due', at: ago(60), dueAt: later(5) },
    { event: waiting, state: 'due', at: ago(1), attempts: 0 },
  )
  const { accountId, id } = endpoint
  const attempts = [
    { at: ago(60), status: null, error: 'connection refused', duration_ms: 3, answer: null },
    { at: ago(55), status: 500, error: 'answered 500', duration_ms: 40, answer: 'Sorry' },
  ]
  for (const attempt of attempts.toReversed()) {
    const row = { account_id: accountId, event_id: retried, endpoint_id: id, ...attempt }
    await test.sql`insert into event_attempt ${test.sql(row)}`
  }
  expect(await endpoints.deliveries(endpoint, 2)).toEqual([
    { eventId: waiting, type: 'message.sent', at: ago(1), state: 'due', dueAt: ago(1), attempts: [] },
    {
      ...{ eventId: retried, type: 'message.read', at: ago(60), state: 'due', dueAt: later(5) },
      attempts: attempts.map(({ duration_ms, ...attempt }) => ({ ...attempt, durationMs: duration_ms })),
    },
  ])
  expect((await endpoints.deliveries(endpoint, 10)).map(({ eventId }) => eventId)).toEqual([waiting, retried, older])
})

describe('a test', () => {
  /** What is due for an endpoint, as it is sent. */
  async function bodies({ accountId, id }: Endpoint): Promise<string[]> {
    const rows = await test.sql<{ body: string }[]>`select e.body from event_delivery d
      join event e on e.account_id = d.account_id and e.id = d.event_id
      where d.account_id = ${accountId} and d.endpoint_id = ${id} and d.state = 'due' and d.due_at = ${runtime.now()}`
    return rows.map(({ body }) => body)
  }

  it('has a sample of every type sent to that endpoint alone, as the contract describes it', async () => {
    const [endpoint, other] = [
      await giveEndpoint(commit, { mode: 'test' }),
      await giveEndpoint(commit, { mode: 'test' }),
    ]
    const made = await endpoints.test(endpoint)
    expect(made.map(({ type }) => type)).toEqual(eventTypes)
    const sent = await bodies(endpoint)
    const check = await createEventCheck()
    expect(sent.flatMap((body) => check(body))).toEqual([])
    expect(sent).toHaveLength(eventTypes.length)
    expect(await bodies(other)).toEqual([])
  })

  it('has samples that happened just now, in its mode, and are told by their ids', async () => {
    const endpoint = await giveEndpoint(commit, { mode: 'test' })
    await endpoints.test(endpoint)
    for (const body of await bodies(endpoint)) {
      const { type, timestamp, data } = JSON.parse(body)
      expect(timestamp).toBe(runtime.now().toISOString())
      expect(data.mode).toBe('test')
      // Of a send that was refused, nothing was made that has an id; nor of what many sends have used; a template has a name.
      if (!['verification.blocked', 'budget.reached', 'template.unusable'].includes(type))
        expect(data.request_id ?? data.endpoint_id ?? data.recipient).toMatch(/^((req|ep)_0{26}|rcp_0{20})$/)
      expect(body).toMatch(/^\{"type":"[a-z._]+","timestamp":/)
    }
  })

  it('has those types alone that the endpoint wants', async () => {
    const endpoint = await giveEndpoint(commit, { types: ['message.read', 'verification.verified'] })
    const made = await endpoints.test(endpoint)
    expect(made.map(({ type }) => type)).toEqual(['verification.verified', 'message.read'])
    expect(await bodies(endpoint)).toHaveLength(2)
  })

  it('is refused while the endpoint is disabled', async () => {
    const endpoint = await giveEndpoint(commit)
    await endpoints.disable(endpoint)
    expect(await refusal(endpoints.test(endpoint))).toContain('is disabled: enable it first.')
  })
})
