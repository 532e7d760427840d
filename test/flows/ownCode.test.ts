import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extraScopes, scopes } from '../../src/contract/document.ts'
import type { Client, ErrorData } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let live: Client
let test: Client
beforeAll(async () => {
  server = await startServer()
  const mayOwn = [...scopes, ...extraScopes]
  live = server.as(await server.key({ mode: 'live', scopes: mayOwn }))
  test = server.as(await server.key({ scopes: mayOwn }))
})
afterAll(() => server.close())

const path = '/v1/verify/send'
const byPhone = async (client: Client, phone: string, code: string) =>
  (await client.post('/v1/verify/check-by-phone', { phone, code })).data

describe('a code that the caller made', () => {
  it.each(['0417', '40718293', '4071829365'])('is what the phone gets, and verifies: %s', async (code) => {
    const phone = newPhone()
    const request_id = await live.send(phone, { code, brand_name: 'Acme' })
    await server.work()
    expect((await server.phone(phone)).map(({ text }) => text)).toEqual([`Your Acme code is ${code}`])
    expect(await byPhone(live, phone, code)).toMatchObject({ request_id, verified: true })
  })

  it('is checked by its request_id too', async () => {
    const id = await live.send(newPhone(), { code: '40718293' })
    expect(await live.check(id, '40718294')).toMatchObject({ reason: 'incorrect_code', attempts_remaining: 4 })
    expect(await live.check(id, '40718293')).toMatchObject({ verified: true })
    expect(await live.check(id, '40718293')).toMatchObject({ reason: 'already_verified' })
  })

  it('of 4 or 5 digits allows 3 attempts, as one that is made here', async () => {
    const id = await live.send(newPhone(), { code: '04711' })
    expect(await live.check(id, '04712')).toMatchObject({ attempts_remaining: 2 })
  })

  it('replaces the one that is pending, with the cooldown of any send', async () => {
    const phone = newPhone()
    const first = await live.send(phone, { code: '111222' })
    expect(await live.post(path, { phone, code: '333444' })).toMatchObject({
      status: 429,
      data: { code: 'resend_cooldown' },
    })
    await server.advance(60)
    const second = await live.send(phone, { code: '333444' })
    expect(await live.check(first, '111222')).toMatchObject({ reason: 'superseded' })
    expect(await live.check(second, '111222')).toMatchObject({ reason: 'incorrect_code' })
    expect(await live.check(second, '333444')).toMatchObject({ verified: true })
    await server.advance(60)
    const third = await live.send(phone)
    expect(await live.check(third, '0000')).toMatchObject({ reason: 'incorrect_code', attempts_remaining: 4 })
  })

  it('belongs to what an Idempotency-Key stands for', async () => {
    const phone = newPhone()
    const once = (code: string) => live.post(path, { phone, code }, { 'Idempotency-Key': `own-${phone.slice(1)}` })
    const first = await once('40718293')
    expect((await once('40718293')).text).toBe(first.text)
    expect(await once('40718294')).toMatchObject({ status: 409, data: { code: 'idempotency_key_reused' } })
  })

  it('is in no answer, no log line, no step of its message, and nowhere in the clear', async () => {
    const [phone, code] = [newPhone(), '4071829365']
    const sent = await live.post<{ request_id: string }>(path, { phone, code }, { 'Idempotency-Key': 'own' })
    const id = sent.data.request_id
    const kept = await server.query<object>(sql`select to_jsonb(m) || jsonb_build_object('phone', to_jsonb(p)) ||
      jsonb_build_object('jobs', (select jsonb_agg(data) from pgboss.job)) || jsonb_build_object('kept',
      (select jsonb_agg(to_jsonb(i)) from idempotency i)) as row
      from message m join phone p on p.verification_id = m.id where m.id = ${id}`)
    expect(JSON.stringify(kept)).toContain(id)
    const read = await live.get(`/v1/messages/${id}`)
    for (const text of [sent.text, read.text, JSON.stringify(kept), ...server.runtime.lines]) {
      expect(text).not.toContain(code)
    }
  })
})

describe('with a test key', () => {
  it.each(['40718293', '000000'])('the code that was given verifies, and so does all zeros: %s', async (typed) => {
    const id = await test.send(newPhone(), { code: '40718293' })
    expect(await test.check(id, '111111')).toMatchObject({ reason: 'incorrect_code' })
    expect(await test.check(id, typed)).toMatchObject({ verified: true })
  })

  it('zeros that are fewer or more than were sent stay wrong where the code was made here', async () => {
    const id = await test.send(newPhone(), { length: 6 })
    for (const code of ['0000', '00000000']) {
      expect(await test.check(id, code)).toMatchObject({ reason: 'incorrect_code' })
    }
    expect(await test.check(id, '000000')).toMatchObject({ verified: true })
  })

  it('and with a live key, all zeros is a wrong code', async () => {
    const id = await live.send(newPhone(), { code: '40718293' })
    expect(await live.check(id, '00000000')).toMatchObject({ reason: 'incorrect_code' })
  })
})

describe('a connection that cannot carry a code of that length', () => {
  const telegram = { id: 'tg', kind: 'telegram', access_token: 'a-token-of-nobody' }
  const gateway = { id: 'own', kind: 'http', url: 'http://127.0.0.1:1/send', secret: `whsec_${'A'.repeat(43)}=` }

  async function liveWith(...list: { id: string; kind: string }[]): Promise<Client> {
    const { id, name: account } = await server.app.accounts.create(`own ${newPhone().slice(1)}`)
    await server.app.connections.apply(id, list)
    return server.as(await server.key({ mode: 'live', account, scopes: [...scopes, ...extraScopes] }))
  }
  const routeOf = async (id: string) =>
    (
      await server.query<{ route: string }>(sql`select array_to_string(route, ' ') as route from message
      where id = ${id}`)
    )[0]!.route

  it('is left out of its route: Telegram takes 4 to 8 digits', async () => {
    const client = await liveWith(telegram, gateway)
    expect(await routeOf(await client.send(newPhone(), { code: '40718293' }))).toBe('tg own')
    expect(await routeOf(await client.send(newPhone(), { code: '407182936' }))).toBe('own')
  })

  it('and is the only one, refuses it', async () => {
    const client = await liveWith(telegram)
    const refused = await client.post(path, { phone: newPhone(), code: '4071829365' })
    expect(refused).toMatchObject({ status: 403, data: { code: 'no_channel' } })
  })
})

describe('a code of their own may be sent', () => {
  it.each(['test', 'live'] as const)('by %s keys that have the scope for it, and by no others', async (mode) => {
    const usual = server.as(await server.key({ mode }))
    const { status, data } = await usual.post<ErrorData>(path, { phone: newPhone(), code: '40718293' })
    expect(status).toBe(403)
    expect(data).toMatchObject({
      code: 'insufficient_scope',
      message: expect.stringContaining('verify:custom_code'),
    })
    expect(await usual.post(path, { phone: newPhone() })).toMatchObject({ status: 200 })
  })

  it('not by keys that have that scope alone', async () => {
    const alone = server.as(await server.key({ scopes: [...extraScopes] }))
    const { data } = await alone.post<ErrorData>(path, { phone: newPhone(), code: '40718293' })
    expect(data).toMatchObject({ code: 'insufficient_scope', message: expect.stringContaining('verify:write') })
  })
})

it.each([
  ['3 digits', { code: '123' }, '/code', 'wrong_format'],
  ['11 digits', { code: '12345678901' }, '/code', 'wrong_format'],
  ['Arabic digits', { code: '٤٠٧١٨٢' }, '/code', 'wrong_format'],
  ['a newline at its end', { code: '407182\n' }, '/code', 'wrong_format'],
  ['a space', { code: '407 182' }, '/code', 'wrong_format'],
  ['a letter', { code: '40718O' }, '/code', 'wrong_format'],
  ['no text but a number', { code: 407182 }, '/code', 'wrong_type'],
  ['null', { code: null }, '/code', 'wrong_type'],
  ['a length beside it', { code: '407182', length: 6 }, '/length', 'excluded'],
])('a code of the caller with %s is refused, and the field is named', async (_what, more, field, fault) => {
  const answer = await live.post<ErrorData>(path, { phone: newPhone(), ...more })
  expect(answer).toMatchObject({ status: 400, data: { code: 'invalid_request' } })
  expect(answer.data.details?.map((detail) => [detail.field, detail.code])).toEqual([[field, fault]])
  if (typeof more.code === 'string') expect(answer.text).not.toContain(more.code.trim())
})

it('a code of the caller with U+0000 is refused', async () => {
  const { status, data } = await live.post<ErrorData>(path, { phone: newPhone(), code: '407182\u0000' })
  expect({ status, code: data.code }).toEqual({ status: 400, code: 'invalid_request' })
})
