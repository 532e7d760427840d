/** What a caller is told of a message that has been to several channels. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Provider, startProvider } from '../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const file = `provider: gate
title: Gate
settings:
  base_url: { host: true }
request:
  method: POST
  url: "{{s.base_url}}/send"
  as: json
  body: { to: "{{to}}", text: "{{text}}", callback: "{{report_url}}" }
answer:
  as: json
  id: /id
  price: { amount: /cost, currency: /currency }
  rules:
    - { when: { status: 2xx }, is: sent }
    - { when: { status: 4xx }, is: failed, code: unreachable }
report:
  as: json
  id: /id
  status: /status
  price: { amount: /cost, currency: /currency }
  map: { delivered: delivered, failed: failed, sent: sent }
  signature: { scheme: url-token }
`

interface Told {
  id: string
  recipient: string
  attempts: { channel: string; status: string; timestamp: string; error?: { code: string } }[]
}

let server: TestServer
let first: Provider
let second: Provider
let live: Awaited<ReturnType<TestServer['as']>>
beforeAll(async () => {
  server = await startServer({ config: { publicUrl: 'https://codes.example' } })
  ;[first, second] = await Promise.all([startProvider({ status: 400 }), startProvider({ status: 200 })])
  const { id, name: account } = await server.app.accounts.create('told')
  const gate = (name: string, { url }: Provider) => {
    return { id: name, kind: 'sms', provider: './gate.yaml', provider_file: file, base_url: url }
  }
  await server.app.connections.apply(id, [gate('cheap', first), gate('sure', second)])
  await server.app.templates.apply(id, [{ slug: 'welcome', text: 'Welcome, {{name}}!' }])
  live = server.as(await server.key({ mode: 'live', account }))
})
afterAll(async () => {
  await server.close()
  await Promise.all([first.close(), second.close()])
})
beforeEach(() => {
  first.behave({ status: 400, body: '{}' })
  second.behave({ status: 200, body: '{"id":"s-1","cost":"0.05","currency":"EUR"}' })
})

const read = async (id: string) => (await live.get<Told>(`/v1/messages/${id}`)).data

async function notify(more: object): Promise<string> {
  const body = { template: 'welcome', variables: { name: 'Ada' }, ...more }
  return (await live.post<{ request_id: string }>('/v1/notifications/send', body)).data.request_id
}

async function report(provider: Provider, body: object): Promise<void> {
  const { callback } = JSON.parse(provider.asked.at(-1)?.body ?? '') as { callback: string }
  const { pathname, search } = new URL(callback)
  const answer = await fetch(server.directUrl + pathname + search, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
}

it('says what each channel made of it, what it costs, and when it was made', async () => {
  const id = await notify({ phone: newPhone(), reference: 'order-7', expires_in: 3600 })
  const madeAt = server.moment()
  expect(await read(id)).toMatchObject({ status: 'queued', channel: 'cheap', attempts: [] })
  await server.work()
  await server.advance(5)
  await report(second, { id: 's-1', status: 'delivered' })
  expect(await read(id)).toEqual({
    ...{ id, kind: 'notification', status: 'delivered', timestamp: server.moment(), created_at: madeAt },
    ...{ expires_at: new Date(Date.parse(madeAt) + 3600_000).toISOString(), recipient: expect.any(String) },
    ...{ channel: 'sure', template: { slug: 'welcome', version: 1, locale: 'und' }, reference: 'order-7' },
    attempts: [
      {
        ...{ channel: 'cheap', kind: 'sms', status: 'failed', timestamp: madeAt },
        error: { code: 'unreachable', message: expect.any(String) },
      },
      {
        ...{ channel: 'sure', kind: 'sms', status: 'delivered', timestamp: server.moment() },
        segments: 1,
        price: { amount: '0.05', currency: 'EUR' },
      },
    ],
    prices: [{ amount: '0.05', currency: 'EUR' }],
  })
})

it('adds up what several channels charge, each in its currency, and a late price is no arrival', async () => {
  first.behave({ status: 200, body: '{"id":"f-2","cost":"0.10","currency":"EUR"}' })
  second.behave({ status: 200, body: '{"id":"s-2","cost":"0.05","currency":"EUR"}' })
  const id = await notify({ phone: newPhone() })
  await server.work()
  await report(first, { id: 'f-2', status: 'failed' })
  await server.work()
  await report(second, { id: 's-2', status: 'delivered' })
  await report(first, { id: 'f-2', status: 'sent', cost: '0.2', currency: 'EUR' })
  expect(await read(id)).toMatchObject({
    status: 'delivered',
    attempts: [
      { channel: 'cheap', status: 'failed', error: { code: 'not_delivered' } },
      { channel: 'sure', status: 'delivered' },
    ],
    prices: [{ amount: '0.25', currency: 'EUR' }],
  })
})

it('of a message that failed it tells the reason of each channel, in the list that of the message', async () => {
  second.behave({ status: 400, body: '{}' })
  const phone = newPhone()
  const id = await notify({ phone })
  await server.work()
  expect((await read(id)).attempts.map(({ channel, error }) => [channel, error?.code])).toEqual([
    ['cheap', 'unreachable'],
    ['sure', 'unreachable'],
  ])
  const { data } = await live.get<{ messages: object[] }>(`/v1/messages?phone=${encodeURIComponent(phone)}`)
  expect(data.messages).toMatchObject([{ id, channel: 'sure', error: { code: 'unreachable' } }])
})

it('keeps the place of a channel that is removed, without its kind', async () => {
  const { id: account, name } = await server.app.accounts.create('moved')
  const caller = server.as(await server.key({ mode: 'live', account: name }))
  const gate = { kind: 'sms', provider: './gate.yaml', provider_file: file, base_url: second.url }
  await server.app.connections.apply(account, [{ ...gate, id: 'old' }])
  const id = await caller.send(newPhone())
  await server.work()
  const attempts = async () => (await caller.get<Told>(`/v1/messages/${id}`)).data.attempts
  expect(await attempts()).toMatchObject([{ channel: 'old', kind: 'sms', status: 'sent' }])
  await server.app.connections.apply(account, [{ ...gate, id: 'new' }])
  expect(await attempts()).toEqual([expect.not.objectContaining({ kind: expect.anything() })])
})

it('joins the messages of a phone by its recipient, which is another one in each account and mode', async () => {
  const phone = newPhone()
  const ids = [await notify({ phone }), await notify({ phone }), await notify({ phone: newPhone() })]
  const [one, same, other] = await Promise.all(ids.map(async (id) => (await read(id)).recipient))
  expect(one).toMatch(/^rcp_[0-9a-f]{20}$/)
  expect(same).toBe(one)
  expect(other).not.toBe(one)
  const { data } = await live.get<{ messages: Told[] }>(`/v1/messages?phone=${encodeURIComponent(phone)}`)
  expect(data.messages.map(({ recipient }) => recipient)).toEqual([one, one])
  expect(JSON.stringify(data)).not.toContain(phone.slice(1))
  const elsewhere = await Promise.all(
    [server.test, server.live].map(async (caller) => {
      const id = await caller.send(phone)
      return (await caller.get<Told>(`/v1/messages/${id}`)).data.recipient
    }),
  )
  expect(new Set([one, ...elsewhere]).size).toBe(3)
})
