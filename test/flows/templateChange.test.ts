import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extraScopes, scopes } from '../../src/contract/document.ts'
import type { Client } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let account: string
let keyId: string
let pipeline: Client
beforeAll(async () => {
  server = await startServer()
  account = (await server.app.accounts.create('a shop')).id
  const { key, id } = await server.newKey({ account: 'a shop', scopes: [...scopes, 'templates:write'] })
  keyId = id
  pipeline = server.as(key)
})
afterAll(() => server.close())

const put = (slug: string, body: unknown) => pipeline.put<Result>(`/v1/templates/${slug}`, body)
const get = async (slug: string) => (await pipeline.get(`/v1/templates/${slug}`)).data
const detailsOf = async (slug: string, body: unknown) => {
  const { status, data } = await put(slug, body)
  expect(status).toBe(400)
  return data.details
}

interface Result {
  version: number
  result: string
  warnings: object[]
  code?: string
  message?: string
  details?: { field: string; code: string; message: string }[]
}

const shipped = {
  category: 'marketing',
  default_locale: 'en',
  locales: {
    en: {
      text: '{{name}}, order {{order}} is on its way: {{photo}}',
      whatsapp: {
        ...{ name: 'order_shipped', language: 'en_US', body: { customer: 'name' } },
        header: { image: '{{photo}}' },
        buttons: [{ url: '{{order}}' }, {}],
      },
    },
    'pt-BR': { text: '{{name}}, o pedido {{order}} está a caminho: {{photo}}' },
  },
}

describe('a template that a program writes', () => {
  it('is created, then changed, and makes no version where it is the same', async () => {
    expect(await put('order-shipped', shipped)).toMatchObject({
      status: 200,
      data: { slug: 'order-shipped', version: 1, result: 'created', warnings: [] },
    })
    expect((await put('order-shipped', shipped)).data).toMatchObject({ version: 1, result: 'unchanged' })
    const { 'pt-BR': _left, ...locales } = shipped.locales
    expect((await put('order-shipped', { ...shipped, locales })).data).toMatchObject({ version: 2, result: 'changed' })
    expect(await get('order-shipped')).toMatchObject({ ...shipped, version: 2, locales })
  })

  it('may be put as it was read', async () => {
    await server.app.templates.apply(account, [{ slug: 'by-hand', text: 'Hello {{name}}' }])
    const { category, default_locale, locales } = await get('by-hand')
    expect((await put('by-hand', { category, default_locale, locales })).data).toMatchObject({ result: 'unchanged' })
  })

  it('is what live messages are made from too, in no other account', async () => {
    await put('hello', { default_locale: 'en', locales: { en: { text: 'Hello {{name}}' } } })
    const live = server.as(await server.key({ account: 'a shop', mode: 'live' }))
    expect(await live.get('/v1/templates/hello')).toMatchObject({ status: 200 })
    expect(await server.test.get('/v1/templates/hello')).toMatchObject({ status: 404 })
  })

  it('has its key in the log of changes and beside each version', async () => {
    await put('noted', { default_locale: 'en', locales: { en: { text: 'One' } } })
    await put('noted', { default_locale: 'en', locales: { en: { text: 'Two' } } })
    await pipeline.delete('/v1/templates/noted')
    const rows = await server.app.listAudit(account, { count: 50 })
    const noted = rows.filter(({ subject }) => subject === 'noted')
    expect(noted.map(({ act }) => act).toSorted()).toEqual(['template.added', 'template.changed', 'template.deleted'])
    expect(new Set(noted.map(({ name }) => name))).toEqual(new Set([`API key ${keyId}`]))
  })

  it('names what costs and is overlooked, though it is taken', async () => {
    const { data } = await put('costly', { default_locale: 'en', locales: { en: { text: 'It\u2019s ready' } } })
    expect(data).toMatchObject({
      result: 'created',
      warnings: [{ field: '/locales/en/text', message: expect.stringContaining('U+2019') }],
    })
  })

  it('gets one version from many who put the same at once', async () => {
    const body = { default_locale: 'en', locales: { en: { text: 'At once' } } }
    const answers = await Promise.all(Array.from({ length: 8 }, () => put('at-once', body)))
    const results = answers.map(({ data }) => data.result).toSorted()
    expect(results).toEqual(['created', ...Array(7).fill('unchanged')])
    expect(await get('at-once')).toMatchObject({ version: 1 })
  })
})

describe('a template that is wrong', () => {
  it('has what is wrong in each language named at once, and changes nothing', async () => {
    const { en, 'pt-BR': pt } = shipped.locales
    const parameters = ['nickname']
    const details = await detailsOf('order-shipped', {
      ...shipped,
      locales: {
        en: { ...en, whatsapp: { name: 'Order Shipped', language: 'en_US', parameters } },
        'pt-BR': { text: pt.text.replace('{{order}}', '{{pedido}}') },
        klingon: { text: 'nuqneH {{name' },
      },
    })
    expect(details?.map(({ field }) => field)).toEqual([
      '/locales/en/whatsapp/name',
      '/locales/en/whatsapp/parameters',
      '/locales/pt-BR/text',
      '/locales/klingon',
      '/locales/klingon/text',
    ])
    expect(details?.[2]?.message).toContain('lacks {{order}}')
    expect(await get('order-shipped')).toMatchObject({ version: 2 })
  })

  it('is told that its default language is not among the others', async () => {
    expect(await detailsOf('lost', { ...shipped, default_locale: 'de' })).toEqual([
      { field: '/default_locale', code: 'unknown', message: 'is none of the languages in locales' },
    ])
  })

  it('is refused in words where it has 51 languages, one of them twice, or unknown fields', async () => {
    const tags = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => [`a${letter}`, `b${letter}`]).slice(0, 50)
    const locales = Object.fromEntries([...tags, 'en'].map((tag) => [tag, { text: 'Hi' }]))
    expect(await detailsOf('many', { default_locale: 'en', locales })).toEqual([
      { field: '/locales', code: 'too_many', message: 'must have at most 50 members' },
    ])
    const twice = { default_locale: 'en', locales: { en: { text: 'Hi' }, EN: { text: 'Hello' } } }
    expect(await detailsOf('twice', twice)).toMatchObject([{ field: '/locales/EN' }])
    expect(await detailsOf('more', { ...twice, slug: 'more' })).toMatchObject([{ field: '/slug', code: 'unknown' }])
  })

  it('is read for what it is, whatever names of the language it has', async () => {
    const text = '{{constructor}} {{tostring}}'
    expect((await put('own', { default_locale: 'en', locales: { en: { text } } })).data.result).toBe('created')
    const asked = { phone: newPhone(), template: 'own', variables: { constructor: 'Ada' } }
    expect(await pipeline.post('/v1/notifications/send', asked)).toMatchObject({
      status: 400,
      data: { code: 'invalid_variables', details: [{ field: '/variables/tostring', code: 'missing' }] },
    })
    const proto = '{"default_locale":"en","locales":{"en":{"text":"Hi"},"__proto__":{"text":"Hi"}}}'
    expect(await detailsOf('proto', proto)).toMatchObject([{ field: '/locales/__proto__' }])
  })

  it('may be nothing but combining marks, as many as a text has characters', async () => {
    const marks = { default_locale: 'en', locales: { en: { text: 'a\u0301'.repeat(2048) } } }
    expect((await put('marks', marks)).data).toMatchObject({ result: 'created' })
    const more = { default_locale: 'en', locales: { en: { text: '\u0301'.repeat(4097) } } }
    expect(await detailsOf('marks', more)).toMatchObject([{ field: '/locales/en/text', code: 'too_long' }])
  })
})

describe('a template that a program deletes', () => {
  it('is unknown from then on, and comes back with the next version', async () => {
    const body = { default_locale: 'en', locales: { en: { text: 'Bye {{name}}' } } }
    await put('bye', body)
    expect(await pipeline.delete('/v1/templates/bye')).toMatchObject({ status: 200, data: { slug: 'bye', version: 1 } })
    expect(await pipeline.delete('/v1/templates/bye')).toMatchObject({
      status: 404,
      data: { code: 'template_not_found' },
    })
    const asked = { phone: newPhone(), template: 'bye', variables: { name: 'Ada' } }
    expect(await pipeline.post('/v1/notifications/send', asked)).toMatchObject({ data: { code: 'unknown_template' } })
    expect((await put('bye', body)).data).toMatchObject({ version: 2, result: 'created' })
  })

  it('still goes in a notification that waits for its time', async () => {
    await put('later', { default_locale: 'en', locales: { en: { text: 'See you, {{name}}' } } })
    const phone = newPhone()
    const sendAt = new Date(server.runtime.now().getTime() + 60_000).toISOString()
    const asked = { phone, template: 'later', variables: { name: 'Ada' }, send_at: sendAt }
    expect(await pipeline.post('/v1/notifications/send', asked)).toMatchObject({ status: 200 })
    await pipeline.delete('/v1/templates/later')
    await server.advance(61)
    for (let round = 0; round < 3; round++) await server.work()
    await expect.poll(() => server.phone(phone)).toMatchObject([{ text: 'See you, Ada' }])
  })
})

describe('the scope templates:write', () => {
  it('is in no key unless it was chosen', async () => {
    expect(scopes).not.toContain('templates:write')
    expect(extraScopes).toContain('templates:write')
    const usual = server.as(await server.key({ account: 'a shop' }))
    const refused = { status: 403, data: { message: 'This key lacks the scope templates:write.' } }
    expect(await usual.put('/v1/templates/order-shipped', shipped)).toMatchObject(refused)
    expect(await usual.delete('/v1/templates/order-shipped')).toMatchObject(refused)
  })
})
