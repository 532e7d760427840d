/** The route of a message, and the connections that are not asked for a while. */
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/delivery/channel.ts'
import { giveConnections } from '../support/connections.ts'
import { createRoutes, down, tg, unknown, wa } from '../support/routes.ts'
import { newPhone, startServer } from '../support/server.ts'

const routes = createRoutes()
const { accountWith, connections, notes, sentBy } = routes

/** For how long the connection of WhatsApp is to rest from now on, and why. */
async function restOf(accountId: string) {
  const now = routes.server.runtime.now().toISOString()
  const [row] = await routes.server.query(sql`select rest_reason as reason,
    extract(epoch from rests_until - ${now}::timestamptz)::int as seconds from connection
    where account_id = ${accountId} and id = 'wa-eu'`)
  return row
}

describe('the route', () => {
  it('has the connections of the country in their order, and is refused when there is none', async () => {
    const { live } = await accountWith(tg({ countries: ['DE', 'US'] }), wa({ countries: ['DE'] }))
    await live.send('+4915123456789')
    await routes.server.work()
    expect(connections()).toEqual(['tg'])
    const refused = await live.post('/v1/verify/send', { phone: '+33612345678' })
    expect(refused).toMatchObject({ status: 403, data: { code: 'no_channel' } })
    const [row] = await routes.server.query<{ route: string[] }>(
      sql`select route from message where phone = '+4915123456789' and mode = 'live'`,
    )
    expect(row?.route).toEqual(['tg', 'wa-eu'])
  })

  it('of a refused message leaves nothing behind', async () => {
    const { accountId, live } = await accountWith()
    const phone = newPhone()
    expect(await live.post('/v1/verify/send', { phone })).toMatchObject({ status: 403, data: { code: 'no_channel' } })
    const [row] = await routes.server.query<{ count: number }>(sql`select
      (select count(*) from message where account_id = ${accountId})::int
      + (select count(*) from phone where account_id = ${accountId})::int as count`)
    expect(row?.count).toBe(0)
  })

  it('of a test key is the sandbox, whatever the account has', async () => {
    const { accountId } = await accountWith(wa())
    const [row] = await routes.server.query<{ name: string }>(sql`select name from account where id = ${accountId}`)
    const test = routes.server.as(await routes.server.key({ mode: 'test', account: row?.name as string }))
    const id = await test.send(newPhone())
    await routes.server.work()
    expect(routes.asked).toEqual([])
    expect(await test.status(id)).toBe('delivered')
  })

  it('leads over a connection that is there no more: the next one is asked', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    const id = await live.send(newPhone())
    await giveConnections(routes.server, accountId, [tg()])
    const another = await startServer({ beside: routes.server, overrides: { channels: { telegram: routes.provider } } })
    await another.work()
    await another.close()
    expect(connections()).toEqual(['tg'])
    expect(await notes(id)).toEqual(['wa-eu skipped: it is not there any more', 'taken by tg'])
  })

  it('leads over a new connection, also in a process that looked before the connection was there', async () => {
    const { accountId, live } = await accountWith(wa())
    const channels = { whatsapp: routes.provider, telegram: routes.provider }
    const another = await startServer({ beside: routes.server, overrides: { channels } })
    const report = { headers: { signature: 'good' }, body: Buffer.from('[]') }
    expect(await another.app.receipts.accept({ accountId, connection: 'wa-eu' }, report)).toBe('accepted')
    await giveConnections(routes.server, accountId, [tg()])
    const id = await live.send(newPhone())
    await another.work()
    await another.close()
    expect(connections()).toEqual(['tg'])
    expect(await live.status(id)).toBe('sent')
  })
})

describe('a connection that needs its operator', () => {
  it('rests for a minute: the next one is asked at once, then one message tries', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => down }
    await live.send(newPhone())
    await routes.server.work()
    const skipping = await live.send(newPhone())
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu', 'tg', 'tg'])
    expect(await notes(skipping)).toEqual(['wa-eu skipped: token refused', 'taken by tg'])
    expect(await restOf(accountId)).toEqual({ seconds: 60, reason: 'token refused' })
    await routes.server.advance(60)
    routes.answers = {}
    await live.send(newPhone())
    await routes.server.work()
    await live.send(newPhone())
    await routes.server.work()
    expect(connections().slice(3)).toEqual(['wa-eu', 'wa-eu'])
  })

  it('and is the only one: its messages wait for it, and lose no attempt', async () => {
    const { live } = await accountWith(wa())
    routes.answers = { 'wa-eu': () => down }
    expect(await live.status(await sentBy(live))).toBe('failed')
    routes.answers = {}
    const id = await sentBy(live)
    expect(connections()).toEqual(['wa-eu'])
    await routes.server.advance(60)
    await routes.server.work()
    expect(routes.asked.at(-1)).toMatchObject({ id, attempt: 1 })
    expect(await live.status(id)).toBe('sent')
  })

  it('for one template alone, is asked for others', async () => {
    const { live } = await accountWith(wa())
    routes.answers = { 'wa-eu': () => ({ ...down, template: 'auth_copy_code' }) }
    await sentBy(live)
    await sentBy(live)
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
  })
})

it('processes together keep to the pace of a connection; what has its turn later loses no attempt', async () => {
  const { accountId, live } = await accountWith(wa())
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  const another = await startServer({ beside: routes.server, overrides: { channels: { whatsapp: routes.provider } } })
  const perSecond = 2
  const times: number[] = []
  const take = (): Outcome => {
    times.push(performance.now())
    return { kind: 'sent' }
  }
  routes.answers = { 'wa-eu': take }
  routes.provider.perSecond = perSecond
  const notify = async () => {
    const body = { phone: newPhone(), template: 'hello', variables: {} }
    return (await live.post('/v1/notifications/send', body)).data.request_id as string
  }
  const sendMany = () => Promise.all(Array.from({ length: 3 }, notify))
  const began = performance.now()
  try {
    const ids = await sendMany()
    const working = routes.server.work()
    // It has claimed its own.
    await expect.poll(() => times.length).toBeGreaterThan(0)
    ids.push(...(await sendMany()))
    await Promise.all([working, another.work()])
    // As many as there are in the time for which a notification is held: the clock stands still meanwhile.
    expect(times).toHaveLength(4)
    for (const [place, time] of times.entries()) expect(time - began).toBeGreaterThan((place * 1000) / perSecond - 2)
    const waiting = ids.filter((id) => routes.asked.every((message) => message.id !== id))
    const rows = await routes.server.query(
      sql`select delivery_attempts as attempts from message where id in ${waiting}`,
    )
    expect(rows).toEqual([{ attempts: 0 }, { attempts: 0 }])
    await routes.server.advance(4)
    await another.work()
    expect(routes.asked.map(({ id, attempt }) => [id, attempt]).toSorted()).toEqual(ids.map((id) => [id, 1]).toSorted())
  } finally {
    delete routes.provider.perSecond
    await another.close()
  }
})

it('a connection that this process alone cannot open rests here, and for no other process', async () => {
  const { accountId, live } = await accountWith(wa(), tg())
  // As sealed under a secret that others hold.
  await routes.server.query(sql`update connection set sealed = decode(repeat('00', 64), 'hex')
    where account_id = ${accountId} and id = 'wa-eu'`)
  const unopened = 'its secrets were encrypted with another WATCHWORD_SECRET: apply it again'
  expect(await notes(await sentBy(live))).toEqual([`wa-eu: ${unopened}`, 'taken by tg'])
  expect(await notes(await sentBy(live))).toEqual([`wa-eu skipped: ${unopened}`, 'taken by tg'])
  const [row] = await routes.server.query(sql`select rests_until, rest_reason from connection
    where account_id = ${accountId} and id = 'wa-eu'`)
  expect(row).toEqual({ rests_until: null, rest_reason: null })
})

it('a connection rests no longer than a rest lasts, though the clock was ahead when it began', async () => {
  const { accountId, live } = await accountWith(wa(), tg())
  await routes.server.query(sql`update connection set rest_reason = 'token refused',
    rests_until = ${routes.server.runtime.now().toISOString()}::timestamptz + interval '1 year'
    where account_id = ${accountId} and id = 'wa-eu'`)
  await sentBy(live)
  await sentBy(live)
  expect(connections()).toEqual(['wa-eu', 'wa-eu'])
  routes.answers = { 'wa-eu': () => down }
  await sentBy(live)
  await sentBy(live)
  expect(connections().slice(2)).toEqual(['wa-eu', 'tg', 'tg'])
  expect(await restOf(accountId)).toEqual({ seconds: 60, reason: 'token refused' })
})

it('a connection that is silent ten times in a row rests for 15 seconds', async () => {
  const { live } = await accountWith(wa(), tg())
  routes.answers = { 'wa-eu': () => unknown }
  for (let n = 0; n < 12; n++) await sentBy(live)
  expect(connections().filter((connection) => connection === 'wa-eu')).toHaveLength(10)
  await routes.server.advance(15)
  routes.answers = {}
  await sentBy(live)
  await sentBy(live)
  expect(connections().slice(-2)).toEqual(['wa-eu', 'wa-eu'])
})
