/** Bodies in the charsets, under the types and with the repeats that programs send. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noPhones } from './phones.ts'
import { type Api, openSite, type Site } from './site.ts'

let site: Site
let api: Api
let sids: { account_sid: string; service_sid: string }
beforeAll(async () => {
  site = await openSite({ TWILIO_VERIFY: 'on' })
  api = await site.api('test')
  sids = JSON.parse((await site.cli('twilio', 'show', '--json')).stdout)
  const list = '- { id: own, kind: plain, mode: test, secret: the-secret-of-this-inlet }'
  await site.apply(['inlets', 'apply'], 'inlets.yaml', list)
})
afterAll(() => site?.close())

let count = 0
const newPhone = () => `+1415557${2000 + count++}`
const form = 'application/x-www-form-urlencoded'

interface Told {
  status: number
  message: string
}

async function inlet(type: string, body: string | Uint8Array): Promise<Told> {
  const headers = { authorization: 'Bearer the-secret-of-this-inlet', 'content-type': type }
  const path = `${site.url}/inlets/acct_default/own`
  const response = await fetch(path, { method: 'POST', headers, body: Buffer.from(body) })
  const told = (await response.json()) as { data: { message?: string } }
  return { status: response.status, message: told.data.message ?? '' }
}

async function wire(body: string | Uint8Array, type = form): Promise<Told> {
  const authorization = `Basic ${Buffer.from(`${sids.account_sid}:${api.key}`).toString('base64')}`
  const path = `${site.url}/v2/Services/${sids.service_sid}/Verifications`
  const headers = { authorization, 'content-type': type }
  const response = await fetch(path, { method: 'POST', headers, body: Buffer.from(body) })
  return { status: response.status, message: ((await response.json()) as { message?: string }).message ?? '' }
}

async function send(body: string | Uint8Array, type = 'application/json'): Promise<Told> {
  const { status, body: told } = await api.post('/v1/verify/send', Buffer.from(body), { 'Content-Type': type })
  return { status, message: told.data.message ?? '' }
}

describe('a post to an inlet in another charset', () => {
  it.each([
    ['iso-8859-1', (text: string) => Buffer.from(text, 'latin1')],
    ['"ISO-8859-1"', (text: string) => Buffer.from(text, 'latin1')],
    ['windows-1252', (text: string) => Buffer.from(text, 'latin1')],
    ['utf8', (text: string) => Buffer.from(text)],
  ])('is read as it says, as JSON and as a form: %s', async (charset, encode) => {
    const [asJson, asForm, escaped] = [newPhone(), newPhone(), newPhone()]
    const json = encode(JSON.stringify({ phone: asJson, text: 'Grüße 4829' }))
    expect((await inlet(`application/json; charset=${charset}`, json)).status).toBe(200)
    const raw = encode(`phone=%2B${asForm.slice(1)}&text=Grüße+4829`)
    expect((await inlet(`${form};charset=${charset}`, raw)).status).toBe(200)
    const bytes = [...encode('Grüße')].map((byte) => `%${byte.toString(16)}`).join('')
    expect((await inlet(`${form};charset=${charset}`, `phone=%2B${escaped.slice(1)}&text=${bytes}+4829`)).status).toBe(
      200,
    )
    for (const phone of [asJson, asForm, escaped]) await expect.poll(() => site.texts(phone)).toEqual(['Grüße 4829'])
  })

  it('is read as JSON in UTF-16 too, where it says so', async () => {
    const phone = newPhone()
    const body = Buffer.from(`\ufeff${JSON.stringify({ phone, text: 'Grüße 4829' })}`, 'utf16le')
    expect((await inlet('application/json; charset=utf-16le', body)).status).toBe(200)
    await expect.poll(() => site.texts(phone)).toEqual(['Grüße 4829'])
  })

  it.each([
    ['application/json; charset=klingon', '{}', 'a charset that is known here'],
    [`${form}; charset=utf-16le`, 'phone=1', 'a charset that is known here'],
    ['application/json', Buffer.from('{"text": "für"}', 'latin1'), 'byte 11 is 0xFC: it is probably Latin-1'],
    ['application/json', Buffer.from('{"text": "été"}', 'latin1'), 'byte 10 is 0xE9: it is probably Latin-1'],
    ['application/json', Buffer.from('{"text": "x"}', 'utf16le'), 'it is UTF-16'],
    [form, 'phone=%2B14155552671&text=f%FCr', 'byte 1 is 0xFC: it is probably Latin-1'],
  ])('is refused with what is wrong where it is not what it says: %s', async (type, body, words) => {
    const { status, message } = await inlet(type, body)
    expect([status, message]).toEqual([400, expect.stringContaining(words)])
  })
})

describe('a field that comes twice', () => {
  it('is refused by an inlet when it is read, and is no matter when it is not', async () => {
    const { status, message } = await inlet(form, 'phone=%2B14155552671&phone=%2B14155552672&code=4829')
    expect([status, message]).toEqual([400, 'The body lacks a form in which phone comes once (/phone).'])
    expect((await inlet(form, `phone=%2B${newPhone().slice(1)}&code=4829&tag=a&tag=b`)).status).toBe(200)
  })

  it('is refused by the wire of Twilio by its name', async () => {
    const { status, message } = await wire('To=%2B14155552671&To=%2B14155552672&Channel=sms')
    expect([status, message]).toEqual([400, 'Invalid parameter: To must come once.'])
  })

  it('is refused in a query', async () => {
    const { status, body } = await api.get('/v1/messages?limit=1&limit=2')
    expect([status, body.data.details[0]]).toMatchObject([400, { field: 'query:limit', message: 'must come once' }])
  })
})

describe('a body of the API that is not UTF-8', () => {
  it.each([
    [
      'Latin-1',
      Buffer.from('{"phone": "+14155550100", "brand_name": "Grün"}', 'latin1'),
      'byte 43 is 0xFC: it is probably',
    ],
    ['UTF-16', Buffer.from('{"phone": "+14155550100"}', 'utf16le'), 'it is UTF-16'],
    ['UTF-16 with its mark', Buffer.from('\ufeff{"phone": "+14155550100"}', 'utf16le'), 'it is UTF-16'],
    [
      'cut off',
      Buffer.from('{"phone": "+14155550100", "brand_name": "Grü').subarray(0, -1),
      'it ends within a character',
    ],
  ])('is told what it is: %s', async (_what, body, words) => {
    const { status, message } = await send(body)
    expect([status, message]).toEqual([400, expect.stringContaining(`The body is not JSON in UTF-8: ${words}`)])
  })

  it('is refused under the name of another charset with a sentence, by API and wire', async () => {
    const words = 'The Content-Type names another charset than UTF-8'
    const json = await send('{"phone": "+14155550100"}', 'application/json; charset=iso-8859-1')
    expect([json.status, json.message]).toEqual([415, expect.stringContaining(words)])
    const asForm = await wire('To=%2B14155550100&Channel=sms', `${form}; charset=iso-8859-1`)
    expect([asForm.status, asForm.message]).toEqual([415, expect.stringContaining(words)])
  })

  it('is refused as a form, and in a query and a path', async () => {
    const raw = await wire(Buffer.from('To=%2B14155550100&Channel=sms&CustomFriendlyName=Grün', 'latin1'))
    expect([raw.status, raw.message]).toEqual([400, expect.stringContaining('byte 51 is 0xFC')])
    const escaped = await wire('To=%2B14155550100&Channel=sms&CustomFriendlyName=Gr%FCn')
    expect(escaped.status).toBe(400)
    expect(escaped.message).toContain('CustomFriendlyName must be percent-encoded UTF-8')
    const query = await api.get('/v1/messages?phone=%FC')
    expect([query.status, query.body.data.details[0]]).toMatchObject([
      400,
      { message: 'must be percent-encoded UTF-8' },
    ])
    const path = await api.get('/v1/messages/%FC')
    expect([path.status, path.body.data.message]).toEqual([400, 'The path is not percent-encoded UTF-8.'])
  })
})

describe('a phone that an inlet cannot read', () => {
  // What begins with a digit begins with a country code here.
  it.each(noPhones.filter(([, written]) => !/^[(0-9]/.test(written)))(
    '%s, is told what is wrong: %j',
    async (_what, phone, fault) => {
      const { status, message } = await inlet('application/json', JSON.stringify({ phone, code: '4829' }))
      expect([status, message]).toEqual([400, expect.stringContaining(`it ${fault}`)])
    },
  )

  it('is in the list of its last posts with the reason, and without a digit', async () => {
    await inlet('application/json', JSON.stringify({ phone: '+1 415 555 267', code: '4829' }))
    const last = async () => JSON.parse((await site.cli('inlets', 'list', '--json')).stdout)[0].posts[0]
    await expect.poll(last).toMatchObject({ outcome: 'invalid_phone', fault: 'is too short for its country' })
  })
})
