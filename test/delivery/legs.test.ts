/** The route of a message: which connections are asked, in which order, and when the next one has its turn. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Channel, Outcome, Outgoing, Receipt } from '../../src/delivery/channel.ts'
import type { Client } from '../support/client.ts'
import { type GivenConnection, giveConnections } from '../support/connections.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

/** Everything that was asked of a provider, in order. */
let asked: Outgoing[] = []
/** What a connection answers, by its id; `sent` when nothing is said. */
let answers: Record<string, (message: Outgoing) => Outcome | Promise<Outcome>> = {}

/** A provider for whatever connection, whose reports are signed by a header. */
const provider: Channel = {
  send: async (message) => {
    asked.push(message)
    return (await answers[message.connection]?.(message)) ?? { kind: 'sent' }
  },
  verify: ({ headers }) => headers.signature === 'good',
  parse: (body) =>
    (JSON.parse(body.toString()) as Receipt[]).map((receipt) => ({ ...receipt, at: new Date(receipt.at) })),
}

let server: TestServer
beforeAll(async () => {
  server = await startServer({ overrides: { channels: { whatsapp: provider, telegram: provider } } })
})
afterAll(() => server.close())

let accounts = 0

/** An account of its own with these connections, and a caller with its live key. */
async function accountWith(...list: GivenConnection[]): Promise<{ accountId: string; live: Client }> {
  accounts += 1
  const { id: accountId, name: account } = await server.app.accounts.create(`account ${accounts}`)
  await giveConnections(server, accountId, list)
  asked = []
  answers = {}
  return { accountId, live: server.as(await server.key({ mode: 'live', account })) }
}

const wa = (more: Partial<GivenConnection> = {}): GivenConnection => ({ id: 'wa-eu', kind: 'whatsapp', ...more })
const tg = (more: Partial<GivenConnection> = {}): GivenConnection => ({ id: 'tg', kind: 'telegram', ...more })

const failed = (reason: string): Outcome => ({ kind: 'failed', code: 'not_on_channel', reason })
const unknown: Outcome = { kind: 'unknown', reason: 'no answer in time' }
const down: Outcome = { kind: 'down', reason: 'token refused' }

/** A report of that connection. */
async function report(accountId: string, connection: string, id: string, more: Partial<Receipt>): Promise<void> {
  const receipts = [{ message: { accountId, id }, at: server.runtime.now(), status: 'delivered', ...more }]
  const body = Buffer.from(JSON.stringify(receipts))
  const taken = await server.app.receipts.accept({ accountId, connection }, { headers: { signature: 'good' }, body })
  expect(taken).toBe('accepted')
}

const connections = () => asked.map(({ connection }) => connection)

interface Told {
  timeline: { status: string; note?: string; connection?: string; providerCode?: string }[]
  kept: boolean
}

async function told(id: string): Promise<Told> {
  const [row] = await server.query<Told>(
    sql`select timeline, content is not null as kept from message where id = ${id}`,
  )
  return row as Told
}

const notes = async (id: string) =>
  (await told(id)).timeline.map(({ note }) => note).filter((note) => note !== undefined)

const notify = async (live: Client) => {
  const body = { phone: newPhone(), template: 'hello', variables: {} }
  return (await live.post('/v1/notifications/send', body)).data.request_id as string
}
const withTemplate = (accountId: string) => server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])

describe('a code', () => {
  it('goes by the next connection, with the same digits, when the first cannot reach this recipient', async () => {
    const { live } = await accountWith(wa(), tg())
    answers = { 'wa-eu': () => failed('131026 (not on WhatsApp)') }
    const id = await live.send(newPhone())
    await server.work()
    expect(connections()).toEqual(['wa-eu', 'tg'])
    expect(new Set(asked.map(({ content }) => JSON.stringify(content))).size).toBe(1)
    expect(asked.map(({ leg, attempt }) => [leg, attempt])).toEqual([
      [1, 1],
      [2, 1],
    ])
    expect(await live.status(id)).toBe('sent')
    expect(await notes(id)).toEqual(['wa-eu: 131026 (not on WhatsApp)', 'taken by tg'])
  })

  it('goes on when a report says that it failed, and not when an older one says so again', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    const id = await live.send(newPhone())
    await server.work()
    expect((await told(id)).kept).toBe(true)
    const failure = { status: 'failed', errorCode: 'not_on_channel', reason: '131026 (not on WhatsApp)' } as const
    await report(accountId, 'wa-eu', id, { ...failure, providerCode: '131026' })
    await report(accountId, 'wa-eu', id, { ...failure, providerCode: '131026' })
    await server.work()
    expect(connections()).toEqual(['wa-eu', 'tg'])
    expect(await live.status(id)).toBe('sent')
    const { timeline, kept } = await told(id)
    expect(timeline.filter(({ providerCode }) => providerCode === '131026')).toHaveLength(1)
    // Nothing is left that could need it.
    expect(kept).toBe(false)
  })

  it('fails only when the last connection has, with the last fault of the recipient', async () => {
    const { live } = await accountWith(wa(), tg())
    answers = { 'wa-eu': () => failed('131026 (not on WhatsApp)'), tg: () => down }
    const id = await live.send(newPhone())
    await server.work()
    expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({
      status: 'failed',
      error: { code: 'not_on_channel' },
    })
    expect(await notes(id)).toEqual(['wa-eu: 131026 (not on WhatsApp)', 'tg: token refused'])
    expect((await told(id)).kept).toBe(false)
  })

  it('counts as delivered by an earlier connection that reports late, also when the last one failed', async () => {
    const { accountId, live } = await accountWith(wa({ failoverSeconds: 30 }), tg())
    answers = { tg: () => failed('number not on Telegram') }
    const id = await live.send(newPhone())
    await server.work()
    await server.advance(30)
    await server.work()
    expect(await live.status(id)).toBe('failed')
    await report(accountId, 'wa-eu', id, { status: 'delivered' })
    expect((await live.get(`/v1/messages/${id}`)).data).toEqual({
      id,
      status: 'delivered',
      timestamp: server.runtime.now().toISOString(),
    })
  })

  it('goes on when it is not delivered within the time of the connection, and only then', async () => {
    const { accountId, live } = await accountWith(wa({ failoverSeconds: 30 }), tg())
    const [late, delivered, used] = [
      await live.send(newPhone()),
      await live.send(newPhone()),
      await live.send(newPhone()),
    ]
    await server.work()
    await report(accountId, 'wa-eu', delivered, { status: 'delivered' })
    const code = asked.find(({ id }) => id === used)?.content as { code: string }
    expect(await live.check(used, code.code)).toMatchObject({ verified: true })
    await server.advance(29)
    await server.work()
    expect(connections()).toEqual(['wa-eu', 'wa-eu', 'wa-eu'])
    await server.advance(1)
    await server.work()
    expect(asked.slice(3).map(({ id, connection }) => [id, connection])).toEqual([[late, 'tg']])
    expect(await notes(late)).toEqual(['taken by wa-eu', 'wa-eu: not delivered within 30 s', 'taken by tg'])
  })

  it('does not go on by time when it is good for less than a minute', async () => {
    const { live } = await accountWith(wa({ failoverSeconds: 550 }), tg())
    const id = await live.send(newPhone())
    await server.work()
    await server.advance(550)
    await server.work()
    expect(connections()).toEqual(['wa-eu'])
    expect(await notes(id)).toEqual(['taken by wa-eu'])
  })

  it('goes by the next connection when nobody knows whether the first took it', async () => {
    const { live } = await accountWith(wa(), tg())
    answers = { 'wa-eu': () => unknown }
    const id = await live.send(newPhone())
    await server.work()
    expect(connections()).toEqual(['wa-eu', 'tg'])
    expect(await notes(id)).toEqual(['wa-eu: no answer in time', 'taken by tg'])
  })

  it('goes by the only connection again, with the same digits, when nobody knows whether that took it', async () => {
    const { live } = await accountWith(wa())
    answers = { 'wa-eu': ({ attempt }) => (attempt === 1 ? unknown : { kind: 'sent' }) }
    await live.send(newPhone())
    await server.work()
    await server.advance(2)
    await server.work()
    expect(asked.map(({ leg, attempt }) => [leg, attempt])).toEqual([
      [1, 1],
      [1, 2],
    ])
    expect(new Set(asked.map(({ content }) => JSON.stringify(content))).size).toBe(1)
  })

  it('is sent no more once a newer one was, or once it was right', async () => {
    const { accountId, live } = await accountWith(wa({ failoverSeconds: 120 }), tg())
    const phone = newPhone()
    const old = await live.send(phone)
    await server.work()
    await server.advance(60)
    const young = await live.send(phone)
    expect((await told(old)).kept).toBe(false)
    await report(accountId, 'wa-eu', old, { status: 'failed' })
    await server.work()
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
    const code = asked.at(-1)?.content as { code: string }
    expect(await live.check(young, code.code)).toMatchObject({ verified: true })
    expect((await told(young)).kept).toBe(false)
    await server.advance(120)
    await server.work()
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
  })

  it('is never handed over after it ran out, whatever the route still has', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    const id = await live.send(newPhone())
    await server.work()
    await server.advance(600)
    await report(accountId, 'wa-eu', id, { status: 'failed' })
    await server.work()
    expect(connections()).toEqual(['wa-eu'])
  })
})

describe('a report', () => {
  it('of a connection that the route does not lead over, changes nothing', async () => {
    const { accountId, live } = await accountWith(wa({ countries: ['US'] }), tg({ countries: ['DE'] }))
    const id = await live.send(newPhone())
    await server.work()
    await report(accountId, 'tg', id, { status: 'delivered' })
    expect(await live.status(id)).toBe('sent')
    expect(await notes(id)).toEqual(['taken by wa-eu'])
  })

  it("by the provider's own id, finds the message of that connection", async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    answers = { 'wa-eu': () => ({ kind: 'sent', providerMessageId: 'wamid.7' }) }
    const id = await live.send(newPhone())
    await server.work()
    await report(accountId, 'tg', id, { message: undefined, providerMessageId: 'wamid.7' } as never)
    expect(await live.status(id)).toBe('sent')
    await report(accountId, 'wa-eu', id, { message: undefined, providerMessageId: 'wamid.7' } as never)
    expect(await live.status(id)).toBe('delivered')
  })

  it("by the provider's own id that comes before we know it, counts when we do", async () => {
    const { accountId, live } = await accountWith(wa())
    answers = {
      'wa-eu': async ({ id }) => {
        await report(accountId, 'wa-eu', id, { message: undefined, providerMessageId: 'wamid.8' } as never)
        return { kind: 'sent', providerMessageId: 'wamid.8' }
      },
    }
    const id = await live.send(newPhone())
    await server.work()
    expect(await live.status(id)).toBe('sent')
    await server.advance(3)
    await server.work()
    expect(await live.status(id)).toBe('delivered')
  })

  it('of another account is nothing to this one', async () => {
    const other = await accountWith(wa())
    const { live } = await accountWith(wa())
    const id = await live.send(newPhone())
    await server.work()
    await report(other.accountId, 'wa-eu', id, { message: { accountId: 'acct_default', id } })
    expect(await live.status(id)).toBe('sent')
  })
})

describe('a notification', () => {
  it('of which nobody knows whether it left, is sent once more after a minute, and then no more', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    await withTemplate(accountId)
    answers = { 'wa-eu': () => unknown, tg: () => unknown }
    const id = await notify(live)
    await server.work()
    await server.advance(59)
    await server.work()
    expect(asked).toHaveLength(1)
    await server.advance(1)
    await server.work()
    for (let minute = 0; minute < 5; minute++) {
      await server.advance(60)
      await server.work()
    }
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
    expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({
      status: 'failed',
      error: { code: 'channel_unavailable' },
    })
  })

  it('that may have left twice with workers that died, is not sent a third time', async () => {
    const { accountId, live } = await accountWith(wa())
    await withTemplate(accountId)
    const id = await notify(live)
    // What two workers leave behind that were killed while they asked.
    await server.query(sql`update message set unsure = 2 where id = ${id}`)
    await server.work()
    expect(asked).toEqual([])
    expect(await live.status(id)).toBe('failed')
  })

  it('that was surely refused, has lost none of its two tries', async () => {
    const { accountId, live } = await accountWith(wa())
    await withTemplate(accountId)
    answers = { 'wa-eu': ({ attempt }) => (attempt < 5 ? { kind: 'retry', reason: 'busy', afterSeconds: 1 } : unknown) }
    await notify(live)
    for (let second = 0; second < 8; second++) {
      await server.work()
      await server.advance(1)
    }
    expect(asked).toHaveLength(5)
    await server.advance(60)
    await server.work()
    expect(asked).toHaveLength(6)
  })
})

describe('the route', () => {
  it('has the connections of the country in their order, and is refused when there is none', async () => {
    const { live } = await accountWith(tg({ countries: ['DE', 'US'] }), wa({ countries: ['DE'] }))
    await live.send('+4915123456789')
    await server.work()
    expect(connections()).toEqual(['tg'])
    const refused = await live.post('/v1/verify/send', { phone: '+33612345678' })
    expect(refused).toMatchObject({ status: 403, data: { code: 'no_channel' } })
    const [row] = await server.query<{ route: string[] }>(
      sql`select route from message where phone = '+4915123456789' and mode = 'live'`,
    )
    expect(row?.route).toEqual(['tg', 'wa-eu'])
  })

  it('of a refused message leaves nothing behind', async () => {
    const { accountId, live } = await accountWith()
    const phone = newPhone()
    expect(await live.post('/v1/verify/send', { phone })).toMatchObject({ status: 403, data: { code: 'no_channel' } })
    const [row] = await server.query<{ count: number }>(sql`select
      (select count(*) from message where account_id = ${accountId})::int
      + (select count(*) from phone where account_id = ${accountId})::int as count`)
    expect(row?.count).toBe(0)
  })

  it('of a test key is the sandbox, whatever the account has', async () => {
    const { accountId } = await accountWith(wa())
    const [row] = await server.query<{ name: string }>(sql`select name from account where id = ${accountId}`)
    const test = server.as(await server.key({ mode: 'test', account: row?.name as string }))
    const id = await test.send(newPhone())
    await server.work()
    expect(asked).toEqual([])
    expect(await test.status(id)).toBe('delivered')
  })

  it('leads over a connection that is there no more: the next one is asked', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    const id = await live.send(newPhone())
    await giveConnections(server, accountId, [tg()])
    const another = await startServer({ beside: server, overrides: { channels: { telegram: provider } } })
    await another.work()
    await another.close()
    expect(connections()).toEqual(['tg'])
    expect(await notes(id)).toEqual(['wa-eu skipped: it is not there any more', 'taken by tg'])
  })
})

describe('a connection that needs its operator', () => {
  it('rests for a minute: the next one is asked at once, then one message tries', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    answers = { 'wa-eu': () => down }
    await live.send(newPhone())
    await server.work()
    const skipping = await live.send(newPhone())
    await server.work()
    expect(connections()).toEqual(['wa-eu', 'tg', 'tg'])
    expect(await notes(skipping)).toEqual(['wa-eu skipped: token refused', 'taken by tg'])
    const [row] = await server.query(sql`select rests_until > now() as rests, rest_reason as reason from connection
      where account_id = ${accountId} and id = 'wa-eu'`)
    expect(row).toMatchObject({ reason: 'token refused' })
    await server.advance(60)
    answers = {}
    await live.send(newPhone())
    await server.work()
    await live.send(newPhone())
    await server.work()
    expect(connections().slice(3)).toEqual(['wa-eu', 'wa-eu'])
  })

  it('and is the only one: its messages wait for it, and lose no attempt', async () => {
    const { live } = await accountWith(wa())
    answers = { 'wa-eu': () => down }
    expect(await live.status(await sentBy(live))).toBe('failed')
    answers = {}
    const id = await sentBy(live)
    expect(connections()).toEqual(['wa-eu'])
    await server.advance(60)
    await server.work()
    expect(asked.at(-1)).toMatchObject({ id, attempt: 1 })
    expect(await live.status(id)).toBe('sent')
  })

  it('for one template alone, is asked for others', async () => {
    const { live } = await accountWith(wa())
    answers = { 'wa-eu': () => ({ ...down, template: 'auth_copy_code' }) }
    await sentBy(live)
    await sentBy(live)
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
  })
})

it('a connection that is silent ten times in a row rests for 15 seconds', async () => {
  const { live } = await accountWith(wa(), tg())
  answers = { 'wa-eu': () => unknown }
  for (let n = 0; n < 12; n++) await sentBy(live)
  expect(connections().filter((connection) => connection === 'wa-eu')).toHaveLength(10)
  await server.advance(15)
  answers = {}
  await sentBy(live)
  await sentBy(live)
  expect(connections().slice(-2)).toEqual(['wa-eu', 'wa-eu'])
})

it('a worker that is killed between two connections loses nothing, and asks no third time', async () => {
  const { live } = await accountWith(wa(), tg())
  answers = { 'wa-eu': () => failed('131026 (not on WhatsApp)') }
  const id = await live.send(newPhone())
  // One round does the first leg only; its end is committed together with the job of the next one.
  await server.app.worker.runOnce()
  const [row] = await server.query<{ leg: number }>(sql`select leg from message where id = ${id}`)
  expect(row?.leg).toBe(2)
  // The first leg's job comes once more, as after a worker that died before it could complete it.
  await server.query(sql`update pgboss.job set state = 'retry', completed_on = null
    where name = 'deliver-whatsapp' and data -> 'messages' @> ${JSON.stringify([{ id }])}::text::jsonb`)
  await server.work()
  expect(connections()).toEqual(['wa-eu', 'tg'])
})

async function sentBy(live: Client): Promise<string> {
  const id = await live.send(newPhone())
  await server.work()
  return id
}
