/** Sends that come at once are judged and made together: each caller hears of his own. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const byUser = (act: 'block' | 'challenge', user: string): WrittenRule => ({
  ...{ id: `user-${user}`, by: 'user', count: 'sends', window: '24h', over: { constant: 1 }, do: act },
})

it('of sends that come at once, a rule refuses its own, a budget some, and the rest are made', async () => {
  const { id } = await server.app.accounts.create('shop')
  const budgets = [{ id: 'all', messages: 23 }]
  await server.app.protections.apply(id, { rules: [byUser('block', 'day')], fail: 'open', budgets }, 'we are pumped')
  const live = server.as(await server.key({ mode: 'live', account: 'shop' }))
  const send = (phone: string, user_id: string, key: string) =>
    live.post<{ request_id: string; code: string }>(
      '/v1/verify/send',
      { phone, signals: { user_id } },
      { 'Idempotency-Key': key },
    )
  // Eve has sent what she may.
  expect((await send(newPhone(), 'eve', 'first')).status).toBe(200)

  const all = Array.from({ length: 60 }, (_, place) => ({
    phone: newPhone(),
    user: place % 2 ? 'eve' : `user ${place}`,
  }))
  const answers = await Promise.all(all.map(({ phone, user }, place) => send(phone, user, `key-${place}`)))
  const tally = (isEve: boolean) =>
    Object.entries(
      Object.groupBy(
        answers.filter((_, place) => (all[place]!.user === 'eve') === isEve),
        ({ status, data }) => `${status} ${data.code ?? ''}`,
      ),
    ).map(([what, list]) => `${list!.length} ${what}`)
  expect(tally(true)).toEqual(['30 403 send_blocked'])
  expect(tally(false).toSorted()).toEqual(['22 200 ', '8 403 budget_spent'])
  const made = await server.query<{ id: string; phone: string }>(
    sql`select id, phone from message where account_id = ${id} order by id`,
  )
  expect(made).toHaveLength(23)
  for (const [place, { status, data }] of answers.entries()) {
    const phones = made.filter((one) => one.id === data.request_id).map(({ phone }) => phone)
    expect(phones).toEqual(status === 200 ? [all[place]!.phone] : [])
  }
  expect(await server.query(sql`select messages from budget_day where account_id = ${id}`)).toEqual([{ messages: 23 }])
})

it('a group that one phone breaks counts each send that is made once', async () => {
  const { id } = await server.app.accounts.create('other shop')
  await server.app.protections.apply(
    id,
    { rules: [{ ...byUser('block', 'day'), do: 'record' }], fail: 'open', budgets: [] },
    'we are pumped',
  )
  const live = server.as(await server.key({ mode: 'live', account: 'other shop' }))
  const send = (phone: string, place: number) =>
    live.post('/v1/verify/send', { phone, signals: { user_id: `user ${place}` } })
  // The first send of a user is held until there is a second one.
  await Promise.all(Array.from({ length: 21 }, (_, place) => send(newPhone(), place)))
  await server.query(sql`create function break_one() returns trigger language plpgsql as
    $$ begin if new.phone = '+4915112345678' then raise 'broken'; end if; return new; end $$`)
  await server.query(sql`create trigger broken before insert on phone for each row execute function break_one()`)
  const phones = ['+4915112345678', ...Array.from({ length: 20 }, () => newPhone())]
  const statuses = (await Promise.all(phones.map(send))).map(({ status }) => status)
  await server.query(sql`drop trigger broken on phone`)
  expect(statuses).toEqual([500, ...phones.slice(1).map(() => 200)])
  await server.app.exchangeCounts()
  const [row] = await server.query(sql`select count(*)::int as slots, sum(sends)::int as sends
    from protection_count where key like ${`${id}/live/user:%`}`)
  expect(row).toEqual({ slots: 20, sends: 40 })
})
