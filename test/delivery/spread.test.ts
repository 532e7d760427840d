/** A pool: connections of one kind, next to each other, that share the messages by what is left of their caps. */
import { expect, it } from 'vitest'
import { createRoutes, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const { accountWith, connections } = routes

const sim = (id: string, more: object) => wa({ id, spread: true, ...more })
const countsOf = (ids: readonly string[]) =>
  Object.fromEntries(['one', 'two', 'tg'].map((id) => [id, ids.filter((one) => one === id).length]))

it('shares codes by what is left of the days, and not the first until it is full', async () => {
  const { live } = await accountWith(sim('one', { perDay: 10 }), sim('two', { perDay: 30 }), tg())
  for (let sent = 0; sent < 8; sent++) await live.send(newPhone())
  await routes.server.work()
  expect(countsOf(connections())).toEqual({ one: 2, two: 6, tg: 0 })
})

it('gives nothing out for a preview, which sends nothing', async () => {
  const { accountId, live } = await accountWith(sim('one', { perDay: 10 }), sim('two', { perDay: 30 }))
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  for (let sent = 0; sent < 8; sent++) {
    const preview = { phone: newPhone(), template: 'hello', variables: {} }
    expect(await live.post('/v1/notifications/preview', preview)).toMatchObject({ status: 200 })
    await live.send(newPhone())
  }
  await routes.server.work()
  expect(countsOf(connections())).toEqual({ one: 2, two: 6, tg: 0 })
})

it('asks the other one at once when the minute of the first is used up, also for a notification', async () => {
  const { accountId, live } = await accountWith(sim('one', { perMinute: 1 }), sim('two', { perMinute: 3 }))
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  for (let sent = 0; sent < 4; sent++) {
    await live.post('/v1/notifications/send', { phone: newPhone(), template: 'hello', variables: {} })
  }
  await routes.server.work()
  expect(countsOf(connections())).toEqual({ one: 1, two: 3, tg: 0 })
})

it('leaves out the one that rests', async () => {
  const { live } = await accountWith(sim('one', { perDay: 10 }), sim('two', { perDay: 10 }))
  routes.answers = { one: () => ({ kind: 'down', reason: 'the phone is off' }) }
  for (let sent = 0; sent < 6; sent++) await routes.sentBy(live)
  expect(countsOf(connections())).toEqual({ one: 1, two: 6, tg: 0 })
})

it('keeps the order of the list without spread, and beside another kind', async () => {
  const { live } = await accountWith(wa({ id: 'one', perDay: 10 }), sim('two', { perDay: 30 }), tg())
  for (let sent = 0; sent < 4; sent++) await live.send(newPhone())
  await routes.server.work()
  expect(countsOf(connections())).toEqual({ one: 4, two: 0, tg: 0 })
})

it('a phone that takes codes and reports none delays each by its failover_seconds alone', async () => {
  const { accountId, live } = await accountWith(
    sim('one', { perDay: 10, failoverSeconds: 30 }),
    sim('two', { perDay: 10, failoverSeconds: 30 }),
  )
  const ids: string[] = []
  for (let sent = 0; sent < 6; sent++) ids.push(await live.send(newPhone()))
  await routes.server.work()
  expect(countsOf(connections())).toEqual({ one: 3, two: 3, tg: 0 })
  for (const { connection, id } of routes.asked) {
    if (connection === 'two') await routes.report(accountId, 'two', id, {})
  }
  await routes.server.advance(31)
  await routes.server.work()
  const byTwo = routes.asked.filter(({ connection }) => connection === 'two')
  expect(byTwo.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  for (const { id, content } of byTwo.slice(3)) {
    expect(content).toEqual(routes.asked.find((first) => first.id === id)?.content)
  }
})
