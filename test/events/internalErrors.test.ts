/** An error of the service in bringing an event says nothing of its endpoint. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { listenTo } from '../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { throwWhenAsked, watchErrors } from '../support/thrown.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('the event comes later, and no failure of the endpoint is counted', async () => {
  const listening = await listenTo(server, { types: ['message.delivered'] })
  onTestFinished(listening.close)
  const errors = await watchErrors(server, 'event')
  const failing = throwWhenAsked(() => true)
  onTestFinished(failing.restore)
  const phone = newPhone()
  await server.test.send(phone)
  await server.work()
  await errors.expect(1, [phone.slice(1), listening.secret])
  const read = () => server.database!.sql<{ state: string; error: string | null; fails: number }[]>`
    select state, error, (select failing_since is not null from endpoint where id = ${listening.id})::int as fails
    from event_delivery join event_attempt using (account_id, event_id, endpoint_id) where endpoint_id = ${listening.id}`
  expect(await read()).toEqual([{ state: 'due', error: 'an error of this service', fails: 0 }])
  failing.restore()
  await server.advance(60)
  await server.work()
  expect(listening.types()).toEqual(['message.delivered'])
})
