/** Texts with a code that another system wrote, on their way to a provider. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { post } from '../inlets/site.ts'
import { createRoutes, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const secret = 'the-secret-of-this-inlet'
const routes = createRoutes()

/** @returns the id of its message */
async function sendText(account: string, text: string): Promise<string> {
  const phone = newPhone()
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ phone, text })
  expect((await post(routes.server, body, { headers, inlet: 'plain', account })).status).toBe(200)
  const [row] = await routes.server.query<{ id: string }>(sql`select id from message where phone = ${phone}`)
  return row!.id
}

it('a text that its provider puts off for longer than it is good ends in its time, and is erased', async () => {
  const { accountId } = await routes.accountWith(wa())
  await routes.server.app.inlets.apply(accountId, [{ id: 'plain', kind: 'plain', mode: 'live', secret }])
  routes.answers = { 'wa-eu': () => ({ kind: 'retry', reason: 'busy', afterSeconds: 3600 }) }
  const id = await sendText(accountId, 'Your code is 0M53RF')
  await routes.server.work()
  await routes.server.advance(601)
  await routes.server.work()
  expect(routes.connections()).toEqual(['wa-eu'])
  const { timeline, kept } = await routes.told(id)
  expect([timeline.at(-1)?.status, kept]).toEqual(['expired', false])
})
