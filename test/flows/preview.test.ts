import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let account: string
let key: string
beforeAll(async () => {
  server = await startServer()
  account = (await server.app.accounts.create('a shop')).id
  key = await server.key({ account: 'a shop', mode: 'test' })
})
afterAll(() => server.close())

const welcome = { template: 'welcome', variables: { name: 'Ada' } }

describe('a preview of a notification', () => {
  it('says what the phone would get, in which language, and how many SMS that takes', async () => {
    const texts = { text: 'Hello {{name}}', locales: { pl: { text: 'Cześć, {{name}}!' } } }
    await server.app.templates.apply(account, [{ slug: 'hello', defaultLocale: 'en', ...texts }])
    const body = { phone: newPhone(), template: 'hello', variables: { name: 'Ada' }, locale: 'pl-PL' }
    const { data } = await server.as(key).post('/v1/notifications/preview', body)
    const sandbox = { channel: 'sandbox', kind: 'sandbox', carries: true }
    expect(data).toEqual({
      template: { slug: 'hello', version: 1, locale: 'pl' },
      refusals: [],
      channels: [{ ...sandbox, text: 'Cześć, Ada!', encoding: 'ucs2', segments: 1 }],
    })
  })

  it('sends nothing, and counts nothing on the limits of the phone', async () => {
    const phone = newPhone()
    const ask = (path: string) => server.live.post(`/v1/notifications/${path}`, { phone, ...welcome })
    for (let looked = 0; looked < 61; looked++) expect((await ask('preview')).data).toMatchObject({ refusals: [] })
    await server.work()
    expect(await server.phone(phone)).toEqual([])
    for (let sent = 0; sent < 60; sent++) expect(await ask('send')).toMatchObject({ status: 200 })
    const refused = await ask('send')
    expect(refused).toMatchObject({ status: 429, data: { code: 'send_limit_reached' } })
    const { code, message } = refused.data as { code: string; message: string }
    const { data } = await ask('preview')
    expect(data).toMatchObject({ refusals: [{ code, message, retry_after: expect.any(Number) }] })
  })

  it('names every reason why a send would be refused', async () => {
    const phone = newPhone()
    await server.live.post('/v1/opt-outs/add', { phone })
    const body = { phone, ...welcome, channels: ['telegram', 'whatsapp'] }
    const { data } = await server.live.post('/v1/notifications/preview', body)
    expect(data).toMatchObject({
      refusals: [{ code: 'opted_out' }, { code: 'no_channel', details: expect.any(Array) }],
      channels: [{ channel: 'sandbox', carries: false, reason: 'is of a kind that the request does not name' }],
    })
  })

  it('says that a budget is spent, unless it is for later, and takes nothing from it', async () => {
    const { id: own } = await server.app.accounts.create('within a budget')
    const budgets = [{ id: 'all', messages: 1 }]
    await server.app.protections.apply(own, { rules: [], fail: 'open', budgets })
    await server.app.templates.apply(own, [{ slug: 'welcome', text: 'Welcome, {{name}}!' }])
    const within = server.as(await server.key({ account: 'within a budget', mode: 'test' }))
    const ask = (path: string, more = {}) =>
      within.post<Answered>(`/v1/notifications/${path}`, { phone: newPhone(), ...welcome, ...more })
    for (let looked = 0; looked < 3; looked++) expect((await ask('preview')).data).toMatchObject({ refusals: [] })
    expect(await ask('send')).toMatchObject({ status: 200 })
    const { trace_id: _trace, ...refused } = (await ask('send')).data
    expect(refused).toMatchObject({ code: 'budget_spent', details: [{ field: 'budget:all' }] })
    expect((await ask('preview')).data).toMatchObject({ refusals: [refused] })
    const sendAt = new Date(server.runtime.now().getTime() + 86_400_000).toISOString()
    expect((await ask('preview', { send_at: sendAt })).data).toMatchObject({ refusals: [] })
  })

  it('shows what fills a WhatsApp template, mended where it must be, or why it would not go', async () => {
    const { id: own } = await server.app.accounts.create('on WhatsApp')
    const settings = {
      ...{ phone_number_id: '1', business_account_id: '2', access_token: 'token', app_secret: '0'.repeat(32) },
      ...{ verify_token: 'verify', code_template: { name: 'code', language: 'en' } },
    }
    await server.app.connections.apply(own, [{ id: 'wa', kind: 'whatsapp', ...settings }])
    const whatsapp = {
      ...{ name: 'order_shipped', language: 'en_US', header: { image: '{{photo}}' }, body: { customer: 'name' } },
      buttons: [{ url: '{{order}}' }, {}, { quick_reply: 'order:{{order}}' }],
    }
    const text = '{{name}}, your order {{order}} is on its way: {{photo}}'
    await server.app.templates.apply(own, [{ slug: 'order-shipped', text, channels: { whatsapp } }])
    const onWhatsapp = server.as(await server.key({ account: 'on WhatsApp', mode: 'live' }))
    const preview = async (photo: string) => {
      const variables = { name: 'Ada\nLovelace', order: 'A-1042', photo }
      const body = { phone: newPhone(), template: 'order-shipped', variables }
      return (await onWhatsapp.post('/v1/notifications/preview', body)).data
    }
    const places = [
      { part: 'header', value: 'https://shop.example/a.jpg' },
      { part: 'body', name: 'customer', value: 'Ada Lovelace' },
      { part: 'button', value: 'A-1042' },
      { part: 'button', value: 'order:A-1042' },
    ]
    const channel = { channel: 'wa', kind: 'whatsapp' }
    expect(await preview('https://shop.example/a.jpg')).toMatchObject({
      refusals: [],
      channels: [{ ...channel, carries: true, whatsapp: { name: 'order_shipped', language: 'en_US', places } }],
    })
    expect(await preview('no address')).toMatchObject({
      channels: [{ ...channel, carries: false, reason: expect.stringContaining('must be an https address') }],
    })
  })

  it('refuses what is wrong with the request in the words of a send', async () => {
    const body = { phone: newPhone(), template: 'welcome', variables: { nick: 'Ada' } }
    const { trace_id: _one, ...previewed } = (await server.test.post('/v1/notifications/preview', body))
      .data as Answered
    const { trace_id: _other, ...sent } = (await server.test.post<Answered>('/v1/notifications/send', body)).data
    expect(previewed).toEqual(sent)
  })
})

interface Answered extends Record<string, unknown> {
  trace_id: string
}
