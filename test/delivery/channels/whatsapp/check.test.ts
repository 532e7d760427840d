/** Whether what is configured is good, asked of a server that answers as WhatsApp does. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CheckedTemplate } from '../../../../src/delivery/channel.ts'
import { createWhatsappKind } from '../../../../src/delivery/channels/whatsapp/whatsapp.ts'
import { localGuard } from '../../../support/guard.ts'
import { type Answer, type Asked, type Provider, startProvider } from '../../../support/provider.ts'
import { testRuntime } from '../../../support/runtime.ts'

const whatsapp = createWhatsappKind({ guard: localGuard })

const token = 'EAAG-the-access-token'
const runtime = testRuntime()
const phone = { verified_name: 'Acme', quality_rating: 'GREEN', id: '1065' }
const codes = {
  name: 'auth_copy_code',
  language: 'en_US',
  status: 'APPROVED',
  category: 'AUTHENTICATION',
  parameter_format: 'POSITIONAL',
  message_send_ttl_seconds: 600,
  components: [
    { type: 'BODY', text: '*{{1}}* is your verification code.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://www.whatsapp.com/otp/code/?code=otp{{1}}' }] },
  ],
}
const shipped = {
  name: 'order_shipped',
  language: 'de',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Order' },
    { type: 'BODY', text: 'Hello {{1}}, {{2}} is on its way, {{1}}.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://acme.example' }, { type: 'QUICK_REPLY' }] },
  ],
}
const named: CheckedTemplate = {
  slug: 'shipped',
  settings: { name: 'order_shipped', language: 'de', parameters: ['name', 'order'] },
}

let provider: Provider
beforeAll(async () => {
  provider = await startProvider({ status: 200 })
})
beforeEach(() => void provider.asked.splice(0))
afterAll(() => provider.close())

/** Pages of templates, one after the other; those of a name that is asked for, and of others that begin so. */
function graph(pages: { name?: string }[][], changes: object = {}) {
  return ({ path }: Asked): Answer => {
    const { pathname, searchParams } = new URL(path, 'http://graph')
    if (pathname === '/v23.0/1065') return json({ ...phone, ...changes })
    const at = Number(searchParams.get('after') ?? 0)
    const data = (pages[at] ?? []).filter(({ name = '' }) => name.startsWith(searchParams.get('name')!))
    return json({ data, paging: { cursors: { before: 'x', ...(at < pages.length && { after: String(at + 1) }) } } })
  }
}

function json(value: unknown, status = 200): Answer {
  return { status, body: JSON.stringify(value) }
}

/** Of a connection that was just opened. */
async function found(
  templates: CheckedTemplate[] = [],
  url = provider.url,
  language: string | string[] = 'en_US',
): Promise<string[]> {
  const settings = whatsapp.settings.parse({
    ...{
      phone_number_id: '1065',
      business_account_id: '1022',
      access_token: token,
      app_secret: 'x',
      verify_token: 'x',
    },
    ...{ code_template: { name: 'auth_copy_code', language }, base_url: url },
  })
  const parts = { accountId: 'acct_default', connection: 'wa', publicUrl: undefined, runtime, log: runtime.log }
  const channel = whatsapp.open(settings, parts)
  const findings = (await channel.check!(templates)).map(({ level, text }) => `${level}: ${text}`)
  await channel.close!()
  expect(findings.join()).not.toContain(token)
  return findings
}

const goodPhone = 'good: phone number 1065: Acme, quality GREEN'
const aboutCodes = "codes: WhatsApp's template auth_copy_code (en_US)"
const goodCodes = `good: ${aboutCodes} is approved`
const aboutShipped = "template shipped: WhatsApp's template order_shipped (de)"

describe('a check of WhatsApp', () => {
  it('finds the number, the template of codes, and those that templates name', async () => {
    provider.behave(graph([[codes, shipped]]))
    expect(await found([named])).toEqual([goodPhone, goodCodes, `good: ${aboutShipped} is approved`])
    expect(provider.asked.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /v23.0/1022/message_templates?name=auth_copy_code',
      'GET /v23.0/1022/message_templates?name=order_shipped',
      'GET /v23.0/1065?fields=verified_name,quality_rating',
    ])
    expect(provider.asked.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${token}`))
  })

  it('asks for the template of codes in each of its languages', async () => {
    provider.behave(graph([[codes, { ...codes, language: 'de', status: 'PAUSED' }]]))
    expect(await found([], provider.url, ['en_US', 'de', 'pt_BR'])).toEqual([
      goodPhone,
      goodCodes,
      `bad: ${aboutCodes.replace('en_US', 'de')} is PAUSED, not APPROVED`,
      `bad: ${aboutCodes.replace('en_US', 'pt_BR')} is not there`,
    ])
  })

  it('asks four things at once, and says what it found in the order of the templates', async () => {
    const waiting: (() => void)[] = []
    let most = 0
    const answer = graph([[codes, shipped]])
    const server = createServer(({ url: path = '', method = '', headers }, response) => {
      waiting.push(() => response.end(answer({ method, path, headers, body: '' }).body))
      most = Math.max(most, waiting.length)
      // Nobody is answered before four have asked.
      if (waiting.length === 4) for (const go of waiting.splice(0)) go()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const slugs = ['b', 'a', 'f', 'd', 'c', 'e']
    const { port } = server.address() as AddressInfo
    const findings = await found(
      slugs.map((slug) => ({ ...named, slug })),
      `http://127.0.0.1:${port}`,
    )
    server.close()
    const expected = slugs.map((slug) => `good: ${aboutShipped.replace('shipped', slug)} is approved`)
    expect(findings).toEqual([goodPhone, goodCodes, ...expected])
    expect(most).toBe(4)
  })

  it('finds a template on whatever page it is, and none of another name or language', async () => {
    const others = [
      { ...codes, name: 'auth_copy_code_2' },
      { ...codes, language: 'de', status: 'REJECTED' },
    ]
    provider.behave(graph([others, [{ name: 'auth_copy_code' }], [codes]]))
    expect(await found()).toEqual([goodPhone, goodCodes])
    provider.behave(graph([others]))
    expect(await found()).toEqual([goodPhone, `bad: ${aboutCodes} is not there`])
  })

  it('ends though the pages do not', async () => {
    const page = json({ data: [{ name: 'x' }], paging: { cursors: { after: 'again' } } })
    provider.behave(({ path }) => (path.includes('message_templates') ? page : json(phone)))
    expect(await found()).toEqual([goodPhone, `bad: ${aboutCodes} is not there`])
  })

  it.each([
    [{ status: 'PAUSED' }, 'bad', 'is PAUSED, not APPROVED'],
    [{ category: 'UTILITY' }, 'bad', 'is of the category UTILITY, not AUTHENTICATION'],
    [{ message_send_ttl_seconds: undefined }, 'warning', 'has no message_send_ttl_seconds: if it was made before 23'],
    [{ message_send_ttl_seconds: -1 }, 'warning', 'delivers for longer than a code lives'],
    [{ message_send_ttl_seconds: 900 }, 'warning', 'delivers for longer than a code lives'],
  ])('of a template of codes with %j finds it %s', async (changes, level, text) => {
    provider.behave(graph([[{ ...codes, ...changes }]]))
    const findings = await found()
    expect(findings.at(-1)).toContain(`${level}: ${aboutCodes} ${text}`)
    expect(findings.includes(goodCodes)).toBe(level === 'warning')
  })

  it.each([
    [{ status: 'REJECTED' }, 'is REJECTED, not APPROVED'],
    [{ components: [{ type: 'BODY', text: 'Hello {{1}}' }] }, 'has 1 parameters, and 2 are given'],
    [{ components: [] }, 'has 0 parameters, and 2 are given'],
    [
      { parameter_format: 'NAMED', components: [{ type: 'BODY', text: '{{name}} {{order}}' }] },
      'has named parameters, name, order: name each in the body',
    ],
    [
      { components: [...shipped.components.slice(1), { type: 'HEADER', format: 'IMAGE' }] },
      'has a header to be filled with an image, and nothing is given',
    ],
    [
      { components: [...shipped.components.slice(1), { type: 'HEADER', format: 'TEXT', text: '{{1}}' }] },
      'has a header to be filled with a text, and nothing is given',
    ],
    [
      { components: [shipped.components[1], { type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://x/{{1}}' }] }] },
      'has button 1 (URL), which nothing fills',
    ],
  ])('of a template with %j finds it bad', async (changes, text) => {
    provider.behave(graph([[codes, { ...shipped, ...changes }]]))
    expect(await found([named])).toEqual([goodPhone, goodCodes, `bad: ${aboutShipped} ${text}`])
  })

  const whole = {
    ...shipped,
    parameter_format: 'NAMED',
    components: [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Hello {{customer}}, {{number}} is on its way.' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'PHONE_NUMBER' },
          { type: 'URL', url: 'https://acme.example/{{1}}' },
          { type: 'QUICK_REPLY' },
          { type: 'COPY_CODE' },
        ],
      },
    ],
  }
  const fills = {
    ...{ name: 'order_shipped', language: 'de' },
    header: { document: '{{bill}}' },
    body: { customer: 'name', number: 'order' },
    buttons: [{}, { url: '{{order}}' }, {}, { copy_code: '{{order}}' }],
  }

  it('finds good what fills every place of a template', async () => {
    provider.behave(graph([[codes, whole]]))
    expect(await found([{ ...named, settings: fills }])).toContain(`good: ${aboutShipped} is approved`)
  })

  it.each([
    [{ header: { video: '{{bill}}' } }, 'has a header to be filled with a document, and a video is given'],
    [{ body: { customer: 'name', town: 'order' } }, 'has parameters that nothing fills: number'],
    [{ body: { customer: 'name', town: 'order' } }, 'has no parameters of these names: town'],
    [{ body: ['name', 'order'] }, 'has named parameters, customer, number: name each in the body'],
    [{ buttons: [{}, {}, {}, { copy_code: 'x' }] }, 'has button 2 (URL), which nothing fills'],
    [{ buttons: [{}, { url: 'x' }] }, 'has button 4 (COPY_CODE), which nothing fills'],
    [{ buttons: [{ url: 'x' }, { url: 'x' }] }, 'has button 1 (PHONE_NUMBER), which url does not fill'],
    [{ buttons: [{}, { url: 'x' }, {}, { copy_code: 'x' }, { url: 'x' }] }, 'has 4 buttons, and button 5 is filled'],
  ])('of a template that is filled with %j says what does not fit', async (changes, text) => {
    provider.behave(graph([[codes, whole]]))
    expect(await found([{ ...named, settings: { ...fills, ...changes } }])).toContain(`bad: ${aboutShipped} ${text}`)
  })

  it.each([
    ['Order {{1}}', { text: '{{order}}' }, undefined],
    ['Order {{number}}', { text: '{{order}}', parameter: 'number' }, undefined],
    ['Order {{number}}', { text: '{{order}}' }, 'has a header whose parameter is named number'],
    ['Order {{1}}', { text: '{{order}}', parameter: 'number' }, 'has a header whose parameter has no name'],
    ['Order', { text: '{{order}}' }, 'has no header to be filled, and a text is given'],
  ])('of a template with the header %s, filled with %j, says whether it fits', async (text, header, fault) => {
    const changed = { ...whole, components: [{ type: 'HEADER', format: 'TEXT', text }] }
    provider.behave(graph([[codes, changed]]))
    const findings = await found([{ ...named, settings: { ...fills, header, body: [], buttons: [] } }])
    expect(findings).toContain(fault ? `bad: ${aboutShipped} ${fault}` : `good: ${aboutShipped} is approved`)
  })

  it('finds what a template says for WhatsApp bad, when it can not be read', async () => {
    provider.behave(graph([[codes]]))
    const findings = await found([{ slug: 'shipped', settings: { name: 'X' } }])
    expect(findings.at(-1)).toBe(
      'bad: template shipped: what it says for WhatsApp is not of the form that it must have',
    )
  })

  it('warns of a number that people report', async () => {
    provider.behave(graph([[codes]], { quality_rating: 'RED' }))
    expect((await found())[0]).toBe('warning: phone number 1065: Acme, quality RED: WhatsApp may limit it')
    provider.behave(graph([[codes]], { quality_rating: 7, verified_name: null }))
    expect((await found())[0]).toBe('good: phone number 1065: without a name, quality UNKNOWN')
  })

  it.each([
    ['190 (access token has expired)', json({ error: { code: 190, message: token } }, 401)],
    [
      '100 (no such phone number id, or the token may not use it)',
      json({ error: { code: 100, error_subcode: 33 } }, 400),
    ],
    ['status 502 with an unknown body', { status: 502, body: '<html>' }],
    ['status 200 with an unknown body', { status: 200, body: '[]' }],
    ['status 200 with an unknown body', { status: 200, body: `{"data":"${'x'.repeat(70_000)}"}` }],
  ])('says %s where WhatsApp answers so', async (text, answer) => {
    provider.behave(answer)
    expect(await found()).toEqual([`bad: phone number 1065: ${text}`, `bad: ${aboutCodes} could not be read: ${text}`])
  })

  it('says so where WhatsApp breaks off', async () => {
    provider.behave('reset')
    const findings = await found()
    expect(findings).toHaveLength(2)
    for (const finding of findings) expect(finding).toMatch(/^bad: /)
  })
})
