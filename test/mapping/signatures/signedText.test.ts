/** Signatures that a provider file describes: where they are, and what they are over. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createVerifier, signatureForm } from '../../../src/mapping/signatures/signature.ts'
import { target, token } from './vectors.ts'

const [key, body, seconds] = ['a-secret-of-acme', '{"id":"1","text":"Grüße"}', '1795551939']
const standard = {
  scheme: 'hmac',
  header: 'X-Acme-Signature',
  hash: 'sha256',
  encoding: 'hex',
  over: '{body}',
  key: '{{s.secret}}',
}

function takes(settings: object, headers: Record<string, string>, content: string | Buffer = body): boolean {
  const signature = signatureForm.parse({ ...standard, ...settings })
  const now = () => new Date(Number(seconds) * 1000)
  const verify = createVerifier({ signature, keys: [key], token, publicUrl: 'https://sms.example.com', now })
  return verify({ method: 'POST', target, headers, body: Buffer.from(content) })
}
const made = (text: string | Buffer, hash = 'sha256') => createHmac(hash, key).update(text)

describe('a signature that a provider file describes', () => {
  it.each(['sha1', 'sha256', 'sha512'])('is taken with %s, in digits of either case or in base64', (hash) => {
    const hex = made(body, hash).digest('hex')
    for (const text of [hex, hex.toUpperCase()]) expect(takes({ hash }, { 'x-acme-signature': text })).toBe(true)
    const base64 = made(body, hash).digest('base64')
    expect(takes({ hash, encoding: 'base64' }, { 'x-acme-signature': base64 })).toBe(true)
    expect(takes({ hash, encoding: 'base64' }, { 'x-acme-signature': base64.toLowerCase() })).toBe(false)
    expect(takes({ hash, encoding: 'base64' }, { 'x-acme-signature': hex })).toBe(false)
  })

  it('is taken behind its prefix alone', () => {
    const hex = made(body).digest('hex')
    expect(takes({ prefix: 'sha256=' }, { 'x-acme-signature': `sha256=${hex}` })).toBe(true)
    for (const text of [hex, `sha1=${hex}`, `SHA256=${hex}`, `sha256=sha256=${hex}`]) {
      expect(takes({ prefix: 'sha256=' }, { 'x-acme-signature': text }), text).toBe(false)
    }
  })

  it('is taken by its name from a header that has its time too, and several signatures', () => {
    const settings = { member: 'v1', over: '{member:t}.{body}', timestamp: 't' }
    const good = made(`${seconds}.${body}`).digest('hex')
    const other = made('another').digest('hex')
    for (const text of [`t=${seconds},v1=${good}`, `v1=${other}, t=${seconds}, V1=${good.toUpperCase()}`])
      expect(takes(settings, { 'x-acme-signature': text }), text).toBe(true)
    const late = Number(seconds) - 301
    for (const text of [
      good,
      `v1=${good}`,
      `t=${seconds},v0=${good}`,
      `t=${seconds},v1=${other}`,
      `t=${Number(seconds) + 1},v1=${good}`,
      `t=${late},v1=${made(`${late}.${body}`).digest('hex')}`,
      `t=,v1=${made(`.${body}`).digest('hex')}`,
    ])
      expect(takes(settings, { 'x-acme-signature': text }), text).toBe(false)
  })

  it.each([
    { over: '{member:t}.{body}' },
    { member: 'v1', timestamp: 't' },
    { member: 'v1', timestamp: 't', over: '{header:t}.{body}' },
  ])('cannot be described with a time that nobody signs: %j', (settings) => {
    expect(signatureForm.safeParse({ ...standard, ...settings }).success).toBe(false)
  })

  it('is over the bytes as they came, also those that are no text', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0xfe, 0x7d])
    expect(takes({}, { 'x-acme-signature': made(bytes).digest('hex') }, bytes)).toBe(true)
    expect(takes({}, { 'x-acme-signature': made(bytes.toString()).digest('hex') }, bytes)).toBe(false)
  })

  it('is over what its template says, with headers of any case in it, several times too', () => {
    const over = '{header:X-Acme-Time}\n{body}|{header:x-acme-nonce}|{header:x-acme-nonce}'
    const headers = { 'x-acme-time': seconds, 'x-acme-nonce': 'n1' }
    const signature = made(`${seconds}\n${body}|n1|n1`).digest('hex')
    expect(takes({ over, timestamp: 'X-Acme-Time' }, { ...headers, 'x-acme-signature': signature })).toBe(true)
    const { 'x-acme-nonce': _, ...without } = headers
    const empty = made(`${seconds}\n${body}||`).digest('hex')
    expect(takes({ over, timestamp: 'X-Acme-Time' }, { ...without, 'x-acme-signature': empty })).toBe(false)
  })

  it('is over the address as the world has it, with and without its port', () => {
    for (const address of ['https://sms.example.com', 'https://sms.example.com:443']) {
      const signature = made(`${address}${target}|${body}`).digest('hex')
      expect(takes({ over: '{url}|{body}' }, { 'x-acme-signature': signature }), address).toBe(true)
    }
    const other = made(`https://other.example.com${target}|${body}`).digest('hex')
    expect(takes({ over: '{url}|{body}' }, { 'x-acme-signature': other })).toBe(false)
  })

  it.each([
    '',
    ' 1795551939',
    '1795551939 ',
    '+1795551939',
    '1795551939.0',
    '1.795551939e9',
    '0x6b05eb43',
    'now',
    '-1',
    '1795551939123',
  ])('is refused at the time %j', (time) => {
    const over = '{header:x-acme-time}.{body}'
    const headers = { 'x-acme-time': time, 'x-acme-signature': made(`${time}.${body}`).digest('hex') }
    expect(takes({ over, timestamp: 'x-acme-time' }, headers)).toBe(false)
    expect(takes({ over }, headers)).toBe(true)
  })
})

describe('the description of a signature', () => {
  it.each([
    ['no body in what is signed', { over: '{header:x-acme-time}' }],
    ['a placeholder that nobody knows', { over: '{body}{path}' }],
    ['a brace that is not closed', { over: '{body}{' }],
    ['a name that is no header', { over: '{body}{header:}' }],
    ['a name that is no header', { header: 'X Acme' }],
    ['a time that is not signed', { timestamp: 'x-acme-time' }],
    ['a time that is signed by another name', { timestamp: 'x-acme-time', over: '{header:x-acme-times}{body}' }],
    ['a hash that nobody knows', { hash: 'crc32' }],
    ['a tolerance of no time', { tolerance: 0 }],
    ['a tolerance of days', { tolerance: 86_400 }],
    ['a scheme that nobody knows', { scheme: 'rsa' }],
    ['a member that nobody knows', { algorithm: 'sha256' }],
  ])('is refused with %s', (_, settings) => {
    expect(signatureForm.safeParse({ ...standard, ...settings }).success).toBe(false)
  })

  it('of a public key needs a time', () => {
    const settings = { scheme: 'ed25519', header: 'x-sig', over: '{body}', key: '{{s.public_key}}' }
    expect(signatureForm.safeParse(settings).success).toBe(false)
    expect(signatureForm.safeParse({ ...settings, timestamp: 'x-time', over: '{header:x-time}{body}' }).success).toBe(
      true,
    )
  })
})
