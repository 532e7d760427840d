/** Sending › Protection: how much of each budget is used today, and what is shown of a list that this version cannot read. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn } from '../../support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
})
afterAll(() => server.close())

it('shows how much of each budget is used, and the overview names those that are nearly spent', async () => {
  const { app } = server
  const budgets = [
    { id: 'narrow', messages: 4, money: '10 EUR' },
    { id: 'wide', countries: ['DE'], messages: 1000 },
  ]
  await app.accounts.create('thrifty')
  const { id } = await app.accounts.require('thrifty')
  await app.protections.apply(id, { rules: [], fail: 'open', budgets })
  const live = server.as(await server.key({ mode: 'live', account: 'thrifty' }))
  const viewer = await signIn(server, 'viewer', { account: 'thrifty' })
  const words = async (path: string) =>
    (await viewer.get(path)).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  for (let sent = 0; sent < 4; sent++) {
    await live.send(newPhone())
    if (sent === 2) expect(await words('/protection')).toContain('narrow all 3 of 4 0 EUR of 10 EUR 75 %')
  }
  expect(await words('/protection')).toMatch(/narrow all 4 of 4 .* spent wide Germany 0 of 1,000 – 0 %/)
  // Until messages are counted, the overview has first steps alone.
  await server.advance(31)
  await server.app.countingLoop.runOnce()
  expect(await words('/')).toContain('budget spent narrow: nothing more is sent within it today (UTC).')
  expect(await words('/')).not.toContain('wide:')
})

it('a list that another version has written is said to be that, and its owner can take it away', async () => {
  await server.app.accounts.create('newer')
  const { id } = await server.app.accounts.require('newer')
  const ofLater = JSON.stringify([{ id: 'later', by: 'moon' }])
  await server.query(sql`insert into protection (account_id, rules, fail, budgets, updated_at)
    values (${id}, ${ofLater}::jsonb, 'open', ${ofLater}::jsonb, now())`)
  const owner = await signIn(server, 'owner', { account: 'newer' })
  expect((await owner.get('/')).status).toBe(200)
  const { status, text } = await owner.get('/protection')
  expect([status, text]).toEqual([200, expect.stringContaining('this one cannot read them: it judges no send')])
  for (const path of ['/protection/rules', '/protection/rules/later', '/protection/try']) {
    expect((await owner.get(path)).text, path).toContain('Another version of the service has written these rules')
  }
  const [, version = ''] = /name="version" value="([^"]+)"/.exec(text) ?? []
  await owner.post('/protection/reset', { version })
  expect((await owner.get('/protection')).text).toContain('This is the standard list')
})
