/** Bytes that are no UTF-8, marks at the beginning of files, and the names that programs give to encodings and languages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, openSite, type Site } from './site.ts'

let site: Site
let api: Api
let sids: { account_sid: string; service_sid: string }
beforeAll(async () => {
  site = await openSite({ TWILIO_VERIFY: 'on' })
  api = await site.api('test')
  sids = JSON.parse((await site.cli('twilio', 'show', '--json')).stdout)
  await site.apply(
    ['inlets', 'apply'],
    'inlets.yaml',
    '- { id: own, kind: plain, mode: test, secret: the-secret-of-this-inlet }',
  )
})
afterAll(() => site?.close())

/** Files that operators apply, each with a letter outside of ASCII in its second line. */
const files: readonly [words: string, name: string, text: string][] = [
  ['templates apply', 'templates.yaml', '- slug: hi\n  text: "Grüß dich, {{name}}"\n'],
  ['wording apply', 'wording.yaml', 'de:\n  "{{code}} für {{brand}}."\n'],
  ['channels apply', 'channels.yaml', '- { id: sandbox, kind: sandbox }\n# für Köln\n'],
  [
    'inlets check',
    'inlets.yaml',
    '- { id: own, kind: plain, mode: test, secret: the-secret-of-this-inlet }\n# für Köln\n',
  ],
  ['protection check', 'rules.yaml', '- { id: c, by: country, allow: [DE], do: record }\n# für Köln\n'],
]

describe('a file that an operator applies', () => {
  it.each(files)('in Latin-1, is refused with the line and the byte: %s', async (words, name, text) => {
    const { exitCode, stderr } = await site.apply(words.split(' '), name, Buffer.from(text, 'latin1'))
    const before = text.split('\n')[1]!.search(/[^\0-\x7f]/)
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(`byte ${before + 1} of line 2 is not UTF-8: save the file as UTF-8`),
    ])
  })

  it.each(files)('in UTF-16, is named so: %s', async (words, name, text) => {
    for (const mark of ['\ufeff', '']) {
      const { exitCode, stderr } = await site.apply(words.split(' '), name, Buffer.from(mark + text, 'utf16le'))
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('is UTF-16: save the file as UTF-8')])
    }
  })

  it.each(files)('with the ends of lines of Windows, is read: %s', async (words, name, text) => {
    const { exitCode, stderr } = await site.apply(words.split(' '), name, text.replaceAll('\n', '\r\n'))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  it.each(files)('with a mark at its beginning, is read: %s', async (words, name, text) => {
    const { exitCode, stderr } = await site.apply(words.split(' '), name, `\ufeff${text}`)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })
})

it('a form that is not UTF-8 is refused by an inlet, and nothing of it reaches a phone', async () => {
  const headers = {
    authorization: 'Bearer the-secret-of-this-inlet',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const ask = async (body: string) =>
    (await fetch(`${site.url}/inlets/acct_default/own`, { method: 'POST', headers, body })).status
  expect(await ask('phone=%2B14155552671&text=Gr%FC%DFe%20482913')).toBe(400)
  expect(await ask('phone=%2B14155552671&text=Gr%C3%BC%C3%9Fe%20482913')).toBe(200)
  await expect.poll(() => site.texts('+14155552671')).toEqual(['Grüße 482913'])
})

it('a form of the dashboard with such a character is refused', async () => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
  const refused = await fetch(`${site.dashboardUrl}/sign-in`, { method: 'POST', headers, body: 'email=%FC&password=x' })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('not in UTF-8')])
})

it('an address of the dashboard with such a character is refused', async () => {
  const answer = await fetch(`${site.dashboardUrl}/sign-in?next=%FC`)
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('not in UTF-8')])
})

it('each setting of an inlet that is no JSON Pointer is refused with its line', async () => {
  const list =
    '- id: own\n  kind: plain\n  mode: test\n  secret: the-secret-of-this-inlet\n  settings:\n    phone: /a~2\n    code: /b~\n'
  const { exitCode, stderr } = await site.apply(['inlets', 'check'], 'wrong.yaml', list)
  expect(exitCode).toBe(1)
  expect(stderr).toContain('wrong.yaml:6: entry 1, settings.phone: must be a JSON Pointer')
  expect(stderr).toContain('wrong.yaml:7: entry 1, settings.code: must be a JSON Pointer')
})

describe('a body in UTF-8', () => {
  it.each(['utf8', 'UTF8', '"utf-8"', 'us-ascii'])(
    'is taken when its encoding is called %s, by API and wire',
    async (charset) => {
      const type = `application/json; charset=${charset}`
      const sent = await api.post('/v1/verify/send', { phone: '+14155550100' }, { 'Content-Type': type })
      expect(sent.status).toBe(200)
      expect((await asTwilio({ To: '+14155550100', Channel: 'sms' }, charset)).status).toBe(201)
    },
  )

  it('is refused under the name of another encoding', async () => {
    const type = 'application/json; charset=iso-8859-1'
    expect((await api.post('/v1/verify/send', { phone: '+14155550100' }, { 'Content-Type': type })).status).toBe(415)
  })
})

async function asTwilio(form: Record<string, string>, charset = 'utf-8') {
  const authorization = `Basic ${Buffer.from(`${sids.account_sid}:${api.key}`).toString('base64')}`
  const headers = { authorization, 'content-type': `application/x-www-form-urlencoded; charset=${charset}` }
  const body = new URLSearchParams(form).toString()
  return fetch(`${site.url}/v2/Services/${sids.service_sid}/Verifications`, { method: 'POST', headers, body })
}

describe('a language', () => {
  const german = '000000 ist Ihr Code. Er gilt 10 Minuten.'
  let count = 0
  const newPhone = () => `+1415555${3000 + count++}`

  it.each(['de', 'de-DE', 'de_DE', 'de_DE.UTF-8', 'de-DE,de;q=0.9,en;q=0.8', ' de '])(
    'written as %j is understood, by API and wire',
    async (locale) => {
      const [one, other] = [newPhone(), newPhone()]
      expect((await api.post('/v1/verify/send', { phone: one, locale })).status).toBe(200)
      expect((await asTwilio({ To: other, Channel: 'sms', Locale: locale })).status).toBe(201)
      for (const phone of [one, other]) await expect.poll(() => site.texts(phone)).toEqual([german])
    },
  )

  it.each(['zh_CN', 'zh-Hans-CN'])('written as %s is Chinese', async (locale) => {
    const phone = newPhone()
    expect((await api.post('/v1/verify/send', { phone, locale })).status).toBe(200)
    await expect.poll(async () => (await site.texts(phone)).join()).toMatch(/\p{Script=Han}/u)
  })

  it.each(['', 'C', 'german', '*', 'en_US_POSIX_and_much_more_of_it_that_is_long'])(
    'that is none, %j, keeps no code from its phone',
    async (locale) => {
      const [one, other] = [newPhone(), newPhone()]
      expect((await api.post('/v1/verify/send', { phone: one, locale })).status).toBe(200)
      expect((await asTwilio({ To: other, Channel: 'sms', Locale: locale })).status).toBe(201)
      for (const phone of [one, other])
        await expect.poll(async () => (await site.texts(phone)).join()).toContain('000000')
    },
  )
})

describe('a name and a host, as developers write them', () => {
  it('the curly apostrophe of a phone or a word processor is sent as the plain one, whatever the door', async () => {
    const brand = 'Bob’s'
    const text = "Your Bob's code is 000000"
    expect((await api.post('/v1/verify/send', { phone: '+14155554301', brand_name: brand })).status).toBe(200)
    await expect.poll(() => site.texts('+14155554301')).toEqual([text])
    const inlet = { id: 'own', kind: 'plain', mode: 'test', secret: 'the-secret-of-this-inlet', brand_name: brand }
    expect(await site.apply(['inlets', 'apply'], 'inlets.yaml', JSON.stringify([inlet]))).toMatchObject({ exitCode: 0 })
  })

  it('the blanks at its ends, and more than one between its words, are not sent', async () => {
    const phone = '+14155554302'
    expect((await api.post('/v1/verify/send', { phone, brand_name: ' Acme  Shop ' })).status).toBe(200)
    await expect.poll(() => site.texts(phone)).toEqual(['Your Acme Shop code is 000000'])
  })

  it.each(["Bob's", 'Müller & Söhne'])('the brand %s is taken, and costs no more SMS', async (brand_name) => {
    const phone = `+1415555${4000 + brand_name.length}`
    expect((await api.post('/v1/verify/send', { phone, brand_name })).status).toBe(200)
    await expect.poll(() => site.texts(phone)).toEqual([`Your ${brand_name} code is 000000`])
  })

  it('localhost is a host for an inlet for tests, and none for a live one', async () => {
    const apply = (mode: string) => {
      const inlet = {
        id: 'own',
        kind: 'plain',
        mode,
        secret: 'the-secret-of-this-inlet',
        autofill: { domain: 'localhost' },
      }
      return site.apply(['inlets', 'apply'], 'inlets.yaml', JSON.stringify([inlet]))
    }
    expect(await apply('test')).toMatchObject({ exitCode: 0 })
    expect(await apply('live')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('entry 1, autofill.domain: must be'),
    })
  })

  it('localhost is a host with a test key, and none with a live one', async () => {
    const live = await site.api('live')
    const body = { phone: '+14155554100', autofill: { domain: 'localhost' } }
    expect((await api.post('/v1/verify/send', body)).status).toBe(200)
    await expect.poll(async () => (await site.texts('+14155554100')).join()).toContain('@localhost #000000')
    const refused = await live.post('/v1/verify/send', body)
    expect([refused.status, refused.body.data.details[0]]).toMatchObject([400, { field: '/autofill/domain' }])
  })
})
