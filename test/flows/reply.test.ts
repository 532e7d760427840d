/** What people answer to messages, by the wire of every provider that ships and says how: STOP, START, and anything else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shippedProviders } from '../../src/delivery/channels/sms/shipped.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import type { Client } from '../support/client.ts'
import { freePort } from '../support/port.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { entryOf, whatsappEntry } from '../support/simulation.ts'

let server: TestServer
let simulator: Simulator
beforeAll(async () => {
  const port = await freePort()
  // Reports are signed over the address that the service says it has.
  server = await startServer({ config: { port, publicUrl: `http://127.0.0.1:${port}` } })
  simulator = await createSimulator({ now: () => server.runtime.now() })
})
afterAll(async () => {
  await server.close()
  await simulator.close()
})

const optOut = async (live: Client, phone: string) => (await live.post('/v1/opt-outs/find', { phone })).data

/** An account with one connection, and the code that a phone got by it. */
async function codeBy(name: string, entry: (at: { id: string }) => object, pointAt: (url: string) => void) {
  const { id: accountId, name: account } = await server.app.accounts.create(name)
  await server.app.connections.apply(accountId, [entry({ id: 'one' })])
  const [listed] = await server.app.connections.list(accountId)
  pointAt(server.directUrl + listed?.reportPath)
  const live = server.as(await server.key({ mode: 'live', account }))
  const phone = newPhone()
  await live.send(phone)
  await server.work()
  await simulator.settled()
  const id = simulator.phone(phone).messages[0]!.id
  const say = async (text: string) => expect(await simulator.reply(id, text)).toEqual({ answered: 200 })
  return { accountId, live, phone, say }
}

const shipped = shippedProviders().filter(({ inbound }) => inbound)

describe.each(shipped.map((file) => [file.provider, file] as const))('a reply by %s', (provider, file) => {
  it('that is STOP opts its phone out, START in again, and any other text does nothing', async () => {
    const { live, phone, say } = await codeBy(
      `replies by ${provider}`,
      (at) => entryOf(file, simulator, at),
      (url) => simulator.pointAt({ sms: { [provider]: url } }),
    )
    await say('Thank you, this will end well')
    expect(await optOut(live, phone)).toEqual({ opted_out: false })
    await say('Stop.')
    expect(await optOut(live, phone)).toMatchObject({ opted_out: true, source: 'reply' })
    await say('start')
    expect(await optOut(live, phone)).toEqual({ opted_out: false })
  })
})

it('a reply on WhatsApp opts its phone out and in again', async () => {
  const { live, phone, say } = await codeBy(
    'replies by whatsapp',
    (at) => whatsappEntry(simulator, at),
    (url) => simulator.pointAt({ whatsapp: url }),
  )
  await say('stop it?')
  expect(await optOut(live, phone)).toEqual({ opted_out: false })
  await say('Arrêt')
  expect(await optOut(live, phone)).toMatchObject({ opted_out: true, source: 'reply' })
  await say('UNSTOP')
  expect(await optOut(live, phone)).toEqual({ opted_out: false })
})

it('a keyword of the account opts out and in, also in a script whose vowels are marks', async () => {
  const { accountId, live, phone, say } = await codeBy(
    'own keywords',
    (at) => whatsappEntry(simulator, at),
    (url) => simulator.pointAt({ whatsapp: url }),
  )
  const add = (text: string, meaning: 'stop' | 'start', language: string) =>
    server.app.optOuts.addKeyword(accountId, { text, meaning, language })
  await add('Artık yok', 'stop', 'tr')
  await add('हाँ', 'start', 'hi')
  await say('artik  YOK!')
  expect(await optOut(live, phone)).toMatchObject({ opted_out: true, source: 'reply' })
  await say('हूँ')
  expect(await optOut(live, phone)).toMatchObject({ opted_out: true })
  await say('हाँ')
  expect(await optOut(live, phone)).toEqual({ opted_out: false })
})

it('replies are known of twelve providers that ship', () => {
  expect(shipped.map(({ provider }) => provider)).toEqual([
    ...[
      '46elks',
      'africastalking',
      'httpsms',
      'infobip',
      'kannel',
      'plivo',
      'sinch',
      'smsgate',
      'telnyx',
      'textbee',
      'twilio',
    ],
    ...['vonage'],
  ])
})
