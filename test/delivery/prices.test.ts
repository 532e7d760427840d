/** What a message costs: as the answers and the reports of its providers say, kept with it and summed up. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { CountrySpend, Spend } from '../../src/store/insight/spend.ts'
import type { Price } from '../../src/store/schema/schema.ts'
import { createRoutes, failed, tg, unknown, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const eur = (amount: string): Price => ({ amount, currency: 'EUR' })
const usd = (amount: string): Price => ({ amount, currency: 'USD' })
const answers = (connection: string, price?: Price) => {
  routes.answers[connection] = () => ({ kind: 'sent', ...(price && { price }) })
}

const spend = async (accountId: string) => {
  await routes.server.advance(31)
  await routes.server.app.countingLoop.runOnce()
  return (await routes.server.app.figures.overview({ accountId, mode: 'live' }, '24h')).spend
}
/** `tg: 2 for 0.03 EUR` */
const saysOf = ({ connection, messages, amount, currency }: Spend) =>
  `${connection}: ${messages} for ${amount} ${currency}`
const cost = async (accountId: string) => (await spend(accountId)).channels.map(saysOf).toSorted()
const costByCountry = async (accountId: string) =>
  (await spend(accountId)).countries.map((one: CountrySpend) => `${one.country} ${saysOf(one)}`).toSorted()
const pricesOf = async (id: string) => {
  const { legs, timeline } = await routes.server.app.history(id)
  const say = (price?: Price) => price && `${price.amount} ${price.currency}`
  return { legs: legs.map(({ price }) => say(price)), steps: timeline.flatMap(({ price }) => say(price) ?? []) }
}

it('a price that the answer names is the message’s, in its timeline and in the sums', async () => {
  const { live, accountId } = await routes.accountWith(tg())
  answers('tg', eur('0.0333'))
  const id = await routes.sentBy(live)
  expect(await pricesOf(id)).toEqual({ legs: ['0.0333 EUR'], steps: ['0.0333 EUR'] })
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.0333 EUR'])
})

it('a price counts once, also when the answer names it and every report again', async () => {
  const { live, accountId } = await routes.accountWith(tg())
  answers('tg', eur('0.0333'))
  const id = await routes.sentBy(live)
  for (const status of ['sent', 'delivered', 'delivered', 'read'] as const) {
    await routes.report(accountId, 'tg', id, { status, price: eur('0.0333') })
    expect(await cost(accountId)).toEqual(['tg: 1 for 0.0333 EUR'])
  }
})

it('a report names the price where the answer did not, also one that says nothing else that is new', async () => {
  const { live, accountId } = await routes.accountWith(tg(), wa())
  const [reported, sent] = [await routes.sentBy(live), await routes.sentBy(live)]
  expect(await cost(accountId)).toEqual([])
  await routes.report(accountId, 'tg', reported, { status: 'failed', errorCode: 'not_delivered', price: usd('0.01') })
  await routes.report(accountId, 'tg', sent, { status: 'sent', price: usd('0.02') })
  expect(await cost(accountId)).toEqual(['tg: 2 for 0.03 USD'])
  expect((await pricesOf(sent)).steps).toEqual(['0.02 USD'])
  expect(await live.status(sent)).toBe('sent')
})

it('a report corrects the price of the answer, and one that comes again does not take that back', async () => {
  const { live, accountId } = await routes.accountWith(tg())
  answers('tg', eur('0.05'))
  const id = await routes.sentBy(live)
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.05 EUR'])
  await routes.report(accountId, 'tg', id, { status: 'delivered', price: eur('0.07') })
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.07 EUR'])
  await routes.report(accountId, 'tg', id, { status: 'failed', errorCode: 'not_delivered', price: eur('0') })
  await routes.report(accountId, 'tg', id, { status: 'delivered', price: eur('0.07') })
  expect(await cost(accountId)).toEqual(['tg: 1 for 0 EUR'])
  expect(await pricesOf(id)).toEqual({ legs: ['0 EUR'], steps: ['0.05 EUR', '0.07 EUR', '0 EUR'] })
})

it('a report in another currency replaces the price, and is not added to it', async () => {
  const { live, accountId } = await routes.accountWith(tg())
  answers('tg', eur('0.05'))
  const id = await routes.sentBy(live)
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.05 EUR'])
  await routes.report(accountId, 'tg', id, { price: usd('0.06') })
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.06 USD'])
})

it('a report that overtakes the answer keeps its price', async () => {
  const { live, accountId } = await routes.accountWith(tg())
  routes.answers.tg = async ({ id }) => {
    await routes.report(accountId, 'tg', id, { price: eur('0.07') })
    return { kind: 'sent', price: eur('0.05') }
  }
  const id = await routes.sentBy(live)
  expect((await pricesOf(id)).legs).toEqual(['0.07 EUR'])
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.07 EUR'])
})

it('a connection that was not asked cannot charge for a message', async () => {
  const { live, accountId } = await routes.accountWith(tg(), wa())
  answers('tg', eur('0.01'))
  const id = await routes.sentBy(live)
  await routes.report(accountId, 'wa-eu', id, { price: eur('9') })
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.01 EUR'])
})

it('each connection that charges for a message is counted for itself, by country and currency', async () => {
  const { live, accountId } = await routes.accountWith(tg(), wa())
  answers('tg', usd('0.01'))
  answers('wa-eu', eur('0.1'))
  for (const phone of ['+41446681800', '+4915112345678']) {
    const id = await live.send(phone)
    await routes.server.work()
    await routes.report(accountId, 'tg', id, { status: 'failed', errorCode: 'not_delivered', price: usd('0.02') })
    await routes.server.work()
    expect((await pricesOf(id)).legs).toEqual(['0.02 USD', '0.1 EUR'])
  }
  expect(await cost(accountId)).toEqual(['tg: 2 for 0.04 USD', 'wa-eu: 2 for 0.2 EUR'])
  expect(await costByCountry(accountId)).toEqual([
    'CH tg: 1 for 0.02 USD',
    'CH wa-eu: 1 for 0.1 EUR',
    'DE tg: 1 for 0.02 USD',
    'DE wa-eu: 1 for 0.1 EUR',
  ])
})

it('amounts add up as decimal numbers: ten times 0.1 is 1', async () => {
  const { live, accountId } = await routes.accountWith(tg())
  answers('tg', eur('0.1'))
  for (let count = 0; count < 10; count++) await live.send(newPhone())
  await routes.server.work()
  expect(await cost(accountId)).toEqual(['tg: 10 for 1 EUR'])
})

it('a hundred reports at once of one message count its price once', async () => {
  const { live, accountId } = await routes.accountWith(tg())
  const id = await routes.sentBy(live)
  await Promise.all(
    Array.from({ length: 100 }, (_, place) =>
      routes.report(accountId, 'tg', id, { status: place % 2 ? 'delivered' : 'read', price: eur('0.03') }),
    ),
  )
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.03 EUR'])
})

it('what an answer that was lost has cost, its report tells', async () => {
  const { live, accountId } = await routes.accountWith(tg(), wa())
  routes.answers.tg = () => unknown
  routes.answers['wa-eu'] = () => failed('no such number')
  const id = await routes.sentBy(live)
  await routes.report(accountId, 'tg', id, { status: 'delivered', price: eur('0.03') })
  expect(await live.status(id)).toBe('delivered')
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.03 EUR'])
})

it('a phone that is forgotten takes its part of the newest sums along, as of all figures', async () => {
  const { live, accountId } = await routes.accountWith(tg())
  answers('tg', eur('0.03'))
  const phone = newPhone()
  for (const one of [phone, newPhone()]) await live.send(one)
  await routes.server.work()
  expect(await cost(accountId)).toEqual(['tg: 2 for 0.06 EUR'])
  await routes.server.app.forget(phone)
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.03 EUR'])
  const { totals } = await routes.server.app.figures.overview({ accountId, mode: 'live' }, '24h')
  expect(totals.created).toBe(1)
})

it('sums stay when their messages are purged, for 400 days', async () => {
  const { live, accountId } = await routes.accountWith(tg())
  answers('tg', eur('0.03'))
  await routes.sentBy(live)
  expect(await cost(accountId)).toEqual(['tg: 1 for 0.03 EUR'])
  const days = () =>
    routes.server.query<{ amount: string }>(
      sql`select amount::text from spend where account_id = ${accountId} and grain = 'day'`,
    )
  const later = async (count: number) => {
    await routes.server.advance(count * 24 * 3600)
    await routes.server.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
    await routes.server.work()
    await routes.server.app.countingLoop.runOnce()
  }
  for (const count of [8, 32]) await later(count)
  expect(await routes.server.query(sql`select 1 from message where account_id = ${accountId}`)).toEqual([])
  expect(await days()).toEqual([{ amount: '0.03' }])
  await later(400)
  expect(await days()).toEqual([])
})
