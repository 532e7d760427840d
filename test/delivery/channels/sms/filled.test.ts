/** What a provider file fills in as another type than text, and how it writes a phone. */
import { expect, it } from 'vitest'
import { checkProviderFile, readProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { compileRequest } from '../../../../src/delivery/channels/sms/request.ts'
import type { MessageValues } from '../../../../src/delivery/channels/sms/template.ts'
import { textOfFault } from '../../../../src/kit/reading/formFaults.ts'

const fileWith = (request: string) => `provider: acme
title: Acme SMS
settings:
  flash: { optional: true, values: ["true", "false"] }
  route: { optional: true, of: digits }
  name: { optional: true }
request:
  url: https://api.acme.example/send
${request.replace(/^/gm, '  ')}
answer:
  rules: [{ when: { status: 2xx }, is: sent }]
`

const message: MessageValues = {
  ...{ to: '+4915123456789', text: 'Ваш код 046813', code: '046813', brand: 'Acme', locale: undefined },
  ...{ expires_at: new Date('2026-11-24T10:10:00Z'), ttl: 600, ttl_ms: 600_000, reference: 'req_01.1' },
  ...{
    report_url: undefined,
    template: undefined,
    segments: 1,
    time: 1_795_515_000,
    variables: { count: '7', name: 'Ada' },
    from: 'Acme',
  },
}

function asked(request: string, { settings = {}, ...values }: Partial<MessageValues> & { settings?: object } = {}) {
  const { file, faults } = readProviderFile(fileWith(request))
  if (!file) throw new Error(faults.map((fault) => textOfFault(fault, 'acme.yaml')).join('\n'))
  const declared = new Set(Object.keys(file.settings))
  return compileRequest(file.request, { declared, settings: { ...settings }, baseUrl: undefined })({
    ...message,
    ...values,
  })
}
const bodyOf = (...of: Parameters<typeof asked>) => JSON.parse(asked(...of)?.body ?? 'null')
const faultsOf = (text: string) => checkProviderFile(text).faults?.map((fault) => textOfFault(fault, 'acme.yaml')) ?? []

it('writes true, false and numbers as JSON has them, by the encoding, the settings and the phone', () => {
  const body = `body:
  unicode: "{{text|encoding:false,true|as:boolean}}"
  coding: "{{text|encoding:0,8|as:number}}"
  plain: "{{code|encoding:false,true|as:boolean}}"
  flash: "{{s.flash|as:boolean}}"
  route: "{{s.route|as:number}}"
  to: "{{to|digits|as:number}}"
  count: "{{variables.count|as:number}}"`
  const both = { unicode: true, coding: 8, plain: false, to: 4_915_123_456_789, count: 7 }
  expect(bodyOf(body)).toEqual(both)
  expect(bodyOf(body, { settings: { flash: ['false'], route: ['12'] } })).toEqual({ ...both, flash: false, route: 12 })
})

it('sends nothing when a value is not of the type that the file wants', () => {
  const body = 'body: { count: "{{variables.count|as:number}}" }'
  for (const count of ['seven', '007', '1e400', 'Infinity', 'NaN', ' 7', '']) {
    expect(asked(body, { variables: { count } }), count).toBe(undefined)
  }
})

it.each([
  ['+4915123456789', { national: '015123456789', significant: '15123456789', code: '49' }],
  ['+14155550100', { national: '4155550100', significant: '4155550100', code: '1' }],
  ['+390612345678', { national: '0612345678', significant: '0612345678', code: '39' }],
  ['+36201234567', { national: '06201234567', significant: '201234567', code: '36' }],
  ['+79123456789', { national: '89123456789', significant: '9123456789', code: '7' }],
  ['+5491123456789', { national: '0111523456789', significant: '91123456789', code: '54' }],
])('writes %s as it is dialed inside the country, without trunk prefix, and its calling code', (to, forms) => {
  const body = 'body: { national: "{{to|national}}", significant: "{{to|significant}}", code: "{{to|calling_code}}" }'
  expect(bodyOf(body, { to })).toEqual(forms)
})

it('writes a number without its trunk prefix as a number, and sends nothing where it begins with 0', () => {
  const body = 'body: { code: "{{to|calling_code|as:number}}", gsm: "{{to|significant|as:number}}" }'
  expect(bodyOf(body, { to: '+905321234567' })).toEqual({ code: 90, gsm: 5_321_234_567 })
  expect(asked(body, { to: '+24106031234' })).toBe(undefined)
})

it('refuses to send a number without its country, unless the file says of which countries it may be', () => {
  const body = fileWith('body: { gsm: "{{ to | significant }}" }')
  expect(faultsOf(body)).toEqual([expect.stringMatching(/^acme\.yaml:7: request: sends a number without its country/)])
  expect(faultsOf(body.replace('request:', 'countries: [TR]\nrequest:'))).toEqual([])
  expect(faultsOf(body.replace('request:', 'countries: [Turkey]\nrequest:'))).toEqual([
    'acme.yaml:7: countries, entry 1: must be a two-letter country code (ISO 3166-1), like DE',
  ])
})

it('sends a list as the whole body, by PUT where the gateway wants that', () => {
  const list = 'method: PUT\nbody: [{ to: "{{to}}", flash: "{{s.flash|as:boolean}}" }]'
  expect(asked(list)).toMatchObject({ method: 'PUT', body: '[{"to":"+4915123456789"}]' })
  expect(asked('body: ["{{s.name}}"]')?.body).toBe('[]')
})

it.each([
  ['text|as:boolean', 'has as:boolean behind what can be no boolean'],
  ['to|as:number', 'has as:number behind what can be no number'],
  ['code|as:number', 'has as:number behind what can be no number'],
  ['to|national|as:number', 'has as:number behind what can be no number'],
  ['text|encoding|as:boolean', 'has as:boolean behind what can be no boolean'],
  ['text|encoding:no,yes|as:boolean', 'has as:boolean behind what can be no boolean'],
  ['text|encoding:00,08|as:number', 'has as:number behind what can be no number'],
  ['s.name|as:boolean', 'has as:boolean behind what can be no boolean'],
  ['s.flash|as:number', 'has as:number behind what can be no number'],
  ['ttl|as:number|upper', 'has a filter behind as: that is the last'],
  ['text|national', 'has national behind another name than to'],
  ['s.name|calling_code', 'has calling_code behind another name than to'],
  ['text|unix', 'has unix behind another name than expires_at, time'],
])('is refused with its line where {{%s}} cannot be: %s', (placeholder, fault) => {
  expect(faultsOf(fileWith(`body:\n  member: "{{${placeholder}}}"`))).toEqual([
    `acme.yaml:10: request.body.member: ${fault}`,
  ])
})

it.each([
  ['as', 'as:boolean or as:number'],
  ['as:text', 'as:boolean or as:number'],
  ['as:boolean,number', 'as:boolean or as:number'],
  ['encoding:gsm', 'encoding, or encoding:text,unicode'],
  ['encoding:0, 8', 'encoding, or encoding:text,unicode'],
  ['national:de', 'national, without words behind it'],
])('is refused with other words than a filter takes: %s', (filter, form) => {
  expect(faultsOf(fileWith(`body: { member: "{{to|${filter}}}" }`))).toEqual([
    `acme.yaml:9: request.body.member: has a filter that is to be written ${form}`,
  ])
})

it('is refused with a type where there is none: in a text, a form, a header', () => {
  const beside = 'has as beside other text: the whole is a text then'
  const elsewhere = 'has as where there are no types: it is for JSON'
  expect(faultsOf(fileWith('body: { a: "x{{ttl|as:number}}" }'))).toEqual([`acme.yaml:9: request.body.a: ${beside}`])
  expect(faultsOf(fileWith('as: form\nbody: { a: "{{ttl|as:number}}" }'))).toEqual([
    `acme.yaml:10: request.body.a: ${elsewhere}`,
  ])
  expect(faultsOf(fileWith('headers: { X-A: "{{segments|as:number}}" }'))).toEqual([
    `acme.yaml:9: request.headers.X-A: ${elsewhere}`,
  ])
  expect(faultsOf(fileWith('as: query\nbody: [{ a: b }]'))).toEqual([
    'acme.yaml:10: request.body: must be a mapping: the body is sent as query',
  ])
})

it.each(['200-299', '2**', '20*', '600', '2XX', '"ok"', '[200, 201-204]'])(
  'is refused with its line for the status %s, which is no pattern',
  (status) => {
    const text = fileWith('').replace('status: 2xx', `status: ${status}`)
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^acme\.yaml:11: answer\.rules, entry 1, when\.status: must be a status like 200, /),
    ])
    // A connection that has such a file goes on.
    expect(readProviderFile(text).faults).toBe(undefined)
  },
)

it.each(['2xx', '200', '[200, 4xx, "503"]', '"*"'])('takes the status %s', (status) => {
  expect(faultsOf(fileWith('').replace('status: 2xx', `status: ${status}`))).toEqual([])
})
