/** Connections that are changed while messages wait for a place at them. */
import { expect, it } from 'vitest'
import type { Outcome } from '../../src/delivery/channel.ts'
import { giveConnections } from '../support/connections.ts'
import { createRoutes, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()

/** Two codes for one place. @returns the id of the one that waits for it, when `meanwhile` is over and all is done */
async function waitedWhile(meanwhile: (accountId: string) => Promise<void>): Promise<string> {
  const { accountId, live } = await routes.accountWith(wa())
  const busy = Promise.withResolvers<Outcome>()
  routes.answers = { 'wa-eu': () => busy.promise }
  const ids = [await live.send(newPhone()), await live.send(newPhone())]
  let looks = 0
  Object.defineProperty(routes.provider, 'atOnceMax', { configurable: true, get: () => Math.sign(++looks) })
  const working = routes.server.work()
  try {
    // Both have asked for the one place.
    await expect.poll(() => [looks, routes.asked.length]).toEqual([2, 1])
    routes.server.runtime.advance(5)
    await meanwhile(accountId)
    const waiting = ids.find((id) => id !== routes.asked[0]?.id)
    busy.resolve({ kind: 'sent' })
    await working
    return waiting!
  } finally {
    busy.resolve({ kind: 'sent' })
    delete routes.provider.atOnceMax
  }
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
