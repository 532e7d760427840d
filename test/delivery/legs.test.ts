/** The legs of a message: which connection is asked, and when the next one has its turn. */
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createMove } from '../../src/domain/sending/message.ts'
import { claimAgain } from '../support/claims.ts'
import type { Client } from '../support/client.ts'
import { createRoutes, down, failed, tg, unknown, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'
import { noOptOuts, silence } from '../support/silence.ts'

const routes = createRoutes()
const { accountWith, connections, notes, report, told } = routes

const notify = async (live: Client) => {
  const body = { phone: newPhone(), template: 'hello', variables: {} }
  return (await live.post('/v1/notifications/send', body)).data.request_id as string
}
const withTemplate = (accountId: string) =>
  routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])

describe('a code', () => {
  it('goes by the next connection, with the same digits, when the first cannot reach this recipient', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => failed('131026 (not on WhatsApp)') }
    const id = await live.send(newPhone())
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu', 'tg'])
    expect(new Set(routes.asked.map(({ content }) => JSON.stringify(content))).size).toBe(1)
    expect(routes.asked.map(({ leg, attempt }) => [leg, attempt])).toEqual([
      [1, 1],
      [2, 1],
    ])
    expect(await live.status(id)).toBe('sent')
    expect(await notes(id)).toEqual(['wa-eu: 131026 (not on WhatsApp)', 'taken by tg'])
  })

  it('goes on when a report says that it failed, and not when an older one says so again', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    const id = await live.send(newPhone())
    await routes.server.work()
    expect((await told(id)).kept).toBe(true)
    const failure = { status: 'failed', errorCode: 'not_on_channel', reason: '131026 (not on WhatsApp)' } as const
    await report(accountId, 'wa-eu', id, { ...failure, providerCode: '131026' })
    await report(accountId, 'wa-eu', id, { ...failure, providerCode: '131026' })
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu', 'tg'])
    expect(await live.status(id)).toBe('sent')
    const { timeline, kept } = await told(id)
    expect(timeline.filter(({ providerCode }) => providerCode === '131026')).toHaveLength(1)
    // Nothing is left that could need it.
    expect(kept).toBe(false)
  })

  it('fails only when the last connection has, with the last fault of the recipient', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => failed('131026 (not on WhatsApp)'), tg: () => down }
    const id = await live.send(newPhone())
    await routes.server.work()
    expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({
      status: 'failed',
      error: { code: 'not_on_channel' },
    })
    expect(await notes(id)).toEqual(['wa-eu: 131026 (not on WhatsApp)', 'tg: token refused'])
    expect((await told(id)).kept).toBe(false)
  })

  it('counts as delivered by an earlier connection that reports late, also when the last one failed', async () => {
    const { accountId, live } = await accountWith(wa({ failoverSeconds: 30 }), tg())
    routes.answers = { tg: () => failed('number not on Telegram') }
    const id = await live.send(newPhone())
    await routes.server.work()
    await routes.server.advance(30)
    await routes.server.work()
    expect(await live.status(id)).toBe('failed')
    await report(accountId, 'wa-eu', id, { status: 'delivered' })
    expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({
      id,
      status: 'delivered',
      timestamp: routes.server.runtime.now().toISOString(),
    })
  })

  it('that was right has not failed, whatever is reported later; the timeline tells of it', async () => {
    const { accountId, live } = await accountWith(wa())
    const id = await routes.sentBy(live)
    const { content } = routes.asked[0]!
    expect(await live.check(id, content.kind === 'verification' ? content.code : '')).toMatchObject({ verified: true })
    await report(accountId, 'wa-eu', id, { status: 'failed', errorCode: 'not_on_channel', reason: '131026' })
    expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({ status: 'sent' })
    expect(await notes(id)).toEqual(['taken by wa-eu', 'wa-eu: 131026'])
  })

  it('goes on when it is not delivered within the time of the connection, and only then', async () => {
    const { accountId, live } = await accountWith(wa({ failoverSeconds: 30 }), tg())
    const [late, delivered, used] = [
      await live.send(newPhone()),
      await live.send(newPhone()),
      await live.send(newPhone()),
    ]
    await routes.server.work()
    await report(accountId, 'wa-eu', delivered, { status: 'delivered' })
    const code = routes.asked.find(({ id }) => id === used)?.content as { code: string }
    expect(await live.check(used, code.code)).toMatchObject({ verified: true })
    // The time of the machine counts too: the rest is for a busy one.
    await routes.server.advance(20)
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu', 'wa-eu', 'wa-eu'])
    await routes.server.advance(10)
    await routes.server.work()
    expect(routes.asked.slice(3).map(({ id, connection }) => [id, connection])).toEqual([[late, 'tg']])
    expect(await notes(late)).toEqual(['taken by wa-eu', 'wa-eu: not delivered within 30 s', 'taken by tg'])
  })

  it('does not go on by time when it is good for less than a minute', async () => {
    const { live } = await accountWith(wa({ failoverSeconds: 550 }), tg())
    const id = await live.send(newPhone())
    await routes.server.work()
    await routes.server.advance(550)
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu'])
    expect(await notes(id)).toEqual(['taken by wa-eu'])
  })

  it('goes by the next connection when nobody knows whether the first took it', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => unknown }
    const id = await live.send(newPhone())
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu', 'tg'])
    expect(await notes(id)).toEqual(['wa-eu: no answer in time', 'taken by tg'])
  })

  it('goes by the only connection again, with the same digits, when nobody knows whether that took it', async () => {
    const { live } = await accountWith(wa())
    routes.answers = { 'wa-eu': ({ attempt }) => (attempt === 1 ? unknown : { kind: 'sent' }) }
    await live.send(newPhone())
    await routes.server.work()
    await routes.server.advance(2)
    await routes.server.work()
    expect(routes.asked.map(({ leg, attempt }) => [leg, attempt])).toEqual([
      [1, 1],
      [1, 2],
    ])
    expect(new Set(routes.asked.map(({ content }) => JSON.stringify(content))).size).toBe(1)
  })

  it('is sent no more once a newer one was, or once it was right', async () => {
    const { accountId, live } = await accountWith(wa({ failoverSeconds: 120 }), tg())
    const phone = newPhone()
    const old = await live.send(phone)
    await routes.server.work()
    await routes.server.advance(60)
    const young = await live.send(phone)
    expect((await told(old)).kept).toBe(false)
    await report(accountId, 'wa-eu', old, { status: 'failed' })
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
    const code = routes.asked.at(-1)?.content as { code: string }
    expect(await live.check(young, code.code)).toMatchObject({ verified: true })
    expect((await told(young)).kept).toBe(false)
    await routes.server.advance(120)
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
  })

  it('that waited for a place at its provider is not sent when a newer one was sent meanwhile', async () => {
    const { live } = await accountWith(wa())
    const phones = [newPhone(), newPhone()]
    const ids = [await live.send(phones[0]!), await live.send(phones[1]!)]
    let expected: string[] = []
    await routes.withOnePlace(ids, async (waiting) => {
      // As when a minute had passed since.
      await routes.server.query(sql`update phone set sent_at = array[]::timestamptz[] where phone = ${phones[waiting]}`)
      expected = [ids[1 - waiting]!, await live.send(phones[waiting]!)]
    })
    expect(routes.asked.map(({ id }) => id)).toEqual(expected)
  })

  it('is never handed over after it ran out, whatever the route still has', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    const id = await live.send(newPhone())
    await routes.server.work()
    await routes.server.advance(600)
    await report(accountId, 'wa-eu', id, { status: 'failed' })
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu'])
  })
})

describe('a report', () => {
  it('of a connection that the route does not lead over, changes nothing', async () => {
    const { accountId, live } = await accountWith(wa({ countries: ['US'] }), tg({ countries: ['DE'] }))
    const id = await live.send(newPhone())
    await routes.server.work()
    await report(accountId, 'tg', id, { status: 'delivered' })
    expect(await live.status(id)).toBe('sent')
    expect(await notes(id)).toEqual(['taken by wa-eu'])
  })

  it('of a connection whose turn has not come, changes nothing', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    const id = await live.send(newPhone())
    await report(accountId, 'tg', id, { status: 'read' })
    await routes.server.work()
    await report(accountId, 'tg', id, { status: 'read' })
    await report(accountId, 'tg', id, { status: 'sent' })
    expect(await live.status(id)).toBe('sent')
    expect(await notes(id)).toEqual(['taken by wa-eu'])
  })

  it('of a connection that was passed over because it rests, changes nothing', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => down }
    await routes.sentBy(live)
    const id = await routes.sentBy(live)
    expect(await notes(id)).toEqual(['wa-eu skipped: token refused', 'taken by tg'])
    for (const status of ['failed', 'sent', 'read'] as const) await report(accountId, 'wa-eu', id, { status })
    expect(await live.status(id)).toBe('sent')
    expect(await notes(id)).toHaveLength(2)
    await report(accountId, 'tg', id, { status: 'read' })
    expect(await live.status(id)).toBe('read')
  })

  it('of a connection that was passed over after it was asked, counts', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => ({ kind: 'retry', reason: 'busy', afterSeconds: 5 }) }
    const id = await routes.sentBy(live)
    routes.answers = { 'wa-eu': () => down }
    await routes.sentBy(live)
    await routes.server.advance(5)
    await routes.server.work()
    expect(await notes(id)).toEqual(['wa-eu: attempt 1: busy', 'wa-eu skipped: token refused', 'taken by tg'])
    await report(accountId, 'wa-eu', id, { status: 'delivered' })
    expect(await live.status(id)).toBe('delivered')
  })

  it('counts when nobody knows that the connection has the message: the answer or the worker was lost', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => unknown }
    const lost = await routes.sentBy(live)
    expect(await notes(lost)).toEqual(['wa-eu: no answer in time', 'taken by tg'])
    await report(accountId, 'wa-eu', lost, { status: 'delivered' })
    expect(await live.status(lost)).toBe('delivered')

    const id = await live.send(newPhone())
    // It is with a worker that tells nothing any more.
    await routes.server.query(sql`update pgboss.job set state = 'active', started_on = now()
      where data -> 'messages' @> ${JSON.stringify([{ id }])}::text::jsonb`)
    await report(accountId, 'wa-eu', id, { status: 'read' })
    expect(await live.status(id)).toBe('read')
  })

  it('that comes before the answer of its connection counts', async () => {
    const { accountId, live } = await accountWith(wa())
    routes.answers = {
      'wa-eu': async ({ id }) => {
        await report(accountId, 'wa-eu', id, { status: 'delivered' })
        return { kind: 'sent' }
      },
    }
    const id = await routes.sentBy(live)
    expect(await live.status(id)).toBe('delivered')
  })

  it('counts when a worker passed the connection over while another one asked it', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    const { commit, runtime } = routes.server
    const move = createMove({ dispatch: async () => {}, events: silence, optOuts: noOptOuts })
    const id = await live.send(newPhone())
    const step = { accountId, id, connection: 'wa-eu', at: runtime.now() }
    await commit.transaction((tx) => move(tx, [{ ...step, ends: true, unasked: true, note: 'wa-eu skipped: rests' }]))
    await report(accountId, 'wa-eu', id, { status: 'read' })
    expect(await live.status(id)).toBe('sent')
    await commit.transaction((tx) => move(tx, [{ ...step, attempted: true, taken: true, status: 'sent' }]))
    await report(accountId, 'wa-eu', id, { status: 'read' })
    expect(await live.status(id)).toBe('read')
  })

  it("by the provider's own id, finds the message of that connection", async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => ({ kind: 'sent', providerMessageId: 'wamid.7' }) }
    const id = await live.send(newPhone())
    await routes.server.work()
    await report(accountId, 'tg', id, { message: undefined, providerMessageId: 'wamid.7' } as never)
    expect(await live.status(id)).toBe('sent')
    await report(accountId, 'wa-eu', id, { message: undefined, providerMessageId: 'wamid.7' } as never)
    expect(await live.status(id)).toBe('delivered')
  })

  it("by the provider's own id that comes before we know it, counts when we do", async () => {
    const { accountId, live } = await accountWith(wa())
    routes.answers = {
      'wa-eu': async ({ id }) => {
        await report(accountId, 'wa-eu', id, { message: undefined, providerMessageId: 'wamid.8' } as never)
        return { kind: 'sent', providerMessageId: 'wamid.8' }
      },
    }
    const id = await live.send(newPhone())
    await routes.server.work()
    expect(await live.status(id)).toBe('sent')
    await routes.server.advance(3)
    await routes.server.work()
    expect(await live.status(id)).toBe('delivered')
  })

  it('of another account is nothing to this one', async () => {
    const other = await accountWith(wa())
    const { live } = await accountWith(wa())
    const id = await live.send(newPhone())
    await routes.server.work()
    await report(other.accountId, 'wa-eu', id, { message: { accountId: 'acct_default', id } })
    expect(await live.status(id)).toBe('sent')
  })
})

describe('a notification', () => {
  it('that may or may not have left is sent once more after a minute, and then no more', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    await withTemplate(accountId)
    routes.answers = { 'wa-eu': () => unknown, tg: () => unknown }
    const id = await notify(live)
    await routes.server.work()
    await routes.server.advance(50)
    await routes.server.work()
    expect(routes.asked).toHaveLength(1)
    await routes.server.advance(10)
    await routes.server.work()
    for (let minute = 0; minute < 5; minute++) {
      await routes.server.advance(60)
      await routes.server.work()
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
    await routes.server.query(sql`update message set unsure = 2 where id = ${id}`)
    await routes.server.work()
    expect(routes.asked).toEqual([])
    expect(await live.status(id)).toBe('failed')
  })

  it('that was surely refused, has lost none of its two tries', async () => {
    const { accountId, live } = await accountWith(wa())
    await withTemplate(accountId)
    routes.answers = {
      'wa-eu': ({ attempt }) => (attempt < 5 ? { kind: 'retry', reason: 'busy', afterSeconds: 1 } : unknown),
    }
    await notify(live)
    for (let tries = 0; tries < 5; tries++) {
      await routes.server.work()
      await routes.server.advance(16)
    }
    expect(routes.asked).toHaveLength(5)
    await routes.server.advance(60)
    await routes.server.work()
    expect(routes.asked).toHaveLength(6)
  })
})

it('a worker that is killed between two connections loses nothing, and asks no third time', async () => {
  const { live } = await accountWith(wa(), tg())
  routes.answers = { 'wa-eu': () => failed('131026 (not on WhatsApp)') }
  const id = await live.send(newPhone())
  // One round does the first leg only; its end is committed together with the job of the next one.
  await routes.server.app.worker.runOnce()
  const [row] = await routes.server.query<{ leg: number }>(sql`select leg from message where id = ${id}`)
  expect(row?.leg).toBe(2)
  // The first leg's job comes once more, as after a worker that died before it could complete it.
  await claimAgain(routes.server, id, 'deliver-whatsapp')
  await routes.server.work()
  expect(connections()).toEqual(['wa-eu', 'tg'])
})
