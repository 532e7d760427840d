/** Tokens that name the hashes of a report: what is not signed as we say is not read. */
import { createHmac, generateKeyPairSync, hash, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { target, type Vector, vectors, verifierOf } from './vectors.ts'

const vector = vectors['jwt-body, of Vonage Messages'] as Vector
const nowSeconds = Date.parse(vector.at) / 1000
const claims = { iss: 'Vonage', iat: nowSeconds, payload_hash: hash('sha256', vector.report.body) }

const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const hs256 = (text: string, key = vector.key) => createHmac('sha256', key).update(text).digest('base64url')

function signToken(payload: unknown, { head = { alg: 'HS256', typ: 'JWT' } as unknown, signed = hs256 } = {}): string {
  const text = `${encoded(head)}.${encoded(payload)}`
  return `${text}.${signed(text)}`
}

const takes = (token: string, report = vector.report) =>
  verifierOf(vector)({ ...report, headers: { ...report.headers, authorization: `Bearer ${token}` } })

describe('a token of a report', () => {
  it('is taken when it is signed with HS256 under our key', () => {
    expect(takes(signToken(claims))).toBe(true)
    expect(takes(signToken(claims, { head: { alg: 'HS256' } }))).toBe(true)
  })

  it('is refused when it names another algorithm, even if our key signed it', () => {
    for (const alg of [
      'none',
      'None',
      'hs256',
      'HS384',
      'HS512',
      'RS256',
      'ES256',
      'EdDSA',
      '',
      null,
      undefined,
      1,
      ['HS256'],
    ]) {
      expect(takes(signToken(claims, { head: { alg } })), String(alg)).toBe(false)
    }
  })

  it('is refused without a signature, whatever its algorithm', () => {
    for (const alg of ['none', 'HS256']) {
      expect(takes(signToken(claims, { head: { alg }, signed: () => '' })), alg).toBe(false)
      expect(takes(signToken(claims, { head: { alg }, signed: () => '' }).slice(0, -1)), alg).toBe(false)
    }
  })

  it('is refused when a key of the sender signed it with RS256', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signed = (text: string) => sign('sha256', Buffer.from(text), privateKey).toString('base64url')
    expect(takes(signToken(claims, { head: { alg: 'RS256', jwk: {} }, signed }))).toBe(false)
  })

  it('is refused when it demands an extension that we do not know', () => {
    expect(takes(signToken(claims, { head: { alg: 'HS256', crit: ['b64'], b64: false } }))).toBe(false)
  })

  it('is refused when it names another issuer, another body, or no body', () => {
    const { payload_hash, ...rest } = claims
    expect(takes(signToken({ ...claims, iss: 'MessageBird' }))).toBe(false)
    expect(takes(signToken({ ...rest, iat: nowSeconds }))).toBe(false)
    expect(takes(signToken({ ...claims, payload_hash: hash('sha256', 'x') }))).toBe(false)
    expect(takes(signToken({ ...claims, payload_hash: payload_hash.toUpperCase() }))).toBe(true)
  })

  it('is refused for a report in the query when it does not name the address', () => {
    const report = { ...vector.report, body: Buffer.alloc(0) }
    expect(takes(signToken({ ...claims, payload_hash: hash('sha256', '') }), report)).toBe(false)
    const url_hash = hash('sha256', vector.publicUrl + target)
    expect(takes(signToken({ iss: 'Vonage', iat: nowSeconds, url_hash }), report)).toBe(true)
    expect(
      takes(signToken({ iss: 'Vonage', iat: nowSeconds, url_hash }), { ...report, target: `${target}&status=failed` }),
    ).toBe(false)
  })

  it.each([
    [{ iat: undefined }, false],
    [{ iat: '1795551939' }, false],
    [{ iat: nowSeconds - 301 }, false],
    [{ iat: nowSeconds + 301 }, false],
    [{ iat: nowSeconds - 3600, exp: nowSeconds + 60 }, true],
    [{ iat: undefined, exp: nowSeconds - 300 }, true],
    [{ iat: undefined, exp: nowSeconds - 301 }, false],
    [{ iat: undefined, nbf: nowSeconds + 300, exp: nowSeconds + 900 }, true],
    [{ iat: undefined, nbf: nowSeconds + 301, exp: nowSeconds + 900 }, false],
    [{ iat: nowSeconds + 301, exp: nowSeconds + 900 }, false],
    [{ iat: nowSeconds, exp: null }, false],
  ])('with the times %j: %s', (times, good) => {
    expect(takes(signToken({ ...claims, ...times }))).toBe(good)
  })

  it('is refused when its parts are no JSON, or are too long', () => {
    for (const payload of ['{', '', '[]', 'null', '1', '"x"', `{"iat":1e999}`]) {
      expect(takes(signToken(payload)), payload).toBe(false)
      expect(takes(signToken(claims, { head: payload })), payload).toBe(false)
    }
    expect(takes(signToken({ ...claims, more: 'x'.repeat(4000) }))).toBe(false)
  })

  it('is refused with more around it', () => {
    const token = signToken(claims)
    for (const text of [
      `${token}.`,
      `.${token}`,
      `${token}.x`,
      ` ${token}=`,
      `${token} ${token}`,
      `${token}, ${token}`,
    ]) {
      expect(takes(text), text).toBe(false)
    }
  })
})
