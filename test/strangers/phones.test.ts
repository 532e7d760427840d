/** Phones and codes as people write them, at every door that takes what people write. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noPhones, pastedPhones, renumberedPhones } from './phones.ts'
import { type Api, openSite, type Site } from './site.ts'

const inlets = `
- { id: own, kind: plain, mode: test, secret: the-secret-of-this-inlet }
- { id: authentik, kind: authentik, mode: test, secret: the-secret-of-this-inlet }
`

let site: Site
let live: Api
let owner: Awaited<ReturnType<Site['owner']>>
beforeAll(async () => {
  site = await openSite({ PHONE_PREFIXES_ALLOWED: '+1565' })
  const applied = await site.apply(['inlets', 'apply'], 'inlets.yaml', inlets)
  if (applied.exitCode !== 0) throw new Error(applied.stderr)
  const rules = '- { id: countries, by: country, allow: [GB, US, DE, MX, BJ], do: block }'
  const ruled = await site.apply(['protection', 'apply', '--reason', 'a trial'], 'rules.yaml', rules)
  if (ruled.exitCode !== 0) throw new Error(ruled.stderr)
  owner = await site.owner()
  live = await site.api('live')
})
afterAll(() => site?.close())

let codes = 100_000
const nextCode = () => String(codes++)

async function post(inlet: string, body: string, type = 'application/json'): Promise<{ status: number; text: string }> {
  const headers = { authorization: 'Bearer the-secret-of-this-inlet', 'content-type': type }
  const response = await fetch(`${site.url}/inlets/acct_default/${inlet}`, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

/** Through the rules, by the form of the page about them. */
async function letPass(phone: string) {
  const page = await owner.get('/protection')
  const [, version = ''] = /name="version" value="([^"]*)"/.exec(page.text) ?? []
  return owner.submit('/protection/pass', { phone, version })
}

const lastText = async (phone: string) => (await site.texts(phone)).at(-1)

describe('a phone that a person pasted', () => {
  it.each(pastedPhones)('%s, gets the code that is posted to an inlet: %j', async (_what, written, phone) => {
    const code = nextCode()
    expect(await post('own', JSON.stringify({ phone: written, code }))).toMatchObject({ status: 200 })
    await expect.poll(() => lastText(phone)).toContain(code)
  })

  it.each(pastedPhones)('%s, gets it from an inlet that takes the plus as it comes: %j', async (_what, To, phone) => {
    const code = nextCode()
    expect(await post('authentik', JSON.stringify({ From: 'Acme', To, Body: code, Message: code }))).toMatchObject({
      status: 200,
    })
    await expect.poll(() => lastText(phone)).toContain(code)
  })

  it.each(pastedPhones)('%s, gets it from a form: %j', async (_what, written, phone) => {
    const code = nextCode()
    const form = new URLSearchParams({ phone: written, code }).toString()
    expect(await post('own', form, 'application/x-www-form-urlencoded')).toMatchObject({ status: 200 })
    await expect.poll(() => lastText(phone)).toContain(code)
  })

  it.each(pastedPhones)(
    '%s, is found in the dashboard, and on its sandbox phone: %j',
    async (_what, written, phone) => {
      const found = await owner.get(`/messages?${new URLSearchParams({ q: written, mode: 'test' })}`)
      expect([found.text.includes('nor a whole phone number'), found.text.includes(phone)]).toEqual([false, true])
      const shown = await owner.get(`/sandbox?${new URLSearchParams({ phone: written })}`)
      expect(shown.text).toContain(`aria-label="The phone ${phone}"`)
    },
  )

  it('is let past the rules in the dashboard, once', async () => {
    for (const [what, written] of pastedPhones) {
      const { text } = await letPass(written)
      expect([what, text.includes('passes the rules that refuse sends')]).toEqual([what, true])
    }
    const { stdout } = await site.cli('protection', 'show', '--json')
    expect(stdout.match(/\+\d{8,}/g)?.toSorted()).toEqual(
      [...new Set(pastedPhones.map(([, , phone]) => phone))].toSorted(),
    )
  })

  it('gets a test code of the dashboard', async () => {
    const { status, headers } = await owner.post('/channels/sandbox/test', { phone: '\u202a+44 (0)7911 123456\u202c' })
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining('/messages/req_')])
    await expect.poll(() => site.texts('+447911123456')).toHaveLength(1)
  })

  it('is read the same way by the commands', async () => {
    const [, written, phone] = pastedPhones[1]!
    const shown = await site.cli('phones', 'show', written, '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ phone, country: 'GB', number_kind: 'mobile', sent_to: true })
    expect((await site.cli('forget', '--phone', written, '--json')).exitCode).toBe(0)
    expect(await site.texts(phone)).toEqual([])
  })
})

describe('a number from before its country changed it', () => {
  it.each(renumberedPhones)('%s, gets the code that is posted to an inlet: %j', async (_what, written, phone) => {
    const code = nextCode()
    expect(await post('own', JSON.stringify({ phone: written, code }))).toMatchObject({ status: 200 })
    await expect.poll(() => lastText(phone)).toContain(code)
  })

  it.each([
    ['+5215541637145', 'that Mexico took off its numbers in 2019'],
    ['+22997123456', 'when Benin put 01 in front of its numbers'],
  ])('is refused by the API, and why is said: %s', async (phone, fault) => {
    const { status, body } = await live.post('/v1/verify/send', { phone })
    expect([status, body.data.code]).toEqual([400, 'invalid_phone'])
    expect(body.data.details[0].message).toContain(fault)
  })
})

describe('what is no one phone with its country', () => {
  it.each(noPhones)('%s, is refused by an inlet: %j', async (_what, written) => {
    const { status, text } = await post('authentik', JSON.stringify({ To: written, Body: nextCode(), Message: 'x' }))
    expect([status, text]).toEqual([400, expect.stringContaining('cannot get codes')])
  })

  it.each(noPhones)('%s, is refused with the reason by the dashboard: %j', async (_what, written, fault) => {
    const told = /Cannot read this as a phone number: it ([^<]*)\./
    const said = (text: string) => told.exec(text.replaceAll('&quot;', '"').replaceAll('&#34;', '"'))?.[1]
    expect(said((await letPass(written)).text)).toContain(fault)
    expect(said((await owner.submit('/channels/sandbox/test', { phone: written })).text)).toContain(fault)
    const found = await owner.get(
      `/messages?${new URLSearchParams({ q: written.replace(/^\D*$/, '-'), mode: 'test' })}`,
    )
    expect(found.text).toContain('neither the id of a message nor a whole phone number')
  })

  it.each([
    ['two numbers', '+49 30 1234 – +49 30 1235', 'it holds two numbers'],
    ['an extension', '+1 415 555 2671 ext. 5', 'it has an extension'],
    ['a rounded number', '4.91712E+11', 'it is a rounded number'],
    ['spaces', '+44 7975 556677', 'it has a space, as character 4'],
    ['letters', '+1-800-FLOWERS', 'it has letters'],
  ])('%s, is refused with the reason by the API: %j', async (_what, phone, fault) => {
    const { body } = await live.post('/v1/verify/send', { phone })
    expect(body.data.details[0].message).toContain(fault)
  })

  it('is refused with the reason by the commands', async () => {
    const [, written, fault] = noPhones.find(([what]) => what === 'an extension')!
    for (const words of [
      ['forget', '--phone', written],
      ['opt-outs', 'remove', '--phone', written],
    ])
      expect(await site.cli(...words)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(fault) })
    expect((await site.cli('phones', 'show', written)).stdout).toContain(`no: it ${fault}`)
  })
})

describe('a number of a range that this version does not know', () => {
  it('is refused with these words, is logged masked and counted by how it begins', async () => {
    const { status, body } = await live.post('/v1/verify/send', { phone: '+14365550100' })
    expect([status, body.data]).toMatchObject([
      400,
      {
        code: 'invalid_phone',
        message: "This phone number is not in this version's numbering plan.",
        details: [{ field: '/phone', message: "is not in this version's numbering plan" }],
      },
    ])
    const metrics = await (await fetch(`${site.opsUrl}/metrics`)).text()
    expect(metrics).toContain('watchword_phones_unlisted_total{prefix="+1436"} 1')
    await expect.poll(() => site.output()).toContain('"phone":"+1436•••••00","prefix":"+1436"')
    expect(site.output()).not.toContain('+14365550100')
  })

  it('is sent to when the operator has let its beginning in', async () => {
    expect(await live.post('/v1/verify/send', { phone: '+15655550100' })).toMatchObject({ status: 200 })
    await expect.poll(() => site.texts('+15655550100')).toHaveLength(1)
  })

  it.each([
    ['too short', '+1436555010', 'is too short for its country'],
    ['too long', '+143655501000', 'is too long for its country'],
    ['much too short', '+4479', 'is too short for its country'],
    ['of no country', '+9991234567', 'begins with a calling code that no country has'],
    ['with the trunk zero', '+4407911123456', expect.stringContaining('dialed only inside of the country')],
    ['with the 15 of Argentina', '+54111512345678', expect.stringContaining('dialed only inside of the country')],
  ])('that is %s cannot exist, and why is said', async (_what, phone, fault) => {
    const { body } = await live.post('/v1/verify/send', { phone })
    expect(body.data).toMatchObject({ message: 'This phone number cannot exist.', details: [{ message: fault }] })
  })

  it('is told by a command, with the date of the numbering plan', async () => {
    const { stdout } = await site.cli('phones', 'show', '+1 436 555 0100')
    expect(stdout).toMatch(/no: it is not in this version's numbering plan/)
    expect(stdout).toMatch(/Numbering plan {2}libphonenumber-js \S+, of 20\d\d-\d\d-\d\d/)
  })
})
