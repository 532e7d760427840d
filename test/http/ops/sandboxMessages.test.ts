import { afterAll, beforeAll, expect, it } from 'vitest'
import { putSandboxTexts } from '../../support/sandboxText.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('shows the latest thousand messages of a sandbox phone that was sent very many, oldest first', async () => {
  const phone = newPhone()
  const now = server.runtime.now().getTime()
  const texts = Array.from({ length: 1200 }, (_, index) => ({
    ...{ id: `req_${server.runtime.newId()}`, phone, text: String(index + 1) },
    at: new Date(now - (5000 - index) * 1000).toISOString(),
  }))
  await putSandboxTexts(server, texts)
  expect((await server.phone(phone)).map(({ text }) => text)).toEqual(
    Array.from({ length: 1000 }, (_, index) => String(index + 201)),
  )
})
