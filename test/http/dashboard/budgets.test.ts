/** Sending › Protection: how much of each budget is used today. */
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
  expect(await words('/protection')).toMatch(/narrow all 4 of 4 .* spent wide DE 0 of 1,000 – 0 %/)
  // Until messages are counted, the overview has first steps alone.
  await server.advance(31)
  await server.app.countingLoop.runOnce()
  expect(await words('/')).toContain('budget spent narrow: nothing more is sent within it today (UTC).')
  expect(await words('/')).not.toContain('wide:')
})
