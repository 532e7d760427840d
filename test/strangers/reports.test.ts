/** Reports as gateways send them: of each SMS of a long text by itself, in any order and more than once; with times of their own zone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Gateway, gatewayFile, openGateway, reportTo, type TakenText } from './gateway.ts'
import { type Api, openSite, type Site } from './site.ts'

let site: Site
let gateway: Gateway
let api: Api
beforeAll(async () => {
  ;[site, gateway] = await Promise.all([
    openSite({ PUBLIC_URL: 'https://verify.example.com', TZ: 'Asia/Tokyo' }),
    openGateway(),
  ])
  api = await site.api('live')
  const text = 'Your parcel waits at the counter of the post office in the main street. '.repeat(6)
  expect(
    await site.apply(['templates', 'apply'], 'templates.yaml', JSON.stringify([{ slug: 'parcel', text }])),
  ).toMatchObject({ exitCode: 0, stderr: '' })
})
afterAll(async () => {
  await site?.close()
  await gateway?.close()
})

async function connect(report: string) {
  const own = { kind: 'sms', provider: 'gateway.yaml', provider_file: gatewayFile(report), base_url: gateway.url }
  const list = JSON.stringify(['first', 'second'].map((id) => ({ id, ...own })))
  expect(await site.apply(['channels', 'apply'], 'channels.yaml', list)).toMatchObject({ exitCode: 0, stderr: '' })
}

let phones = 0
/** Sends a text of three SMS. */
async function send() {
  phones += 1
  const phone = `+1415${2_000_000 + phones}`
  const { status, body } = await api.post('/v1/notifications/send', {
    phone,
    template: 'parcel',
  })
  expect([status, body]).toEqual([200, expect.anything()])
  const texts = () => gateway.taken().filter(({ to }) => to === phone)
  await expect.poll(() => texts().length).toBe(1)
  const statusNow = async () => (await api.get(`/v1/messages/${body.data.request_id}`)).body.data.status as string
  await expect.poll(statusNow).toBe('sent')
  return { id: body.data.request_id as string, texts, statusNow, first: texts()[0] as TakenText }
}

describe('a text of three SMS that are reported one by one', () => {
  beforeAll(() => connect('parts: { id: /part, of: /of }'))

  it.each([[['1', '2', '3']], [['3', '1', '2']], [['2', '2', '1', '1', '3']]])(
    'is delivered when all of them are, and not before: %j',
    async (order) => {
      const { first, statusNow } = await send()
      for (const part of order.slice(0, -1)) await reportTo(site, first, { status: 'delivered', part, of: 3 })
      expect(await statusNow()).toBe('sent')
      await reportTo(site, first, { status: 'delivered', part: order.at(-1), of: 3 })
      await expect.poll(statusNow).toBe('delivered')
    },
  )

  it.each([[['+1', '-2', '+3']], [['-2', '+1', '+3']], [['+1', '+3', '-2']], [['-1', '-2', '-3']]])(
    'goes once by the next connection when one of them fails, in any order: %j',
    async (order) => {
      const { first, texts, statusNow } = await send()
      for (const [sign, part] of order) {
        await reportTo(site, first, { status: sign === '+' ? 'delivered' : 'failed', part, of: 3 })
      }
      await expect.poll(() => texts().length).toBe(2)
      expect(await statusNow()).toBe('sent')
      for (const part of ['1', '2', '3']) await reportTo(site, texts()[1]!, { status: 'delivered', part, of: 3 })
      await expect.poll(statusNow).toBe('delivered')
      expect(texts()).toHaveLength(2)
    },
  )
})

describe('where the report does not say how many SMS there are', () => {
  beforeAll(() => connect('parts: { id: /part }'))

  it('as many are waited for as the text takes', async () => {
    const { first, statusNow } = await send()
    for (const part of ['a', 'b']) await reportTo(site, first, { status: 'delivered', part })
    expect(await statusNow()).toBe('sent')
    await reportTo(site, first, { status: 'delivered', part: 'c' })
    await expect.poll(statusNow).toBe('delivered')
  })
})

describe('where a provider reports once for each text', () => {
  beforeAll(() => connect(''))

  it('that report decides, also with a mark of UTF-8 before its JSON', async () => {
    const { first, statusNow } = await send()
    await reportTo(site, first, `\ufeff${JSON.stringify({ status: 'delivered' })}`)
    await expect.poll(statusNow).toBe('delivered')
  })

  it('that report decides', async () => {
    const { first, statusNow } = await send()
    await reportTo(site, first, { status: 'delivered' })
    await expect.poll(statusNow).toBe('delivered')
  })
})

describe('a report whose time names no zone', () => {
  it.each([
    ['at: /at', 0],
    ['at: /at\nzone: America/Sao_Paulo', -3],
    ['at: /at\nzone: "+05:30"', 5.5],
  ])('has its time in the zone of the file: %j', async (report, hours) => {
    await connect(report)
    const { id, first, statusNow } = await send()
    const now = Date.now()
    const at = new Date(now + hours * 3_600_000).toISOString().replace('T', ' ').replace('Z', '')
    await reportTo(site, first, { status: 'delivered', at })
    await expect.poll(statusNow).toBe('delivered')
    const { stdout } = await site.cli('messages', 'show', id, '--json')
    expect(JSON.parse(stdout).timeline.at(-1)).toMatchObject({ status: 'delivered', at: new Date(now).toISOString() })
  })

  // https://github.com/jookies/jasmin/issues/753
  it.each([
    ['YYYYMMDDhhmmss', 0],
    ['YYMMDDhhmmss', 2],
  ])('is read in digits alone, as gateways hand on receipts of SMPP: %s', async (_form, from) => {
    await connect('at: /at\nzone: "+05:30"')
    const { id, first, statusNow } = await send()
    const sentAt = Date.now()
    const second = () => Math.floor(Date.now() / 1000) * 1000
    await expect.poll(second).toBeGreaterThan(sentAt)
    const at = second()
    const digits = new Date(at + 5.5 * 3_600_000)
      .toISOString()
      .replaceAll(/[^0-9]/g, '')
      .slice(from, 14)
    await reportTo(site, first, { status: 'delivered', at: digits })
    await expect.poll(statusNow).toBe('delivered')
    const { stdout } = await site.cli('messages', 'show', id, '--json')
    expect(JSON.parse(stdout).timeline.at(-1)).toMatchObject({ status: 'delivered', at: new Date(at).toISOString() })
  })

  it('is refused with its line where the file names a zone that is none', async () => {
    const file = gatewayFile('at: /at\nzone: Brasilia')
    const { exitCode, stderr } = await site.apply(['providers', 'check'], 'own.yaml', file)
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/own\.yaml:\d+: report\.zone: must be UTC, an offset/),
    ])
  })
})
