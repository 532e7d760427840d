/** What becomes of a code that a newer one replaces: it ends, unless a connection took it before. */
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/delivery/channel.ts'
import { claimSeconds } from '../../src/store/engine/queue.ts'
import type { Client } from '../support/client.ts'
import { type Listening, listenTo } from '../support/listening.ts'
import { createRoutes, down, failed, tg, unknown, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const { accountWith, connections, notes, report } = routes
const superseded = { status: 'failed', error: { code: 'superseded', message: expect.any(String) } }
const busy: Outcome = { kind: 'retry', reason: 'busy' }
const later: Outcome = { ...busy, afterSeconds: 280 }

const stateOf = async (live: Client, id: string) => (await live.get(`/v1/messages/${id}`)).data

/** Sends a newer code to the same phone, when the cooldown is over. */
async function replace(live: Client, phone: string): Promise<string> {
  await routes.server.advance(60)
  return live.send(phone)
}

/** Has the connection answer so, but not before a newer code was sent to the phone. */
function answerReplaced(live: Client, phone: string, connection: string, outcome: Outcome): void {
  let isFirst = true
  routes.answers[connection] = async () => {
    if (!isFirst) return { kind: 'sent' }
    isFirst = false
    await replace(live, phone)
    return outcome
  }
}

describe('a code that a newer one replaces', () => {
  it('before a connection was asked, ends then, and no connection is asked to carry it', async () => {
    const { live } = await accountWith(wa())
    const phone = newPhone()
    const first = await live.send(phone)
    const second = await replace(live, phone)
    await routes.server.work()
    expect(routes.asked.map(({ id }) => id)).toEqual([second])
    expect(await stateOf(live, first)).toMatchObject({
      ...superseded,
      timestamp: routes.server.runtime.now().toISOString(),
    })
    expect(await notes(first)).toEqual(['a newer code replaced it'])
    expect(await live.status(second)).toBe('sent')
    expect(await live.check(first, '000000')).toMatchObject({ verified: false, reason: 'superseded' })
  })

  it('while a connection is asked, has left when that takes it: it goes on as any other', async () => {
    const { accountId, live } = await accountWith(wa())
    const phone = newPhone()
    answerReplaced(live, phone, 'wa-eu', { kind: 'sent' })
    const id = await live.send(phone)
    await routes.server.work()
    expect(await live.status(id)).toBe('sent')
    expect(await notes(id)).toEqual(['taken by wa-eu'])
    await report(accountId, 'wa-eu', id, { status: 'delivered' })
    expect(await live.status(id)).toBe('delivered')
  })

  it.each([
    ['refuses it, and the next one would have had its turn', failed('131026'), 'wa-eu: 131026; '],
    ['asks to come again', busy, 'wa-eu: attempt 1: busy; '],
    ['does not say whether it took it', unknown, 'wa-eu: no answer in time; '],
    ['is down', down, 'wa-eu: token refused; '],
  ])('while a connection is asked that %s, ends with that answer', async (_what, outcome, note) => {
    const { live } = await accountWith(wa(), tg())
    const phone = newPhone()
    answerReplaced(live, phone, 'wa-eu', outcome)
    const id = await live.send(phone)
    await routes.server.work()
    expect(await stateOf(live, id)).toMatchObject(superseded)
    expect(await notes(id)).toEqual([`${note}a newer code replaced it`])
    expect(routes.asked.filter((message) => message.id === id)).toHaveLength(1)
  })

  it('while its last connection refuses it, has failed for the reason that this gives', async () => {
    const { live } = await accountWith(wa())
    const phone = newPhone()
    answerReplaced(live, phone, 'wa-eu', failed('131026'))
    const id = await live.send(phone)
    await routes.server.work()
    expect(await stateOf(live, id)).toMatchObject({ status: 'failed', error: { code: 'not_on_channel' } })
  })

  it('while it waits for minutes, ends soon after the newer one had its turn', async () => {
    const { live } = await accountWith(wa())
    const phone = newPhone()
    routes.answers = { 'wa-eu': () => later }
    const id = await live.send(phone)
    await routes.server.work()
    const newer = await replace(live, phone)
    await routes.server.work()
    await routes.server.advance(claimSeconds)
    await routes.server.work()
    expect(routes.asked.map((message) => message.id)).toEqual([id, newer])
    expect(await stateOf(live, id)).toMatchObject(superseded)
  })

  it('a code whose connection took it and reported a failure ends while it waits for the next one', async () => {
    const { accountId, live } = await accountWith(wa(), tg())
    const phone = newPhone()
    routes.answers = { tg: () => later }
    const id = await live.send(phone)
    await routes.server.work()
    await report(accountId, 'wa-eu', id, { status: 'failed', errorCode: 'not_on_channel', reason: '131026' })
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu', 'tg'])
    await replace(live, phone)
    await routes.server.work()
    await routes.server.advance(claimSeconds)
    await routes.server.work()
    expect(await stateOf(live, id)).toMatchObject(superseded)
  })

  it.each([
    ['then reports that it came', { status: 'delivered' }, { status: 'delivered' }],
    ['then reports that it failed', { status: 'failed', errorCode: 'not_on_channel' }, superseded],
  ] as const)('when a slow connection had taken it, waits for what that reports: it %s', async (_what, said, state) => {
    const { accountId, live } = await accountWith(wa({ failoverSeconds: 30 }), tg())
    const phone = newPhone()
    routes.answers = { tg: () => later }
    const id = await live.send(phone)
    await routes.server.work()
    await routes.server.advance(30)
    await routes.server.work()
    expect(connections()).toEqual(['wa-eu', 'tg'])
    await replace(live, phone)
    await routes.server.work()
    await routes.server.advance(claimSeconds)
    await routes.server.work()
    expect(await live.status(id)).toBe('sent')
    await report(accountId, 'wa-eu', id, said)
    expect(await stateOf(live, id)).toMatchObject(state)
  })

  it('and that has ended so, is delivered if it comes all the same', async () => {
    const { accountId, live } = await accountWith(wa())
    const phone = newPhone()
    answerReplaced(live, phone, 'wa-eu', unknown)
    const id = await live.send(phone)
    await routes.server.work()
    expect(await live.status(id)).toBe('failed')
    await report(accountId, 'wa-eu', id, { status: 'delivered' })
    expect(await live.status(id)).toBe('delivered')
  })
})

describe('of eight codes that are sent at once to a test phone', () => {
  it('of eight codes at once, seven end as replaced and one is delivered, each told once', async () => {
    const { server } = routes
    const listening = await listenTo(server)
    const phone = newPhone()
    const ids = await Promise.all(Array.from({ length: 8 }, () => server.test.send(phone)))
    await server.work()
    const [{ id: newest } = { id: '' }, ...others] = await server.phone(phone)
    expect(others).toEqual([])
    expect(await server.test.status(newest)).toBe('delivered')
    const replaced = ids.filter((id) => id !== newest)
    expect(replaced).toHaveLength(7)
    for (const id of replaced) expect(await stateOf(server.test, id)).toMatchObject(superseded)
    await server.advance(600)
    await server.work()
    await listening.close()
    const about = (id: string) => typesOf(listening, id)
    for (const id of replaced) expect(about(id)).toEqual(['message.failed', 'verification.expired'])
    expect(about(newest)).toEqual(['message.delivered', 'message.sent', 'verification.expired'])
    const failures = listening.events().filter(({ type }) => type === 'message.failed')
    for (const { data } of failures)
      expect({ channel: 'none', ...data }).toMatchObject({ ...superseded, channel: 'none' })
  })
})

const typesOf = (listening: Listening, id: string) =>
  listening
    .events()
    .filter(({ data }) => 'request_id' in data && data.request_id === id)
    .map(({ type }) => type)
    .toSorted()
