/** What the database holds is of no use to who has it and not the secret. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WrittenRule } from '../../../src/domain/protection/rule.ts'
import { listenTo } from '../../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { publicUrl: 'https://otp.acme.example' } })
})
afterAll(() => server.close())

/** Every row of every table, the queue's too; bytes as hex and as the text that they may be. */
async function everything(): Promise<string> {
  const tables = await server.query<{
    schema: string
    name: string
  }>(sql`select table_schema as schema, table_name as name
    from information_schema.tables where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`)
  const rows = []
  for (const { schema, name } of tables) {
    rows.push(...(await server.query<object>(sql`select * from ${sql.identifier(schema)}.${sql.identifier(name)}`)))
  }
  const bytes = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)
  const seen = rows.map((row) => JSON.stringify(Object.entries(row).map(([name, value]) => [name, bytes(value)])))
  return `${seen.join('\n')}\n${JSON.stringify(rows)}`
}

it("no code, variable, text or key is in the database while a message waits; the phone's digits are", async () => {
  const [phone, key] = [newPhone(), await server.key({ mode: 'live' })]
  const client = server.as(key)
  const wanted = { locale: 'de-x-zymurgy', autofill: { domain: 'quokka.example', app_hash: 'Ornithopter' } }
  const id = await client.send(phone, { length: 8, brand_name: 'Aardvark', ...wanted })
  const notice = { phone, template: 'welcome', variables: { name: 'Quetzalcoatl' } }
  expect(await client.post('/v1/notifications/send', notice, { 'Idempotency-Key': 'notice-1' })).toMatchObject({
    status: 200,
  })
  const waiting = await everything()
  expect(waiting).toContain(id)
  await server.work()
  const [{ text } = { text: '' }] = (await server.phone(phone)).filter((message) => message.id === id)
  const code = /^\d{8}/.exec(text)![0]
  expect(await client.check(id, code)).toMatchObject({ verified: true })
  const secrets = [code, key, 'Aardvark', 'Quetzalcoatl', 'zymurgy', 'quokka', 'Ornithopter']
  for (const secret of secrets) expect(waiting.includes(secret)).toBe(false)
})

it('an idempotency key that names a phone is nowhere in the database, and a forgotten phone is gone', async () => {
  const phone = newPhone()
  const digits = phone.slice(1)
  const [sending, checking] = [{ 'Idempotency-Key': `signup:${digits}` }, { 'Idempotency-Key': `check/${phone}` }]
  const sent = await server.live.post<{ request_id: string }>('/v1/verify/send', { phone }, sending)
  await server.live.post('/v1/verify/check', { request_id: sent.data.request_id, code: '123456' }, checking)
  await server.live.post('/v1/notifications/send', { phone, template: 'none' }, sending)
  await server.work()
  expect(await everything()).not.toContain('signup:')
  expect(await everything()).toContain(digits)
  await server.app.forget(phone)
  expect(await everything()).not.toContain(digits)
  // Forgetting a phone does not have its work done again.
  expect((await server.live.post('/v1/verify/send', { phone }, sending)).text).toBe(sent.text)
})

it('a phone to which a rule refused a code is gone when it is forgotten', async () => {
  const [phone, account] = [newPhone(), 'pumped']
  const { id } = await server.app.accounts.create(account)
  const rule: WrittenRule = { id: 'nowhere', by: 'country', allow: ['IS'], do: 'block' }
  await server.app.protections.apply(id, { rules: [rule], fail: 'open', budgets: [] }, 'only Iceland')
  const live = server.as(await server.key({ mode: 'live', account }))
  expect(await live.post('/v1/verify/send', { phone, signals: { user_id: 'eve' } })).toMatchObject({ status: 403 })
  expect(await everything()).toContain(phone.slice(1))
  await server.app.forget(phone)
  expect(await everything()).not.toContain(phone.slice(1))
})

it('a receipt that is kept for a repeat is in no table, no log and no event in the clear', async () => {
  const endpoint = await listenTo(server)
  const asked = {
    request_id: await server.test.send(newPhone()),
    code: '000000',
    receipt: { audience: 'Capybara', nonce: 'Pangolin' },
  }
  const check = async () =>
    server.test.post<{ receipt: string }>('/v1/verify/check', asked, { 'Idempotency-Key': 'r-1' })
  const { data, text } = await check()
  expect((await check()).text).toBe(text)
  await server.work()
  server.runtime.advance(10)
  await server.work()
  expect(endpoint.types()).toContain('verification.verified')
  await endpoint.close()
  const said = [await everything(), ...server.runtime.lines, JSON.stringify(endpoint.events())].join('\n')
  for (const part of [...data.receipt.split('.'), 'Capybara', 'Pangolin']) expect(said.includes(part)).toBe(false)
})
