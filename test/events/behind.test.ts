/** An endpoint that is behind, because very much is sent to it again: what happens meanwhile does not wait for all of that. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { giveDeliveries } from '../support/endpoint.ts'
import { type Listening, listenTo } from '../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let listening: Listening
beforeEach(async () => {
  server = await startServer()
  listening = await listenTo(server, { types: ['message.delivered'] })
})
afterEach(async () => {
  await listening.close()
  await server.close()
})

/** A message is delivered, and nobody is told yet. */
async function happen(): Promise<void> {
  await server.test.send(newPhone())
  while ((await server.app.worker.runOnce()) > 0);
}

const told = () => listening.received.map(({ headers }) => String(headers['webhook-id']))

it('an event is told among the first of many that are sent again, and these come in order', async () => {
  const past = Array.from({ length: 60 }, (_, n) => `evt_again_${String(n).padStart(2, '0')}`)
  const key = { accountId: 'acct_default', id: listening.id }
  const at = (n: number) => new Date(server.runtime.now().getTime() - (3600 - n) * 1000)
  const list = past.map((event, n) => ({ event, state: 'delivered', at: at(n) }) as const)
  await giveDeliveries(server.database!.sql, { ...key, mode: 'test' }, ...list)
  // It has answered: five requests at once.
  await happen()
  await server.app.eventLoop.runOnce()
  expect(told()).toHaveLength(1)
  await server.app.endpoints.replay(key, { since: at(0) })
  await happen()
  let turns = 0
  server.runtime.randomDigits = () => (turns++ % 2 === 0 ? '4' : '5')
  for (let turn = 0; turn < 2; turn++) await server.app.eventLoop.runOnce()
  expect(told()).toHaveLength(11)
  const live = told().filter((id) => !past.includes(id))
  expect(live).toHaveLength(2)
  while ((await server.app.eventLoop.runOnce()) > 0);
  const again = told().filter((id) => past.includes(id))
  expect(again.toSorted()).toEqual(past)
  // Five go side by side.
  for (const [place, id] of again.entries()) expect(Math.abs(past.indexOf(id) - place)).toBeLessThan(5)
})
