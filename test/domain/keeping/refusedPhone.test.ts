/** What is remembered of a phone goes with its last message, also where a rule refused it after that. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { retentionDays: 30 } })
})
afterAll(() => server.close())

const [hourSeconds, daySeconds] = [3600, 24 * 3600]
const rule: WrittenRule = { id: 'user', by: 'user', count: 'sends', window: '24h', over: { constant: 1 }, do: 'block' }
const [early, late, other] = [newPhone(), newPhone(), newPhone()]

/** What the schedule does every hour. @returns the phones that something is remembered of, of the first two */
const purge = async () => {
  await server.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
  await server.work()
  const found = await server.query<{ phone: string }>(
    sql`select phone from phone where phone in (${early}, ${late}) order by phone`,
  )
  return found.map(({ phone }) => phone)
}
const send = async (phone: string, user_id: string) =>
  (await server.live.post('/v1/verify/send', { phone, signals: { user_id } })).status

it('nothing of a phone stays when a rule refused it after its last message', async () => {
  await server.app.protections.apply('acct_default', { rules: [rule], fail: 'open', budgets: [] }, 'pumped')
  expect([await send(early, 'ada'), await send(late, 'bob')]).toEqual([200, 200])
  await server.advance(hourSeconds)
  expect(await send(early, 'ada')).toBe(403)
  await server.advance(2 * daySeconds)
  expect(await purge()).toEqual([early, late])
  await server.advance(28 * daySeconds - 2 * hourSeconds)
  expect([await send(other, 'eve'), await send(late, 'eve')]).toEqual([200, 403])
  await server.advance(2 * hourSeconds)
  // The limits of the other one look at its refusal yet.
  expect(await purge()).toEqual([late])
  await server.advance(daySeconds)
  expect(await purge()).toEqual([])
})
