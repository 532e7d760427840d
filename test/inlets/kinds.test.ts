/** The files of kinds of inlets: those that ship, and what the language refuses. */
import { describe, expect, it } from 'vitest'
import { compileAnswers } from '../../src/inlets/answer.ts'
import { readKind } from '../../src/inlets/kindFile.ts'
import { inletKind, inletKindNames } from '../../src/inlets/shipped.ts'
import { compileTake } from '../../src/inlets/take.ts'

const plain = `
kind: acme
title: Acme
auth: [{ scheme: bearer }, { scheme: basic }]
settings:
  phone: { about: "with the phone", default: phone }
  text: { about: "with the text", default: text }
take: { as: [json, form], phone: "{{s.phone}}", code: /data/code, text: "{{s.text}}", locale: [/lang, /locale], key: /id }
phone: plus
`

const fileOf = (text: string) => {
  const { file, faults } = readKind(text)
  expect(faults).toBeUndefined()
  return file!
}
const faultsOf = (text: string) => readKind(text).faults?.map(({ line, path, fault }) => [line, path.join('.'), fault])
const json = (value: unknown) => ({ headers: {}, body: Buffer.from(JSON.stringify(value)) })

describe('every kind that ships', () => {
  it.each(inletKindNames())('is read, and each of its examples gives what it says: %s', (name) => {
    const file = inletKind(name)!
    expect(file.kind).toBe(name)
    expect(file.examples.filter((example) => 'post' in example).length).toBeGreaterThan(1)
    expect(file.examples.some((example) => 'outcome' in example)).toBe(true)
  })

  it('answers what is to be tried again with a status that says so', () => {
    for (const name of inletKindNames()) {
      const answer = compileAnswers(inletKind(name)!)('service_unavailable')
      expect(answer?.status ?? 503, name).toBeGreaterThanOrEqual(429)
    }
  })
})

describe('a post', () => {
  const take = compileTake(fileOf(plain), { phone: '/to/number', text: 'the/message' })

  it('is read at the places that the file says, and those that the entry of the inlet says', () => {
    expect(take(json({ to: { number: '14155550100' }, data: { code: 123456 }, lang: 'pt_BR', id: 7 }))).toEqual({
      ...{ phone: '+14155550100', code: '123456', locale: 'pt-BR', key: '7' },
    })
    expect(take(json({ to: { number: '+14155550100' }, 'the/message': 'Hi 12' }))).toEqual({
      ...{ phone: '+14155550100', text: 'Hi 12' },
    })
    const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    expect(
      compileTake(fileOf(plain), {})({ headers: form, body: Buffer.from('phone=%2B14155550100&text=Your+code') }),
    ).toEqual({ phone: '+14155550100', text: 'Your code' })
  })

  it.each([
    ['14155550100', '+14155550100'],
    ['0014155550100', '+14155550100'],
    ['00 1 415 555 0100', '+14155550100'],
    ['+14155550100', '+14155550100'],
    ['+0014155550100', '+14155550100'],
    ['(415) 555-0100', '(415) 555-0100'],
  ])('has the plus of its phone put back, also for a 00 in its place: %s', (number, phone) => {
    expect(take(json({ to: { number }, data: { code: '0000' } }))).toEqual({ phone, code: '0000' })
    const asItIs = compileTake(fileOf(plain.replace('phone: plus', '')), { phone: '/to/number' })
    const kept = number.startsWith('14') ? number : phone
    expect(asItIs(json({ to: { number }, data: { code: '0000' } }))).toEqual({ phone: kept, code: '0000' })
  })

  it('takes the text where what is at the place of the code is none', () => {
    for (const code of ['12a456', '123', '12345678901', null, { a: 1 }])
      expect(take(json({ to: { number: '14155550100' }, data: { code }, 'the/message': 'text' }))).toEqual({
        ...{ phone: '+14155550100', text: 'text' },
      })
  })

  it('passes over a language, an address and a user that are none, and takes the code', () => {
    const told = { to: { number: '+1' }, data: { code: '0000' }, lang: 'german, please', id: ['x'] }
    expect(take(json(told))).toEqual({ phone: '+1', code: '0000' })
  })

  it.each([
    ['{', 'JSON'],
    ['null', 'JSON'],
    ['"+14155550100"', 'JSON'],
    [`${'{"to":'.repeat(9000)}1${'}'.repeat(9000)}`, 'phone (/to/number)'],
    ['[]', 'phone (/to/number)'],
    ['{"to":{"number":""},"data":{"code":"1234"}}', 'phone (/to/number)'],
    [`{"to":{"number":"+${'1'.repeat(300)}"},"data":{"code":"1234"}}`, 'phone (/to/number)'],
    ['{"__proto__":{"to":{"number":"+1"},"data":{"code":"1234"}}}', 'phone (/to/number)'],
    ['{"to":{"number":"+1"}}', 'code of 4 to 10 digits (/data/code) or text (/the~1message)'],
    ['{"to":{"number":"+1"},"data":{"code":"666"}}', 'code of 4 to 10 digits (/data/code) or text (/the~1message)'],
    ['{"to":{"number":"+1"},"the/message":"a\\u0000b"}', 'text (/the~1message) without U+0000 and unpaired surrogates'],
    ['{"to":{"number":"+1"},"the/message":"a\\ud800b"}', 'text (/the~1message) without U+0000 and unpaired surrogates'],
    ...[' \\n\\t', '\\u00a0\\u2003', '\\u200b\\u200e\\ufeff', '\\u3164\\u2800'].map((blank) => [
      `{"to":{"number":"+1"},"the/message":"${blank}"}`,
      'code of 4 to 10 digits (/data/code) or text (/the~1message)',
    ]),
  ])('of another form is not read, and what it lacks is said without a value: %s', (body, lacks) => {
    expect(take({ headers: {}, body: Buffer.from(body) })).toEqual({ lacks })
  })

  it('that is no UTF-8 is not read', () => {
    const body = Buffer.from('{"to":{"number":"+1"},"the/message":"\xff"}', 'latin1')
    expect(take({ headers: {}, body })).toEqual({ lacks: expect.stringContaining('byte 37 is 0xFF') })
  })
})

describe('the file of a kind', () => {
  it.each([
    ['kind: acme', 'kind: Acme', [[2, 'kind', 'must be 1 to 32 lower-case letters, digits and "-"']]],
    [
      'scheme: bearer',
      'scheme: magic',
      [[4, 'auth.0.scheme', 'must be one of standard-webhooks, hmac, bearer, basic']],
    ],
    ['/data/code', 'data.code', [[8, 'take.code', 'must be a place like /sms/otp, or a list of them']]],
    ['"{{s.phone}}"', '"{{s.phones}}"', [[8, 'take.phone', 'names phones, which is no setting']]],
    ['phone: plus', 'phone: minus', [[9, 'phone', 'must be plus']]],
    ['phone: plus', 'answer: { accepted: { status: 99 } }', [[9, 'answer.accepted.status', 'must be at least 200']]],
    ['phone: plus', 'answers: {}', [[9, 'answers', 'is not known']]],
  ])('is refused with the line of what is wrong: %s as %s', (from, to, faults) => {
    expect(faultsOf(plain.replace(from, to))).toEqual(faults)
  })

  it('is refused when an example does not give what it says', () => {
    const examples = `
examples:
  - post: { body: { phone: "14155550100", text: hi } }
    takes: { phone: "1", text: hi }
  - post: { body: { phone: "1" } }
    takes: unreadable
  - outcome: no_channel
    answers: { status: 200 }
`
    expect(faultsOf(plain + examples)).toEqual([
      [13, 'examples.0.takes', '{"phone":"+14155550100","text":"hi"} is taken'],
      [17, 'examples.2.answers', 'the file has no answer to that: it is the usual one'],
    ])
  })
})

describe('an outcome', () => {
  it('is answered by its own name, else by that of its group, else as usual', () => {
    const table = 'answer: { later: { status: 503 }, no_channel: { status: 204, type: text/plain, body: "none" } }'
    const answer = compileAnswers(fileOf(`${plain}${table}`))
    const later = { status: 503, type: 'application/json', text: '' }
    expect(answer('no_channel')).toEqual({ status: 204, type: 'text/plain', text: 'none' })
    for (const code of ['service_unavailable', 'internal_error', 'idempotency_in_progress', 'rate_limited'] as const)
      expect(answer(code), code).toEqual(later)
    for (const code of ['accepted', 'unreadable', 'send_limit_reached', 'invalid_phone'] as const)
      expect(answer(code), code).toBeUndefined()
  })
})
