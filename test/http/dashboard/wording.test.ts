/** Sending › Wording: what codes are sent with, in the words of the account. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
let developer: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  developer = await signIn(server, 'developer')
})
afterAll(() => server.close())

const hostile = '{{code}} "><img src=x onerror=alert(1)>'

async function sentText(body: object = {}): Promise<string | undefined> {
  const phone = newPhone()
  await server.test.send(phone, { brand_name: 'Acme', ...body })
  await server.work()
  return (await server.phone(phone)).at(-1)?.text
}

describe('the wording of codes on its page', () => {
  it('is the one that ships, in every language, until somebody words it', async () => {
    const { text: page } = await developer.get('/wording')
    expect(page).toContain('Your Acme code is 482913')
    expect(page).toContain('482913 ist Ihr Code für Acme. Er gilt 10 Minuten.')
    expect(page).toContain('Codes are sent in the words that ship.')
  })

  it('is sent as soon as it is added, and stands there with its size', async () => {
    const added = await developer.submit('/wording', { language: 'DE', text: 'Dein {{brand}}-Code: {{code}}' })
    expect(added.text).toContain('Added DE. New codes are sent with it.')
    expect(added.text).toContain('Dein Acme-Code: 482913')
    expect(added.text).toContain('GSM-7, at most 1 SMS')
    expect(await sentText({ locale: 'de' })).toBe('Dein Acme-Code: 000000')
  })

  it('is changed one language at a time, and gone once it is deleted', async () => {
    await developer.post('/wording', { language: 'ru', text: 'Код: {{code}}' })
    const saved = await developer.submit('/wording/ru', { text: 'Ваш код: {{code}}' })
    expect(saved.text).toContain('Saved ru.')
    expect(saved.text).toContain('UCS-2, at most 1 SMS')
    expect(await sentText({ locale: 'ru' })).toBe('Ваш код: 000000')
    expect((await developer.submit('/wording/ru/delete')).text).toContain('Deleted the text in ru.')
    expect((await developer.get('/wording/ru')).status).toBe(404)
    expect(await sentText({ locale: 'ru' })).toContain('код Acme')
    expect(await sentText({ locale: 'de' })).toBe('Dein Acme-Code: 000000')
  })

  it('has a standard language and a host, for requests that name none', async () => {
    const saved = await developer.submit('/wording-defaults', { default: 'de', domain: 'acme.com' })
    expect(saved.text).toContain('Dein Acme-Code: 482913\n@acme.com #482913')
    expect(await sentText()).toBe('Dein Acme-Code: 000000\n@acme.com #000000')
    const refused = await developer.post('/wording-defaults', { default: 'german', domain: 'https://x' })
    expect(refused.status).toBe(400)
    for (const seen of ['default: is no language', 'domain: must be a host', 'value="german"']) {
      expect(refused.text).toContain(seen)
    }
    await developer.submit('/wording-defaults', { default: '', domain: '' })
    expect(await sentText()).toBe('Your Acme code is 000000')
  })

  it('is refused with what was entered and all that is wrong', async () => {
    const { status, text: page } = await developer.post('/wording', { language: 'fr', text: 'Allez à acme.com' })
    expect(status).toBe(400)
    for (const seen of ['must have {{code}} once', 'must have no link', 'value="fr"', 'Allez à acme.com</textarea>']) {
      expect(page).toContain(seen)
    }
    const taken = await developer.post('/wording', { language: 'de', text: '{{code}}' })
    expect([taken.status, taken.text]).toEqual([400, expect.stringContaining('There is a text in de already.')])
    expect((await developer.post('/wording/xx', { text: '{{code}}' })).status).toBe(404)
  })

  it('shows while one writes how it will read, what it takes, and what is wrong; and keeps nothing', async () => {
    const part = { 'X-Part': 'preview' }
    const long = { text: `{{code}} ${'я'.repeat(100)}`, do: 'preview' }
    expect((await developer.post('/wording/de', long, part)).text).toContain('UCS-2, at most 2 SMS')
    const wrong = await developer.post('/wording/de', { text: 'a {{name}} {{code}}', do: 'preview' }, part)
    expect(wrong.text).toContain('has {{name}}, which is none of')
    expect(await sentText({ locale: 'de' })).toBe('Dein Acme-Code: 000000')
  })

  it('shows hostile text as text', async () => {
    await developer.post('/wording', { language: 'it', text: hostile })
    for (const path of ['/wording', '/wording/it']) {
      const { text: page } = await developer.get(path)
      expect(page).toContain('&#34;&#62;&#60;img src=x')
      expect(page).not.toContain('<img src=x')
    }
    const refused = await developer.post('/wording', { language: hostile, text: hostile })
    expect(refused.text).not.toContain('<img src=x')
  })
})

describe('who may word codes', () => {
  it('is not a viewer, who reads all of it and changes nothing', async () => {
    const viewer = await signIn(server, 'viewer')
    const { text: page } = await viewer.get('/wording')
    expect(page).toContain('Dein Acme-Code: 482913')
    for (const act of ['/new-wording', 'action="/wording']) expect(page).not.toContain(act)
    expect((await viewer.get('/wording/de')).text).not.toContain('<textarea')
    const tried = await Promise.all([
      viewer.get('/new-wording'),
      viewer.post('/wording', { language: 'fr', text: '{{code}}' }),
      viewer.post('/wording/de', { text: '{{code}}' }),
      viewer.post('/wording/de', { text: '{{code}}', do: 'preview' }),
      viewer.post('/wording/de/delete'),
      viewer.post('/wording-defaults', { default: 'fr' }),
    ])
    expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  })

  it('is nobody of another account, and each act is written down with who did it', async () => {
    await server.app.accounts.create('other')
    const other = await signIn(server, 'owner', { account: 'other' })
    expect((await other.get('/wording/de')).status).toBe(404)
    expect((await other.post('/wording/de/delete')).status).not.toBe(200)
    expect((await developer.get('/wording/de')).text).toContain('Dein {{brand}}-Code')
    const rows = await server.query<{ name: string; detail: object }>(
      sql`select name, detail from audit where act = 'wording.changed'`,
    )
    expect(rows).toContainEqual({ name: 'a developer', detail: { changed: ['de'] } })
    expect(rows).toContainEqual({ name: 'a developer', detail: { changed: ['default', 'domain'] } })
  })
})

describe('the seconds between two codes to one phone', () => {
  const saved = async () => (await server.app.accounts.require('default')).cooldownSeconds
  const enter = async (cooldown: string) => (await signIn(server, 'owner')).post('/wording-cooldown', { cooldown })

  it.each([
    ['90', 90],
    [' 300 ', 300],
    ['６０', 60],
    ['', null],
  ])('are taken as an owner enters them: %j', async (entered, seconds) => {
    expect((await enter(entered)).status).toBe(303)
    expect(await saved()).toBe(seconds)
  })

  it.each(['60.0', '6-0', '1 20', '29', '601', '1e2', 'sixty'])('are not taken for others: %j', async (entered) => {
    await enter('45')
    expect((await enter(entered)).status).toBe(400)
    expect(await saved()).toBe(45)
  })
})
