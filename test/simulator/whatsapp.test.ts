/** The simulated WhatsApp, by its wire: what is true of Meta's is true of it. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { standardOptions } from '../../src/simulator/options.ts'
import { createSignature } from '../../src/simulator/whatsapp/reports.ts'
import {
  ask,
  code,
  codeMessage,
  reference,
  type Simulated,
  startSimulated,
  statusObjectsIn,
} from '../support/simulated.ts'

const phone = '+14155552671'
const graph = '/v23.0'

let simulated: Simulated
beforeEach(async () => {
  simulated = await startSimulated({ now: () => new Date(1_700_000_123_456) })
})
afterEach(() => simulated.close())

const get = (path: string, token = standardOptions.whatsappToken) =>
  ask(simulated.url + path, 'GET', undefined, { Authorization: `Bearer ${token}` })

describe('a code', () => {
  it('is taken, shown on its phone with its reference and leg, and reported sent and delivered', async () => {
    const { status, json } = await simulated.whatsapp(phone)
    expect(status).toBe(200)
    const id = json.messages[0].id
    expect(json).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: phone, wa_id: phone.slice(1) }],
      messages: [{ id: expect.stringMatching(/^wamid\.\S{20,200}$/), message_status: 'accepted' }],
    })
    const [report, ...others] = await simulated.reported()
    expect(others).toEqual([])
    expect(report?.path).toBe('/wa')
    const common = { id, timestamp: '1700000123', recipient_id: phone.slice(1), biz_opaque_callback_data: reference }
    const pricing = expect.objectContaining({ category: 'authentication' })
    expect(JSON.parse(report!.body)).toEqual({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '102290129340398',
          changes: [
            {
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: expect.any(String), phone_number_id: '106540352242922' },
                statuses: [
                  { ...common, status: 'sent', pricing },
                  { ...common, status: 'delivered', pricing },
                ],
              },
              field: 'messages',
            },
          ],
        },
      ],
    })
    expect(simulated.phone(phone).messages).toEqual([
      expect.objectContaining({
        ...{ id, wire: 'whatsapp', reference, leg: 2, code, taken: true, template: 'auth_copy_code' },
        text: `${code} is your verification code. For your security, do not share this code.`,
        at: '2023-11-14T22:15:23.456Z',
        statuses: [{ status: 'delivered', at: '2023-11-14T22:15:23.456Z' }],
      }),
    ])
  })

  it('is on the phone as often as it was sent', async () => {
    for (let count = 0; count < 3; count++) await simulated.whatsapp(phone)
    expect(simulated.phone(phone).messages.map((message) => message.code)).toEqual([code, code, code])
  })
})

describe('a notification', () => {
  const welcome = (...texts: string[]) => ({
    template: {
      name: 'welcome',
      language: { code: 'en_US' },
      components: [{ type: 'body', parameters: texts.map((text) => ({ type: 'text', text })) }],
    },
  })

  it('is filled by the place of its parameters', async () => {
    expect((await simulated.whatsapp(phone, welcome('Ada'))).status).toBe(200)
    const [message] = simulated.phone(phone).messages
    expect(message).toMatchObject({
      template: 'welcome',
      language: 'en_US',
      parameters: ['Ada'],
      text: 'Welcome, Ada!',
    })
    expect(message).not.toHaveProperty('code')
  })

  it.each([
    ['132000', 'more parameters than places', welcome('Ada', 'Bob')],
    ['132000', 'no parameter', welcome()],
    ['132018', 'a line end', welcome('Ada\nBob')],
    ['132018', 'five spaces', welcome('Ada     Bob')],
  ])('is refused with %s when it has %s', async (number, _what, changes) => {
    expect((await simulated.whatsapp(phone, changes)).json.error.code).toBe(Number(number))
  })

  it('is of a template that was added, in the state that Meta has it', async () => {
    const put = (status: string) =>
      simulated.admin('PUT', '/templates', { name: 'welcome', language: 'de', body: '{{1}}, {{2}}', status })
    const german = welcome('Ada', 'Bob')
    german.template.language.code = 'de'
    const codes: (number | undefined)[] = []
    for (const status of ['APPROVED', 'PAUSED', 'DISABLED', 'PENDING', 'REJECTED']) {
      expect((await put(status)).status).toBe(200)
      codes.push((await simulated.whatsapp(phone, german)).json.error?.code)
    }
    expect(codes).toEqual([undefined, 132_015, 132_016, 132_001, 132_001])
  })
})

describe('a notification with a picture and a button', () => {
  const photo = 'https://shop.example/17.jpg'
  const header = (parameter: object) => ({ type: 'header', parameters: [parameter] })
  const body = (names: Record<string, string>) => ({
    type: 'body',
    parameters: Object.entries(names).map(([name, text]) => ({ type: 'text', parameter_name: name, text })),
  })
  const button = (more: object) => ({ type: 'button', index: '0', ...more })
  const image = header({ type: 'image', image: { link: photo } })
  const names = body({ number: '17', customer: 'Ada' })
  const track = button({ sub_type: 'url', parameters: [{ type: 'text', text: '17' }] })
  const shipped = (...components: object[]) => ({
    template: { name: 'parcel_shipped', language: { code: 'en_US' }, components },
  })

  it('shows both on the phone, whatever the order of its names', async () => {
    expect((await simulated.whatsapp(phone, shipped(image, names, track))).status).toBe(200)
    const text = `[image ${photo}]\nHello Ada, order 17 is on its way.\n[Track https://shop.example/orders/17]`
    expect(simulated.phone(phone).messages).toMatchObject([{ text }])
  })

  it.each([
    [132_012, 'no picture', shipped(names, track)],
    [132_012, 'a video', shipped(header({ type: 'video', video: { id: '1' } }), names, track)],
    [100, 'an address of another protocol', shipped(header({ type: 'image', image: { link: 'ftp://x/y' } }))],
    [131_008, 'no button', shipped(image, names)],
    [132_012, 'another button', shipped(image, names, track, button({ ...track, index: '1' }))],
    [
      132_012,
      'a button of another type',
      shipped(image, names, button({ sub_type: 'quick_reply', parameters: [{ type: 'payload', payload: 'x' }] })),
    ],
    [100, 'a name that is not the template’s', shipped(image, body({ number: '17', name: 'Ada' }), track)],
    [100, 'no names', shipped(image, { type: 'body', parameters: Array(2).fill({ type: 'text', text: 'x' }) }, track)],
  ])('is refused with %s when it has %s', async (number, _what, changes) => {
    expect((await simulated.whatsapp(phone, changes)).json.error.code).toBe(number)
  })
})

describe('what Meta refuses', () => {
  const changed = (change: (template: ReturnType<typeof partsOf>) => void) => {
    const message = codeMessage(phone) as { template: ReturnType<typeof partsOf> }
    change(message.template)
    return message
  }
  const partsOf = () => ({}) as { name: string; language: { code: string }; components: Record<string, unknown>[] }

  it.each([
    ['no version in User-Agent', {}, { 'User-Agent': 'curl' }, 400, 100],
    ['a wrong token', {}, { Authorization: 'Bearer other' }, 401, 190],
    ['no token', {}, { Authorization: 'Basic x' }, 401, 190],
    ['an index that is a number', changed(({ components }) => (components[1]!.index = 0)), {}, 400, 100],
    ['no code in the body', changed(({ components }) => components.shift()), {}, 400, 132_000],
    ['no code in the button', changed(({ components }) => components.pop()), {}, 400, 131_008],
    ['codes that differ', codeMessage(phone, {}, '999999'), {}, 400, 132_012],
    ['a template that is not there', changed((template) => (template.name = 'none')), {}, 404, 132_001],
    ['a language that is not there', changed(({ language }) => (language.code = 'de')), {}, 404, 132_001],
    ['an unknown member', changed(({ components }) => (components[0]!.foo = 1)), {}, 400, 100],
    ['a button of another kind', changed(({ components }) => (components[1]!.sub_type = 'copy_code')), {}, 400, 100],
    ['another product', { messaging_product: 'messenger' }, {}, 400, 100],
    ['no product', { messaging_product: undefined }, {}, 400, 100],
    ['a phone that is none', { to: 'Ada' }, {}, 400, 100],
    ['no phone', { to: undefined }, {}, 400, 131_008],
    ['a text of its own', { type: 'text', text: { body: 'hi' } }, {}, 400, 131_047],
    ['a reference that is too long', { biz_opaque_callback_data: 'x'.repeat(513) }, {}, 400, 100],
  ])('is refused: %s', async (_what, changes, headers, status, number) => {
    const { status: answered, json } = await simulated.whatsapp(phone, changes, headers)
    expect([answered, json.error.code]).toEqual([status, number])
    expect(json.error).toEqual({
      message: expect.stringContaining(`(#${number})`),
      type: 'OAuthException',
      code: number,
      error_subcode: expect.any(Number),
      error_data: { messaging_product: 'whatsapp', details: expect.stringMatching(/./) },
      is_transient: false,
      fbtrace_id: expect.stringMatching(/^A/),
    })
    expect(simulated.phones().flatMap(({ messages }) => messages.filter(({ taken }) => taken))).toEqual([])
    expect(await simulated.reported()).toEqual([])
  })

  it('is remembered by the phone, where it was told which', async () => {
    await simulated.whatsapp(phone, codeMessage(phone, {}, '999999'))
    expect(simulated.phone(phone).messages).toMatchObject([{ taken: false, outcome: '132012' }])
  })

  it.each(['', '{', '[]', 'null', '"x"', '{"to":{"a":[]}}', 'x'.repeat(100_000)])(
    'is refused, whatever it is: %.20s',
    async (body) => {
      const url = `${simulated.url}${graph}/106540352242922/messages`
      const headers = { Authorization: `Bearer ${standardOptions.whatsappToken}`, 'User-Agent': 'x/1' }
      expect((await ask(url, 'POST', body, headers)).json.error.code).toBe(100)
    },
  )

  it('is refused for a number that is somebody else’s', async () => {
    const headers = { Authorization: `Bearer ${standardOptions.whatsappToken}`, 'User-Agent': 'x/1' }
    const answer = await ask(`${simulated.url}${graph}/999/messages`, 'POST', codeMessage(phone), headers)
    expect(answer.json.error).toMatchObject({ code: 100, error_subcode: 33 })
  })
})

describe('what is configured', () => {
  it('tells the fields of a number that are asked for, to who has the token', async () => {
    const path = `${graph}/106540352242922?fields=verified_name,quality_rating`
    expect((await get(path)).json).toEqual({
      id: '106540352242922',
      verified_name: expect.any(String),
      quality_rating: 'GREEN',
    })
    expect((await get(path, 'other')).json.error.code).toBe(190)
    expect((await get(`${graph}/106540352242922?fields=shoe_size`)).json.error.code).toBe(100)
    expect((await get(`${graph}/12`)).json.error.code).toBe(100)
  })

  it('lists the templates of a name, a page at a time', async () => {
    for (const language of ['de', 'fr', 'it']) simulated.putTemplate({ name: 'welcome', language, body: 'x {{1}}' })
    const path = `${graph}/102290129340398/message_templates?name=welcome&limit=3`
    const first = (await get(path)).json
    expect(first.data.map(({ language }: { language: string }) => language)).toEqual(['en_US', 'de', 'fr'])
    expect(first.paging.next).toEqual(expect.any(String))
    const second = (await get(`${path}&after=${first.paging.cursors.after}`)).json
    expect(second.data).toEqual([
      {
        ...{
          id: expect.any(String),
          name: 'welcome',
          language: 'it',
          status: 'APPROVED',
          category: 'UTILITY',
          ...{ parameter_format: 'POSITIONAL', quality_score: { score: 'GREEN' } },
        },
        components: [{ type: 'BODY', text: 'x {{1}}' }],
      },
    ])
    expect(second.paging).not.toHaveProperty('next')
    expect((await get(`${path}&after=${second.paging.cursors.after}`)).json).toEqual({ data: [] })
  })

  it('has the template of codes, with its button', async () => {
    const { data } = (await get(`${graph}/102290129340398/message_templates?name=auth_copy_code`)).json
    expect(data[0].message_send_ttl_seconds).toBe(600)
    expect(data).toMatchObject([{ category: 'AUTHENTICATION', components: [{ type: 'BODY' }, { type: 'BUTTONS' }] }])
  })
})

describe('a report', () => {
  it('is signed as the page of the provider tells', async () => {
    const body = '{"object":"whatsapp_business_account","entry":[]}'
    const signature = 'sha256=c236c758c9b2bd40b388a550eeca09eaca72384dd0aa5e7c31d19cddac5bba46'
    expect(createSignature('app_secret')(body)).toBe(signature)
    await simulated.whatsapp(phone)
    const [report] = await simulated.reported()
    const hex = createHmac('sha256', standardOptions.appSecret).update(report!.body).digest('hex')
    expect(report!.headers['x-hub-signature-256']).toBe(`sha256=${hex}`)
  })

  it('goes together with those of its moment, at most 1,000 in one body', async () => {
    const window = await startSimulated({ reportWindowMs: 50 })
    const phones = Array.from({ length: 150 }, (_, index) => `+1415555${2000 + index}`)
    await Promise.all(phones.map((one) => window.whatsapp(one)))
    const reports = await window.reported()
    const statuses = reports.map(({ body }) => statusObjectsIn(body))
    expect(reports.length).toBeLessThan(phones.length / 2)
    expect(Math.max(...statuses.map(({ length }) => length))).toBeLessThanOrEqual(1000)
    const delivered = statuses.flat().filter(({ status }) => status === 'delivered')
    expect(new Set(delivered.map(({ recipient_id }) => `+${recipient_id}`))).toEqual(new Set(phones))
    await window.close()
  })

  it('goes where its number reports to', async () => {
    simulated.pointAt({ numbers: { 777: `${simulated.receiver.url}/other` } })
    const headers = { Authorization: `Bearer ${standardOptions.whatsappToken}`, 'User-Agent': 'x/1' }
    await ask(`${simulated.url}${graph}/777/messages`, 'POST', codeMessage(phone), headers)
    await simulated.whatsapp(phone)
    const reports = await simulated.reported()
    expect(reports.map(({ path }) => path).toSorted()).toEqual(['/other', '/wa'])
    expect(reports.find(({ path }) => path === '/other')?.body).toContain('"phone_number_id":"777"')
  })
})

describe('the handshake', () => {
  it('is good with who answers the challenge to the right token, as it is', async () => {
    const challenged = (path: string) => new URLSearchParams(path.split('?')[1])
    simulated.receiver.behave(({ path }) =>
      challenged(path).get('hub.verify_token') === standardOptions.verifyToken &&
      challenged(path).get('hub.mode') === 'subscribe'
        ? { status: 200, body: challenged(path).get('hub.challenge')! }
        : { status: 403 },
    )
    const url = `${simulated.receiver.url}/wa`
    expect(await simulated.shakeHands()).toEqual([{ url }])
    expect((await simulated.admin('POST', '/handshake')).json).toEqual([{ url }])
  })

  it.each([
    [{ status: 403 }, 'answered 403'],
    [{ status: 200, body: 'hello' }, 'answered 200, but not the challenge'],
    ['reset', 'no answer: the connection broke'],
  ] as const)('says what is wrong with who does not: %j', async (behaviour, fault) => {
    simulated.receiver.behave(behaviour)
    expect(await simulated.shakeHands()).toMatchObject([{ fault: expect.stringContaining(fault) }])
  })
})
