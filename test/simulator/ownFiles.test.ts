/** The simulator plays files that an operator wrote: XML with a token, national numbers without their country, and words of its own. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readProviderFile } from '../../src/delivery/channels/sms/providerFile.ts'
import { standardOptions } from '../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { anadolu } from '../delivery/channels/sms/gateways/anadolu.ts'
import { kestrel } from '../delivery/channels/sms/gateways/kestrel.ts'
import type { Client } from '../support/client.ts'
import { freePort } from '../support/port.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { ask } from '../support/simulated.ts'
import { entryOf } from '../support/simulation.ts'

const turkish = '+905321234567'
let server: TestServer
let simulator: Simulator
let accountId: string
let live: Client
beforeAll(async () => {
  const port = await freePort()
  server = await startServer({ config: { port, publicUrl: `http://127.0.0.1:${port}` } })
  const files = [anadolu, kestrel].map((text) => ({ text, file: readProviderFile(text).file! }))
  const smsProviders = [...standardOptions.smsProviders, ...files.map(({ file }) => file)]
  simulator = await createSimulator({ now: () => server.runtime.now(), smsProviders })
  const { id, name: account } = await server.app.accounts.create('own files')
  accountId = id
  const own = (text: string) => ({ provider: 'own-file.yaml', provider_file: text })
  const [operator, xml] = files.map(({ text, file }) => entryOf(file, simulator, own(text)))
  await server.app.connections.apply(accountId, [{ ...operator, account: '40712' }, xml])
  live = server.as(await server.key({ mode: 'live', account }))
})
afterAll(async () => {
  await server.close()
  await simulator.close()
})

it.each([
  ['kestrel', newPhone()],
  ['anadolu', turkish],
])('a code by %s is delivered to %s', async (provider, phone) => {
  const id = await live.send(phone)
  await server.work()
  await simulator.settled()
  await expect.poll(() => live.status(id)).toBe('delivered')
  expect(simulator.phone(phone).messages).toMatchObject([{ provider, outcome: 'taken' }])
})

it('a number that misbehaves is refused as the example of the file says', async () => {
  const phone = newPhone()
  simulator.setFault(phone, 'refused:not_on_channel', 'sms')
  const id = await live.send(phone)
  await server.work()
  expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({ error: { code: 'not_on_channel' } })
})

it('what a person answers comes in where the file has words of its own', async () => {
  const [{ id } = {}] = simulator.phone(turkish).messages
  const reply = (text: string) => ask(`${simulator.url}/_simulator/replies`, 'POST', { id, text })
  const isOut = async () => (await live.post('/v1/opt-outs/find', { phone: turkish })).data.opted_out
  expect([(await reply('STOP')).json, await isOut()]).toEqual([{ answered: 200 }, true])
  await reply('ONAY')
  expect(await isOut()).toBe(false)
})

it('a balance is told where the file looks for it, as the text of an element too', async () => {
  const checked = JSON.stringify(await server.app.check(accountId))
  expect(checked).toContain('Kestrel takes the settings; balance 100')
  expect(checked).toContain('Anadolu Mobil takes the settings; balance 100')
})
