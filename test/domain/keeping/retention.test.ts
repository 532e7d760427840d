import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenTo } from '../../support/listening.ts'
import { person, personOf } from '../../support/person.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, visitorWith } from '../../support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { retentionDays: 30, dashboardPort: 0 } })
})
afterAll(() => server.close())

const daySeconds = 24 * 3600
const rowsOf = async (phone: string) => {
  const [row] = await server.query<{ messages: number; texts: number; states: number }>(sql`select
    (select count(*)::int from message where phone = ${phone}) as messages,
    (select count(*)::int from sandbox_message where phone = ${phone}) as texts,
    (select count(*)::int from phone where phone = ${phone}) as states`)
  return row
}
/** As a provider leaves it that took every message there is. @returns who asks whose message is still known by it */
const takeAll = async () => {
  await server.query(sql`insert into leg (account_id, message_id, connection, provider_message_id)
    select account_id, id, 'wa', id from message on conflict do nothing`)
  return async () => (await server.query<{ id: string }>(sql`select message_id as id from leg`)).map(({ id }) => id)
}
/** What the schedule does every hour. */
const purge = async () => {
  await server.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
  await server.work()
}
/** What the metrics say of the last one that came to its end. */
const purgedAt = async () => {
  const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
  const [, value] = /^watchword_purged_timestamp_seconds (\S+)$/m.exec(text) ?? []
  return value === undefined ? undefined : Number(value)
}

it('what is older than its days is erased, and nothing younger', async () => {
  const [old, active, young] = [newPhone(), newPhone(), newPhone()]
  const kept = { 'Idempotency-Key': 'old' }
  await server.live.post('/v1/verify/send', { phone: old }, kept)
  await server.live.send(active)
  await server.work()
  await server.advance(15 * daySeconds)
  const recent = await server.live.send(active)
  const youngest = await server.live.send(young)
  await server.work()
  const legs = await takeAll()
  await server.advance(15 * daySeconds)
  expect(await purgedAt()).toBeUndefined()
  await purge()
  expect(await purgedAt()).toBe(server.runtime.now().getTime() / 1000)
  expect(await rowsOf(old)).toEqual({ messages: 1, texts: 1, states: 1 })
  await server.advance(1)
  await purge()
  expect(await rowsOf(old)).toEqual({ messages: 0, texts: 0, states: 0 })
  expect(new Set(await legs())).toEqual(new Set([recent, youngest]))
  expect(await rowsOf(active)).toEqual({ messages: 1, texts: 1, states: 1 })
  expect(await rowsOf(young)).toEqual({ messages: 1, texts: 1, states: 1 })
  expect(await server.live.status(recent)).toBe('delivered')
  expect(await server.query(sql`select 1 from idempotency`)).toEqual([])
})

it('nothing of a phone stays when its last wrong code came after its last message', async () => {
  const phone = newPhone()
  const id = await server.live.send(phone)
  await server.work()
  await server.advance(5 * 60)
  await server.live.check(id, '0000')
  await server.advance(30 * daySeconds - 3 * 60)
  await purge()
  expect(await rowsOf(phone)).toEqual({ messages: 0, texts: 0, states: 0 })
})

it('is erased in batches, also when it is much, while sends go on', async () => {
  await server.query(sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
    select 'acct_default', 'req_old' || n, 'live', 'notification', '+14152999999', 'read', '2020-01-01', '[]', '2020-01-01'
    from generate_series(1, 3000) n`)
  const phones = Array.from({ length: 30 }, newPhone)
  const [, ...ids] = await Promise.all([purge(), ...phones.map((phone) => server.live.send(phone))])
  expect(ids).toHaveLength(30)
  expect(await rowsOf('+14152999999')).toMatchObject({ messages: 0 })
})

it('does not wait for a row that somebody holds', async () => {
  const id = await server.live.send(newPhone())
  await server.work()
  await server.advance(31 * daySeconds)
  await server.database?.sql.begin(async (tx) => {
    await tx`select 1 from message where id = ${id} for update`
    await purge()
  })
  expect(await server.query(sql`select 1 from message where id = ${id}`)).toHaveLength(1)
  await purge()
  expect(await server.query(sql`select 1 from message where id = ${id}`)).toEqual([])
})

it('forgets a phone in every account and mode, with what waits for it, and no other phone', async () => {
  const [phone, neighbour] = [newPhone(), newPhone()]
  await server.app.accounts.create('other')
  const stranger = server.as(await server.key({ account: 'other', mode: 'live' }))
  const first = await server.live.send(phone)
  await server.work()
  for (const client of [stranger, server.test]) await client.send(phone)
  const spared = await server.live.send(neighbour)
  const legs = await takeAll()
  const erased = await server.app.forget(phone)
  expect(erased).toEqual({ messages: 3, sandboxMessages: 1, phoneStates: 3 })
  expect(await rowsOf(phone)).toEqual({ messages: 0, texts: 0, states: 0 })
  expect(await legs()).toContain(spared)
  expect(await legs()).not.toContain(first)
  await server.work()
  expect(await server.phone(phone)).toEqual([])
  expect(await server.phone(neighbour)).toHaveLength(1)
  expect(await server.live.get(`/v1/messages/${first}`)).toMatchObject({ status: 404 })
  await expect(server.app.forget('415 555')).rejects.toThrow(
    'Cannot read this as a phone number: it does not begin with +',
  )
  // Of a kind that is not sent to any more.
  expect(await server.app.forget('+19002345678')).toMatchObject({ messages: 0 })
})

it('an event is erased when its days are over, with who was told of it and how; no younger one is', async () => {
  const { id, close, received } = await listenTo(server, { types: ['message.sent'] })
  const kept = async () =>
    server.query<{ events: number; deliveries: number; attempts: number }>(sql`select
      (select count(*)::int from event) as events,
      (select count(*)::int from event_delivery where endpoint_id = ${id}) as deliveries,
      (select count(*)::int from event_attempt where endpoint_id = ${id}) as attempts`)
  await server.test.send(newPhone())
  await server.work()
  await server.advance(15 * daySeconds)
  await server.test.send(newPhone())
  await server.work()
  await server.advance(15 * daySeconds)
  await purge()
  expect(await kept()).toEqual([{ events: 2, deliveries: 2, attempts: 2 }])
  await server.advance(1)
  await purge()
  expect(await kept()).toEqual([{ events: 1, deliveries: 1, attempts: 1 }])
  expect(received).toHaveLength(2)
  await close()
})

it('a phone that is forgotten has nothing in events, which stay', async () => {
  const { id, close, received, events } = await listenTo(server, { mode: 'live' })
  const phone = newPhone()
  await server.live.send(phone)
  await server.work()
  await server.app.forget(phone)
  await server.live.send(newPhone())
  const rows = await server.query<{ row: string }>(sql`select e::text as row from event e
    join event_delivery d on d.account_id = e.account_id and d.event_id = e.id where d.endpoint_id = ${id}`)
  expect(rows).toHaveLength(2)
  expect([...rows.map(({ row }) => row), ...received.map(({ body }) => body)].join()).not.toContain(phone.slice(2))
  // What was to be told is told, and the message is gone.
  expect(
    events()
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(['message.delivered', 'message.sent'])
  await close()
})

describe('of people', () => {
  const countIn = async (table: string, condition = sql`true`) => {
    const [row] = await server.query<{ count: number }>(
      sql`select count(*)::int as count from ${sql.identifier(table)} where ${condition}`,
    )
    return row!.count
  }

  it('a session is erased after the seven days that it can last, and no younger one', async () => {
    const before = await countIn('dashboard_session')
    await signIn(server, 'viewer')
    await server.advance(1)
    await signIn(server, 'viewer')
    await server.advance(7 * daySeconds - 1)
    await purge()
    expect(await countIn('dashboard_session')).toBe(before + 2)
    await server.advance(1)
    await purge()
    expect(await countIn('dashboard_session')).toBe(1)
  })

  it('a link is erased 30 days after its end, and none that can be used', async () => {
    const make = () => server.app.invitations.make({ accountId: 'acct_default', role: 'viewer', email: null })
    const ended = await make()
    const expired = await make()
    await server.advance(1)
    await server.app.invitations.end('acct_default', ended.id)
    const left = async () =>
      (await server.query<{ id: string }>(sql`select id from invitation order by id`)).map(({ id }) => id)
    await server.advance(30 * daySeconds)
    await purge()
    expect(await left()).toEqual([ended.id, expired.id].toSorted())
    await server.advance(1)
    await purge()
    expect(await left()).toEqual([expired.id])
    await server.advance(daySeconds)
    const open = await make()
    await purge()
    expect(await left()).toEqual([open.id])
  })

  it('erases wrong proofs 15 minutes after the last one; a network leaves no more than 20 of them', async () => {
    const stranger = visitorWith(server, '')
    const guess = (email: string) => stranger.post('/sign-in', { email, password: 'not the right one' })
    for (let n = 0; n < 25; n++) await guess(`unknown-${n}@example.com`)
    expect(await countIn('sign_in')).toBe(20)
    await server.advance(15 * 60)
    await server.query(sql`update sign_in set latest_at = latest_at + interval '1 second'
      where email_hash = (select min(email_hash) from sign_in)`)
    await server.advance(1)
    await purge()
    expect(await countIn('sign_in')).toBe(1)
    await server.advance(1)
    await purge()
    expect(await countIn('sign_in')).toBe(0)
  })

  it('what they did is kept for 400 days, longer than messages, and then erased', async () => {
    const { id } = await server.app.accounts.create('audited')
    const ofAccount = sql`account_id = ${id}`
    await server.app.invitations.make({ accountId: id, role: 'viewer', email: null })
    await server.advance(400 * daySeconds)
    await purge()
    expect(await countIn('audit', ofAccount)).toBe(1)
    await server.advance(1)
    await purge()
    expect(await countIn('audit', ofAccount)).toBe(0)
  })
})

describe('a phone that an owner has forgotten', () => {
  it('is forgotten in the own account alone, and that is written down without the whole number', async () => {
    const [phone, neighbour] = [newPhone(), newPhone()]
    const { id: account } = await server.app.accounts.create('forgetting')
    const theirs = server.as(await server.key({ account: 'forgetting' }))
    const gone = await theirs.send(phone)
    const spared = await theirs.send(neighbour)
    await server.test.send(phone)
    await server.work()
    const { forget } = server.app.as(await personOf(server, 'owner', account))
    expect(await forget(phone)).toEqual({ messages: 1, sandboxMessages: 1, phoneStates: 1 })
    expect(await rowsOf(phone)).toEqual({ messages: 1, texts: 1, states: 1 })
    expect(await theirs.get(`/v1/messages/${gone}`)).toMatchObject({ status: 404 })
    expect(await theirs.status(spared)).toBe('delivered')
    await server.advance(1)
    expect(await forget(phone)).toEqual({ messages: 0, sandboxMessages: 0, phoneStates: 0 })
    const audit = await server.query<{ detail: { messages: number } }>(sql`select account_id, act, subject, name, detail
      from audit where act = 'phone.forgotten' and account_id = ${account} order by id`)
    const masked = `+1415•••••${phone.slice(-2)}`
    expect(audit).toMatchObject([
      { account_id: account, subject: masked, name: 'a owner', detail: { messages: 1 } },
      { account_id: account, subject: masked, name: 'a owner', detail: { messages: 0 } },
    ])
    expect(JSON.stringify(await server.query(sql`select * from audit`))).not.toContain(phone)
  })

  it('is not forgotten for who is no owner', async () => {
    const phone = newPhone()
    await server.test.send(phone)
    for (const role of ['viewer', 'developer'] as const) {
      await expect(server.app.as(person(role)).forget(phone)).rejects.toThrow('needs the role owner')
    }
    expect(await rowsOf(phone)).toMatchObject({ messages: 1, states: 1 })
  })
})

it('what a removed endpoint was told is erased to its end where that was cut off, and nothing else', async () => {
  const account = 'acct_default'
  const add = () =>
    server.app.endpoints.add({ accountId: account, mode: 'test', url: 'http://127.0.0.1:9/', types: null })
  const [gone, stays] = [(await add()).endpoint.id, (await add()).endpoint.id]
  await server.app.endpoints.remove({ accountId: account, id: gone })
  // As a process leaves it that is killed between two batches.
  for (const id of [gone, stays]) {
    await server.query(sql`insert into event_delivery (account_id, event_id, endpoint_id, state, attempts, at)
      select ${account}, 'evt_01M7YN' || lpad(n::text, 20, '0'), ${id}, 'delivered', 1, ${server.runtime.now()}
      from generate_series(1, 1200) n`)
    await server.query(sql`insert into event_attempt (account_id, event_id, endpoint_id, at, duration_ms, answer)
      select account_id, event_id, endpoint_id, at, 5, 'an answer' from event_delivery where endpoint_id = ${id}`)
  }
  const left = async () =>
    (
      await server.query<{ id: string; count: number }>(sql`select endpoint_id as id, count(*)::int as count
        from event_delivery where endpoint_id in (${gone}, ${stays}) group by 1`)
    ).map(({ id, count }) => [id, count])
  await purge()
  expect(await left()).toEqual([[stays, expect.toSatisfy((count: number) => count >= 1200)]])
  const attempts = await server.query(sql`select 1 from event_attempt where endpoint_id = ${gone}`)
  expect(attempts).toEqual([])
})
