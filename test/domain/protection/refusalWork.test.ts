/** What a refusal by rules does beside what a send does: nobody can tell how far a send came by the time that it took. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import { PreparingClient } from '../../../src/store/engine/postgres/pool.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { oneADay } from './sends.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** The statements that go to the database meanwhile, without the exchange of counts, which goes by a timer. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const transactions = new Map<unknown, string[]>()
  const all: string[][] = []
  const query = PreparingClient.prototype.query as (this: unknown, ...given: unknown[]) => never
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (this: unknown, ...given) {
    const [asked] = given as [string | { text: string }]
    const text = typeof asked === 'string' ? asked : asked.text
    const open = transactions.get(this) ?? []
    if (open.length === 0) all.push(open)
    open.push(text)
    if (/^begin/.test(open[0]!) && text !== 'commit') transactions.set(this, open)
    else transactions.delete(this)
    return query.apply(this, given)
  })
  await work()
  spy.mockRestore()
  return all.filter((statements) => !statements.some((text) => text.includes('protection_count'))).flat()
}

it.each(['block', 'challenge'] as const)(
  'what a rule with %s refuses is judged as a send is, and writes to its phone in a commit',
  async (act) => {
    const { id } = await server.app.accounts.create(`shop ${act}`)
    const given = { rules: [{ ...oneADay, do: act }], fail: 'open', budgets: [] } as const
    await server.app.protections.apply(id, { ...given, rules: [...given.rules] }, 'we are being pumped')
    const live = server.as(await server.key({ mode: 'live', account: `shop ${act}` }))
    const send = (user_id: string) => live.post('/v1/verify/send', { phone: newPhone(), signals: { user_id } })
    // What is remembered of the account is read.
    for (const user of ['eve', 'eve', 'bob']) await send(user)

    const statuses: number[] = []
    const ask = async (user: string) => void statuses.push((await send(user)).status)
    const [sent, refused] = [await statementsOf(() => ask('ada')), await statementsOf(() => ask('eve'))]
    expect(statuses).toEqual([200, 403])
    for (const statements of [sent, refused]) {
      expect(statements[0]).toMatch(/^begin/)
      expect(statements[1]).toContain('insert into phone')
      expect(statements.at(-1)).toBe('commit')
    }
  },
)

it('what a rule found of refused sends is written apart from what it found of those that are made', async () => {
  const { id } = await server.app.accounts.create('both')
  const ofAll: WrittenRule = {
    ...{ id: 'all', by: 'country', count: 'sends', window: '1h', over: { constant: 0 } },
    do: 'record',
  }
  await server.app.protections.apply(id, { rules: [oneADay, ofAll], fail: 'open', budgets: [] }, 'we are being pumped')
  const live = server.as(await server.key({ mode: 'live', account: 'both' }))
  const send = async (user_id: string) =>
    (await live.post('/v1/verify/send', { phone: newPhone(), signals: { user_id } })).status
  // Every part that is taken by chance is the same.
  const digits = vi.spyOn(server.runtime, 'randomDigits').mockImplementation((count) => '3'.repeat(count))
  expect(await send('eve')).toBe(200)
  const users = Array.from({ length: 20 }, (_, place) => (place % 2 ? 'eve' : `user ${place}`))
  const statuses = await Promise.all(users.map(send))
  digits.mockRestore()

  expect(statuses).toEqual(users.map((user) => (user === 'eve' ? 403 : 200)))
  const rows = await server.query(sql`select sends, cardinality(phones) as refused from protection_finding
    where account_id = ${id} and rule = 'all' and did = 'record' order by refused`)
  expect(rows).toEqual([
    { sends: 11, refused: 0 },
    { sends: 10, refused: 10 },
  ])
})
