/** Requests that a provider file signs, as gateways of operators ask for it. */
import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { checkProviderFile, readProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { compileRequest } from '../../../../src/delivery/channels/sms/request.ts'
import type { MessageValues } from '../../../../src/delivery/channels/sms/template.ts'
import { textOfFault } from '../../../../src/kit/reading/formFaults.ts'

const fileWith = (request: string) => `provider: acme
title: Acme SMS
settings:
  secret: { secret: true }
  salt: { optional: true }
request:
  url: https://api.acme.example/send
${request.replace(/^/gm, '  ')}
answer:
  rules: [{ when: { status: 2xx }, is: sent }]
`

const message: MessageValues = {
  ...{ to: '+4915123456789', text: 'Ваш код 046813', code: '046813', brand: 'Acme', locale: undefined },
  ...{ expires_at: undefined, ttl: 600, ttl_ms: 600_000, reference: 'req_01.1', time: 1_795_515_000 },
  ...{ report_url: undefined, template: undefined, segments: 1, variables: {}, from: 'Acme' },
}
const secret = 'key & more'

function asked(request: string) {
  const { file, faults } = readProviderFile(fileWith(request))
  if (!file) throw new Error(faults.map((fault) => textOfFault(fault, 'acme.yaml')).join('\n'))
  const parts = { declared: new Set(Object.keys(file.settings)), settings: { secret: [secret] }, baseUrl: undefined }
  return compileRequest(file.request, parts)(message)
}
const faultsOf = (request: string) =>
  checkProviderFile(fileWith(request)).faults?.map((fault) => textOfFault(fault, 'acme.yaml')) ?? []

it.each(['hex', 'base64'] as const)('signs what the file says, keyed, into a header, in %s', (encode) => {
  const over = `${message.to}:${message.time}:${message.text}`
  const request = `headers: { X-Time: "{{time}}", X-Day: "{{time|iso}}", X-Second: "{{time|iso:seconds}}" }
sign: { scheme: hmac-sha256, over: "{{to}}:{{time}}:{{text}}", key: "{{s.secret}}", encode: ${encode}, into: X-Signature }`
  expect(asked(request)?.headers).toEqual({
    'X-Time': '1795515000',
    'X-Day': '2026-11-24T10:10:00.000Z',
    'X-Second': '2026-11-24T10:10:00Z',
    'X-Signature': createHmac('sha256', secret).update(over).digest(encode),
  })
})

it.each(['sha256', 'sha1', 'md5'] as const)('has a plain %s of number and secret as a member of the body', (scheme) => {
  const request = `as: form
body: { to: "{{to|digits}}", sig: "{{signature|upper}}" }
sign: { scheme: ${scheme}, over: "{{to|digits}}{{s.secret}}" }`
  const signature = createHash(scheme).update(`4915123456789${secret}`).digest('hex').toUpperCase()
  expect(Object.fromEntries(new URLSearchParams(asked(request)?.body))).toEqual({ to: '4915123456789', sig: signature })
})

it.each([
  ['json', '{"text":"Ваш код 046813"}'],
  ['xml', '<?xml version="1.0" encoding="UTF-8"?><text>Ваш код 046813</text>'],
])('signs the body byte for byte as it is sent: %s', (as, sent) => {
  const request = `as: ${as}
headers: { Authorization: "HMAC {{signature}}" }
body: { text: "{{text}}" }
sign: { scheme: hmac-sha256, over: "{{time}}.{{body}}", key: "{{s.secret}}" }`
  const { headers, body } = asked(request) ?? {}
  expect(body).toBe(sent)
  expect(headers?.Authorization).toBe(
    `HMAC ${createHmac('sha256', secret).update(`${message.time}.${sent}`).digest('hex')}`,
  )
})

it('sends nothing when a part of what is signed is missing', () => {
  expect(asked('sign: { scheme: md5, over: "{{to}}{{s.salt}}", into: X-Sig }')).toBe(undefined)
})

it.each([
  ['scheme: crc32, over: "{{to}}", into: X-S', 'request.sign.scheme: must be hmac-sha256, sha256, sha1 or md5'],
  ['scheme: md5, over: "{{to}}", encode: base32, into: X-S', 'request.sign.encode: must be hex or base64'],
  ['scheme: hmac-sha256, over: "{{to}}", into: X-S', 'request.sign.key: is missing'],
  [
    'scheme: md5, over: "{{to}}", key: "{{s.secret}}", into: X-S',
    'request.sign.key: is for hmac-sha256: write the secret in over',
  ],
  ['scheme: md5, over: "{{to}}"', 'request.sign: must be sent: name a header with into, or write {{signature}}'],
  [
    'scheme: md5, over: "{{to}}", into: Host',
    'request.sign.into: must be left out: the client sets this header itself',
  ],
  ['scheme: md5, over: "{{to}}", into: "X S"', 'request.sign.into: must be the name of a header'],
  [
    'scheme: md5, over: "{{signature}}", into: X-S',
    'request.sign.over: has signature where there is none: say sign, and let it not sign itself',
  ],
  [
    'scheme: md5, over: "{{body}}", into: X-S',
    'request.sign.over: has body where there is none: it is for what is signed, where the request has a body',
  ],
  [
    'scheme: hmac-sha256, over: "{{to}}", key: "{{code}}", into: X-S',
    'request.sign.key: must have no placeholders but those of settings: there is no message',
  ],
])('is refused with its line: sign: { %s }', (sign, fault) => {
  expect(faultsOf(`sign: { ${sign} }`)).toEqual([`acme.yaml:8: ${fault}`])
})

it('is refused with a signature that nothing makes, and with a body that holds its own', () => {
  const fault = 'has signature where there is none: say sign, and let it not sign itself'
  expect(faultsOf('body: { sig: "{{signature}}" }')).toEqual([`acme.yaml:8: request.body.sig: ${fault}`])
  const own = 'body: { sig: "{{signature}}" }\nsign: { scheme: md5, over: "{{body}}", into: X-S }'
  expect(faultsOf(own)).toEqual([`acme.yaml:8: request.body.sig: ${fault}`])
  expect(faultsOf('body: { a: "{{body}}" }')).toEqual([
    expect.stringMatching(/^acme\.yaml:8: request\.body\.a: has body /),
  ])
})
