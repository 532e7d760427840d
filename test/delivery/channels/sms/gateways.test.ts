/** Two gateways by files that a new user wrote from the docs alone, played over HTTP: each refuses what its vendor would refuse. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import type { Client } from '../../../support/client.ts'
import { newPhone, startServer, type TestServer } from '../../../support/server.ts'
import { type AnadoluGateway, anadolu, anadoluSettings, playAnadolu, postCallback } from './gateways/anadolu.ts'
import { type KestrelGateway, kestrel, kestrelSettings, playKestrel, postReceipts } from './gateways/kestrel.ts'

const publicUrl = 'https://sms.example.com'
let server: TestServer
let xml: KestrelGateway
let operator: AnadoluGateway
let live: Client
let accountId: string
let accounts = 0

beforeAll(async () => {
  server = await startServer({ config: { publicUrl } })
})
afterAll(() => server.close())

beforeEach(async () => {
  ;[xml, operator] = [await playKestrel(() => server.runtime.now()), await playAnadolu()]
  const { id, name: account } = await server.app.accounts.create(`gateways ${++accounts}`)
  accountId = id
  await server.app.connections.apply(accountId, [
    {
      id: 'ana',
      kind: 'sms',
      provider: './anadolu.yaml',
      provider_file: anadolu,
      base_url: operator.url,
      ...anadoluSettings,
    },
    {
      id: 'kes',
      kind: 'sms',
      provider: './kestrel.yaml',
      provider_file: kestrel,
      base_url: xml.url,
      ...kestrelSettings,
    },
  ])
  await server.app.templates.apply(accountId, [{ slug: 'long', text: 'Hello {{name}}' }])
  live = server.as(await server.key({ account, mode: 'live' }))
  return async () => {
    await xml.close()
    await operator.close()
  }
})

const local = (address: string) => address.replace(publicUrl, server.directUrl)
const notes = async (id: string) => (await timeline(id)).flatMap(({ note }) => note ?? [])

async function timeline(id: string) {
  const [row] = await server.query<{ timeline: { status: string; at: string; note?: string }[] }>(
    sql`select timeline from message where id = ${id}`,
  )
  return row?.timeline ?? []
}

async function sent(phone: string, more: object = {}): Promise<string> {
  const id = await live.send(phone, more)
  await server.work()
  return id
}

/** A wall clock in Helsinki, of which no zone is told. */
const inHelsinki = (time: Date) => new Date(time.getTime() + 2 * 3600_000).toISOString().slice(0, 19).replace('T', ' ')

it.each([
  ['kestrel', kestrel],
  ['anadolu', anadolu],
])('the file of %s is good, and its examples give what they say', (_name, file) => {
  expect(checkProviderFile(file).faults).toBe(undefined)
})

describe('the gateway that speaks XML', () => {
  it('gets one token for all messages, and each signed as it computes it', async () => {
    const phones = Array.from({ length: 5 }, newPhone)
    for (const phone of phones) await live.send(phone)
    await server.work()
    expect(xml.taken.map(({ to }) => `+${to}`).toSorted()).toEqual(phones.toSorted())
    expect(xml.tokens).toBe(1)
    await server.advance(3000)
    await sent(newPhone())
    expect([xml.tokens, xml.taken.length]).toEqual([1, 6])
    await server.advance(300)
    await sent(newPhone())
    expect([xml.tokens, xml.taken.length]).toEqual([2, 7])
  })

  it('that refuses an old token gets another one, and the message once', async () => {
    await sent(newPhone())
    xml.onlyToken = 'token-2'
    expect((await notes(await sent(newPhone()))).at(-1)).toBe('taken by kes')
    expect([xml.tokens, xml.taken.length]).toEqual([2, 2])
  })

  it('rests with a secret that is wrong, and its operator is told on what to act', async () => {
    const wrong = { ...kestrelSettings, signing_secret: 'another' }
    await server.app.connections.apply(accountId, [
      { id: 'kes', kind: 'sms', provider: './kestrel.yaml', provider_file: kestrel, base_url: xml.url, ...wrong },
    ])
    await server.advance(6)
    expect(await notes(await sent(newPhone()))).toContain('kes: the provider refuses the credentials (203)')
    expect(xml.taken).toEqual([])
  })

  it('tells of each part in the time of its own clocks: delivered with the last', async () => {
    await live.post('/v1/notifications/send', {
      phone: newPhone(),
      template: 'long',
      variables: { name: 'Ş'.repeat(80) },
    })
    await server.work()
    const [{ id = '', coding, reportUrl = '' } = {}] = xml.taken
    expect(coding).toBe('ucs2')
    const message = new URL(reportUrl).searchParams.get('ref')?.split('.')[0] ?? ''
    const at = server.runtime.now()
    await server.advance(60)
    const receipt = { id, parts: 2, state: 'DELIVRD', done: inHelsinki(at) }
    expect(await postReceipts(local(reportUrl), [{ ...receipt, part: 2 }])).toBe(200)
    await server.work()
    expect(await live.status(message)).toBe('sent')
    await postReceipts(local(reportUrl), [
      { ...receipt, part: 1 },
      { ...receipt, id: 'k-none', part: 1 },
    ])
    await server.work()
    expect(await live.status(message)).toBe('delivered')
    expect((await timeline(message)).at(-1)).toMatchObject({ status: 'delivered', at: at.toISOString() })
  })

  it('whose receipt says that there is no such number has its reason shown', async () => {
    const id = await sent(newPhone())
    const [{ id: ownId = '', reportUrl = '' } = {}] = xml.taken
    const done = inHelsinki(server.runtime.now())
    await postReceipts(local(reportUrl), [{ id: ownId, state: 'UNDELIV', reason: '001', done }])
    await server.work()
    expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({ error: { code: 'not_on_channel' } })
  })

  it('tells what is left, with a token and in XML', async () => {
    const findings = await server.app.check(accountId)
    expect(JSON.stringify(findings)).toContain('Kestrel takes the settings; balance 12.5')
    expect(JSON.stringify(findings)).toContain('Anadolu Mobil takes the settings; balance 1250')
  })
})

describe("the operator's gateway", () => {
  const phone = '+905321234567'

  it('gets numbers and booleans as JSON has them, and its own hash', async () => {
    await sent(phone)
    await sent('+905331234567', { locale: 'ru' })
    expect(operator.taken).toMatchObject([
      { gsm: 5_321_234_567, unicode: false },
      { gsm: 5_331_234_567, unicode: true },
    ])
  })

  it('finds the message by an id of 19 digits: accepted, then delivered', async () => {
    const id = await sent(phone)
    const [{ id: ownId, callback = '' } = {}] = operator.taken
    // As if the operator had it from its console: nothing in it names the message.
    const url = local(callback).replace(`?ref=${id}.1`, '')
    const report = { type: 1, id: ownId, gsm: '05321234567', reason: 0, at: server.runtime.now().getTime() }
    expect(await postCallback(url, { ...report, status: 2 })).toBe(200)
    await server.work()
    expect(await live.status(id)).toBe('sent')
    await postCallback(url, { ...report, status: 3 }, { ...report, id: '1844674407370955999', status: 4 })
    await server.work()
    expect(await live.status(id)).toBe('delivered')
    expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({
      attempts: [{ price: { amount: '0.042', currency: 'TRY' } }],
    })
  })

  it('is not asked for a phone of another country, where the number is that of another person', async () => {
    const id = await sent('+4915123456789')
    expect(operator.taken).toEqual([])
    expect(await notes(id)).toEqual([
      'ana: the provider file names other countries than that of the phone',
      'taken by kes',
    ])
  })

  it('hands on what a person sends to a short code, from a number without its country', async () => {
    const [{ reportPath } = {}] = await server.app.connections.list(accountId)
    const url = `${server.directUrl}${reportPath}`
    const isOut = async () => (await live.post('/v1/opt-outs/find', { phone })).data.opted_out
    const reply = { type: 2, gsm: '05321234567', shortcode: '3399' }
    expect(await postCallback(url, { ...reply, id: '77', message: 'RET' })).toBe(200)
    expect(await isOut()).toBe(true)
    await postCallback(url, { ...reply, id: '78', message: 'ONAY' })
    expect(await isOut()).toBe(false)
    await postCallback(url, { ...reply, id: '79', gsm: 'ACME', message: 'STOP' })
    expect(server.runtime.lines.filter((line) => line.includes(accountId)).join('')).toMatch(
      /"replies":1,.*changed no opt-out/,
    )
  })
})
