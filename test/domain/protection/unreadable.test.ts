/** Lists of rules that another version of the service has written. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { oneADay } from './sends.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it.each(['open', 'closed'] as const)(
  'a list that cannot be read stops no send with fail: %s, and is told',
  async (fail) => {
    const { id } = await server.app.accounts.create(`shop ${fail}`)
    await server.app.protections.apply(id, { rules: [oneADay], fail, budgets: [] }, 'we are being pumped')
    await server.database!
      .sql`update protection set rules = jsonb_set(rules, '{0,by}', '"moon"') where account_id = ${id}`
    const live = server.as(await server.key({ mode: 'live', account: `shop ${fail}` }))
    const send = () => live.post('/v1/verify/send', { phone: newPhone(), signals: { user_id: 'eve' } })
    expect([(await send()).status, (await send()).status]).toEqual([200, 200])
    const told = server.runtime.lines.filter((line) => line.includes(id) && line.includes('cannot be read'))
    expect(told).toHaveLength(1)
  },
)
