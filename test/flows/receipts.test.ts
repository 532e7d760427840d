/** Receipts, as those read them who have nothing but the address of the service. */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, ErrorData } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const issuer = 'https://otp.acme.example'
const receipt = { audience: 'shop', nonce: 'n-0S6' }

let server: TestServer
let silent: TestServer
beforeAll(async () => {
  server = await startServer({ config: { publicUrl: issuer } })
  silent = await startServer()
})
afterAll(async () => {
  await silent.close()
  await server.close()
})

interface CheckedData extends ErrorData {
  timestamp: string
  verified: boolean
  request_id?: string
  receipt?: string
  receipt_unavailable?: string
}
const check = (body: object, { client = server.test, key = '' } = {}) =>
  client.post<CheckedData>('/v1/verify/check', body, key === '' ? {} : { 'Idempotency-Key': key })
const checkByPhone = (body: object, client: Client = server.test) =>
  client.post<CheckedData>('/v1/verify/check-by-phone', body)

/** A receipt of test mode: its codes are known. */
async function newReceipt(phone = newPhone(), wish: object = receipt): Promise<{ id: string; text: string }> {
  const id = await server.test.send(phone)
  const { data } = await check({ request_id: id, code: '000000', receipt: wish })
  return { id, text: data.receipt as string }
}

const keysAt = (path: string) => createRemoteJWKSet(new URL(`${server.directUrl}/.well-known/${path}`))
/** Holds a receipt to all that a reader should, by the service's clock. */
const read = (text: string, { path = 'jwks-test.json', ...changes }: JWTVerifyOptions & { path?: string } = {}) =>
  jwtVerify(text, keysAt(path), {
    ...{ issuer, audience: 'shop', typ: 'watchword-receipt+jwt', algorithms: ['EdDSA'] },
    currentDate: server.runtime.now(),
    ...changes,
  })

describe('a right code', () => {
  it('brings a receipt that a reader verifies by the public keys alone', async () => {
    const phone = newPhone()
    const { id, text } = await newReceipt(phone)
    const { payload, protectedHeader } = await read(text)
    const iat = Math.floor(server.runtime.now().getTime() / 1000)
    expect(payload).toEqual({
      ...{ iss: issuer, aud: 'shop', iat, exp: iat + 600, jti: id, nonce: 'n-0S6', mode: 'test' },
      ...{ phone_number: phone, phone_number_verified: true, account: 'acct_default', channel: 'sandbox' },
    })
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'watchword-receipt+jwt', kid: expect.any(String) })
  })

  it('that is checked by its phone brings one too, without a nonce where none was given', async () => {
    const phone = newPhone()
    const id = await server.test.send(phone)
    const { data } = await checkByPhone({ phone, code: '000000', receipt: { audience: 'shop' } })
    const { payload } = await read(data.receipt as string)
    expect(payload).toMatchObject({ jti: id, phone_number: phone })
    expect(payload).not.toHaveProperty('nonce')
  })

  it('of a live key brings one that is not marked, and that the live list verifies', async () => {
    const phone = newPhone()
    const id = await server.live.send(phone)
    await server.work()
    const code = (await server.phone(phone))[0]!.text.slice(-6)
    const { data } = await check({ request_id: id, code, receipt }, { client: server.live })
    const { payload } = await read(data.receipt as string, { path: 'jwks.json' })
    expect(payload).toMatchObject({ phone_number: phone, channel: 'sandbox' })
    expect(payload).not.toHaveProperty('mode')
  })

  it('of another account brings one that names that account, so that a reader can refuse it', async () => {
    const { id: account } = await server.app.accounts.create('another')
    const stranger = server.as(await server.key({ account: 'another' }))
    const phone = newPhone()
    await stranger.send(phone)
    const { data } = await checkByPhone({ phone, code: '000000', receipt }, stranger)
    expect((await read(data.receipt as string)).payload).toMatchObject({ phone_number: phone, account })
  })

  it('that is checked by its phone names the number that it was checked by, of two that the phone has', async () => {
    const phone = '+541136540001'
    await server.test.send(phone)
    const { data } = await checkByPhone({ phone, code: '000000', receipt })
    expect((await read(data.receipt as string)).payload).toMatchObject({ phone_number: phone })
  })

  it('brings none when nobody asks for it, and a wrong code never does', async () => {
    const id = await server.test.send(newPhone())
    expect((await check({ request_id: id, code: '111111', receipt })).data).not.toHaveProperty('receipt')
    expect((await check({ request_id: id, code: '000000' })).data).not.toHaveProperty('receipt')
    expect((await check({ request_id: id, code: '000000', receipt })).data).not.toHaveProperty('receipt')
  })

  it('of which many are checked at once brings each its own receipt', async () => {
    const phones = Array.from({ length: 20 }, () => newPhone())
    const receipts = await Promise.all(phones.map(async (phone) => newReceipt(phone)))
    for (const [index, { id, text }] of receipts.entries()) {
      expect((await read(text)).payload).toMatchObject({ jti: id, phone_number: phones[index] })
    }
  })
})

describe('a right code that its caller made', () => {
  const ownCode = async (mode: 'live' | 'test') => {
    const client = server.as(await server.key({ mode, scopes: ['verify:write', 'verify:custom_code'] }))
    const [phone, code] = [newPhone(), '40718293']
    const { data } = await client.post<{ request_id: string }>('/v1/verify/send', { phone, code })
    return { client, phone, code, request_id: data.request_id }
  }

  it.each(['live', 'test'] as const)('brings no receipt, and the answer says why, in %s mode', async (mode) => {
    const byId = await ownCode(mode)
    const { request_id, code } = byId
    expect((await check({ request_id, code, receipt }, byId)).data).toEqual({
      ...{ result: 'verified', verified: true, timestamp: expect.any(String) },
      receipt_unavailable: 'custom_code',
    })
    const byPhone = await ownCode(mode)
    const { data } = await checkByPhone({ phone: byPhone.phone, code, receipt }, byPhone.client)
    expect(data).toMatchObject({ verified: true, receipt_unavailable: 'custom_code' })
    expect(data).not.toHaveProperty('receipt')
  })

  it('brings none for the zeros that verify it in test mode', async () => {
    const { client, request_id } = await ownCode('test')
    const { data } = await check({ request_id, code: '0000', receipt }, { client })
    expect(data).toMatchObject({ verified: true, receipt_unavailable: 'custom_code' })
    expect(data).not.toHaveProperty('receipt')
  })

  it('is answered without a reason when nobody asked for a receipt, and so is a wrong one', async () => {
    const { client, request_id, code } = await ownCode('test')
    const wrong = await check({ request_id, code: '11111111', receipt }, { client })
    const right = await check({ request_id, code }, { client })
    for (const { data } of [wrong, right]) expect(data).not.toHaveProperty('receipt_unavailable')
  })

  it('brings none beside others that are checked at once and bring theirs', async () => {
    const own = await Promise.all(Array.from({ length: 10 }, () => ownCode('test')))
    const made = await Promise.all(Array.from({ length: 10 }, async () => server.test.send(newPhone())))
    const [none, brought] = await Promise.all([
      Promise.all(own.map(({ request_id, code }) => check({ request_id, code, receipt }))),
      Promise.all(made.map((request_id) => check({ request_id, code: '000000', receipt }))),
    ])
    expect(none.map(({ data }) => [data.receipt, data.receipt_unavailable])).toEqual(
      Array(10).fill([undefined, 'custom_code']),
    )
    for (const [index, { data }] of brought.entries()) {
      expect((await read(data.receipt as string)).payload).toMatchObject({ jti: made[index] })
    }
  })

  it('is answered the same with the same Idempotency-Key', async () => {
    const { client, request_id, code } = await ownCode('test')
    const [first, again] = [
      await check({ request_id, code, receipt }, { client, key: 'own-1' }),
      await check({ request_id, code, receipt }, { client, key: 'own-1' }),
    ]
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toBe(first.text)
  })
})

describe('a reader refuses', () => {
  it('a receipt with any one byte changed', async () => {
    const { text } = await newReceipt()
    const list = createLocalJWKSet(
      (await (await fetch(`${server.directUrl}/.well-known/jwks-test.json`)).json()) as never,
    )
    const meaning = (jws: string) => JSON.stringify([decodeProtectedHeader(jws), decodeJwt(jws)])
    const options = { issuer, audience: 'shop', currentDate: server.runtime.now() }
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
      // The last letter of a part has bits that mean nothing.
      const verified = await jwtVerify(changed, list, options).catch(() => undefined)
      if (verified) expect(meaning(changed), `byte ${at}`).toBe(meaning(text))
    }
  })

  it.each([
    ['of another issuer', { issuer: 'https://otp.other.example' }],
    ['for another audience', { audience: 'bank' }],
    ['that is over', { currentDate: new Date('2036-01-01') }],
    ['of a test key, in place of a live one', { path: 'jwks.json' }],
  ])('a receipt %s', async (_which, changes) => {
    const { text } = await newReceipt()
    await expect(read(text, changes)).rejects.toThrow()
  })

  it('one that nobody signed, or another key', async () => {
    const { text } = await newReceipt()
    const [, body] = text.split('.') as [string, string, string]
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    await expect(read(`${encode({ alg: 'none' })}.${body}.`)).rejects.toThrow()
    const [x] = (
      (await (await fetch(`${server.directUrl}/.well-known/jwks-test.json`)).json()) as { keys: { x: string }[] }
    ).keys
    // The public half is no secret: who signs with it as an HMAC proves nothing.
    const kid = decodeProtectedHeader(text).kid as string
    const forged = await new SignJWT(decodeJwt(text))
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(Buffer.from(x!.x, 'base64url'))
    await expect(read(forged)).rejects.toThrow()
  })
})

describe('a receipt', () => {
  it('comes again byte for byte with the same Idempotency-Key, also when another key signs by then', async () => {
    const body = { request_id: await server.test.send(newPhone()), code: '000000', receipt }
    const first = await check(body, { key: 'receipt-1' })
    await server.advance(3600)
    await server.app.receiptKeys.rotate()
    await server.advance(3600)
    const again = await check(body, { key: 'receipt-1' })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toBe(first.text)
    expect(decodeProtectedHeader((await newReceipt()).text).kid).not.toBe(
      decodeProtectedHeader(first.data.receipt as string).kid,
    )
    await read(first.data.receipt as string, { currentDate: new Date(first.data.timestamp) })
  })
})

describe('a service without a public address', () => {
  it('answers 400, says why, and counts no attempt', async () => {
    const client = silent.test
    const id = await client.send(newPhone())
    for (let attempt = 0; attempt < 6; attempt++) {
      const { status, data } = await check({ request_id: id, code: '000000', receipt }, { client })
      expect([status, data.details]).toEqual([400, [expect.objectContaining({ field: '/receipt' })]])
    }
    expect((await check({ request_id: id, code: '000000' }, { client })).data.verified).toBe(true)
  })
})

describe('what is asked for on a receipt', () => {
  it.each([
    ['no audience', { nonce: 'n' }],
    ['an empty one', { audience: '' }],
    ['a line break', { audience: 'shop\nbank' }],
    ['a NUL', { audience: 'shop\0' }],
    ['201 characters', { audience: 'a'.repeat(201) }],
    ['a nonce that is a number', { audience: 'shop', nonce: 1 }],
    ['a claim that is not its own to make', { audience: 'shop', phone_number: '+14155550100' }],
  ])('is refused with %s', async (_what, wish) => {
    const id = await server.test.send(newPhone())
    expect((await check({ request_id: id, code: '000000', receipt: wish })).status).toBe(400)
    expect((await check({ request_id: id, code: '000000' })).data.verified).toBe(true)
  })
})
