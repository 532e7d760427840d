/** A shop's day with notifications, by the API alone: its customers are on a simulated WhatsApp, Twilio and Kannel. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readYaml } from '../../src/cli/files/yamlFile.ts'
import { shippedProviders } from '../../src/delivery/channels/sms/shipped.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import type { Client } from '../support/client.ts'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { freePort } from '../support/port.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { entryOf, smsEntry, whatsappEntry } from '../support/simulation.ts'

const hour = 3600
const parcel = {
  ...{ name: 'parcel_shipped', language: 'en_US', header: { image: '{{photo}}' } },
  ...{ body: { customer: 'name', number: 'order' }, buttons: [{ url: '{{order}}' }] },
}
const inLanguage = (text: string, language: string) => ({ text, channels: { whatsapp: { ...parcel, language } } })
const shipped = {
  ...{
    slug: 'order-shipped',
    defaultLocale: 'en',
    ...inLanguage('{{name}}, {{order}} is on its way. {{photo}}', 'en_US'),
  },
  locales: {
    de: inLanguage('{{name}}, {{order}} ist unterwegs. {{photo}}', 'de'),
    es: inLanguage('{{name}}, {{order}} va en camino. {{photo}}', 'es'),
  },
}
const photo = 'https://shop.example/photo.jpg'

let server: TestServer
let simulator: Simulator
let folder: string
let account: string
let key: string
let shop: Client
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-shop-'))
  const port = await freePort()
  server = await startServer({ config: { port, publicUrl: `http://127.0.0.1:${port}` } })
  simulator = await createSimulator({ now: () => server.runtime.now() })
  const button = { type: 'URL' as const, url: 'https://shop.example/orders/{{1}}' }
  for (const [language, body] of [
    ['de', 'Hallo {{customer}}, {{number}} ist unterwegs.'],
    ['es', 'Hola {{customer}}, {{number}} está en camino.'],
  ] as const)
    simulator.putTemplate({ name: parcel.name, language, body, header: { format: 'IMAGE' }, buttons: [button] })
  const { id, name } = await server.app.accounts.create('a shop')
  account = id
  const kannel = shippedProviders().find(({ provider }) => provider === 'kannel')!
  await server.app.connections.apply(id, [
    whatsappEntry(simulator),
    smsEntry(simulator, { countries: ['US'] }),
    entryOf(kannel, simulator, { countries: ['DE'] }),
  ])
  const [whatsapp, twilio, ofKannel] = await server.app.connections.list(id)
  const reportsTo = (path: string | undefined) => server.directUrl + path
  simulator.pointAt({
    whatsapp: reportsTo(whatsapp?.reportPath),
    sms: { twilio: reportsTo(twilio?.reportPath), kannel: reportsTo(ofKannel?.reportPath) },
  })
  await server.app.templates.apply(id, [shipped, { slug: 'appointment', text: 'See you at {{time}}' }])
  key = await server.key({ account: name, mode: 'live' })
  shop = server.as(key)
})
afterAll(async () => {
  await server?.close()
  await simulator?.close()
  await rm(folder, { recursive: true, force: true })
})

const taken = (phone: string) => simulator.phone(phone).messages.filter((message) => message.taken)
const textsOn = (phone: string) => taken(phone).map(({ text }) => text)
const notWhatsApp = (phone: string) => simulator.setFault(phone, 'failed:131026', 'whatsapp')
/** Lets the worker and the providers do all that is due. */
async function passes(isDone: () => Promise<unknown>, what: unknown): Promise<void> {
  await expect
    .poll(async () => {
      await server.work()
      await simulator.settled()
      return isDone()
    })
    .toEqual(what)
}
const notification = (phone: string, locale: string, order: string) => ({
  ...{ phone, locale, template: shipped.slug, reference: `order-${order}` },
  variables: { name: 'Ada', order, photo },
})
const send = async (body: object) =>
  (await shop.post<{ request_id: string }>('/v1/notifications/send', body)).data.request_id

describe('a shop that tells where its parcels are', () => {
  it('reaches each customer once, by the loop of the page, though that is killed and started again', async () => {
    const phones = Array.from({ length: 60 }, () => newPhone())
    const lines = phones.map((phone, index) =>
      JSON.stringify({ id: `c-${index}`, ...notification(phone, 'de', `${index}`) }),
    )
    await writeFile(join(folder, 'customers.jsonl'), lines.join('\n'))
    await startLoop({ killedAt: 15 })
    await startLoop()
    await passes(async () => phones.filter((phone) => taken(phone).length > 0).length, phones.length)
    const text = (order: number) =>
      `[image ${photo}]\nHallo Ada, ${order} ist unterwegs.\n[Open https://shop.example/orders/${order}]`
    expect(phones.map(textsOn)).toEqual(phones.map((_phone, order) => [text(order)]))
  })

  it('reaches who is not on WhatsApp by SMS, in the language of the customer', async () => {
    const [spanish, german] = [newPhone(), '+4915123456701']
    notWhatsApp(spanish)
    notWhatsApp(german)
    await send(notification(spanish, 'es-MX', 'A-18'))
    await send(notification(german, 'de_AT', 'A-19'))
    const wires = (phone: string) => taken(phone).map(({ provider, text }) => [provider, text])
    await passes(async () => wires(spanish).at(-1), ['twilio', `Ada, A-18 va en camino. ${photo}`])
    await passes(async () => wires(german).at(-1), ['kannel', `Ada, A-19 ist unterwegs. ${photo}`])
  })

  it('finds by its own name for an order what became of it', async () => {
    const phone = newPhone()
    notWhatsApp(phone)
    const id = await send(notification(phone, 'en', 'B-1'))
    const found = async () => (await shop.get<{ messages: object[] }>('/v1/messages?reference=order-B-1')).data.messages
    const template = { slug: shipped.slug, version: 1, locale: 'en' }
    await passes(found, [
      expect.objectContaining({ id, status: 'delivered', channel: 'sms', reference: 'order-B-1', template }),
    ])
  })
})

describe.each([
  ['WhatsApp', () => newPhone(), false],
  ['Twilio', () => newPhone(), true],
  ['Kannel', () => '+4915123456702', true],
])('a customer who answers STOP by %s', (_wire, phoneOf, isBySms) => {
  it('does not get the next notification by any channel, and gets every code', async () => {
    const phone = phoneOf()
    if (isBySms) notWhatsApp(phone)
    await send(notification(phone, 'de', 'C-1'))
    const waiting = await send({ ...notification(phone, 'de', 'C-2'), send_at: later(hour) })
    const kinds = isBySms ? ['whatsapp', 'sms'] : ['whatsapp']
    await passes(async () => taken(phone).map(({ wire }) => wire), kinds)
    expect(await simulator.reply(taken(phone).at(-1)!.id, 'STOP')).toEqual({ answered: 200 })
    const next = await shop.post('/v1/notifications/send', notification(phone, 'de', 'C-3'))
    expect(next).toMatchObject({ status: 403, data: { code: 'opted_out' } })
    await server.advance(hour)
    await passes(() => shop.status(waiting), 'failed')
    const before = taken(phone).length
    await shop.send(phone)
    await passes(async () => taken(phone).length > before, true)
    expect(textsOn(phone).join()).not.toMatch(/C-[23]/)
  })
})

describe('a reminder that is moved', () => {
  it('goes once, at its new time', async () => {
    const phone = newPhone()
    notWhatsApp(phone)
    const reminder = { phone, template: 'appointment', reference: 'visit-1' }
    const first = await send({ ...reminder, variables: { time: '10:30' }, send_at: later(hour) })
    const cancelled = await shop.post('/v1/notifications/cancel', { request_id: first })
    expect(cancelled.data).toMatchObject({ cancelled: true })
    const moved = await send({ ...reminder, variables: { time: '11:30' }, send_at: later(2 * hour) })
    await server.advance(hour)
    await server.work()
    expect([await shop.status(first), await shop.status(moved)]).toEqual(['expired', 'queued'])
    await server.advance(hour)
    await passes(() => shop.status(moved), 'delivered')
    await server.work()
    expect(textsOn(phone)).toEqual(['See you at 11:30'])
  })
})

describe('a wrong file of templates', () => {
  it('is refused with every line that is wrong, and changes nothing', async () => {
    const file = join(folder, 'templates.yaml')
    const lines = [
      '- slug: Order Shipped',
      '  text: Hello',
      '- slug: order-shipped',
      '  text: ""',
      '- slug: twice',
      '  text: Hello {{name}}',
      '- slug: twice',
      '  text: Hello {{na me}}',
    ]
    await writeFile(file, lines.join('\n'))
    const { value, within } = await readYaml(file)
    const refused = within(() => server.app.templates.apply(account, value as object[]))
    const fault = await refused.then(
      () => 'nothing',
      (error: Error) => error.message,
    )
    for (const line of [1, 4, 7, 8]) expect(fault).toContain(`${file}:${line}: `)
    const { data } = await shop.get<{ version: number }>('/v1/templates/order-shipped')
    expect(data).toMatchObject({ version: 1 })
  })
})

const later = (seconds: number) => new Date(server.runtime.now().getTime() + seconds * 1000).toISOString()

/** The program of the page, as it stands there. @param killedAt after so many answers */
async function startLoop({ killedAt }: { killedAt?: number } = {}): Promise<void> {
  const [client] = blocksOf('ts', sectionOf('docs/clients.md', 'A client that does not give up'))
  const [, many = ''] = sectionOf('docs/clients.md', 'Notifications').split('\n### Sending to many\n')
  await writeFile(join(folder, 'client.ts'), client!)
  await writeFile(join(folder, 'mailing.ts'), blocksOf('ts', many)[0]!)
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules')).catch(() => {})
  const child = spawn(process.execPath, ['--no-warnings', 'mailing.ts', 'parcels', 'customers.jsonl'], {
    ...{ cwd: folder, stdio: 'ignore' },
    env: { ...process.env, WATCHWORD_URL: server.directUrl, WATCHWORD_API_KEY: key, PER_SECOND: '20' },
  })
  const ended = once(child, 'close')
  if (killedAt === undefined) return void expect(await ended).toEqual([0, null])
  const answers = () => readFile(join(folder, 'customers.jsonl.parcels.answers'), 'utf8').catch(() => '')
  await expect.poll(async () => (await answers()).split('\n').length).toBeGreaterThan(killedAt)
  child.kill('SIGKILL')
  await ended
}
