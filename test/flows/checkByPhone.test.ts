import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, ErrorData } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const path = '/v1/verify/check-by-phone'
const byPhone = async (phone: string, code: string, client: Client = server.test) =>
  (await client.post(path, { phone, code })).data
const none = { code: 'verification_not_found', message: 'No code is pending for this phone.' }

describe('a code that is checked by its phone', () => {
  it('verifies once, and the answer has the request_id of its send', async () => {
    const phone = newPhone()
    const request_id = await server.test.send(phone)
    const timestamp = server.moment()
    expect(await byPhone(phone, '000000')).toEqual({ request_id, result: 'verified', verified: true, timestamp })
    expect(await byPhone(phone, '000000')).toMatchObject(none)
    expect(await server.test.check(request_id, '000000')).toMatchObject({ reason: 'already_verified' })
  })

  it('has the attempts of a check by request_id: each counts for the other', async () => {
    const phone = newPhone()
    const request_id = await server.test.send(phone)
    for (const left of [4, 2]) {
      const wrong = { request_id, verified: false, reason: 'incorrect_code', attempts_remaining: left }
      expect(await byPhone(phone, '111111')).toMatchObject(wrong)
      expect(await server.test.check(request_id, '111111')).toMatchObject({ attempts_remaining: left - 1 })
    }
    expect(await byPhone(phone, '111111')).toMatchObject({ reason: 'attempts_exhausted', attempts_remaining: 0 })
    expect(await byPhone(phone, '000000')).toMatchObject(none)
    expect(await server.test.check(request_id, '000000')).toMatchObject({ reason: 'attempts_exhausted' })
  })

  it('is the newest one: an older one is not pending any more', async () => {
    const phone = newPhone()
    await server.live.send(phone)
    await server.work()
    const [older] = await codesOf(phone)
    await server.advance(60)
    const request_id = await server.live.send(phone)
    await server.work()
    const newer = (await codesOf(phone)).at(-1)!
    if (older !== newer) {
      expect(await byPhone(phone, older!, server.live)).toMatchObject({ request_id, reason: 'incorrect_code' })
    }
    expect(await byPhone(phone, newer, server.live)).toMatchObject({ request_id, verified: true })
  })

  it('is found under both numbers of a phone that has two', async () => {
    const request_id = await server.test.send('+541123456789')
    expect(await byPhone('+5491123456789', '000000')).toMatchObject({ request_id, verified: true })
  })

  it('is refused for an hour after ten wrong ones, as by request_id', async () => {
    const phone = newPhone()
    for (let sent = 0; sent < 2; sent++) {
      const request_id = await server.live.send(phone)
      for (let tried = 0; tried < 2; tried++) await server.live.check(request_id, '0000')
      for (let tried = 0; tried < 3; tried++) await byPhone(phone, '0000', server.live)
      await server.advance(60)
    }
    const wait = { code: 'check_limit_reached', retry_after: 3480 }
    expect(await byPhone(phone, '0000', server.live)).toMatchObject(wait)
    await server.live.send(phone)
    expect(await byPhone(phone, '0000', server.live)).toMatchObject(wait)
  })

  it('is answered the same under the same Idempotency-Key, and counted once', async () => {
    const phone = newPhone()
    await server.test.send(phone)
    const once = (code: string) =>
      server.test.post<ErrorData>(path, { phone, code }, { 'Idempotency-Key': `by-phone-${phone.slice(1)}` })
    const first = await once('111111')
    const again = await once('111111')
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await once('000000')).toMatchObject({ status: 409, data: { code: 'idempotency_key_reused' } })
    expect(await byPhone(phone, '111111')).toMatchObject({ attempts_remaining: 3 })
  })

  async function codesOf(phone: string): Promise<string[]> {
    return (await server.phone(phone)).map(({ text }) => text.match(/\d+$/)![0])
  }
})

describe('no code is pending', () => {
  it('for a phone that nobody sent to, that only got a notification, or of the other mode', async () => {
    const notified = newPhone()
    const welcome = { phone: notified, template: 'welcome', variables: { name: 'Ada' } }
    await server.test.post('/v1/notifications/send', welcome)
    const live = newPhone()
    await server.live.send(live)
    for (const phone of [newPhone(), notified, live, '+10000000000']) {
      expect(await server.test.post(path, { phone, code: '000000' })).toMatchObject({ status: 404, data: none })
    }
  })

  it('for a phone that another account sent to', async () => {
    const phone = newPhone()
    await server.test.send(phone)
    const { name: account } = await server.app.accounts.create('somebody else')
    const theirs = server.as(await server.key({ account }))
    expect(await byPhone(phone, '000000', theirs)).toMatchObject(none)
    expect(await byPhone(phone, '000000')).toMatchObject({ verified: true })
  })

  it('once its time is over, or it was cancelled', async () => {
    const [late, cancelled] = [newPhone(), newPhone()]
    await server.test.send(late)
    await server.advance(599)
    const request_id = await server.test.send(cancelled)
    await server.test.post('/v1/verify/cancel', { request_id })
    expect(await byPhone(cancelled, '000000')).toMatchObject(none)
    await server.advance(1)
    expect(await byPhone(late, '000000')).toMatchObject(none)
  })
})

it.each([
  ['no phone', { code: '000000' }, '/phone'],
  ['no code', { phone: '+14155550100' }, '/code'],
  ['a phone with spaces', { phone: '+1 415 555 0100', code: '000000' }, '/phone'],
  ['a phone as a number', { phone: 14155550100, code: '000000' }, '/phone'],
  ['a phone that ends with a newline', { phone: '+14155550100\n', code: '000000' }, '/phone'],
  ['a list of phones', { phone: ['+14155550100'], code: '000000' }, '/phone'],
  ['a phone with U+0000', { phone: '+14155550100\u0000', code: '000000' }, '/phone'],
  ['Arabic digits', { phone: '+14155550100', code: '٠٠٠٠٠٠' }, '/code'],
  ['a code that ends with a newline', { phone: '+14155550100', code: '000000\n' }, '/code'],
  ['11 digits', { phone: '+14155550100', code: '0'.repeat(11) }, '/code'],
  ['3 digits', { phone: '+14155550100', code: '000' }, '/code'],
  ['a code as a number', { phone: '+14155550100', code: 123456 }, '/code'],
  ['a request_id besides', { phone: '+14155550100', code: '000000', request_id: 'req_1' }, '/request_id'],
])('a check by phone with %s is refused, and names the field', async (_what, body, field) => {
  const { status, data } = await server.test.post<ErrorData>(path, body)
  expect({ status, code: data.code }).toEqual({ status: 400, code: 'invalid_request' })
  expect(data.details?.map((detail) => detail.field)).toEqual([field])
})

it('a check by phone needs the scope verify:write', async () => {
  const reader = server.as(await server.key({ scopes: ['messages:read'] }))
  const { status, data } = await reader.post<ErrorData>(path, { phone: newPhone(), code: '000000' })
  expect(status).toBe(403)
  expect(data).toMatchObject({ code: 'insufficient_scope', message: expect.stringContaining('verify:write') })
})
