/** Connections that are changed while messages wait for a place at them. */
import { expect, it } from 'vitest'
import { giveConnections } from '../support/connections.ts'
import { createRoutes, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()

/** @returns the id of the one of two codes that waits for a place, when `meanwhile` is over and all is done */
async function waitedWhile(meanwhile: (accountId: string) => Promise<void>): Promise<string> {
  const { accountId, live } = await routes.accountWith(wa())
  const ids = [await live.send(newPhone()), await live.send(newPhone())]
  let waited = ''
  await routes.withOnePlace(ids, async (waiting) => {
    await meanwhile(accountId)
    waited = ids[waiting]!
  })
  return waited
}

it('a message that waited for a place is not handed to a connection that was removed meanwhile', async () => {
  const id = await waitedWhile((accountId) => giveConnections(routes.server, accountId, [tg()]))
  expect(routes.connections()).toEqual(['wa-eu'])
  expect(await routes.notes(id)).toEqual(['wa-eu skipped: it is not there any more'])
})

it('a message that waited for a place is handed over once when its connection was changed meanwhile', async () => {
  const id = await waitedWhile((accountId) => giveConnections(routes.server, accountId, [wa()]))
  expect(routes.connections()).toEqual(['wa-eu', 'wa-eu'])
  expect(await routes.notes(id)).toEqual(['taken by wa-eu'])
})
