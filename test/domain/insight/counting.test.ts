import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mode } from '../../../src/store/schema/schema.ts'
import { post } from '../../inlets/site.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let accountId: string
const daySeconds = 24 * 3600

async function start(retentionDays = 30): Promise<void> {
  server = await startServer({ config: { retentionDays } })
  accountId = (await server.app.accounts.require('default')).id
}

interface Row {
  grain: string
  at: Date
  kind: string
  country: string
  created: number
  sent: number
  delivered: number
  verified: number
  failed: number
  expired: number
}

const count = () => server.app.countingLoop.runOnce()
/** What happens in a time in which a worker counts every few seconds. */
const passes = async (seconds: number) => {
  for (let left = seconds; left > 0; left -= 30) {
    await server.advance(Math.min(left, 30))
    await count()
  }
}
const rows = (grain: string) =>
  server.query<Row>(sql`select grain, at, kind, country, created, sent, delivered, verified, failed, expired from figure
    where grain = ${grain} order by at, country, kind`)
const totals = async (mode: Mode = 'live') => (await server.app.figures.overview({ accountId, mode }, '24h')).totals
/** The same as the figures say, counted from the messages. */
const truth = async () =>
  (
    await server.query<{ created: number; delivered: number; verified: number }>(sql`select count(*)::int as created,
      (count(*) filter (where status in ('delivered', 'read')))::int as delivered, count(verified_at)::int as verified
      from message where mode = 'live'`)
  )[0]

describe('messages are counted', () => {
  beforeAll(() => start())
  afterAll(() => server.close())

  it('within seconds, by what became of them', async () => {
    const id = await server.live.send('+41446681800')
    await count()
    expect(await totals()).toMatchObject({ created: 1, onTheWay: 1, verificationsSent: 0, conversion: undefined })
    await server.work()
    await passes(30)
    expect(await totals()).toMatchObject({ created: 1, delivered: 1, verificationsSent: 1, conversion: 0 })
    const code = (await server.phone('+41446681800'))[0]!.text.match(/\d{6}/)![0]
    await server.live.check(id, code)
    await passes(30)
    expect(await totals()).toMatchObject({ verified: 1, conversion: 1, p50: { ms: expect.any(Number), isMore: false } })
  })

  it('without the codes of inlets in the conversion', async () => {
    const name = 'an account with an auth system'
    const account = (await server.app.accounts.create(name)).id
    const secret = 'the-secret-of-this-inlet'
    await server.app.inlets.apply(account, [{ id: 'login', kind: 'plain', mode: 'live', secret }])
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const phones = [newPhone(), newPhone()]
    for (const phone of phones)
      await post(server, JSON.stringify({ phone, code: '048213' }), { headers, inlet: 'login', account })
    const client = server.as(await server.key({ mode: 'live', account: name }))
    await client.send(newPhone())
    await server.work()
    await passes(30)
    const { totals } = await server.app.figures.overview({ accountId: account, mode: 'live' }, '24h')
    expect(totals).toMatchObject({ created: 3, delivered: 3, verificationsSent: 1, verified: 0, conversion: 0 })
  })

  it('by their country, and those of test keys apart', async () => {
    await server.live.send(newPhone())
    await server.test.send('+14155550125')
    await server.work()
    await passes(60)
    const { countries, channels } = await server.app.figures.overview({ accountId, mode: 'live' }, '24h')
    expect(countries.map(({ country, created }) => [country, created])).toEqual([
      ['CH', 1],
      ['US', 1],
    ])
    expect(channels.map(({ connection, created }) => [connection, created])).toEqual([['sandbox', 2]])
    expect(await totals('test')).toMatchObject({ created: 1, failed: 1, delivered: 0 })
  })

  it('and nothing is written while nothing happens', async () => {
    await passes(30 * 60)
    await server.advance(3 * 3600)
    await count()
    const before = await server.query(sql`select xmin::text from counting union all select xmin::text from figure`)
    await server.advance(600)
    await count()
    expect(await server.query(sql`select xmin::text from counting union all select xmin::text from figure`)).toEqual(
      before,
    )
  })
})

describe('an hour and a day hold each message once', () => {
  beforeAll(() => start())
  afterAll(() => server.close())

  it('however often it is counted, and whatever moves meanwhile', async () => {
    for (let minute = 0; minute < 70; minute += 7) {
      await server.live.send(newPhone())
      await server.live.send('+41446681800').catch(() => undefined)
      if (minute % 2 === 0) await server.work()
      await passes(7 * 60)
    }
    await server.work()
    await passes(20 * 60)
    const [hours, days] = [await rows('hour'), await rows('day')]
    const sum = (list: Row[], name: 'created' | 'delivered') => list.reduce((all, row) => all + row[name], 0)
    const { created, delivered } = (await truth())!
    expect([sum(hours, 'created'), sum(days, 'created')]).toEqual([created, created])
    expect([sum(hours, 'delivered'), sum(days, 'delivered')]).toEqual([delivered, delivered])
  })

  it('also when it has been counted as a whole, and its minutes are gone', async () => {
    const sums = async () =>
      (await rows('hour')).map(({ at, country, created, delivered }) => [at, country, created, delivered])
    const before = await sums()
    expect(await rows('minute')).not.toEqual([])
    await passes(3 * 3600)
    expect(await rows('minute')).toEqual([])
    expect(await sums()).toEqual(before)
  })

  it('also when two processes count at once', async () => {
    const other = await startServer({ beside: server })
    await server.live.send(newPhone())
    for (let round = 0; round < 5; round++) {
      await server.advance(31)
      await Promise.all([server.app.countingLoop.runOnce(), other.app.countingLoop.runOnce()])
    }
    const days = await rows('day')
    expect(days.reduce((all, { created }) => all + created, 0)).toBe((await truth())!.created)
    await other.close()
  })

  it('also when the clock was two hours ahead, and is set back', async () => {
    const created = async () => [
      (await rows('hour')).reduce((all, row) => all + row.created, 0),
      (await rows('day')).reduce((all, row) => all + row.created, 0),
    ]
    await server.live.send(newPhone())
    await server.work()
    await passes(60)
    await server.advance(2 * 3600)
    await count()
    server.runtime.advance(-2 * 3600)
    await count()
    const all = (await truth())!.created
    expect(await created()).toEqual([all, all])
    await server.advance(4 * 3600)
    await count()
    expect(await created()).toEqual([all, all])
  })

  it('also when its process dies while it writes', async () => {
    await server.live.send(newPhone())
    await server.advance(31)
    const release = await server.database!.hold('figure')
    const counting = count().catch(() => 'died')
    await expect.poll(() => server.database!.stuckAt('with given as'), { timeout: 10_000 }).toHaveLength(1)
    await server.database!.terminate(await server.database!.stuckAt('with given as'))
    expect(await counting).toBe('died')
    await release()
    await count()
    const days = await rows('day')
    expect(days.reduce((all, { created }) => all + created, 0)).toBe((await truth())!.created)
  })
})

describe('what is counted late', () => {
  beforeAll(() => start(30))
  afterAll(() => server.close())

  it('counts: what nobody counted for a day, and what was there before anything was counted', async () => {
    await server.live.send(newPhone())
    await server.advance(daySeconds)
    await server.live.send(newPhone())
    await count()
    expect((await rows('day')).map(({ created }) => created)).toEqual([1, 1])
    await server.live.send(newPhone())
    await server.advance(daySeconds)
    await count()
    expect((await rows('day')).map(({ created }) => created)).toEqual([1, 2])
  })

  it('counts: a message that was delivered after two days', async () => {
    const id = await server.live.send(newPhone())
    await passes(3600)
    await server.advance(2 * daySeconds)
    await server.query(sql`update message set status = 'delivered', status_at = ${server.runtime.now().toISOString()}
      where id = ${id}`)
    await server.advance(2 * daySeconds)
    await count()
    const days = await rows('day')
    expect(days.map(({ delivered }) => delivered).reduce((sum, one) => sum + one, 0)).toBe(1)
  })

  it('erases nothing: figures stay when their messages are purged, for 400 days', async () => {
    await server.work()
    await server.advance(8 * daySeconds)
    await count()
    const before = await rows('day')
    const purge = async () => {
      await server.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
      await server.work()
    }
    for (let days = 0; days < 36; days += 3) {
      await server.advance(3 * daySeconds)
      await purge()
      await count()
    }
    expect(await server.query(sql`select 1 from message`)).toEqual([])
    expect(await rows('day')).toEqual(before)
    await server.advance(400 * daySeconds)
    await purge()
    expect(await server.query(sql`select 1 from figure`)).toEqual([])
  })
})
