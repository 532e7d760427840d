import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let account: string
let key: string
beforeAll(async () => {
  server = await startServer()
  account = (await server.app.accounts.create('a shop')).id
  key = await server.key({ account: 'a shop' })
})
afterAll(() => server.close())

const apply = (...templates: object[]) => server.app.templates.apply(account, templates)
const get = async (slug: string) => (await server.as(key).get<Told>(`/v1/templates/${slug}`)).data
const list = async (query = '') => (await server.as(key).get<Page>(`/v1/templates?${query}`)).data

interface Told {
  slug: string
  version: number
}

interface Page {
  templates: Told[]
  next: string | null
}

const shipped = {
  slug: 'order-shipped',
  category: 'marketing',
  defaultLocale: 'en',
  text: '{{name}}, order {{order}} is on its way: {{photo}}',
  channels: {
    whatsapp: {
      ...{ name: 'order_shipped', language: 'en_US', body: ['order'] },
      header: { image: '{{photo}}' },
      buttons: [{ url: '{{order}}' }, {}],
    },
  },
  locales: { de: { text: '{{name}}, Bestellung {{order}} ist unterwegs: {{photo}}' } },
}

describe('a template, as a program reads it', () => {
  it('has its languages, its category, its version, and which kinds of channels need a variable', async () => {
    await apply(shipped)
    const { body: _list, ...whatsapp } = shipped.channels.whatsapp
    expect(await get('order-shipped')).toEqual({
      slug: 'order-shipped',
      category: 'marketing',
      version: 1,
      default_locale: 'en',
      locales: {
        en: { text: shipped.text, whatsapp: { ...whatsapp, parameters: ['order'] } },
        de: { text: shipped.locales.de.text },
      },
      variables: [
        { name: 'name', kinds: ['sandbox', 'sms', 'http'] },
        { name: 'order', kinds: ['sandbox', 'whatsapp', 'sms', 'http'] },
        { name: 'photo', kinds: ['sandbox', 'whatsapp', 'sms', 'http'] },
      ],
      updated_at: server.moment(),
    })
  })

  it('is what the next notification is made from, and has another version when it is changed', async () => {
    await apply({ slug: 'hello', text: 'Hello {{name}}' })
    await apply({ slug: 'hello', text: 'Hello again, {{name}}' })
    expect(await get('hello')).toMatchObject({
      ...{ version: 2, default_locale: 'und', category: 'utility' },
      locales: { und: { text: 'Hello again, {{name}}' } },
    })
    const phone = newPhone()
    await server.as(key).post('/v1/notifications/send', { phone, template: 'hello', variables: { name: 'Ada' } })
    await server.work()
    await expect.poll(() => server.phone(phone)).toMatchObject([{ text: 'Hello again, Ada' }])
  })

  it('is known to its own account alone, to keys of both modes', async () => {
    await apply({ slug: 'mine', text: 'Hello' })
    const live = await server.key({ account: 'a shop', mode: 'live' })
    expect(await server.as(live).get('/v1/templates/mine')).toMatchObject({ status: 200, data: { slug: 'mine' } })
    const missing = { status: 404, data: { code: 'template_not_found' } }
    expect(await server.test.get('/v1/templates/mine')).toMatchObject(missing)
    expect((await server.test.get<Page>('/v1/templates')).data.templates).not.toContainEqual(
      expect.objectContaining({ slug: 'mine' }),
    )
  })
})

describe('the templates of an account', () => {
  it('are turned over page by page, each once', async () => {
    await apply(...['b', 'd', 'a', 'e', 'c'].map((letter) => ({ slug: `page-${letter}`, text: letter })))
    const pages: string[][] = []
    for (let after = 'page-'; ; ) {
      const { templates, next } = await list(`limit=2&after=${after}`)
      pages.push(templates.map(({ slug }) => slug))
      if (next === null) break
      after = next
    }
    expect(pages).toEqual([['page-a', 'page-b'], ['page-c', 'page-d'], ['page-e']])
  })

  it('come in shorter pages where they are long, and none is left out', async () => {
    const text = 'ж'.repeat(4096)
    const tags = ['bg', 'cs', 'da', 'de', 'el', 'es', 'et', 'fi', 'fr', 'hr', 'hu', 'it', 'lt', 'lv', 'nl', 'pl', 'pt']
    const locales = Object.fromEntries(tags.map((tag) => [tag, { text }]))
    const slugs = Array.from({ length: 13 }, (_, index) => `x-long-${String.fromCharCode(97 + index)}`)
    await apply(...slugs.map((slug) => ({ slug, defaultLocale: 'en', text, locales })))
    const found: string[] = []
    for (let after = 'x-'; ; ) {
      const { templates, next } = await list(`limit=100&after=${after}`)
      expect(JSON.stringify(templates).length).toBeLessThan(700_000)
      found.push(...templates.map(({ slug }) => slug))
      if (next === null) break
      after = next
    }
    expect(found).toEqual(slugs)
  })
})
