/** What an SMS costs, from the provider's answer and report to the pages of the dashboard. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Provider, startProvider } from '../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { signIn, type Visitor } from '../support/visitor.ts'

const password = 'the-password-of-this-operator'
const file = `provider: gate
title: Gate
settings:
  base_url: { host: true }
  password: { secret: true }
request:
  method: POST
  url: "{{s.base_url}}/send"
  headers: { Authorization: "Bearer {{s.password}}" }
  as: json
  body: { to: "{{to}}", text: "{{text}}", callback: "{{report_url}}" }
answer:
  as: json
  id: /id
  price: { amount: /cost, currency: /currency }
  rules:
    - { when: { status: 2xx }, is: sent }
    - { when: { status: 4xx }, is: failed, code: not_on_channel }
report:
  as: json
  id: /id
  status: /status
  price: { amount: /cost, currency: /currency }
  map: { delivered: delivered, failed: failed, sent: sent }
  signature: { scheme: url-token }
`

let server: TestServer
let provider: Provider
let visitor: Visitor
let accountId: string
let live: Awaited<ReturnType<TestServer['as']>>
beforeAll(async () => {
  server = await startServer({ config: { publicUrl: 'https://codes.example', dashboardPort: 0 } })
  provider = await startProvider({ status: 200 })
  const { id, name: account } = await server.app.accounts.create('priced')
  accountId = id
  await server.app.connections.apply(accountId, [
    { id: 'sms-eu', kind: 'sms', provider: './gate.yaml', provider_file: file, base_url: provider.url, password },
  ])
  live = server.as(await server.key({ mode: 'live', account }))
  visitor = await signIn(server, 'viewer', { account })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})
beforeEach(() => {
  provider.asked.length = 0
})

const pageOf = async (path: string) => (await visitor.get(path)).text

/** A code, of which the provider answers that. */
async function sentFor(answer: string, phone = newPhone()): Promise<string> {
  provider.behave({ status: 200, body: answer })
  const id = await live.send(phone)
  await server.work()
  return id
}

/** What the provider posts to the address that it was given last. */
async function report(body: string): Promise<number> {
  const { callback } = JSON.parse(provider.asked.at(-1)?.body ?? '') as { callback: string }
  const { pathname, search } = new URL(callback)
  const answer = await fetch(server.directUrl + pathname + search, { method: 'POST', body })
  await answer.text()
  return answer.status
}

const priceOf = async (id: string) => (await server.app.history(id)).legs[0]?.price
const overview = async () => {
  await server.advance(31)
  const since = server.runtime.now()
  // Another process may be counting already, what was there when it began: then this one passes.
  const countedAt = async () => {
    await server.app.countingLoop.runOnce()
    const [row] = await server.query<{ at: string }>(sql`select counted_at as at from counting`)
    return new Date(row!.at)
  }
  await expect.poll(countedAt, { timeout: 10_000 }).toSatisfy((at: Date) => at >= since)
  return server.app.figures.overview({ accountId, mode: 'live' }, '24h')
}

it('a price is on the page of its message, and the overview sums it by channel, country, currency', async () => {
  expect(await pageOf('/')).not.toContain('Cost by')
  const id = await sentFor('{"id":"a-1","cost":"0.03330000","currency":"EUR"}', '+41446681800')
  await sentFor('{"id":"a-2","cost":0.05,"currency":"EUR"}', '+4915112345678')
  await sentFor('{"id":"a-3","cost":1200.5,"currency":"USD"}', '+4915112345679')
  const page = await pageOf(`/messages/${id}`)
  expect(page).toContain('<dt>Price</dt><dd>0.0333 EUR</dd>')
  expect(page).toMatch(/taken by sms-eu[\s\S]*costs 0\.0333 EUR/)
  await overview()
  const text = await pageOf('/')
  for (const row of [
    ['sms-eu', '2', '0.0833 EUR'],
    ['sms-eu', '1', '1,200.5 USD'],
    ['Switzerland', 'sms-eu', '1', '0.0333 EUR'],
    ['Germany', 'sms-eu', '1', '0.05 EUR'],
    ['Germany', 'sms-eu', '1', '1,200.5 USD'],
  ]) {
    expect(text).toMatch(new RegExp(`<tr>${row.map((cell) => `<td[^>]*>${cell}</td>`).join('')}</tr>`))
  }
  expect(await pageOf('/?span=7d')).toContain('0.0833 EUR')
  expect(await pageOf('/?mode=test')).not.toContain('Cost by')
})

it('a report corrects it, on the page and in the sums, and says so in the timeline', async () => {
  const id = await sentFor('{"id":"b-1","cost":2,"currency":"GBP"}')
  expect(await report('{"id":"b-1","status":"delivered","cost":3.5,"currency":"GBP"}')).toBe(200)
  expect(await report('{"id":"b-1","status":"delivered","cost":3.5,"currency":"GBP"}')).toBe(200)
  const page = await pageOf(`/messages/${id}`)
  expect(page).toContain('<dt>Price</dt><dd>3.5 GBP</dd>')
  expect(page.match(/costs [\d.]+ GBP/g)).toEqual(['costs 2 GBP', 'costs 3.5 GBP'])
  expect((await overview()).spend.channels).toContainEqual({
    ...{ connection: 'sms-eu', messages: 1, amount: '3.5', currency: 'GBP' },
  })
})

it('a budget of money stops sends once the known prices of the day have reached it', async () => {
  const budgets = [
    { id: 'swiss', countries: ['CH'], money: '1.1 CHF' },
    { id: 'dinars', money: '0.1 KWD' },
  ]
  await server.app.protections.apply(accountId, { rules: [], fail: 'open', budgets })
  await server.advance(6)
  const send = async (phone: string) => (await live.post('/v1/verify/send', { phone })).status
  await sentFor('{"id":"c-1","cost":0.6,"currency":"CHF"}', '+41446681801')
  await sentFor('{"id":"c-2","cost":0.5,"currency":"CHF"}', '+4915112345670')
  await overview()
  expect(await send('+41446681802')).toBe(200)
  await sentFor('{"id":"c-3","cost":0.5,"currency":"CHF"}', '+41446681803')
  // What is under way, and what is not counted yet, passes.
  expect(await send('+41446681804')).toBe(200)
  await overview()
  expect(await live.post('/v1/verify/send', { phone: '+41446681805' })).toMatchObject({
    status: 403,
    data: { code: 'budget_spent', details: [{ field: 'budget:swiss' }] },
  })
  expect(await send('+4915112345671')).toBe(200)
  await server.app.protections.apply(accountId, { rules: [], fail: 'open', budgets: [] })
  await server.advance(6)
  await server.work()
})

const hostile: [string, string][] = [
  ['more than any message costs', '"cost":1000000,"currency":"EUR"'],
  ['a number that no computer holds', '"cost":1e400,"currency":"EUR"'],
  ['a number that is written with an exponent', '"cost":1e-9,"currency":"EUR"'],
  ['less than nothing', '"cost":-0.03,"currency":"EUR"'],
  ['NaN', '"cost":"NaN","currency":"EUR"'],
  ['thirty thousand digits', `"cost":"${'9'.repeat(30_000)}","currency":"EUR"`],
  ['thirty thousand zeros', `"cost":"0.${'0'.repeat(30_000)}","currency":"EUR"`],
  ['true', '"cost":true,"currency":"EUR"'],
  ['a list', '"cost":[1],"currency":"EUR"'],
  ['an object', '"cost":{"toString":1},"currency":"EUR"'],
  ['no currency', '"cost":1'],
  ['a currency that is none', '"cost":1,"currency":"QQQ"'],
  ['a currency of a kilobyte', `"cost":1,"currency":"${'EUR'.repeat(350)}"`],
  ['a currency that is a number', '"cost":1,"currency":978'],
  ['SQL and the secret of the connection', `"cost":"1'; drop table message; --","currency":"${password}"`],
]

describe('a provider that names for a price', () => {
  it.each(hostile)('%s: the message is sent and delivered, and has no price', async (what, price) => {
    const name = what.replaceAll(' ', '-')
    const id = await sentFor(`{"id":"${name}",${price}}`)
    expect(await live.status(id)).toBe('sent')
    expect(await report(`{"id":"${name}","status":"delivered",${price}}`)).toBe(200)
    expect(await live.status(id)).toBe('delivered')
    expect(await priceOf(id)).toBeUndefined()
    expect(await pageOf(`/messages/${id}`)).not.toContain('costs')
    expect(server.runtime.lines.join('')).not.toContain(password)
  })
})
