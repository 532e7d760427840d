import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Listening, type ListenOptions, listenTo } from '../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
const closers: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startServer()
})
// Each test has endpoints of its own, and none of another one's.
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
afterAll(() => server.close())

async function listen(options?: ListenOptions): Promise<Listening> {
  const listening = await listenTo(server, options)
  const { accountId = 'acct_default' } = options ?? {}
  closers.push(async () => {
    await server.app.endpoints.remove({ accountId, id: listening.id })
    await listening.close()
  })
  return listening
}

/** What came of one message, without its times. */
const about = ({ events }: Listening, id: string) =>
  events()
    .filter(({ data }) => 'request_id' in data && data.request_id === id)
    .map(({ type, data }) => ({ type, ...data }))

/** What stands for a phone, and is the same in each event of its messages. */
const recipient = expect.stringMatching(/^rcp_[0-9a-f]{20}$/) as string

/** A phone that opts out and in again. */
async function optOutAndIn(): Promise<void> {
  const phone = newPhone()
  for (const what of ['add', 'remove']) {
    expect(await server.test.post(`/v1/opt-outs/${what}`, { phone })).toMatchObject({ status: 200 })
  }
}

/** A send to a country that a rule refuses, and one that spends a budget. */
async function refuseAndSpend(): Promise<void> {
  const { protections } = server.app
  const { rules } = await protections.find('acct_default')
  const rule = { id: 'only-germany', by: 'country' as const, allow: ['DE'], do: 'block' as const }
  await protections.apply('acct_default', { rules: [rule], fail: 'open', budgets: [] }, 'a test')
  expect(await server.test.post('/v1/verify/send', { phone: newPhone() })).toMatchObject({ status: 403 })
  await protections.apply('acct_default', { rules, fail: 'open', budgets: [{ id: 'one', messages: 1 }] })
  await server.test.send(newPhone())
  await protections.apply('acct_default', { rules, fail: 'open', budgets: [] })
}

const silent = '+14155550130'
const failing = '+14155550120'
const reading = '+14155550110'

describe('an endpoint', () => {
  it('is told every type of the contract, as it is described, and signed', async () => {
    const [listening, gone] = [await listen(), await listen({ behaviour: { status: 410 } })]
    const verified = await server.test.send(reading)
    await server.work()
    await server.test.check(verified, '000000')
    for (const phone of [failing, silent]) await server.test.send(phone)
    await refuseAndSpend()
    await optOutAndIn()
    await server.work()
    await server.advance(600)
    await server.work()
    expect(listening.faults(listening.secret)).toEqual([])
    expect(gone.faults(gone.secret)).toEqual([])
    // That one is of live keys alone: test/delivery/templates/news.test.ts has it told.
    expect(listening.missing()).toEqual(['template.unusable'])
  })

  it('is told what a notification was made from, to whom and for what, also of one that failed', async () => {
    const listening = await listen()
    const reference = 'order-1042'
    const variables = { name: 'Ada' }
    const ids: string[] = []
    for (const phone of [reading, failing]) {
      const body = { phone, template: 'welcome', variables, reference }
      ids.push((await server.test.post<{ request_id: string }>('/v1/notifications/send', body)).data.request_id)
    }
    await server.work()
    const types = listening.events().map(({ type }) => type)
    expect(new Set(types)).toEqual(new Set(['message.sent', 'message.delivered', 'message.read', 'message.failed']))
    for (const id of ids) {
      const { recipient, template } = (await server.test.get(`/v1/messages/${id}`)).data
      expect(recipient).toMatch(/^rcp_/)
      expect(template).toMatchObject({ slug: 'welcome' })
      for (const told of about(listening, id)) expect(told).toMatchObject({ recipient, template, reference })
    }
  })

  it('is told the way of a verification that succeeds', async () => {
    const listening = await listen()
    const id = await server.test.send(newPhone())
    await server.work()
    await server.test.check(id, '111111')
    await server.test.check(id, '000000')
    await server.test.check(id, '000000')
    await server.advance(600)
    await server.work()
    const data = { request_id: id, kind: 'verification', mode: 'test' }
    expect(about(listening, id)).toEqual([
      { type: 'message.sent', ...data, status: 'sent', channel: 'sandbox', recipient },
      { type: 'message.delivered', ...data, status: 'delivered', channel: 'sandbox', recipient },
      { type: 'verification.verified', ...data, status: 'delivered' },
    ])
  })

  it('is told when the attempts of a verification are used up, once, and not that it runs out then', async () => {
    const listening = await listen({ types: ['verification.failed', 'verification.expired'] })
    const ids = [await server.test.send(newPhone()), await server.test.send(silent)]
    await server.work()
    for (const id of ids) for (let count = 0; count < 7; count++) await server.test.check(id, '111111')
    await server.advance(600)
    await server.work()
    const data = { kind: 'verification', mode: 'test', reason: 'attempts_exhausted' }
    const type = 'verification.failed'
    expect(about(listening, ids[0]!)).toEqual([{ type, ...data, request_id: ids[0], status: 'delivered' }])
    expect(about(listening, ids[1]!)).toEqual([{ type, ...data, request_id: ids[1], status: 'sent' }])
  })

  it('is told that a message failed for good, and its verification with it', async () => {
    const listening = await listen()
    const id = await server.test.send(failing)
    await server.work()
    await server.advance(600)
    await server.work()
    const data = { request_id: id, kind: 'verification', status: 'failed', mode: 'test' }
    const error = { code: 'not_on_channel', message: expect.any(String) }
    const told = about(listening, id)
    expect(told).toHaveLength(3)
    expect(told).toEqual(
      expect.arrayContaining([
        { type: 'message.sent', ...data, status: 'sent', channel: 'sandbox', recipient },
        { type: 'message.failed', ...data, channel: 'sandbox', recipient, error },
        { type: 'verification.failed', ...data, reason: 'not_delivered' },
      ]),
    )
    const found = told.find(({ type }) => type === 'message.failed')
    expect(found).toHaveProperty('error', (await server.test.get(`/v1/messages/${id}`)).data.error)
  })

  it('is told that a code was right after all, which came though its message had failed', async () => {
    const listening = await listen({ types: ['verification.failed', 'verification.verified'] })
    const id = await server.test.send(failing)
    await server.work()
    await server.test.check(id, '000000')
    await server.work()
    expect(about(listening, id).map(({ type }) => type)).toEqual(['verification.failed', 'verification.verified'])
  })

  it('is told that a code ran out, whether it had come or not, with the time at which it did', async () => {
    const listening = await listen({ types: ['verification.expired'] })
    const ids = [await server.test.send(newPhone()), await server.test.send(silent)]
    const ranOutAt = new Date(server.runtime.now().getTime() + 600_000).toISOString()
    await server.work()
    await server.advance(599)
    await server.work()
    expect(listening.received).toEqual([])
    for (const seconds of [1, 60, 600]) {
      await server.advance(seconds)
      await server.work()
    }
    const data = { kind: 'verification', mode: 'test' }
    const type = 'verification.expired'
    expect(about(listening, ids[0]!)).toEqual([{ type, ...data, request_id: ids[0], status: 'delivered' }])
    expect(about(listening, ids[1]!)).toEqual([{ type, ...data, request_id: ids[1], status: 'expired' }])
    expect(new Set(listening.events().map(({ timestamp }) => timestamp))).toEqual(new Set([ranOutAt]))
    expect(await server.test.status(ids[0]!)).toBe('delivered')
  })

  it('is told the way of a notification, which has no end to wait for', async () => {
    const listening = await listen()
    const { data } = await server.test.post('/v1/notifications/send', {
      ...{ phone: reading, template: 'welcome', variables: { name: 'Ada' } },
    })
    const id = data.request_id as string
    await server.work()
    await server.advance(24 * 3600)
    await server.work()
    const told = about(listening, id).map(({ type, ...rest }) => [type, 'kind' in rest && rest.kind])
    expect(told).toHaveLength(3)
    expect(told).toEqual(
      expect.arrayContaining(
        ['message.sent', 'message.delivered', 'message.read'].map((type) => [type, 'notification']),
      ),
    )
  })
})

describe('who is told', () => {
  it('are the endpoints of the account, of its mode, that want the type; each of all', async () => {
    await server.app.accounts.create('other')
    const { id: other } = await server.app.accounts.require('other')
    const all = [await listen(), await listen()]
    const some = await listen({ types: ['message.delivered', 'message.read'] })
    const live = await listen({ mode: 'live' })
    const stranger = await listen({ accountId: other })
    await server.test.send(newPhone())
    await server.work()
    for (const { types } of all) expect(types().toSorted()).toEqual(['message.delivered', 'message.sent'])
    expect(some.types()).toEqual(['message.delivered'])
    expect([...live.received, ...stranger.received]).toEqual([])
    await server.live.send(newPhone())
    await server.work()
    expect(live.types().toSorted()).toEqual(['message.delivered', 'message.sent'])
    expect(all.map(({ received }) => received.length)).toEqual([2, 2])
    // Two endpoints are told the same: the same id, the same bytes.
    const sent = all.map(({ received }) => received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`))
    expect(sent[0]!.toSorted()).toEqual(sent[1]!.toSorted())
  })

  it('is nobody where nobody listens: no event is written', async () => {
    const written = () =>
      server.query(sql`select (select count(*) from event) as events, (select count(*) from event_delivery) as deliveries,
        (select count(*) from event_attempt) as attempts`)
    const before = await written()
    // What was known of the account is not good any more.
    server.runtime.advance(5)
    const id = await server.test.send(newPhone())
    await server.work()
    await server.test.check(id, '000000')
    await server.test.send(silent)
    await server.advance(600)
    await server.work()
    expect(await written()).toEqual(before)
  })
})

describe('an event', () => {
  it('never holds a phone, a code or a variable', async () => {
    const [listening, live] = [await listen(), await listen({ mode: 'live' })]
    const variables = { name: 'Quetzalcoatl' }
    const codes: string[] = []
    for (const [client, phone] of [
      [server.test, reading],
      [server.live, reading],
      [server.live, failing],
    ] as const) {
      const id = await client.send(phone)
      await client.post('/v1/notifications/send', { phone, template: 'welcome', variables })
      await server.work()
      codes.push(...(await server.phone(phone)).flatMap(({ text }) => /\d{6}$/.exec(text)?.[0] ?? []))
      for (let count = 0; count < 6; count++) await client.check(id, '918273')
    }
    await server.work()
    expect(codes.length).toBeGreaterThan(1)
    const sent = [...listening.received, ...live.received].map(({ headers, body }) => JSON.stringify(headers) + body)
    expect(sent.length).toBeGreaterThan(15)
    const kept = await server.query<{ row: string }>(sql`select e::text as row from event e union all
      select d::text from event_delivery d union all select a::text from event_attempt a`)
    // Signatures and ids are random, and may have six digits in a row that are a code's.
    const text = [...sent, ...kept.map(({ row }) => row)]
      .join()
      .replace(/v1,[\w+/=]+|(req|evt|ep)_\w{26}|rcp_\w{20}/g, '')
    for (const secret of [...codes, '918273', 'Quetzalcoatl', '4155550', '••']) {
      expect(text.includes(secret), secret).toBe(false)
    }
  })
})
