import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { giveDeliveries } from '../../support/endpoint.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let accountId: string
beforeAll(async () => {
  server = await startServer()
  accountId = (await server.app.accounts.require('default')).id
})
afterAll(() => server.close())

const troubles = (mode: 'live' | 'test' = 'live') => server.app.troubles.find({ accountId, mode })

it('nothing is wrong at first', async () => {
  expect(await troubles()).toEqual([])
  expect(await troubles('test')).toEqual([])
})

it('a connection that rests is told with its reason, until it is asked again', async () => {
  const until = new Date(server.runtime.now().getTime() + 60_000)
  await server.query(sql`update connection set rests_until = ${until.toISOString()}, rest_reason = 'no money left'
    where account_id = ${accountId}`)
  expect(await troubles()).toEqual([{ kind: 'connection_rests', id: 'sandbox', reason: 'no money left', until }])
  expect(await troubles('test')).toEqual([])
  server.runtime.advance(61)
  expect(await troubles()).toEqual([])
})

it('an endpoint that fails again and again is told, and one that is disabled, in its mode alone', async () => {
  const { endpoint } = await server.app.endpoints.add({
    accountId,
    mode: 'test',
    url: 'http://127.0.0.1:9/',
    types: null,
  })
  const { id, url } = endpoint
  const since = server.runtime.now()
  await server.query(sql`update endpoint set failing_since = ${since.toISOString()}, failures = 4 where id = ${id}`)
  expect(await troubles('test')).toEqual([{ kind: 'endpoint_fails', id, url, failures: 4, since }])
  expect(await troubles('live')).toEqual([])
  await server.app.endpoints.disable({ accountId, id })
  expect(await troubles('test')).toEqual([{ kind: 'endpoint_disabled', id, url, reason: 'manual', since }])
  await server.app.endpoints.remove({ accountId, id })
})

it('events that nobody brings are told', async () => {
  const { endpoint } = await server.app.endpoints.add({
    accountId,
    mode: 'test',
    url: 'http://127.0.0.1:9/',
    types: null,
  })
  const { id, url } = endpoint
  const due = server.runtime.now().toISOString()
  await server.query(sql`insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, at)
    values (${accountId}, 'evt_1', ${id}, 'due', ${due}, ${due})`)
  server.runtime.advance(45)
  expect(await troubles('test')).toEqual([{ kind: 'endpoint_waits', id, url, seconds: 45 }])
  await server.app.endpoints.remove({ accountId, id })
})

it('an event of days ago that is sent again waits from then on, not for days', async () => {
  const url = 'http://127.0.0.1:9/'
  const { endpoint } = await server.app.endpoints.add({ accountId, mode: 'test', url, types: null })
  const key = { accountId, id: endpoint.id }
  const at = new Date(server.runtime.now().getTime() - 3 * 24 * 3600 * 1000)
  const offers = [{ since: at }, { eventId: 'evt_old' }]
  await giveDeliveries(server.database!.sql, endpoint, { event: 'evt_old', state: 'failed', at })
  for (const what of offers) {
    await server.app.endpoints.replay(key, what)
    expect(await troubles('test')).toEqual([])
    server.runtime.advance(60)
    const [waits] = (await troubles('test')).filter(({ kind }) => kind === 'endpoint_waits')
    expect(waits).toMatchObject({ id: endpoint.id, url })
    expect(waits && 'seconds' in waits && Math.abs(waits.seconds - 65)).toBeLessThan(10)
    await server.query(sql`update event_delivery set state = 'failed', due_at = null where event_id = 'evt_old'`)
  }
  await server.app.endpoints.remove(key)
})

it('messages that nobody sends are told, and no more once they are sent', async () => {
  await server.live.send(newPhone())
  await server.advance(40)
  expect(await troubles()).toEqual([{ kind: 'queue_grows', id: 'sandbox', seconds: expect.any(Number) }])
  await server.work()
  expect(await troubles()).toEqual([])
})

it('notifications that nobody sends are told, also while a code is about to be sent', async () => {
  await server.query(sql`insert into pgboss.job (name, policy, priority, start_after)
    values ('deliver-sandbox', 'standard', 0, now() - interval '40 seconds'), ('deliver-sandbox', 'standard', 1, now())`)
  expect(await troubles()).toEqual([{ kind: 'queue_grows', id: 'sandbox', seconds: expect.any(Number) }])
  await server.query(sql`delete from pgboss.job where name = 'deliver-sandbox'`)
  expect(await troubles()).toEqual([])
})

it('a connection that loses many messages is told', async () => {
  const at = server.runtime.now().toISOString()
  await server.query(sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
    select ${accountId}, 'req_' || n, 'live', 'notification', '+14152999999',
      case when n <= 6 then 'failed' else 'delivered' end, ${at}, '[]', ${at} from generate_series(1, 20) n`)
  server.runtime.advance(10)
  await server.app.countingLoop.runOnce()
  expect(await troubles()).toEqual([{ kind: 'connection_fails', id: 'sandbox', failed: 6, of: 21 }])
})

it('a template that no connection carries is told, and a list of none', async () => {
  await server.app.accounts.create('another')
  const { id } = await server.app.accounts.require('another')
  const find = () => server.app.troubles.find({ accountId: id, mode: 'live' })
  await server.app.templates.apply(id, [{ slug: 'shipped', text: 'On its way.' }])
  expect(await find()).toEqual([])
  await server.app.connections.apply(id, [
    { id: 'tg', kind: 'telegram', access_token: 'AAHkZ3Q7mJ2p-a_token-of-the-form' },
  ])
  expect(await find()).toEqual([{ kind: 'template_stuck', id: 'shipped' }])
  await server.app.connections.apply(id, [])
  expect(await find()).toEqual([{ kind: 'connection_missing', id: '' }])
})
