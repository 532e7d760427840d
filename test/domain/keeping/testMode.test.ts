/** What an account keeps of test mode, however much programs under test send. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leastMessageId } from '../../../src/domain/sending/messageId.ts'
import { listenTo } from '../../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

const kept = 10
const minute = 60

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { testMessagesMax: kept } })
})
afterAll(() => server.close())

/** What the schedule does every five minutes. */
const trim = async () => {
  await server.app.countingLoop.runOnce()
  await server.query(sql`insert into pgboss.job (name, policy) values ('test-mode', 'standard')`)
  await server.work()
}

const idsOf = async (accountId: string, mode = 'test') =>
  (
    await server.query<{ id: string }>(
      sql`select id from message where account_id = ${accountId} and mode = ${mode} order by id`,
    )
  ).map(({ id }) => id)

/** Messages of an account, one of each mode in each second from now on. */
async function fill(accountId: string, count: number): Promise<void> {
  const start = server.runtime.now().getTime()
  const times = Array.from({ length: count }, (_, at) => new Date(start + at * 1000))
  for (const mode of ['live', 'test']) {
    const ids = times.map((at) => `${leastMessageId(at).slice(0, -1)}${mode === 'test' ? 1 : 2}`)
    await server.query(sql`insert into message
        (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
      select ${accountId}, id, ${mode}, 'notification', '+14152999999', 'read', at::timestamptz, '[]', at::timestamptz
      from unnest(string_to_array(${ids.join()}, ','), string_to_array(${times.map((at) => at.toISOString()).join()}, ','))
        as g (id, at)`)
  }
}

describe('the messages of test keys', () => {
  it('are erased but for the newest of each account, with all that belongs to them; live ones stay', async () => {
    const listening = await listenTo(server, { mode: 'test' })
    const old = newPhone()
    const first = await server.test.send(old)
    await server.work()
    const live = await server.live.send(newPhone())
    await server.advance(minute)
    const rest: string[] = []
    for (let sent = 0; sent < kept; sent++) rest.push(await server.test.send(newPhone()))
    await server.work()
    await server.advance(16 * minute)
    await trim()
    expect(await idsOf('acct_default')).toEqual(rest.toSorted())
    expect(await idsOf('acct_default', 'live')).toEqual([live])
    const left = async (table: string, condition: ReturnType<typeof sql>) =>
      server.query(sql`select 1 from ${sql.identifier(table)} where ${condition}`)
    expect(await left('sandbox_message', sql`id = ${first}`)).toEqual([])
    expect(await left('phone', sql`phone = ${old}`)).toEqual([])
    expect(await left('event', sql`message_id = ${first}`)).toEqual([])
    const events = await left('event', sql`mode = 'test'`)
    expect(await left('event_delivery', sql`true`)).toHaveLength(events.length)
    expect(await left('event_attempt', sql`true`)).toHaveLength(events.length)
    expect((await server.test.get(`/v1/messages/${first}`)).status).toBe(404)
    expect(await server.test.status(rest[0]!)).toBe('delivered')
    await trim()
    expect(await idsOf('acct_default')).toEqual(rest.toSorted())
    await listening.close()
  })

  it('are erased in batches where there are many, of one account after the other, and of no other', async () => {
    const ids: string[] = []
    for (const name of ['crowded', 'crowded too', 'quiet']) {
      const { id } = await server.app.accounts.create(name)
      ids.push(id)
    }
    const [one, two, quiet] = ids as [string, string, string]
    for (const id of [one, two]) await fill(id, 700)
    await fill(quiet, kept)
    await server.advance(30 * minute)
    await trim()
    for (const id of [one, two]) {
      const left = await idsOf(id)
      // Of the minute in which the newest begin, all are kept.
      expect(left.length).toBeGreaterThanOrEqual(kept)
      expect(left.length).toBeLessThan(kept + minute)
      expect(await idsOf(id, 'live')).toHaveLength(700)
    }
    expect(await idsOf(quiet)).toHaveLength(kept)
  })

  it('stay for 15 minutes, however many there are', async () => {
    const { id } = await server.app.accounts.create('hasty')
    await fill(id, 150)
    await server.advance(15 * minute)
    await trim()
    expect(await idsOf(id)).toHaveLength(150)
    await server.advance(5 * minute)
    await trim()
    expect((await idsOf(id)).length).toBeLessThan(kept + minute)
  })

  it('that somebody works on keep nobody waiting', async () => {
    const { id } = await server.app.accounts.create('worked on')
    await fill(id, 150)
    await server.advance(30 * minute)
    const [first] = await idsOf(id)
    await server.database?.sql.begin(async (tx) => {
      await tx`select 1 from message where id = ${first!} for update`
      await trim()
    })
    const left = await idsOf(id)
    expect(left[0]).toBe(first)
    expect(left.length).toBeLessThan(kept + minute + 1)
  })
})

it('of answers to test keys that are kept, an account has the newest; those of live keys stay', async () => {
  const ask = (as: typeof server.test, key: string) =>
    as.post('/v1/verify/check', { request_id: `req_${'0'.repeat(26)}`, code: '0000' }, { 'Idempotency-Key': key })
  for (let asked = 0; asked < kept + 5; asked++) {
    await ask(server.test, `test-${asked}`)
    await ask(server.live, `live-${asked}`)
    await server.advance(1)
  }
  const answers = async (mode: string) =>
    server.query(
      sql`select 1 from idempotency where account_id = 'acct_default' and mode = ${mode} and operation = 'checkVerification'`,
    )
  await trim()
  expect(await answers('test')).toHaveLength(kept + 5)
  await server.advance(16 * minute)
  await trim()
  expect(await answers('test')).toHaveLength(kept)
  expect(await answers('live')).toHaveLength(kept + 5)
})
