/** Tokens for an address, as httpSMS makes them with golang-jwt: HS256 over `aud`, `exp`, `iat`, `iss`, `nbf` and `sub`. */
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { createVerifier, signatureForm } from '../../../src/mapping/signatures/signature.ts'
import { token } from './vectors.ts'

const key = 'a-signing-key-of-the-webhook'
const now = new Date('2026-11-28T21:10:06.000Z')
const seconds = now.getTime() / 1000
const publicUrl = 'https://sms.example.com'
const target = `/providers/acct_default/drawer/${token}`
const claims = {
  ...{ aud: publicUrl + target, exp: seconds + 600, iat: seconds, iss: 'api.httpsms.com', nbf: seconds - 600 },
  sub: 'WB7DRDWrJZRGbYrv2CKGkqbzvqdC',
}

const verify = createVerifier({
  signature: signatureForm.parse({
    ...{ scheme: 'jwt', key: '{{s.signing_key}}', header: 'authorization', prefix: 'Bearer ' },
    issuer: 'api.httpsms.com',
  }),
  ...{ token, keys: [key], publicUrl, now: () => now },
})

function takes(payload: object, { head = { alg: 'HS256', typ: 'JWT' }, by = key, at = target } = {}): boolean {
  const text = [head, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signed = `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`
  const report = { method: 'POST', target: at, body: Buffer.from('{"type":"message.phone.delivered"}') }
  return verify({ ...report, headers: { authorization: `Bearer ${signed}` } })
}

it('a token for the address of the reports is taken while it lasts', () => {
  expect(takes(claims)).toBe(true)
  expect(takes({ ...claims, exp: seconds - 200 })).toBe(true)
})

it.each<[string, object, Parameters<typeof takes>[1]?]>([
  ['under another key', claims, { by: 'another-key' }],
  ['with another algorithm', claims, { head: { alg: 'none', typ: 'JWT' } }],
  ['for another address', { ...claims, aud: `${publicUrl}/providers/acct_default/other/${token}` }],
  ['for no address', { ...claims, aud: undefined }],
  ['by another issuer', { ...claims, iss: 'api.example.com' }],
  ['that has ended', { ...claims, exp: seconds - 301 }],
  ['that never ends', { ...claims, exp: undefined, iat: undefined }],
  ['that has not begun', { ...claims, nbf: seconds + 301 }],
  ['that comes to another address', claims, { at: `/providers/acct_default/other/${token}` }],
])('a token %s is refused', (_what, payload, more) => {
  expect(takes(payload, more)).toBe(false)
})

it('a report without a token is refused', () => {
  expect(verify({ method: 'POST', target, headers: {}, body: Buffer.from('{}') })).toBe(false)
})
