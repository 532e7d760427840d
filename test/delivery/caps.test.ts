/** Connections that may be handed so many messages in a minute or a day: what has no turn goes on, or waits. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { createRoutes, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const { accountWith, connections, notes } = routes

const sendMany = async (live: Client, count: number) => {
  const ids: string[] = []
  for (let sent = 0; sent < count; sent++) ids.push(await live.send(newPhone()))
  return ids
}
const notify = async (live: Client, accountId: string) => {
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  const body = { phone: newPhone(), template: 'hello', variables: {} }
  return (await live.post('/v1/notifications/send', body)).data.request_id as string
}
const later = async (seconds: number) => {
  await routes.server.advance(seconds)
  await routes.server.work()
}
const troubles = async (accountId: string) =>
  (await routes.server.app.troubles.find({ accountId, mode: 'live' })).filter(({ kind }) => kind === 'day_used')

it('a code that has no turn within 20 s goes to the next connection at once', async () => {
  const { accountId, live } = await accountWith(wa({ perMinute: 2 }), tg())
  const ids = await sendMany(live, 3)
  await routes.server.work()
  expect(connections().toSorted()).toEqual(['tg', 'wa-eu', 'wa-eu'])
  const gone = routes.asked.find(({ connection }) => connection === 'tg')!.id
  expect(ids).toContain(gone)
  expect(await notes(gone)).toEqual(['wa-eu skipped: no turn in time', 'taken by tg'])
  // One without caps takes none, and asks the database for none.
  const turns = await routes.server.query(sql`select connection, count(*)::int from connection_turn
    where account_id = ${accountId} group by connection`)
  expect(turns).toEqual([{ connection: 'wa-eu', count: 2 }])
})

it('a code waits for a turn that comes within failover_seconds', async () => {
  const { live } = await accountWith(wa({ perMinute: 1, failoverSeconds: 90 }), tg())
  await sendMany(live, 2)
  await routes.server.work()
  expect(connections()).toEqual(['wa-eu'])
  await later(75)
  expect(connections()).toEqual(['wa-eu', 'wa-eu'])
})

it('with no connection left, a message waits, and none goes over the cap', async () => {
  const { accountId, live } = await accountWith(wa({ perMinute: 2 }))
  await sendMany(live, 5)
  const counts: number[] = []
  for (let looks = 0; looks < 4; looks++) {
    await later(80)
    counts.push(routes.asked.filter((message) => message.accountId === accountId).length)
  }
  expect(counts).toEqual([2, 4, 5, 5])
})

it('a used-up day passes on what comes, is told from 80 % on, and is over after 24 hours', async () => {
  const { accountId, live } = await accountWith(wa({ perDay: 5, failoverSeconds: 600 }), tg())
  await sendMany(live, 3)
  await routes.server.work()
  expect(await troubles(accountId)).toEqual([])
  await routes.sentBy(live)
  expect(await troubles(accountId)).toEqual([{ kind: 'day_used', id: 'wa-eu', used: 4, of: 5, until: null }])
  await routes.sentBy(live)
  const id = await routes.sentBy(live)
  expect(connections()).toEqual([...Array.from({ length: 5 }, () => 'wa-eu'), 'tg'])
  expect(await notes(id)).toEqual(['wa-eu skipped: its messages of a day are used up', 'taken by tg'])
  const [told] = await troubles(accountId)
  expect(told).toMatchObject({ used: 5, until: expect.any(Date) })
  const [first, second] = await routes.server.app.connections.list(accountId)
  expect([first?.rest?.reason, second?.rest]).toEqual(['its 5 messages of a day are used up', undefined])
  const isUp = async () => {
    const metrics = await (await fetch(`${routes.server.opsUrl}/metrics`)).text()
    return new RegExp(`^watchword_channel_up{.*wa-eu.*${accountId}.*} (\\d)$`, 'm').exec(metrics)?.[1]
  }
  expect(await isUp()).toBe('0')
  routes.server.runtime.advance(24 * 3600 + 10)
  expect(await isUp()).toBe('1')
  expect((await routes.server.app.connections.list(accountId))[0]?.rest).toBeUndefined()
})

it('a notification waits for its minute, and goes on when the day is used up', async () => {
  const { accountId, live } = await accountWith(wa({ perMinute: 1, perDay: 2 }), tg())
  for (let sent = 0; sent < 3; sent++) await notify(live, accountId)
  await routes.server.work()
  // The third would have its turn tomorrow.
  expect(connections().toSorted()).toEqual(['tg', 'wa-eu'])
  await later(80)
  expect(connections().toSorted()).toEqual(['tg', 'wa-eu', 'wa-eu'])
})
