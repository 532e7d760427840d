import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { KeptSignals } from '../../src/store/schema/schema.ts'
import type { Client } from '../support/client.ts'
import { testConfig } from '../support/config.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let live: Client
beforeAll(async () => {
  server = await startServer()
  live = server.as(await server.key({ mode: 'live' }))
})
afterAll(() => server.close())

const path = '/v1/verify/send'
const signals = {
  ip: '203.0.113.7',
  user_id: 'user-of-the-shop',
  device_id: 'device-of-the-user',
  user_agent: 'Mozilla/5.0 (a browser)',
  platform: 'platform-of-the-shop',
  app_version: '4.2.0-of-the-shop',
  captcha: { provider: 'turnstile-of-the-shop', score: 0.9 },
}

/** What is kept of the signals of a message. */
async function keptOf(id: string): Promise<KeptSignals | null> {
  const rows = await server.query<{ signals: KeptSignals | null }>(sql`select signals from message where id = ${id}`)
  return rows[0]!.signals
}

const keptFor = async (given: object) => keptOf(await live.send(newPhone(), { signals: given }))

describe('what an application says of who asks for a code', () => {
  it('is kept as keyed hashes alone, and is nowhere in the clear', async () => {
    const id = await live.send(newPhone(), { signals })
    const kept = await keptOf(id)
    const hash = expect.stringMatching(/^[\w-]{22}$/)
    expect(kept).toEqual({ ip: hash, network: hash, user: hash, device: hash, program: hash, captcha: true })
    await server.work()
    const [row] = await server.query<{ text: string }>(sql`select (to_jsonb(m) || jsonb_build_object(
      'jobs', (select jsonb_agg(data) from pgboss.job), 'phones', (select jsonb_agg(p) from phone p)))::text as text
      from message m where m.id = ${id}`)
    const read = await live.get(`/v1/messages/${id}`)
    for (const text of [row!.text, read.text, ...server.runtime.lines]) {
      for (const said of ['203.0.113', '-of-the-', 'Mozilla']) expect(text).not.toContain(said)
    }
  })

  it('has the same hash for the same one, and another in another account', async () => {
    const first = await keptFor(signals)
    expect(await keptFor(signals)).toEqual(first)
    await server.app.accounts.create('other')
    const other = server.as(await server.key({ mode: 'live', account: 'other' }))
    const elsewhere = await keptOf(await other.send(newPhone(), { signals }))
    for (const name of ['ip', 'network', 'user', 'device'] as const) expect(elsewhere![name]).not.toBe(first![name])
  })

  it.each([
    ['IPv4', '203.0.113.7', '203.0.113.250', '203.0.114.7'],
    ['IPv6', '2001:db8:7::1', '2001:db8:7:ffff::2', '2001:db8:8::1'],
  ])('names the network of an address: %s', async (_kind, one, near, far) => {
    const [own, beside, beyond] = [await keptFor({ ip: one }), await keptFor({ ip: near }), await keptFor({ ip: far })]
    expect(beside!.ip).not.toBe(own!.ip)
    expect(beside!.network).toBe(own!.network)
    expect(beyond!.network).not.toBe(own!.network)
  })

  it.each([
    ['203.0.113.7', '::ffff:203.0.113.7'],
    ['2001:db8::1', '2001:0DB8:0:0::0001'],
  ])('is one address, however that is written: %s', async (one, same) => {
    expect(await keptFor({ ip: same })).toEqual(await keptFor({ ip: one }))
  })

  it.each([
    [{ trusted: true }, { trusted: true }],
    [{ trusted: false }, null],
    [{ captcha: { provider: 'turnstile' } }, { captcha: true }],
    [{ captcha: { provider: 'recaptcha', score: 0.1 } }, null],
    [{}, null],
  ])('%j leaves %j', async (given, kept) => {
    expect(await keptFor(given)).toEqual(kept)
  })

  it.each([
    ['203.0.113.7', ['203.0.113.7:51234', '::ffff:203.0.113.7', '[::ffff:203.0.113.7]:443']],
    ['2001:db8::1', ['[2001:db8::1]:443', '[2001:db8::1]', '2001:0DB8:0:0::1']],
  ])('is the same address as %s, however a proxy writes it', async (ip, forms) => {
    const kept = await keptFor({ ip })
    for (const form of forms) expect(await keptFor({ ip: form }), form).toEqual(kept)
  })

  it('is of a list of proxies the first public address, or the first one', async () => {
    const kept = await keptFor({ ip: '203.0.113.7' })
    for (const list of ['203.0.113.7, 198.51.100.1', '10.1.2.3,203.0.113.7:80', 'fd00::1, x<y, 203.0.113.7,'])
      expect(await keptFor({ ip: list }), list).toEqual(kept)
    expect(await keptFor({ ip: '10.1.2.3, 10.9.9.9' })).toEqual(await keptFor({ ip: '10.1.2.3' }))
  })

  it.each(['', ' ', '-', 'unknown', 'Unknown, -'])('is no address where a proxy wrote %j', async (ip) => {
    expect(await keptFor({ ip })).toBeNull()
  })

  it.each([
    ...['203.0.113.256', '1:2:3', ':::', '1.2.3', '16909060', '010.1.1.1', '203.0.113.7:', '203.0.113.7:65536'],
    ...['[203.0.113.7]:80', '[2001:db8::1', '2001:db8::1]:443'],
  ])('is refused with an address that cannot be: %s', async (ip) => {
    const refused = await live.post(path, { phone: newPhone(), signals: { ip } })
    expect(refused).toMatchObject({
      status: 400,
      data: { code: 'invalid_request', details: [{ field: '/signals/ip' }] },
    })
  })

  it.skipIf(inject('engine') === 'memory')('stays one when the secret of the service is rotated', async () => {
    const before = await keptFor(signals)
    const { secrets = [] } = testConfig(server.database!.settings)
    const rotated = await startServer({
      beside: server,
      config: { secrets: ['a newer secret of 32 characters!', ...secrets] },
    })
    const client = rotated.as(await rotated.key({ mode: 'live' }))
    expect(await keptOf(await client.send(newPhone(), { signals }))).toEqual(before)
    await rotated.close()
  })
})
