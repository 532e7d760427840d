/** The language of provider files: what a message fills in, what an answer decides, what a report tells. */
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it } from 'vitest'
import { compileAnswer, toOutcome } from '../../../../src/delivery/channels/sms/answer.ts'
import { checkProviderFile, readProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { compileReport } from '../../../../src/delivery/channels/sms/report.ts'
import { compileRequest } from '../../../../src/delivery/channels/sms/request.ts'
import type { MessageValues } from '../../../../src/delivery/channels/sms/template.ts'
import { UnreadableReport } from '../../../../src/delivery/report.ts'
import { textOfFault } from '../../../../src/kit/reading/formFaults.ts'
import { acme } from './acme.ts'

const fileOf = (text: string) => {
  const { file, faults } = readProviderFile(text)
  if (!file) throw new Error(faults.map((fault) => textOfFault(fault, 'acme.yaml')).join('\n'))
  return file
}

const message: MessageValues = {
  to: '+14155552671',
  text: 'Ваш код 046813 & mehr',
  code: '046813',
  brand: 'Acme',
  locale: undefined,
  expires_at: new Date('2026-11-24T10:10:00.500Z'),
  ttl: 600,
  ttl_ms: 600_000,
  reference: 'req_01.1',
  report_url: 'https://codes.example/providers/acct_a/sms/token?ref=req_01.1',
  template: undefined,
  segments: 1,
  time: 1_795_515_000,
  variables: { name: 'Ada' },
  from: 'Acme',
}

/** What is asked for that message. */
function asked(request: string, settings: Record<string, string[]> = {}, baseUrl?: string) {
  const text = acme.replace(/request:\n[\s\S]*?\nanswer:/, () => `request:\n${request}\nanswer:`)
  const file = fileOf(text)
  const declared = new Set(Object.keys(file.settings))
  return compileRequest(file.request, { declared, settings: { api_key: ['k&y'], ...settings }, baseUrl })(message)
}

const body = (yaml: string, settings?: Record<string, string[]>) =>
  JSON.parse(asked(`  url: https://a.example/\n  body: ${yaml}`, settings)?.body ?? '')

describe('a request', () => {
  it('keeps the type of a value that is a placeholder alone, and makes text of all others', () => {
    expect(
      body(
        '{ a: "{{ttl}}", b: "{{ttl}} s", c: "{{segments}}", d: 7, e: true, f: "{{expires_at|unix}}", g: "{{ttl|minutes}}" }',
      ),
    ).toEqual({
      ...{ a: 600, b: '600 s', c: 1, d: 7, e: true, f: 1_795_515_000, g: 10 },
    })
  })

  it.each([
    ['to|digits', '14155552671'],
    ['to|significant', '4155552671'],
    ['to|calling_code', '1'],
    ['text|encoding', 'ucs2'],
    ['code|encoding', 'gsm7'],
    ['text|encoding:text,unicode', 'unicode'],
    ['expires_at|iso', '2026-11-24T10:10:00.500Z'],
    ['expires_at|iso:seconds', '2026-11-24T10:10:00Z'],
    ['brand|upper', 'ACME'],
    ['brand|hex', '41636d65'],
    ['brand | base64', 'QWNtZQ=='],
    ['brand|upper|json', '"ACME"'],
    ['variables.name', 'Ada'],
    ['reference', 'req_01.1'],
  ])('fills in {{%s}}', (placeholder, value) => {
    expect(body(`{ a: "{{${placeholder}}}" }`)).toEqual({ a: value })
  })

  it('has a text in one of two members, by the encoding that it needs', () => {
    const members =
      'a: "{{text|gsm7}}", b: "{{text|ucs2}}", c: "{{code|gsm7}}", d: "{{code|ucs2}}", e: "to {{text|gsm7}}"'
    const ucs2 = '0412043004480020043a043e04340020003000340036003800310033002000260020006d006500680072'
    expect(body(`{ ${members} }`)).toEqual({ b: ucs2, c: '046813' })
  })

  it('takes away what is not set, and what became empty with it', () => {
    const yaml =
      '{ a: { b: { c: "{{s.profile}}" } }, d: ["{{s.profile}}"], e: "x-{{s.profile}}", f: "{{variables.none}}", g: {}, h: "{{to}}" }'
    expect(body(yaml)).toEqual({ g: {}, h: message.to })
    expect(body(yaml, { profile: ['p'] })).toEqual({ a: { b: { c: 'p' } }, d: ['p'], e: 'x-p', g: {}, h: message.to })
  })

  it('never lets a value name a member or a placeholder', () => {
    const quoted = { profile: ['"}, {{to}} {"x": "'] }
    expect(body('{ a: "{{s.profile}}", b: "<{{s.profile}}>" }', quoted)).toEqual({
      a: quoted.profile[0],
      b: `<${quoted.profile[0]}>`,
    })
  })

  it('encodes values by their place: a URL, a query, a form', () => {
    const settings = { from: ['../a?b=c#d'] }
    expect(asked('  url: "https://a.example/{{s.api_key}}/{{to}}?x={{text}}"', settings)?.url).toBe(
      `https://a.example/k%26y/%2B14155552671?x=${encodeURIComponent(message.text)}`,
    )
    const query = asked(
      '  method: GET\n  url: https://a.example/send?v=1\n  as: query\n  body: { to: "{{to}}", text: "{{text}}" }',
    )
    expect(Object.fromEntries(new URL(query?.url ?? '').searchParams)).toEqual({
      v: '1',
      to: message.to,
      text: message.text,
    })
    expect(query?.body).toBe(undefined)
    const form = asked('  url: https://a.example/\n  as: form\n  body: { To: "{{to}}", Body: "{{text}}", Tag: [a, b] }')
    expect(form?.headers).toMatchObject({ 'Content-Type': 'application/x-www-form-urlencoded' })
    expect([...new URLSearchParams(form?.body)]).toEqual([
      ['To', message.to],
      ['Body', message.text],
      ['Tag', 'a'],
      ['Tag', 'b'],
    ])
  })

  it('has a user and a password in one header', () => {
    const { headers } = asked('  url: https://a.example/\n  auth: { basic: ["me", "{{s.api_key}}"] }') ?? {}
    expect(headers).toEqual({ Authorization: `Basic ${Buffer.from('me:k&y').toString('base64')}` })
  })

  it('is not made when a value would begin another header', () => {
    expect(asked('  url: https://a.example/\n  headers: { X-A: "{{s.profile}}" }', { profile: ['a\r\nX-B: b'] })).toBe(
      undefined,
    )
    expect(asked('  url: https://a.example/\n  headers: { X-A: "{{s.profile}}" }')?.headers).toEqual({})
  })

  it('goes to another place by base_url, with the path of the file', () => {
    expect(asked('  url: "https://a.example/v1/{{s.from}}?x=1"', {}, 'http://127.0.0.1:9/relay')?.url).toBe(
      'http://127.0.0.1:9/relay/v1/Acme?x=1',
    )
  })
})

describe('an answer', () => {
  const judge = compileAnswer(fileOf(acme).answer)
  const answered = (status: number, body: unknown, more: object = {}) =>
    judge({ status, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), ...more })

  it.each([
    ['taken', 200, { data: { id: 'a-1' } }, { kind: 'sent', id: 'a-1' }],
    ['taken, without an id', 200, { data: {} }, { kind: 'unknown' }],
    [
      'refused by a code that is a number',
      400,
      { errors: [{ code: 40300 }] },
      { kind: 'failed', code: 'opted_out', error: '40300' },
    ],
    [
      'refused by a prefix',
      400,
      { errors: [{ code: 'NO_SMS_HERE' }] },
      { kind: 'failed', code: 'not_on_channel', error: 'NO_SMS_HERE' },
    ],
    ['refused by a class of statuses', 418, {}, { kind: 'failed', code: 'rejected_by_channel' }],
    ['a status of a list', 402, {}, { kind: 'down' }],
    ['HTML', 502, '<html>', { kind: 'unknown' }],
    ['nothing', 200, '', { kind: 'unknown' }],
    ['what JavaScript has and the provider did not write', 200, { data: [] }, { kind: 'unknown' }],
  ])('%s is judged by the first rule that matches', (_what, status, body, judged) => {
    expect(answered(status, body)).toEqual(judged)
  })

  it('tells when to ask again, and the price', () => {
    expect(answered(429, '', { retryAfterSeconds: 7 })).toEqual({ kind: 'retry', retryAfterSeconds: 7 })
    expect(answered(200, { data: { id: 'a', cost: 0.0045 } })).toMatchObject({
      price: { amount: '0.0045', currency: 'EUR' },
    })
    expect(answered(200, { data: { id: 'a', cost: 'much' } })).toEqual({ kind: 'sent', id: 'a' })
  })

  it('is read as text where it is one', () => {
    const judgeText = compileAnswer({
      ...fileOf(acme).answer,
      as: 'text',
      rules: [{ when: { text: ['0:*', '3:*'] }, is: 'sent' }],
    })
    expect(judgeText({ status: 202, body: Buffer.from('0: Accepted for delivery\n') }).kind).toBe('sent')
    expect(judgeText({ status: 202, body: Buffer.from('1: Temporal failure') }).kind).toBe('unknown')
  })

  it('shows a word of the provider, and no sentence, no phone and nothing that is hidden', () => {
    const shown = (code: unknown) => {
      const body = Buffer.from(JSON.stringify({ errors: [{ code }] }))
      return toOutcome({ kind: 'answered', status: 400, body, truncated: false }, judge, [
        '046813',
        '14155552671',
        'k&y',
      ])
    }
    expect(shown('E_12')).toMatchObject({ providerCode: 'E_12', reason: 'the provider refuses the message (E_12)' })
    for (const hidden of ['a sentence', '+14155552671', 'x046813', 'k&y', '0123456789', 'é', 'x'.repeat(101)]) {
      expect(shown(hidden)).toMatchObject({
        providerCode: '400',
        reason: 'the provider refuses the message (status 400)',
      })
    }
  })
})

describe('a report', () => {
  const told = (changes: object, body: unknown, query = '') => {
    const read = compileReport({ ...fileOf(acme).report!, ...changes })
    const { told } = read(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), query)
    return [...told].filter((one) => one !== undefined)
  }

  it('tells of a message, and of nothing by a status that the file does not name', () => {
    const data = { id: 'a', reference: 'req_01.1', at: '2026-11-24T10:00:00Z', code: 40001 }
    expect(told({}, { data: { ...data, status: 'delivered' } })).toEqual([
      { id: 'a', reference: 'req_01.1', at: data.at, status: 'delivered' },
    ])
    expect(told({}, { data: { ...data, status: 'failed' } })).toMatchObject([
      { code: 'not_on_channel', error: '40001' },
    ])
    expect(told({}, { data: { ...data, status: 'failed', code: 1 } })).toMatchObject([{ code: 'not_delivered' }])
    for (const status of ['queued', 'constructor', '__proto__', undefined])
      expect(told({}, { data: { ...data, status } })).toEqual([])
  })

  it('tells of each message in a list, and in a list of each of those', () => {
    const one = (id: string) => ({ data: { id, status: 'sent' } })
    const ids = (list: { id?: string }[]) => list.map(({ id }) => id)
    expect(ids(told({ each: '/results' }, { results: [one('a'), one('b')] }))).toEqual(['a', 'b'])
    expect(ids(told({}, [one('a'), one('b')]))).toEqual(['a', 'b'])
    const nested = {
      results: [
        { request: 'r1', report: [{ state: 'sent' }, { state: 'sent' }] },
        { request: 'r2', report: [{ state: 'sent' }] },
      ],
    }
    const changes = { each: '/results', inner: '/report', id: '/outer/request', status: '/state' }
    expect(ids(told(changes, nested))).toEqual(['r1', 'r1', 'r2'])
    expect(told({ each: '/results' }, { event: 'other' })).toEqual([])
  })

  it('is read from a form or JSON in its place, from a query, and from JSON that is text in one', () => {
    const flat = { id: '/MessageSid', status: '/MessageStatus', reference: null }
    const form = 'MessageSid=SM1&MessageStatus=delivered&MessageSid=SM2'
    expect(told({ ...flat, as: 'form' }, form)).toEqual([{ id: 'SM1', status: 'delivered' }])
    expect(told({ ...flat, as: 'query' }, '', form)).toEqual([{ id: 'SM1', status: 'delivered' }])
    expect(told({ ...flat, as: 'form' }, { MessageSid: 'SM1', MessageStatus: 'delivered' })).toEqual([
      { id: 'SM1', status: 'delivered' },
    ])
    expect(() => told({ ...flat, as: 'form' }, '{"MessageSid":')).toThrow(UnreadableReport)
    const embedded = new URLSearchParams({ data: '[{"requestId":"r","report":[{"status":"sent"}]}]' }).toString()
    const changes = { as: 'form', embedded: '/data', inner: '/report', id: '/outer/requestId', status: '/status' }
    expect(told(changes, embedded)).toEqual([{ id: 'r', status: 'sent' }])
  })
})

describe('the examples of a file', () => {
  it('are run, and each that gives something else is named with its line', () => {
    expect(checkProviderFile(acme).faults).toBe(undefined)
    const text = acme.replace('is: { kind: sent, id: 40385f64,', 'is: { kind: down, id: 40385f65,')
    const faults = checkProviderFile(text).faults?.map((fault) => textOfFault(fault, 'acme.yaml'))
    expect(faults).toEqual([
      'acme.yaml:42: examples, entry 1, is: kind is sent, not down',
      'acme.yaml:42: examples, entry 1, is: id is 40385f64, not 40385f65',
    ])
  })
})

describe('what a file costs', () => {
  const phones = getCountries().map((country) => `+${getCountryCallingCode(country)}${examples[country]}`)

  it.each([
    ['as most are', acme],
    [
      'with national numbers of every country',
      acme.replace('to: "{{to}}"', 'to: ["{{to|national}}", "{{to|significant}}", "{{to|calling_code}}"]'),
    ],
  ])('is under 30 microseconds for a message, its request and its answer: %s', (_what, text) => {
    const file = fileOf(text)
    const request = compileRequest(file.request, {
      declared: new Set(Object.keys(file.settings)),
      settings: { api_key: ['key'] },
      baseUrl: undefined,
    })
    const judge = compileAnswer(file.answer)
    const messages = phones.map((to) => ({ ...message, to }))
    const body = Buffer.from(JSON.stringify({ data: { id: 'a-1', cost: '0.0045' } }))
    const rounds = (count: number) => {
      const before = process.threadCpuUsage()
      for (let round = 0; round < count; round++) {
        request(messages[round % messages.length]!)
        judge({ status: 200, body })
      }
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / count
    }
    rounds(5000)
    // Of the processor's time, and the best of some: what else runs takes the caches too.
    expect(Math.min(...Array.from({ length: 5 }, () => rounds(2000)))).toBeLessThan(30)
  })
})
