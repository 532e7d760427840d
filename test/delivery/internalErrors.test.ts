/** A TypeError between a job and a provider is told as an error of the service, and the message goes by its next connection. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { standardOptions } from '../../src/simulator/options.ts'
import { type Provider, startProvider } from '../support/provider.ts'
import { newPhone } from '../support/server.ts'
import { createSimulation, type Entry, smsEntry, telegramEntry, whatsappEntry } from '../support/simulation.ts'
import { throwWhenAsked, watchErrors } from '../support/thrown.ts'

const simulation = createSimulation()
const secret = `whsec_${Buffer.from('a secret of the gateway, for tests').toString('base64')}`
let good: Provider
let bad: Provider
beforeAll(async () => {
  good = await startProvider({ status: 202 })
  bad = await startProvider({ status: 202 })
})
afterAll(() => Promise.all([good.close(), bad.close()]))

const gateway = (id: string, { url }: Provider): Entry => ({ id, kind: 'http', url, secret })
const firsts: Record<string, () => Entry> = {
  whatsapp: () => whatsappEntry(simulation.simulator, { id: 'first' }),
  telegram: () => telegramEntry(simulation.simulator, { id: 'first' }),
  sms: () => smsEntry(simulation.simulator, { id: 'first' }),
  http: () => gateway('first', bad),
}
const { whatsappToken, telegramToken } = standardOptions
const secrets = [whatsappToken, telegramToken, secret]

/** Everything but the good gateway, until the test is over. */
function failAll() {
  const failing = throwWhenAsked((origin) => origin !== good.url)
  onTestFinished(failing.restore)
  return failing
}

const codeIn = (provider: Provider) => (JSON.parse(provider.asked.at(-1)?.body ?? '{}') as { code: string }).code

describe.each(Object.keys(firsts))('a connection of the kind %s that the service fails to ask', (kind) => {
  it('leaves the code to the next connection, and is no outage', async () => {
    const { server, accountWith, notes } = simulation
    const { live } = await accountWith(firsts[kind]!(), gateway('next', good))
    const errors = await watchErrors(server, 'send')
    failAll()
    const phone = newPhone()
    const id = await live.send(phone)
    await server.work()
    expect(await notes(id)).toEqual(['first: an error of this service', 'taken by next'])
    expect(await live.status(id)).toBe('sent')
    await errors.expect(1, [...secrets, phone.slice(1), codeIn(good)])
  })

  it('does not rest, however many codes the service fails to hand over', async () => {
    const { server, accountWith } = simulation
    const { accountId, live } = await accountWith(firsts[kind]!(), gateway('next', good))
    const failing = failAll()
    for (let count = 0; count < 12; count++) await live.send(newPhone())
    await server.work()
    failing.restore()
    const figures = await (await fetch(`${server.opsUrl}/metrics`)).text()
    expect(figures).toContain(`watchword_channel_up{connection="first",account="${accountId}"} 1`)
  })

  it('is named as such by its check', async () => {
    const { server, accountWith } = simulation
    const { accountId } = await accountWith(firsts[kind]!())
    const errors = await watchErrors(server, 'check')
    failAll()
    const [checked] = await server.app.check(accountId)
    // An HTTP gateway is not asked.
    const times = kind === 'http' ? 0 : 1
    const said = checked?.findings.filter(({ text }) => text.startsWith('an error of this service'))
    expect(said).toHaveLength(times)
    await errors.expect(times, secrets)
  })
})

it('the only connection is asked three times, and then the code fails', async () => {
  const { server, accountWith, notes } = simulation
  const { live } = await accountWith(gateway('first', bad))
  const errors = await watchErrors(server, 'send')
  failAll()
  const id = await live.send(newPhone())
  for (let minute = 0; minute < 3; minute++) {
    await server.work()
    await server.advance(30)
  }
  expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({
    status: 'failed',
    error: { code: 'channel_unavailable' },
  })
  expect(await notes(id)).toEqual([
    'first: attempt 1: an error of this service',
    'first: attempt 2: an error of this service',
    'first: an error of this service',
  ])
  await errors.expect(3, secrets)
})

it('a notification of which nothing left goes to the next connection at once', async () => {
  const { server, accountWith, notes } = simulation
  const { accountId, live } = await accountWith(gateway('first', bad), gateway('next', good))
  await server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello {{name}}' }])
  failAll()
  const body = { phone: newPhone(), template: 'hello', variables: { name: 'Grace Hopper' } }
  const errors = await watchErrors(server, 'send')
  const id = (await live.post('/v1/notifications/send', body)).data.request_id as string
  await server.work()
  expect(await notes(id)).toEqual(['first: an error of this service', 'taken by next'])
  await errors.expect(1, [...secrets, 'Grace Hopper'])
})

it('a content that its secret does not open is not told as one of a secret that is missing', async () => {
  const { server, accountWith, notes } = simulation
  const { live } = await accountWith(gateway('next', good))
  const [id, other] = [await live.send(newPhone()), await live.send(newPhone())]
  await server.query(
    sql`update message set content = (select content from message where id = ${other}) where id = ${id}`,
  )
  await server.work()
  expect(await notes(id)).toEqual(['next: attempt 1: an error of this service'])
  expect(await notes(other)).toEqual(['taken by next'])
})

describe('a provider that is asked and told things later', () => {
  it('is asked again what became of a message', async () => {
    const { server, accountWith } = simulation
    const { live } = await accountWith(telegramEntry(simulation.simulator, { id: 'tg' }))
    const id = await live.send(newPhone())
    await server.work()
    const errors = await watchErrors(server, 'ask')
    const failing = failAll()
    await server.advance(11)
    await server.work()
    await errors.expect(1, secrets)
    failing.restore()
    await server.advance(60)
    await server.work()
    expect(await live.status(id)).toMatch(/sent|delivered|read/)
  })

  it('misses that a code was right, and nothing else', async () => {
    const { server, accountWith } = simulation
    const phone = newPhone()
    const { live } = await accountWith(telegramEntry(simulation.simulator, { id: 'tg' }))
    const id = await live.send(phone)
    await server.work()
    const code = simulation.taken(phone).at(-1)?.code as string
    const errors = await watchErrors(server, 'confirm')
    failAll()
    expect(await live.check(id, code)).toMatchObject({ verified: true })
    await server.work()
    await errors.expect(1, [...secrets, code])
  })
})

it('an answer that is nested too deep is the fault of its provider', async () => {
  const { server, accountWith, notes } = simulation
  const deep = await startProvider({ status: 200, body: '['.repeat(60_000) })
  onTestFinished(deep.close)
  const { live } = await accountWith(
    smsEntry(simulation.simulator, { id: 'first', base_url: deep.url }),
    gateway('next', good),
  )
  const errors = await watchErrors(server, 'send')
  const id = await live.send(newPhone())
  await server.work()
  expect((await notes(id)).at(0)).toMatch(/^first: the answer does not say .+\(status 200\)$/)
  await errors.expect(0, secrets)
})
