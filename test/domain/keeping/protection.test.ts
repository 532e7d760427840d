/** How long it is kept what rules counted, found and refused, and what is left of a phone that is forgotten. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const daySeconds = 24 * 3600
const byUser: WrittenRule = {
  id: 'user-day',
  by: 'user',
  count: 'sends',
  window: '24h',
  over: { constant: 2 },
  do: 'block',
}
const byNumbers: WrittenRule = { ...byUser, id: 'numbers', by: 'prefix', count: 'numbers', over: { constant: 50 } }

/** What the schedule does every hour. */
const purge = async () => {
  await server.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
  await server.work()
}
const sizes = async () => {
  await server.app.exchangeCounts()
  const [row] = await server.query<{ counts: number; findings: number; refused: number }>(sql`select
    (select count(*)::int from protection_count) as counts,
    (select count(*)::int from protection_finding) as findings,
    (select count(*)::int from refused_phone) as refused`)
  return row!
}
const send = (phone: string, user_id: string) =>
  server.live.post<{ request_id: string }>('/v1/verify/send', { phone, signals: { user_id } })
/** Three sends, of which the last is refused. @returns the phones of the last two */
const sendThree = async (user: string) => {
  const [first, sent, refused] = [newPhone(), newPhone(), newPhone()]
  const statuses: number[] = []
  for (const phone of [first, sent, refused]) statuses.push((await send(phone, user)).status)
  expect(statuses).toEqual([200, 200, 403])
  return [sent, refused] as const
}

it('erases counts that say nothing any more, findings after 30 days, refused numbers after one', async () => {
  await server.app.protections.apply(
    'acct_default',
    { rules: [byUser, byNumbers], fail: 'open', budgets: [] },
    'pumped',
  )
  await sendThree('eve')
  const { counts } = await sizes()
  expect(counts).toBeGreaterThan(0)
  await server.advance(daySeconds - 60)
  await purge()
  expect(await sizes()).toEqual({ counts, findings: 1, refused: 1 })
  await server.advance(3 * 3600)
  await purge()
  expect(await sizes()).toEqual({ counts: 0, findings: 1, refused: 0 })

  await sendThree('ada')
  const young = await sizes()
  await server.advance(29 * daySeconds)
  await purge()
  expect(await sizes()).toEqual({ counts: 0, findings: young.findings - 1, refused: 0 })
  await server.advance(2 * daySeconds)
  await purge()
  expect(await sizes()).toEqual({ counts: 0, findings: 0, refused: 0 })
})

it('a forgotten phone is in none of these tables, whether it was sent to or refused; others stay', async () => {
  const [sent, refused] = await sendThree('eve')
  const [, other] = await sendThree('bob')
  const rows = async (phone: string) => {
    await server.app.exchangeCounts()
    const found = await server.query<{ row: string }>(sql`select c::text as row from protection_count c
      union all select f::text from protection_finding f union all select r::text from refused_phone r
      union all select p::text from protection p`)
    return found.filter(({ row }) => row.includes(phone.slice(1))).length
  }
  expect(await rows(refused)).toBe(2)
  for (const phone of [sent, refused]) await server.app.forget(phone)
  expect([await rows(sent), await rows(refused)]).toEqual([0, 0])
  expect(await rows(other)).toBe(2)
})
