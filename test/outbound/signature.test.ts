/** Signatures, held against the reference of Standard Webhooks. */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newSecret, parseSecret, signatureOf, verifySignature } from '../../src/outbound/signature.ts'

const [secret, next, strange] = [newSecret(), newSecret(), newSecret()]
const id = 'req_01JD/1'
const body = '{"text":"Grüße","code":"482913"}'
/** The reference has no clock but the machine's. */
const now = new Date()
const timestamp = Math.floor(now.getTime() / 1000)

const headersOf = (signature: string, at = timestamp) => ({
  'webhook-id': id,
  'webhook-timestamp': String(at),
  'webhook-signature': signature,
})
const signed = (secrets: string[], at = timestamp) => headersOf(signatureOf({ id, timestamp: at, body }, secrets), at)
const after = (seconds: number) => new Date((timestamp + seconds) * 1000)

describe('a signature of ours', () => {
  it('is one to the reference, of text and of bytes', () => {
    for (const form of [body, Buffer.from(body)]) {
      const signature = signatureOf({ id, timestamp, body: form }, [secret])
      expect(signature).toBe(new Webhook(secret).sign(id, now, body))
      expect(new Webhook(secret).verify(body, headersOf(signature))).toEqual(JSON.parse(body))
    }
  })

  it('is made with each secret while one is rotated, and either is enough for the reference', () => {
    const headers = signed([next, secret])
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
    for (const one of [secret, next]) expect(new Webhook(one).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(strange).verify(body, headers)).toThrow()
  })

  it('is the one that is published for its secret, id and time', () => {
    const published = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const given = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' }
    expect(signatureOf(given, [published])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })
})

describe('a signature of others', () => {
  it('is taken when the reference made it, under any of our secrets', () => {
    const headers = headersOf(new Webhook(secret).sign(id, now, body))
    expect(verifySignature(headers, Buffer.from(body), [secret], now)).toBe(true)
    expect(verifySignature(headers, body, [next, secret], now)).toBe(true)
    expect(verifySignature(headers, body, [next, strange], now)).toBe(false)
    expect(verifySignature(headers, body, [], now)).toBe(false)
  })

  it('is taken among others, and among versions that we do not know', () => {
    const [, good] = new Webhook(secret).sign(id, now, body).split(',')
    const other = new Webhook(strange).sign(id, now, body)
    for (const list of [`${other} v1,${good}`, `v1,${good} ${other}`, `v1a,${good} v1,${good}`]) {
      expect(verifySignature(headersOf(list), body, [secret], now), list).toBe(true)
    }
    for (const list of [`v1a,${good}`, `v2,${good}`, other, `V1,${good}`]) {
      expect(verifySignature(headersOf(list), body, [secret], now), list).toBe(false)
    }
  })

  it('is refused when a byte was changed, in the body or in a header', () => {
    const headers = signed([secret])
    for (let at = 0; at < Buffer.byteLength(body); at++) {
      const changed = Buffer.from(body)
      changed[at]! ^= 1
      expect(verifySignature(headers, changed, [secret], now), `byte ${at}`).toBe(false)
    }
    for (const [name, value] of Object.entries(headers)) {
      for (let at = 0; at < value.length; at++) {
        const other = String.fromCharCode(value.charCodeAt(at) ^ 1)
        const changed = value.slice(0, at) + other + value.slice(at + 1)
        expect(verifySignature({ ...headers, [name]: changed }, body, [secret], now), `${name} ${at}`).toBe(false)
      }
    }
  })

  it('is refused when it is more than 300 seconds old or ahead', () => {
    const headers = signed([secret])
    const verdicts = [-301, -300, 300, 301].map((seconds) => verifySignature(headers, body, [secret], after(seconds)))
    expect(verdicts).toEqual([false, true, true, false])
  })

  it.each([
    ['webhook-id', ['']],
    ['webhook-timestamp', ['', '-1', '1e9', '0x1', ' 1', `${timestamp}.0`, `0${timestamp}`, '9'.repeat(400), 'now']],
    ['webhook-signature', ['', ' ', ',', 'v1', 'v1,', 'v1,=', `v1,${'A'.repeat(43)}`, 'x'.repeat(1_000_000)]],
  ])('is refused, and nothing thrown, when %s is not as it should be', (name, values) => {
    const headers = signed([secret])
    expect(verifySignature({ ...headers, [name]: undefined }, body, [secret], now)).toBe(false)
    const given = headers[name as keyof typeof headers]
    const bent = [`${given}, ${given}`, `${given} `, ` ${given}`, `${given}\0`, given.slice(0, -1), given + given]
    for (const value of [...values, ...bent]) {
      expect(verifySignature({ ...headers, [name]: value }, body, [secret], now), value.slice(0, 99)).toBe(false)
    }
  })
})

describe('a secret', () => {
  it('is 32 random bytes behind whsec_', () => {
    expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(new Set(Array.from({ length: 100 }, newSecret)).size).toBe(100)
    expect(parseSecret(secret)).toMatchObject({ key: { length: 32 } })
  })

  it.each([
    ['', 'must begin with whsec_'],
    [secret.slice(6), 'must begin with whsec_'],
    [secret.toUpperCase(), 'must begin with whsec_'],
    ['whsec_', 'must hold 24 to 64 bytes'],
    [`whsec_${randomBytes(23).toString('base64')}`, 'must hold 24 to 64 bytes'],
    [`whsec_${randomBytes(65).toString('base64')}`, 'must hold 24 to 64 bytes'],
    [`${secret} `, 'must be base64 after whsec_'],
    [`${secret}\n`, 'must be base64 after whsec_'],
    [`whsec_${'-_'.repeat(16)}`, 'must be base64 after whsec_'],
    ['whsec_not a secret, but a sentence about one', 'must be base64 after whsec_'],
  ])('is not taken when it is %j, and its fault says why', (text, fault) => {
    expect(parseSecret(text)).toEqual({ fault })
    expect(() => signatureOf({ id, timestamp, body }, [text])).toThrow(`a webhook secret ${fault}`)
  })

  it.each([24, 32, 64])('of %i bytes is taken', (count) => {
    const bytes = randomBytes(count)
    expect(parseSecret(`whsec_${bytes.toString('base64')}`)).toEqual({ key: bytes })
  })
})
