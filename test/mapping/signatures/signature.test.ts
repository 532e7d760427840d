/** What every signature scheme of providers' reports holds to. */
import { describe, expect, it } from 'vitest'
import { createVerifier, faultOfKey, type SignedRequest } from '../../../src/mapping/signatures/signature.ts'
import { target, token, type Vector, vectors, verifierOf } from './vectors.ts'

const otherKeys: Record<string, string> = {
  'standard-webhooks': 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ed25519: 'PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=',
}

describe.each(Object.entries(vectors))('a report signed by %s', (_, vector) => {
  const { report, signs } = vector

  it('is taken as its vendor signed it', () => {
    expect(verifierOf(vector)(report)).toBe(true)
  })

  it('is refused under another key, and where the connection has none', () => {
    const other = otherKeys[vector.signature.scheme] ?? `${vector.key}x`
    expect(verifierOf(vector, { keys: [other] })(report)).toBe(false)
    expect(verifierOf(vector, { keys: [] })(report)).toBe(false)
  })

  it('is taken under either of two keys while one is replaced', () => {
    const other = otherKeys[vector.signature.scheme] ?? `${vector.key}x`
    for (const keys of [
      [vector.key, other],
      [other, vector.key],
    ])
      expect(verifierOf(vector, { keys })(report)).toBe(true)
  })

  it('is refused at an address with another token, or with none', () => {
    for (const other of ['', 'x', `${vector.token}x`, vector.token.slice(1), vector.token.toUpperCase()]) {
      const changed = { ...report, target: report.target.replace(vector.token, other) }
      expect(verifierOf(vector)(changed), other).toBe(false)
    }
  })

  it('is refused when one byte of its body or of its query differs', () => {
    for (const changed of listChanges(report, signs.address)) {
      expect(verifierOf(vector)(changed), `${changed.target} ${changed.body}`).toBe(false)
    }
  })

  it('is refused without its signature, and with one that is not of the form', () => {
    for (const text of junk) expect(verifierOf(vector)(signedWith(vector, text)), JSON.stringify(text)).toBe(false)
  })

  it('is refused when a signature stands beside one that is not the provider’s', () => {
    const other = createOther(vector)
    expect(verifierOf(vector)(signedWith(vector, other))).toBe(false)
  })

  it('is taken within its time, before and after it, and refused beyond', () => {
    const { timeSeconds } = signs
    if (timeSeconds === undefined) return expect(verifierOf(vector, { afterSeconds: 30 })(report)).toBe(true)
    for (const [afterSeconds, good] of [
      [-timeSeconds - 1, false],
      [-timeSeconds, true],
      [timeSeconds, true],
      [timeSeconds + 1, false],
    ] as const) {
      expect(verifierOf(vector, { afterSeconds })(report), String(afterSeconds)).toBe(good)
    }
  })

  it('is refused where its address is signed and nobody knows where the world reaches the API', () => {
    expect(verifierOf(vector, { publicUrl: undefined })(report)).toBe(!signs.address)
    expect(verifierOf(vector, { publicUrl: 'https://other.example.com' })(report)).toBe(!signs.address)
    expect(verifierOf(vector, { publicUrl: vector.publicUrl.replace('https', 'http') })(report)).toBe(!signs.address)
  })
})

describe('a connection whose provider signs nothing', () => {
  const verify = createVerifier({
    signature: { scheme: 'url-token' },
    keys: [],
    publicUrl: undefined,
    token,
    now: () => new Date(),
  })
  const asked = (to: string) => verify({ method: 'GET', target: to, headers: {}, body: Buffer.alloc(0) })

  it('takes what comes to the address with its token', () => {
    expect([asked(target), asked(target.split('?')[0] ?? '')]).toEqual([true, true])
  })

  it.each([
    '/providers/acct_default/sms-eu',
    '/providers/acct_default/sms-eu/',
    `/providers/acct_default/sms-eu/${token}/`,
    `/providers/acct_default/sms-eu/${token}x`,
    `/providers/acct_default/sms-eu/${token.slice(0, -1)}`,
    `/providers/acct_default/sms-eu/${token.toLowerCase()}`,
    `/providers/acct_default/sms-eu/%39${token.slice(1)}`,
    `/providers/acct_default/sms-eu?token=${token}`,
    `/providers/acct_default/sms-eu?x=/${token}`,
    '',
    '*',
  ])('refuses %s', (to) => {
    expect(asked(to)).toBe(false)
  })

  it('is not opened without a token', () => {
    const parts = { keys: [], publicUrl: undefined, now: () => new Date() }
    expect(() => createVerifier({ ...parts, signature: { scheme: 'url-token' }, token: '' })).toThrow(
      'must not be empty',
    )
  })
})

describe('a key of reports', () => {
  it.each([
    ['twilio', '', 'must not be empty'],
    ['twilio', 'x', undefined],
    ['standard-webhooks', 'secret', 'must begin with whsec_'],
    ['ed25519', '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'must be 32 bytes in base64'],
    ['ed25519', 'AAAA', 'must be 32 bytes in base64'],
    ['ed25519', '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', undefined],
  ] as const)('of %s: %j', (scheme, key, fault) => {
    expect(faultOfKey(scheme, key)).toBe(fault)
  })
})

/** Values that a signature cannot have. */
const junk: (string | undefined)[] = [
  undefined,
  '',
  ' ',
  ',',
  '.',
  '..',
  '=',
  'v1,',
  'Bearer ',
  '\u0000',
  'ä'.repeat(44),
  'A'.repeat(43),
  `${'A'.repeat(43)}=`,
  'A'.repeat(8000),
  ','.repeat(8000),
  '.'.repeat(8000),
  '0'.repeat(32),
  '0'.repeat(64),
  '{}',
  '[object Object]',
]

function signedWith({ report, signedIn }: Vector, text: string | undefined): SignedRequest {
  if ('header' in signedIn) {
    const { [signedIn.header]: _, ...rest } = report.headers
    return { ...report, headers: text === undefined ? rest : { ...rest, [signedIn.header]: text } }
  }
  return withParameter(report, signedIn.parameter, text)
}

function withParameter(report: SignedRequest, name: string, text: string | undefined): SignedRequest {
  if (report.headers['content-type']?.includes('json')) {
    const { [name]: _, ...rest } = JSON.parse(report.body.toString())
    return { ...report, body: Buffer.from(JSON.stringify(text === undefined ? rest : { ...rest, [name]: text })) }
  }
  const isQuery = report.body.length === 0
  const [path = '', query = ''] = report.target.split('?')
  const parameters = new URLSearchParams(isQuery ? query : report.body.toString())
  if (text === undefined) parameters.delete(name)
  else parameters.set(name, text)
  return isQuery ? { ...report, target: `${path}?${parameters}` } : { ...report, body: Buffer.from(`${parameters}`) }
}

/** The signature of the vector with its last characters changed: of the right form, and wrong. */
function createOther({ report, signedIn }: Vector): string {
  const flip = (text: string) => text.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) => (last === '1' ? '2' : '1'))
  if ('header' in signedIn) return flip(flip(report.headers[signedIn.header] ?? '').replace(/^(.{12})./, '$1z'))
  const text = report.body.toString() + report.target
  return flip(/sig"?[=:]"?([0-9a-f]+)/.exec(text)?.[1] ?? '')
}

/** The report with one character of what is signed changed, at a few places. */
function listChanges(report: SignedRequest, isAddressSigned: boolean): SignedRequest[] {
  const text = report.body.toString()
  const ofBody = [0, 0.3, 0.6].flatMap((share) => {
    const place = text.slice(Math.floor(text.length * share)).search(/[a-z]/) + Math.floor(text.length * share)
    return text ? [{ ...report, body: Buffer.from(`${text.slice(0, place)}~${text.slice(place + 1)}`) }] : []
  })
  const removed = text ? [{ ...report, body: Buffer.alloc(0) }] : []
  const added = [{ ...report, body: Buffer.from(`${text}&x=1`) }]
  const ofQuery = isAddressSigned || !text ? [{ ...report, target: `${report.target}&x=1` }] : []
  return [...ofBody, ...removed, ...added, ...ofQuery]
}
