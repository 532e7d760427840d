/** Keys of callers while the version before, which keeps them in the clear, may run beside this one. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let database: TestDatabase
const started: TestServer[] = []
beforeEach(async () => {
  database = await createDatabase()
})
afterEach(async () => {
  for (let server = started.pop(); server; server = started.pop()) await server.close()
  await database.drop()
})

async function start(options: Parameters<typeof startServer>[0] = { on: database }): Promise<TestServer> {
  const server = await startServer(options)
  started.push(server)
  return server
}

/** As if the version before had served: it has sent, and noted no secret. */
async function upgraded(): Promise<TestServer> {
  const before = await start()
  await before.test.send(newPhone())
  await started.pop()!.close()
  await database.sql`delete from keyring`
  return start()
}

const send = (server: TestServer, phone: string, key: string) =>
  server.live.post('/v1/verify/send', { phone }, { 'Idempotency-Key': key })
const keys = async () => (await database.sql`select key from idempotency order by created_at`).map(({ key }) => key)
const isHashed = expect.stringMatching(/^hmac [\w-]{43}$/)

it('a new database never holds a key in the clear', async () => {
  await send(await start(), newPhone(), 'order-1')
  expect(await keys()).toEqual([isHashed])
})

it('for a day after an upgrade a key is kept as the version before finds it, and then as an HMAC', async () => {
  const server = await upgraded()
  await send(server, newPhone(), 'order-1')
  expect(await keys()).toEqual(['order-1'])
  await server.advance(24 * 3600)
  await send(server, newPhone(), 'order-2')
  expect(await keys()).toEqual(['order-1', isHashed])
})

it('work that was done once is done once, whichever form its key was kept in', async () => {
  const server = await upgraded()
  const later = await start({ beside: server })
  await server.advance(24 * 3600 - 5)
  const phone = newPhone()
  const first = await send(server, phone, 'order-1')
  await server.advance(10)
  const repeats = await Promise.all(
    Array.from({ length: 40 }, (_, index) => send(index % 2 ? server : later, phone, 'order-1')),
  )
  expect(repeats.filter(({ status }) => status === 200).map(({ text }) => text)).toContain(first.text)
  const texts = new Set(repeats.flatMap(({ status, text }) => (status === 200 ? text : [])))
  expect([...texts]).toEqual([first.text])
  expect(await send(later, newPhone(), 'order-1')).toMatchObject({ data: { code: 'idempotency_key_reused' } })
  const [{ n } = { n: 0 }] = await database.sql<
    { n: number }[]
  >`select count(*)::int as n from message where phone = ${phone}`
  expect(n).toBe(1)
})

it('forgetting a phone erases answers kept in the clear under a key that names it, and no others', async () => {
  const server = await upgraded()
  const phone = newPhone()
  const dashed = phone.slice(2).replace(/(\d{3})(\d{3})/, '$1-$2-')
  for (const key of [`a ${phone}`, `b${phone.slice(1)}`, `c${dashed}`].map((text) => text.replace(' ', '')))
    await send(server, newPhone(), key)
  await send(server, phone, 'order-1')
  await server.app.forget(phone)
  expect(await keys()).toEqual(['order-1'])
})
