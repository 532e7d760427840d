import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

let keys = 0
const newKey = () => ({ 'Idempotency-Key': `key-${++keys}` })
const send = (client: Client, phone: string, headers: Record<string, string>) =>
  client.post('/v1/verify/send', { phone }, headers)

it('gives the first answer again, byte for byte, and sends nothing more', async () => {
  const [phone, key] = [newPhone(), newKey()]
  const first = await send(server.live, phone, key)
  const again = await send(server.live, phone, key)
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(again.text).toBe(first.text)
  await server.work()
  expect(await server.phone(phone)).toHaveLength(1)
})

it('counts a repeated check once', async () => {
  const key = newKey()
  const request_id = await server.test.send(newPhone())
  const check = () => server.test.post('/v1/verify/check', { request_id, code: '111111' }, key)
  expect((await check()).data).toMatchObject({ attempts_remaining: 4 })
  expect((await check()).data).toMatchObject({ attempts_remaining: 4 })
  expect(await server.test.check(request_id, '111111')).toMatchObject({ attempts_remaining: 3 })
})

it('refuses the same key with another body', async () => {
  const key = newKey()
  await send(server.test, newPhone(), key)
  expect(await send(server.test, newPhone(), key)).toMatchObject({
    status: 409,
    data: { code: 'idempotency_key_reused' },
  })
})

it('holds in one account, mode and operation only', async () => {
  const [phone, key] = [newPhone(), newKey()]
  await server.app.accounts.create('elsewhere')
  const stranger = server.as(await server.key({ account: 'elsewhere' }))
  const answers = [
    await send(server.test, phone, key),
    await send(server.live, phone, key),
    await send(stranger, phone, key),
    await server.test.post('/v1/notifications/send', { phone, template: 'welcome', variables: { name: 'A' } }, key),
  ]
  expect(answers.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual(
    answers.map(() => [200, null]),
  )
})

it('keeps an error that would come again, and does not keep one that need not', async () => {
  const body = { phone: newPhone(), template: 'none' }
  const kept = newKey()
  const first = await server.test.post('/v1/notifications/send', body, kept)
  const again = await server.test.post('/v1/notifications/send', body, kept)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.text).toBe(first.text)

  const [phone, limited] = [newPhone(), newKey()]
  await server.live.send(phone)
  expect((await send(server.live, phone, limited)).status).toBe(429)
  await server.advance(60)
  const sent = await send(server.live, phone, limited)
  expect([sent.status, sent.headers.get('idempotent-replayed')]).toEqual([200, null])
})

it('forgets after 24 hours', async () => {
  const [phone, key] = [newPhone(), newKey()]
  const first = await send(server.test, phone, key)
  await server.advance(24 * 3600 - 1)
  expect((await send(server.test, phone, key)).text).toBe(first.text)
  await server.advance(1)
  const fresh = await send(server.test, phone, key)
  expect(fresh.headers.get('idempotent-replayed')).toBe(null)
  expect(fresh.text).not.toBe(first.text)
})
