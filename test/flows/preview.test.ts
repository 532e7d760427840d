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
