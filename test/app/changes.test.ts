/** What a process has changed itself, it knows at once: nobody waits for it to look again. Here its clock stands still. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EventReceiver, startEventReceiver } from '../support/eventReceiver.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let receiver: EventReceiver
const accountId = 'acct_default'
beforeAll(async () => {
  server = await startServer()
  receiver = await startEventReceiver()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

/** @returns the route of a message that is sent now */
async function sentThrough(): Promise<string[]> {
  const { data } = await server.live.post('/v1/verify/send', { phone: newPhone() })
  const [row] = await server.query<{ route: string[] }>(sql`select route from message where id = ${data.request_id}`)
  return row!.route
}

it('messages take the channels that were applied just now', async () => {
  expect(await sentThrough()).toEqual(['sandbox'])
  await server.app.connections.apply(accountId, [{ id: 'other', kind: 'sandbox' }])
  expect(await sentThrough()).toEqual(['other'])
  // Whoever it was that changed them.
  const operator = server.app.as({ kind: 'operator', name: 'a test' })
  await operator.connections.apply(accountId, [{ id: 'third', kind: 'sandbox' }])
  expect(await sentThrough()).toEqual(['third'])
})

it('endpoints are told of what happens from the moment on that they were added or enabled', async () => {
  const happens = async () => {
    await server.test.send('+14155550100')
    await server.work()
    return receiver.events().length
  }
  expect(await happens()).toBe(0)
  const { endpoint } = await server.app.endpoints.add({ accountId, mode: 'test', url: receiver.url, types: null })
  const told = await happens()
  expect(told).toBeGreaterThan(0)
  await server.app.endpoints.remove(endpoint)
  expect(await happens()).toBe(told)
})
