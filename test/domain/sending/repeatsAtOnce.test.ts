import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyInlets, bodyOf, entry, post } from '../../inlets/site.ts'
import type { Client } from '../../support/client.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let other: TestServer
let clients: Client[]
beforeAll(async () => {
  const config = { keyRatePerSecond: 10_000, keyBurst: 10_000 }
  server = await startServer({ config })
  other = await startServer({ config, beside: server })
  const key = await server.key()
  clients = [server.as(key), other.as(key)]
})
afterAll(async () => {
  await other.close()
  await server.close()
})

/** Asks `count` times at once, in turns by both processes. */
const atOnce = <T>(count: number, ask: (process: 0 | 1) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => ask(at % 2 === 0 ? 0 : 1)))

const send = (phone: string, process: 0 | 1 = 0) =>
  clients[process]!.post('/v1/verify/send', { phone }, { 'Idempotency-Key': 'done-long-ago' })

it('100 repeats at once of a request that is done all get its first answer', async () => {
  const phone = newPhone()
  const first = await send(phone)
  const repeats = await atOnce(100, (process) => send(phone, process))
  expect(new Set(repeats.map(({ status, headers }) => `${status} ${headers.get('idempotent-replayed')}`))).toEqual(
    new Set(['200 true']),
  )
  expect(new Set([first, ...repeats].map(({ text }) => text)).size).toBe(1)
  const others = await atOnce(30, (process) => send(newPhone(), process))
  expect(new Set(others.map(({ data }) => data.code))).toEqual(new Set(['idempotency_key_reused']))
})

it('repeats at once of a post to an inlet that is done are all answered as the first', async () => {
  await applyInlets(server, entry())
  const body = bodyOf({ phone: newPhone(), code: '314160' })
  expect((await post(server, body)).status).toBe(200)
  await server.advance(100)
  const repeats = await atOnce(20, (process) => post([server, other][process]!, body))
  expect(repeats.map(({ status, text }) => [status, text])).toEqual(Array(20).fill([200, '{}']))
})
