/** What becomes of sends whose rules cannot be asked in time. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ overrides: { judgeMs: 50 } })
})
afterAll(() => server.close())

const byCountry: WrittenRule = {
  id: 'country-day',
  by: 'country',
  count: 'unverified',
  window: '24h',
  over: { constant: 1000, max14d: 1 },
  do: 'block',
}

/** Sends a code while the figures of days, which the rule goes by, cannot be read: until the answer is there. */
async function sendWhileBlind(fail: 'open' | 'closed') {
  const account = `account ${newPhone().slice(1)}`
  const { id } = await server.app.accounts.create(account)
  await server.app.protections.apply(id, { rules: [byCountry], fail, budgets: [] }, 'we are being pumped')
  const live = server.as(await server.key({ mode: 'live', account }))
  return server.database!.sql.begin(async (transaction) => {
    await transaction`lock table figure in access exclusive mode`
    const answer = await live.post<{ request_id: string }>('/v1/verify/send', { phone: newPhone() })
    return { answer, live }
  })
}

it('a send whose rules cannot be asked in time is sent, and its message says so', async () => {
  const { answer, live } = await sendWhileBlind('open')
  expect(answer.status).toBe(200)
  const { data } = await live.get<{ findings: unknown }>(`/v1/messages/${answer.data.request_id}`)
  expect(data.findings).toEqual([{ rule: 'unjudged', did: 'record' }])
})

it('it is refused until they can be asked, where the account wants that', async () => {
  const { answer, live } = await sendWhileBlind('closed')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await live.post('/v1/verify/send', { phone: newPhone() })).status).toBe(200)
})

it.each([
  ['open', 200],
  ['closed', 503],
] as const)('a list that another version wrote refuses sends only where %s says so', async (fail, status) => {
  const account = `account ${newPhone().slice(1)}`
  const { id } = await server.app.accounts.create(account)
  await server.app.protections.apply(id, { rules: [byCountry], fail, budgets: [] }, 'we are being pumped')
  await server.database!
    .sql`update protection set rules = jsonb_set(rules, '{0,by}', '"moon"') where account_id = ${id}`
  const live = server.as(await server.key({ mode: 'live', account }))
  const phones = [newPhone(), newPhone()]
  const answers = await Promise.all(phones.map((phone) => live.post('/v1/verify/send', { phone })))
  expect(answers.map((answer) => answer.status)).toEqual([status, status])
  const told = server.runtime.lines.filter((line) => line.includes(id) && line.includes('cannot be read'))
  expect(told).toHaveLength(1)
})
