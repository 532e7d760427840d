/** Posts with all that a system knows of a user. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { applyInlets, bodyOf, entry, post } from './site.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await applyInlets(server, entry())
})
afterAll(() => server.close())

it.each([70_000, 900_000])('a user with %i bytes of metadata has the code sent', async (bytes) => {
  const phone = newPhone()
  const told = JSON.parse(bodyOf({ phone, code: '561199' })) as { user: object }
  const body = JSON.stringify({ ...told, user: { ...told.user, user_metadata: { about: 'a'.repeat(bytes) } } })
  expect((await post(server, body)).status).toBe(200)
  await server.work()
  expect((await server.phone(phone)).map(({ text }) => text)).toEqual(['Your Acme code is 561199'])
})
