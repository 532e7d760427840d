/** Sending › Templates: a text, how it will read, what it says for channels, and its end. */
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newPhone } from '../../support/server.ts'
import { createSimulation } from '../../support/simulation.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

const simulation = createSimulation({ server: { config: { dashboardPort: 0 } } })
let developer: Visitor
beforeAll(async () => {
  developer = await signIn(simulation.server, 'developer')
})

const text = 'Hello {{name}}, order {{order_id}} is on its way.'
const hostile = '"><img src=x onerror=alert(1)>'
const escaped = hostile.replaceAll('>', '&#62;').replaceAll('<', '&#60;').replaceAll('"', '&#34;')

const send = (template: string, variables: object = {}) =>
  simulation.server.test.post<{ code?: string }>('/v1/notifications/send', { phone: newPhone(), template, variables })

describe('a template that is added on its page', () => {
  it('can be sent at once, by the command that its page shows', async () => {
    const added = await developer.submit('/templates', { slug: 'shipped', text })
    expect(added.text).toContain('Added shipped.')
    expect(added.text).toContain(`curl ${simulation.server.directUrl}/v1/notifications/send`)
    const [, body = ''] = /-d &#39;(.*?)&#39;/s.exec(added.text) ?? []
    const command = JSON.parse(body.replaceAll('&#34;', '"'))
    expect(command).toMatchObject({ template: 'shipped', variables: { name: 'Ada', order_id: '10423' } })
    expect((await simulation.server.test.post('/v1/notifications/send', command)).status).toBe(200)
  })

  it('stands in the list with its first words and its variables', async () => {
    const { text: page } = await developer.get('/templates')
    for (const seen of ['href="/templates/shipped"', 'Hello {{name}}', '<code>order_id</code>']) {
      expect(page).toContain(seen)
    }
  })

  it('stands there with when it was sent last', async () => {
    const { get, post } = await signIn(simulation.server, 'developer')
    await post('/templates', { slug: 'sent-once', text: 'Hello' })
    const before = (await get('/templates')).text.match(/not lately/g)?.length ?? 0
    await send('sent-once')
    expect((await get('/templates')).text.match(/not lately/g) ?? []).toHaveLength(before - 1)
  })

  it('is found by a word, where there are many', async () => {
    const { server } = simulation
    const { id } = await server.app.accounts.create('many')
    const many = Array.from({ length: 300 }, (_one, index) => ({ slug: `template-${index}`, text: `number ${index}.` }))
    await server.app.templates.apply(id, many)
    const { get } = await signIn(server, 'viewer', { account: 'many' })
    expect((await get('/templates')).text.match(/href="\/templates\/template-/g)).toHaveLength(300)
    expect((await get('/templates?q=NUMBER+299.')).text.match(/href="\/templates\/template-\d+/g)).toEqual([
      'href="/templates/template-299',
    ])
    expect((await get(`/templates?q=${encodeURIComponent(hostile)}`)).text).toContain(`value="${escaped}"`)
  })

  it('is refused with what was entered and everything that is wrong, and then nothing is kept', async () => {
    const wrong = { slug: 'Wrong', text: 'Hello {{Name}}', 'whatsapp.name': 'No Name', 'whatsapp.parameters': 'nick' }
    const { status, text: page } = await developer.post('/templates', wrong)
    expect(status).toBe(400)
    expect(page).toContain('role="alert"')
    for (const seen of [
      'is no variable',
      'the slug must be 1 to 64',
      'WhatsApp, Name: must be',
      '&#34;nick&#34; is no variable of the text',
    ]) {
      expect(page).toContain(seen)
    }
    for (const kept of ['value="Wrong"', 'Hello {{Name}}</textarea>', 'value="No Name"', 'value="nick"']) {
      expect(page).toContain(kept)
    }
    expect((await developer.get('/templates')).text).not.toContain('Wrong')
  })

  it('does not take the place of another one', async () => {
    const { status, text: page } = await developer.post('/templates', { slug: 'shipped', text: 'Another one' })
    expect([status, page]).toEqual([400, expect.stringContaining('There is a template shipped already.')])
    expect((await developer.get('/templates/shipped')).text).toContain('Hello {{name}}')
  })

  it('may be called new', async () => {
    await developer.post('/templates', { slug: 'new', text: 'News' })
    expect((await developer.get('/templates/new')).text).toContain('>\nNews</textarea>')
  })
})

describe('a preview', () => {
  const draft = { slug: 'draft', text: 'Dear {{name}},\r\nyour {{thing}}', 'sample.name': hostile, do: 'preview' }

  it('shows the text as it will be read, and keeps nothing', async () => {
    const { status, text: page } = await developer.post('/templates', draft)
    expect(status).toBe(200)
    expect(page).toContain(`Dear <mark>${escaped}</mark>,\nyour <mark>thing</mark>`)
    expect(page).toContain('name="sample.thing" type="text" value="thing"')
    expect((await developer.get('/templates/draft')).status).toBe(404)
  })

  it('names what is wrong while one writes', async () => {
    const { status, text: page } = await developer.post('/templates', { ...draft, text: 'Dear {{Name}}' })
    expect([status, page]).toEqual([200, expect.stringContaining('&#34;{{Name}}&#34; is no variable')])
  })

  it('says when a text is too long', async () => {
    const { text: page } = await developer.post('/templates', { ...draft, text: 'x'.repeat(4097) })
    expect(page).toContain('4,097 of 4,096 characters')
    expect(page).toContain('too long')
  })

  it('is a part that the page can ask for by itself', async () => {
    const part = await developer.post(
      '/templates/shipped',
      { text: 'Hi {{name}}', do: 'preview' },
      { 'X-Part': 'preview' },
    )
    expect(part.text).toContain('Hi <mark>Ada</mark>')
    expect(part.text).not.toContain('<html')
    expect((await developer.get('/templates/shipped')).text).not.toContain('Hi {{name}}')
  })
})

describe('a template that is changed on its page', () => {
  it('has another text and names for channels from then on', async () => {
    const fields = { 'whatsapp.name': 'welcome', 'whatsapp.language': 'en_US', 'whatsapp.parameters': 'name , order' }
    const saved = await developer.submit('/templates/shipped', { text: 'Hi {{name}}: {{order}}', ...fields })
    expect(saved.text).toContain('Saved shipped.')
    expect(saved.text).toContain('value="name, order"')
    const [row] = (await simulation.server.app.templates.list('acct_default')).filter(({ slug }) => slug === 'shipped')
    expect(row?.locales.und?.channels).toEqual({
      whatsapp: { name: 'welcome', language: 'en_US', parameters: ['name', 'order'] },
    })
    expect((await send('shipped', { name: 'Ada', order: 1 })).status).toBe(200)
  })

  it('keeps a header, names and buttons as they were entered, each on a line', async () => {
    const fields = {
      ...{ 'whatsapp.name': 'welcome', 'whatsapp.language': 'en_US', 'whatsapp.header': 'image: https://x/{{order}}' },
      'whatsapp.body': 'number: order\r\ncustomer: name',
      'whatsapp.buttons': '-\r\nurl: {{order}}',
    }
    const saved = await developer.submit('/templates/shipped', { text: 'Hi {{name}}: {{order}}', ...fields })
    expect(saved.text).toContain('Saved shipped.')
    for (const kept of ['image: https://x/{{order}}', 'number: order\ncustomer: name', '-\nurl: {{order}}'])
      expect(saved.text).toContain(`\n${kept}</textarea>`)
    const [row] = (await simulation.server.app.templates.list('acct_default')).filter(({ slug }) => slug === 'shipped')
    expect(row?.locales.und?.channels.whatsapp).toMatchObject({
      header: { image: 'https://x/{{order}}' },
      body: { customer: 'name', number: 'order' },
      buttons: [{}, { url: '{{order}}' }],
    })
  })

  it.each([
    [{ 'whatsapp.header': 'photo' }, 'WhatsApp, Header: must say what it is and what fills it'],
    [{ 'whatsapp.header': 'picture: {{name}}' }, 'WhatsApp, Header: '],
    [{ 'whatsapp.header': 'image: {{photo}}' }, '&#34;photo&#34; is no variable of the text'],
    [{ 'whatsapp.body': 'Customer: name' }, 'WhatsApp, Variables by name: '],
    [{ 'whatsapp.buttons': 'url {{name}}' }, 'WhatsApp, Buttons: must say what it is and what fills it, like url:'],
    [{ 'whatsapp.buttons': 'url: {{nick}}' }, '&#34;nick&#34; is no variable of the text'],
  ])('is refused in words, and keeps what was entered: %j', async (fields, fault) => {
    const named = { 'whatsapp.name': 'welcome', 'whatsapp.language': 'en_US', ...fields }
    const { status, text: page } = await developer.post('/templates/shipped', { text: 'Hi {{name}}', ...named })
    expect(status).toBe(400)
    expect(page).toContain(fault)
    for (const entered of Object.values(fields)) expect(page).toContain(`${entered}</textarea>`)
    expect(page).not.toMatch(/Invalid|expected|Unrecognized/)
  })

  it('is refused with what was entered, when something is wrong', async () => {
    const { status, text: page } = await developer.post('/templates/shipped', {
      text: '{{Oh}}',
      'whatsapp.name': 'kept',
    })
    expect(status).toBe(400)
    for (const seen of ['role="alert"', '{{Oh}}</textarea>', 'value="kept"']) expect(page).toContain(seen)
  })

  it('is gone once it is deleted: who sends it gets unknown_template', async () => {
    await developer.post('/templates', { slug: 'to-end', text: 'Bye' })
    expect((await send('to-end')).status).toBe(200)
    const { text: page } = await developer.submit('/templates/to-end/delete')
    expect(page).toContain('Deleted to-end.')
    expect((await send('to-end')).data.code).toBe('unknown_template')
    expect((await developer.get('/templates/to-end')).status).toBe(404)
    expect((await developer.post('/templates/to-end', { text: 'Again' })).status).toBe(404)
  })

  it('shows hostile text as text, wherever it stands', async () => {
    await developer.post('/templates', { slug: 'hostile', text: `${hostile} {{name}}` })
    for (const path of ['/templates', '/templates/hostile']) {
      const { text: page } = await developer.get(path)
      expect(page).toContain(escaped)
      expect(page).not.toContain('<img src=x')
    }
    const refused = await developer.post('/templates', { slug: hostile, text: hostile, 'whatsapp.name': hostile })
    expect(refused.text).not.toContain('<img src=x')
    expect((await developer.get(`/templates/${encodeURIComponent(hostile)}`)).text).not.toContain('<img src=x')
  })
})

describe('what WhatsApp says of a template', () => {
  const said = { name: 'order_shipped', language: 'en_US', parameters: ['name'] }

  const askedBy = async (role: 'viewer' | 'developer', account: string, slug = 'shipped') =>
    (await signIn(simulation.server, role, { account })).post(`/templates/${slug}`, { do: 'ask' })

  const accountWith = async (...entries: Parameters<typeof simulation.accountWith>) => {
    const { accountId } = await simulation.accountWith(...entries)
    const template = { slug: 'shipped', text: 'Hello {{name}}', channels: { whatsapp: said } }
    await simulation.server.app.templates.apply(accountId, [template])
    return (await simulation.server.app.accounts.list()).find(({ id }) => id === accountId)!.name
  }

  /** At the provider. */
  const putTemplate = (status: string) =>
    fetch(`${simulation.simulator.url}/_simulator/templates`, {
      method: 'PUT',
      body: JSON.stringify({ name: 'order_shipped', body: 'Hello {{1}}', status }),
    })

  it('is asked when somebody presses the button, and not before', async () => {
    const account = await accountWith(simulation.whatsapp())
    const page = (await (await signIn(simulation.server, 'developer', { account })).get('/templates/shipped')).text
    expect(page).toContain('Ask WhatsApp now')
    expect(page).not.toContain('is not there')
    expect((await askedBy('developer', account)).text).toContain('order_shipped (en_US) is not there')
  })

  it.each(['PENDING', 'REJECTED', 'PAUSED'] as const)('names the state %s', async (status) => {
    const account = await accountWith(simulation.whatsapp())
    await putTemplate(status)
    const { text: page } = await askedBy('developer', account)
    expect(page).toContain(`is ${status}, not APPROVED`)
    expect(page).toContain('<code>wa-eu</code>')
  })

  it('is shown where it is approved', async () => {
    const account = await accountWith(simulation.whatsapp())
    await putTemplate('APPROVED')
    expect((await askedBy('developer', account)).text).toContain('is approved')
  })

  it('cannot be asked without a channel of it', async () => {
    const account = await accountWith(simulation.telegram())
    expect((await askedBy('developer', account)).text).toContain('there is no channel for WhatsApp')
  })

  it('is nothing that a viewer may ask', async () => {
    const account = await accountWith(simulation.whatsapp())
    expect((await askedBy('viewer', account)).status).toBe(403)
  })
})

describe('who may', () => {
  it('is not a viewer, who reads every template and changes none', async () => {
    const viewer = await signIn(simulation.server, 'viewer')
    expect((await viewer.get('/templates')).text).not.toContain('/new-template')
    const { text: page } = await viewer.get('/templates/shipped')
    expect(page).toContain('Hi <mark>Ada</mark>')
    for (const act of ['<textarea', '/delete', 'Ask WhatsApp', 'href="/sandbox"']) expect(page).not.toContain(act)
    const tried = await Promise.all([
      viewer.get('/new-template'),
      viewer.post('/templates', { slug: 'mine', text }),
      viewer.post('/templates/shipped', { text }),
      viewer.post('/templates/shipped', { text, do: 'preview' }),
      viewer.post('/templates/shipped/delete'),
    ])
    expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  })

  it('is nobody of another account: its templates are not there', async () => {
    await simulation.server.app.accounts.create('other')
    const other = await signIn(simulation.server, 'owner', { account: 'other' })
    expect((await other.get('/templates')).text).toContain('There is none yet.')
    expect((await other.get('/templates/shipped')).status).toBe(404)
    expect((await other.submit('/templates/shipped', { text: 'Theirs' })).status).toBe(404)
    await other.post('/templates/shipped/delete')
    expect((await developer.get('/templates/shipped')).text).toContain('Hi {{name}}')
  })

  it('is written down with what was done', async () => {
    await developer.post('/templates', { slug: 'noted', text })
    await developer.post('/templates/noted', { text: 'Hello' })
    await developer.post('/templates/noted/delete')
    const rows = await simulation.server.query<{ act: string; name: string; address: string }>(
      sql`select act, name, address from audit where subject = 'noted' order by act`,
    )
    expect(rows).toEqual(
      ['added', 'changed', 'deleted'].map((done) => {
        return { act: `template.${done}`, name: 'a developer', address: '127.0.0.1' }
      }),
    )
  })
})
