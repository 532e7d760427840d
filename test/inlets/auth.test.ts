/** How who posts to an inlet proves himself. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createProof, faultOfInletSecret } from '../../src/inlets/auth.ts'
import { readKind } from '../../src/inlets/kindFile.ts'
import type { KindFile } from '../../src/inlets/kindSchema.ts'

const now = new Date('2026-11-24T15:00:00Z')
const seconds = now.getTime() / 1000
const [body, other] = ['{"phone":"+14155550100","code":"123456"}', '{"phone":"+14155550100","code":"123457"}']
const [one, two] = ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'C2FVsBQIhrscChlQIMV+b5sSYspob7oDQ8Yb4Xh+']
const secret = `v1,whsec_${one}`

function kindWith(auth: object): KindFile {
  const kind = { kind: 'acme', title: 'Acme', auth, take: { phone: '/phone', code: '/code' } }
  return readKind(JSON.stringify(kind)).file!
}

function takes(auth: object, secrets: string[], headers: Record<string, string>, content = body): boolean {
  const verify = createProof(kindWith(auth), { secrets, publicUrl: undefined, now: () => now })
  return verify({ method: 'POST', target: '/inlets/acct_default/acme', headers, body: Buffer.from(content) })
}

/** As gotrue does, from the secrets that it has: https://github.com/supabase/auth, `internal/hooks/hookshttp`. */
function signed(keys: string[], at = seconds, id = 'b2ac7c1a'): Record<string, string> {
  const sign = (key: string) =>
    `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${at}.${body}`).digest('base64')}`
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': keys.map(sign).join(', ') }
}

describe('standard-webhooks', () => {
  const auth = { scheme: 'standard-webhooks' }

  it('takes a signature as Supabase makes it, with one secret or with several', () => {
    expect(takes(auth, [secret], signed([one]))).toBe(true)
    expect(takes(auth, [secret], signed([two, one]))).toBe(true)
    expect(takes(auth, [secret], signed([one, two]))).toBe(true)
    expect(takes(auth, [`v1,whsec_${two}`, secret], signed([one]))).toBe(true)
    expect(takes(auth, [`v1,whsec_${two}|${secret}`], signed([one]))).toBe(true)
    expect(takes(auth, [`whsec_${one}`], signed([one]))).toBe(true)
  })

  it('refuses another secret, another body, another time and what is not whole', () => {
    expect(takes(auth, [secret], signed([two]))).toBe(false)
    expect(takes(auth, [secret], signed([one]), other)).toBe(false)
    for (const at of [seconds - 301, seconds + 301]) expect(takes(auth, [secret], signed([one], at))).toBe(false)
    for (const at of [seconds - 300, seconds + 300]) expect(takes(auth, [secret], signed([one], at))).toBe(true)
    expect(takes(auth, [secret], { ...signed([one]), 'webhook-timestamp': String(seconds - 1) })).toBe(false)
    expect(takes(auth, [secret], { ...signed([one]), 'webhook-id': 'another' })).toBe(false)
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _left, ...rest } = signed([one])
      expect(takes(auth, [secret], rest)).toBe(false)
    }
    for (const text of ['', 'v1,', 'v1,,', ', ', 'v2,abc', '%', 'v1,abc, v1,abc'])
      expect(takes(auth, [secret], { ...signed([one]), 'webhook-signature': text }), text).toBe(false)
  })
})

describe('bearer and basic', () => {
  const both = [{ scheme: 'bearer' }, { scheme: 'basic' }]
  const password = 'acme:a-long-password'
  const basic = `Basic ${Buffer.from(password).toString('base64')}`

  it('take the secret as it is, or the one that is being replaced', () => {
    for (const authorization of [basic, `bearer ${password}`, `Bearer  ${password} `, basic.replace('Basic', 'BASIC')])
      expect(takes(both, ['another-secret-of-acme', password], { authorization }), authorization).toBe(true)
    const own = { scheme: 'bearer', header: 'X-Api-Key', prefix: '' }
    expect(takes(own, [password], { 'x-api-key': password })).toBe(true)
    expect(takes(own, [password], { authorization: `Bearer ${password}` })).toBe(false)
  })

  it.each([undefined, '', 'Bearer', 'Bearer ', `${password}`, `Bearer ${password}x`, `Bearer ${password.slice(1)}`])(
    'refuse anything else: %s',
    (authorization) => {
      expect(takes(both, [password], authorization === undefined ? {} : { authorization })).toBe(false)
    },
  )
})

it('hmac takes a signature over what the file says', () => {
  const auth = { scheme: 'hmac', header: 'Acme-Signature', member: 'v1', over: '{member:t}.{body}', timestamp: 't' }
  const made = createHmac('sha256', 'a-secret-of-acme').update(`${seconds}.${body}`).digest('hex')
  expect(takes(auth, ['a-secret-of-acme'], { 'acme-signature': `t=${seconds},v1=${made}` })).toBe(true)
  expect(takes(auth, ['a-secret-of-acme'], { 'acme-signature': `t=${seconds},v1=${made}` }, other)).toBe(false)
  expect(takes(auth, ['a-secret-of-acm3'], { 'acme-signature': `t=${seconds},v1=${made}` })).toBe(false)
})

describe('a secret', () => {
  it.each([
    ['standard-webhooks', 'v1,whsec_YWJj', 'must hold 24 to 64 bytes'],
    ['standard-webhooks', one, 'must begin with whsec_'],
    ['standard-webhooks', `${secret}|v1,whsec_YWJj`, 'must hold 24 to 64 bytes'],
    ['standard-webhooks', Array(5).fill(secret).join('|'), 'must have at most 4 keys'],
    ['standard-webhooks', `${secret}${'|'.repeat(1000)}`, 'must have at most 1000 characters'],
    ['bearer', 'short', 'must have 16 to 500 characters'],
    ['bearer', 'sixteen characters and ü', 'must be visible ASCII characters'],
    ['basic', 'sixteen-characters', 'must be user:password'],
  ])('of %s is refused without being quoted: %s', (scheme, text, fault) => {
    expect(faultOfInletSecret(kindWith({ scheme }), text)).toBe(fault)
  })

  it('is good where any of the schemes takes it', () => {
    expect(faultOfInletSecret(kindWith([{ scheme: 'basic' }, { scheme: 'bearer' }]), 'sixteen-characters')).toBe(
      undefined,
    )
    for (const joined of [`${secret}|whsec_${two}`, Array(4).fill(secret).join('|')])
      expect(faultOfInletSecret(kindWith({ scheme: 'standard-webhooks' }), joined)).toBe(undefined)
  })
})
