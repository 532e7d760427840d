/** Providers that repeat themselves, in one report and for days. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { takenIdsMax } from '../../src/store/sending/delivery.ts'
import { createRoutes, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const { accountWith, report, told } = routes

it('a report that names one message five thousand times is taken at once, with what it said first', async () => {
  const { accountId, live } = await accountWith(wa(), tg())
  const id = await live.send(newPhone())
  await routes.server.work()
  const { app, runtime } = routes.server
  const body = Buffer.from(
    JSON.stringify(
      Array.from({ length: 5000 }, (_one, n) => ({
        message: { accountId, id },
        at: runtime.now(),
        status: n % 2 === 0 ? 'failed' : 'delivered',
        providerCode: `code-${n}`,
      })),
    ),
  )
  const accepted = app.receipts.accept({ accountId, connection: 'wa-eu' }, { headers: { signature: 'good' }, body })
  expect(await accepted).toBe('accepted')
  expect(await live.status(id)).toBe('delivered')
  const { timeline } = await told(id)
  expect(timeline.flatMap(({ providerCode }) => providerCode ?? [])).toEqual(['code-0', 'code-1'])
})

it.each(['delivered', 'sent'] as const)(
  'a report of %s with five thousand prices of one message costs a few steps',
  async (status) => {
    const { accountId, live } = await accountWith(wa())
    const id = await live.send(newPhone())
    await routes.server.work()
    const { app, runtime } = routes.server
    const prices = Array.from({ length: 5000 }, (_one, n) => ({ amount: `0.${n + 1}`, currency: 'EUR' }))
    const told = prices.map((price) => ({ message: { accountId, id }, at: runtime.now(), status, price }))
    const body = Buffer.from(JSON.stringify(told))
    const accepted = app.receipts.accept({ accountId, connection: 'wa-eu' }, { headers: { signature: 'good' }, body })
    expect(await accepted).toBe('accepted')
    const { timeline } = await routes.told(id)
    expect(timeline.length).toBeLessThan(8)
  },
)

it('a message keeps so many steps at the most, and moves all the same', async () => {
  const { accountId, live } = await accountWith(wa())
  const id = await live.send(newPhone())
  await routes.server.work()
  await report(accountId, 'wa-eu', id, { status: 'failed', providerCode: 'first' })
  await routes.server.query(sql`update message set timeline = timeline
    || (select jsonb_agg(jsonb_build_object('note', n)) from generate_series(1, 500) as n) where id = ${id}`)
  const { length } = (await told(id)).timeline
  await report(accountId, 'wa-eu', id, { status: 'failed', providerCode: 'another' })
  expect((await told(id)).timeline).toHaveLength(length)
  await report(accountId, 'wa-eu', id, { status: 'delivered' })
  expect(await live.status(id)).toBe('delivered')
  expect((await told(id)).timeline).toHaveLength(length + 1)
})

it('a message keeps no more steps for reports without a proof that name another price each', async () => {
  const { accountId, live } = await accountWith(wa())
  const id = await live.send(newPhone())
  await routes.server.work()
  await routes.server.query(sql`update message set timeline = timeline
    || (select jsonb_agg(jsonb_build_object('note', n)) from generate_series(1, 500) as n) where id = ${id}`)
  const { length } = (await told(id)).timeline
  for (const amount of ['0.1', '0.2', '0.3']) {
    await report(accountId, 'wa-eu', id, { status: 'delivered', isHearsay: true, price: { amount, currency: 'EUR' } })
  }
  expect((await told(id)).timeline).toHaveLength(length)
})

it('a message keeps the first ids of a provider that gives it a new one in every report', async () => {
  const { accountId, live } = await accountWith(wa(), tg())
  const [id, other] = [await live.send(newPhone()), await live.send(newPhone())]
  await routes.server.work()
  const idsOf = (message: string) =>
    routes.server.query<{ id: string }>(sql`select provider_message_id as id from leg where message_id = ${message}`)
  await report(accountId, 'wa-eu', other, { status: 'delivered', isHearsay: true, providerMessageId: 'of-another' })
  for (let n = 0; n < takenIdsMax + 10; n++) {
    await report(accountId, 'wa-eu', id, { status: 'delivered', isHearsay: true, providerMessageId: `again-${n}` })
  }
  const ids = (await idsOf(id)).map((leg) => leg.id)
  expect(ids).toHaveLength(takenIdsMax)
  expect(ids).toContain('again-0')
  expect((await idsOf(other)).map((leg) => leg.id)).toContain('of-another')
  await report(accountId, 'wa-eu', id, { status: 'delivered' })
  expect(await live.status(id)).toBe('delivered')
})
