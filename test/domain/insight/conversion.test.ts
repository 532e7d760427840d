/** Codes that come back far less than is usual: who is named, when, and who is not. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '../../../src/domain/access/actor.ts'
import { isFallen } from '../../../src/domain/insight/conversion.ts'
import { newUlid } from '../../../src/kit/runtime.ts'
import { startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let accountId: string
let accounts = 0
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  const name = `an account ${++accounts}`
  await server.app.accounts.create(name)
  accountId = (await server.app.accounts.require(name)).id
})

const dayMs = 86_400_000

/** Of the last days, each with so many codes by one connection. */
async function usually(country: string, { sent = 100, verified = 80, days = 14, mode = 'live' } = {}): Promise<void> {
  const today = Math.floor(server.runtime.now().getTime() / dayMs) * dayMs
  for (let day = 1; day <= days; day++) {
    const at = new Date(today - day * dayMs).toISOString()
    await server.query(sql`insert into figure
        (account_id, mode, grain, at, kind, connection, country, created, sent, delivered, verified, failed, expired, latencies)
      values (${accountId}, ${mode}, 'day', ${at}, 'verification', 'sms', ${country}, ${sent}, ${sent}, ${sent}, ${verified}, 0, 0,
        array_fill(0, array[16]))`)
  }
}

/** Codes that were sent one after another, from so many seconds ago to so many; the first of them were verified. */
async function send(
  count: number,
  { country = 'DE', prefix = '+4915112', verified = 0, from = 400, to = 130, mode = 'live', inlet = false } = {},
): Promise<void> {
  const timeline = JSON.stringify(inlet ? [{ inlet: 'login' }] : [])
  const now = server.runtime.now().getTime()
  for (let one = 0; one < count; one++) {
    const at = new Date(now - (from - ((from - to) * one) / count) * 1000)
    const [id, made] = [`req_${newUlid(at)}`, at.toISOString()]
    const phone = `${prefix}${String(one).padStart(4, '0')}`
    await server.query(sql`insert into message
        (account_id, id, mode, kind, phone, country, status, status_at, timeline, created_at, taken_at, verified_at)
      values (${accountId}, ${id}, ${mode}, 'verification', ${phone}, ${country}, 'sent', ${made}, ${timeline}, ${made}, ${made},
        ${one < verified ? made : null})`)
  }
}

async function named(role: Role = 'owner'): Promise<unknown[]> {
  server.runtime.advance(60)
  await server.app.countingLoop.runOnce()
  const actor = { kind: 'user', accountId, id: 'usr_1', name: 'x', role, address: '::1' } as const
  const found = await server.app.as(actor).troubles.find({ accountId, mode: 'live' })
  return found.flatMap((one) => (one.kind === 'conversion_falls' ? [`${one.id} ${one.verified}/${one.sent}`] : []))
}

describe('what is wrong now', () => {
  it('names a country of whose codes less than half come back as usual, four minutes after that began', async () => {
    await usually('DE')
    await usually('FR')
    // Honest codes of an hour, then an attack of two minutes.
    await send(60, { verified: 60, from: 3000, to: 240, prefix: '+4917099' })
    await send(60, { from: 235, to: 115, prefix: '+4915112' })
    await send(30, { country: 'FR', verified: 25, prefix: '+3361234' })
    expect(await named()).toEqual(['DE 9/69', '+4915112 0/60'])
  })

  it('names how numbers begin when one block of them has the codes that nobody types in', async () => {
    await usually('DE')
    await send(300, { verified: 250, prefix: '+4917099' })
    await send(40, { verified: 1, prefix: '+4915112' })
    expect(await named()).toEqual(['+4915112 1/40'])
  })

  it('shows a viewer only as much of how numbers begin as of any phone', async () => {
    await usually('DE')
    await send(300, { verified: 250, prefix: '+4917099' })
    await send(40, { prefix: '+4915112' })
    expect(await named('viewer')).toEqual(['+4915 0/40'])
  })

  it('flags no country for few codes, whatever becomes of them', async () => {
    await usually('DE')
    await send(19)
    expect(await named()).toEqual([])
  })

  it('names nobody where it is not known what is usual', async () => {
    await usually('DE', { days: 2 })
    await usually('FR', { sent: 9, verified: 8 })
    await send(40)
    await send(40, { country: 'FR', prefix: '+3361234' })
    expect(await named()).toEqual([])
  })

  it('names nobody for codes that people may still be typing in', async () => {
    await usually('DE')
    await send(40, { from: 50, to: 1 })
    expect(await named()).toEqual([])
  })

  it('names nobody for codes of inlets, which are checked where they were made', async () => {
    await usually('DE')
    await send(40, { inlet: true })
    expect(await named()).toEqual([])
  })

  it('names nobody for codes of test keys', async () => {
    await usually('DE', { mode: 'test' })
    await usually('DE')
    await send(40, { mode: 'test' })
    expect(await named()).toEqual([])
  })
})

describe('the conversion of the last 24 hours', () => {
  it('stands beside the median of 14 days, in which single bad days change little', async () => {
    await usually('DE', { days: 13, verified: 80 })
    const before = new Date(Math.floor(server.runtime.now().getTime() / dayMs) * dayMs - dayMs).toISOString()
    await server.query(sql`update figure set verified = 0 where account_id = ${accountId} and at = ${before}`)
    await send(30, { verified: 12 })
    await named()
    const { countries, connections } = await server.app.conversions.find({ accountId, mode: 'live' })
    expect(countries).toEqual([{ name: 'DE', sent: 30, verified: 12, usual: 0.8 }])
    expect(connections).toMatchObject([{ sent: 30, verified: 12 }])
  })
})

describe('a fall', () => {
  it.each([
    [{ sent: 20, verified: 7, usual: 0.8 }, true],
    [{ sent: 20, verified: 8, usual: 0.8 }, false],
    [{ sent: 19, verified: 0, usual: 0.8 }, false],
    [{ sent: 100, verified: 0, usual: 0 }, false],
    [{ sent: 100, verified: 0, usual: undefined }, false],
    // Chance alone does that now and then.
    [{ sent: 30, verified: 1, usual: 0.2 }, false],
    [{ sent: 400, verified: 40, usual: 0.2 }, false],
    [{ sent: 400, verified: 39, usual: 0.2 }, true],
  ])('%o: %s', (codes, expected) => {
    expect(isFallen(codes)).toBe(expected)
  })
})
