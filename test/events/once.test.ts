/** Each end of a verification is told once, however many cause it at the same time. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listening, listenTo } from '../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let other: TestServer
let listening: Listening
beforeAll(async () => {
  server = await startServer()
  other = await startServer({ beside: server })
  listening = await listenTo(server)
})
afterAll(async () => {
  await listening.close()
  await other.close()
  await server.close()
})

/** What is told of a verification's end. */
const endsOf = (id: string) =>
  listening
    .events()
    .filter(({ type, data }) => type.startsWith('verification.') && 'request_id' in data && data.request_id === id)
    .map(({ type }) => type)

it.each([
  ['wrong', '111111', 'verification.failed'],
  ['right', '000000', 'verification.verified'],
])('of 100 %s guesses at once, in two processes', async (_what, code, type) => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => server.test.send(newPhone())))
  const guess = async (index: number) => [server, other][index % 2]!.test.check(ids[index % 5]!, code)
  await Promise.all(Array.from({ length: 100 }, (_guess, index) => guess(index)))
  await server.work()
  await server.advance(600)
  await server.work()
  expect(ids.map(endsOf)).toEqual(ids.map(() => [type]))
})

it('of workers that sweep at the same time', async () => {
  const ids = await Promise.all(Array.from({ length: 50 }, () => server.test.send(newPhone())))
  await server.work()
  await server.advance(600)
  await Promise.all([server, other, server, other].map(({ app }) => app.worker.sweep()))
  await server.work()
  expect(ids.map(endsOf)).toEqual(ids.map(() => ['verification.expired']))
})
