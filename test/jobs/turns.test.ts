/** How long a code waits for a connection that does not take it, when another one is left. */
import { afterEach, describe, expect, it } from 'vitest'
import { createHandOver, type HandOverParts } from '../../src/delivery/handOver.ts'
import { neverRests } from '../../src/delivery/rest.ts'
import { createReturns } from '../../src/delivery/turns/returns.ts'
import type { Delivery } from '../../src/store/sending/delivery.ts'
import type { Client } from '../support/client.ts'
import { createRoutes, down, failed, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const { accountWith, connections, notes, sentBy } = routes
afterEach(() => {
  delete routes.provider.perSecond
})

async function seconds(count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    await routes.server.advance(1)
    await routes.server.work()
  }
}

const busy = (afterSeconds?: number) => () =>
  ({ kind: 'retry', reason: 'busy', ...(afterSeconds !== undefined && { afterSeconds }) }) as const

describe('a code that a connection refuses for the moment', () => {
  it('goes to the next one at once when it is to come again in more than 10 seconds', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': busy(11) }
    const id = await sentBy(live)
    expect(connections()).toEqual(['wa-eu', 'tg'])
    expect(await notes(id)).toEqual(['wa-eu: attempt 1: busy', 'taken by tg'])
  })

  it('comes again when it is to do so in 10 seconds or less', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': busy(10) }
    await sentBy(live)
    routes.answers = {}
    await seconds(10)
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
  })

  it('goes to the next one within 20 seconds when the connection goes on refusing it', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': busy() }
    const id = await sentBy(live)
    await seconds(20)
    expect(connections().at(-1)).toBe('tg')
    expect(connections().length).toBeGreaterThan(3)
    expect(await live.status(id)).toBe('sent')
  })

  it('waits as long as it is told while the other connection rests', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.answers = { 'wa-eu': () => failed('131026 (not on WhatsApp)'), tg: () => down }
    await sentBy(live)
    routes.answers = { 'wa-eu': busy(11) }
    const id = await sentBy(live)
    routes.answers = {}
    await seconds(11)
    expect(connections()).toEqual(['wa-eu', 'tg', 'wa-eu', 'wa-eu'])
    expect(await live.status(id)).toBe('sent')
  })

  it('waits as long as it is told when no other connection is left', async () => {
    const { live } = await accountWith(tg(), wa())
    routes.answers = { tg: busy(11), 'wa-eu': busy(60) }
    const id = await sentBy(live)
    routes.answers = {}
    await routes.server.advance(30)
    await routes.server.work()
    expect(connections()).toEqual(['tg', 'wa-eu'])
    await routes.server.advance(30)
    await routes.server.work()
    expect(connections()).toEqual(['tg', 'wa-eu', 'wa-eu'])
    expect(await live.status(id)).toBe('sent')
  })
})

it('a notification waits for a connection that refuses it for the moment', async () => {
  const { accountId, live } = await accountWith(wa(), wa({ id: 'wa-us' }))
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  routes.answers = { 'wa-eu': busy(11) }
  await live.post('/v1/notifications/send', { phone: newPhone(), template: 'hello', variables: {} })
  await routes.server.work()
  routes.answers = {}
  await seconds(11)
  expect(connections()).toEqual(['wa-eu', 'wa-eu'])
})

describe('a code for which its connection has no turn', () => {
  const two = async (live: Client) => {
    const ids = [await live.send(newPhone()), await live.send(newPhone())]
    await routes.server.work()
    return ids.find((id) => id !== routes.asked[0]?.id)!
  }

  it('goes to the next one at once when it would have one more than 10 seconds after it was made', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.provider.perSecond = 0.05
    const id = await two(live)
    expect(connections()).toEqual(['wa-eu', 'tg'])
    expect(await notes(id)).toEqual(['wa-eu skipped: no turn in time', 'taken by tg'])
  })

  it('waits for one that is near', async () => {
    const { live } = await accountWith(wa(), tg())
    routes.provider.perSecond = 0.2
    await two(live)
    await seconds(6)
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
  })

  it('waits for any when no other connection is left', async () => {
    const { live } = await accountWith(wa())
    routes.provider.perSecond = 0.05
    const id = await two(live)
    expect(await notes(id)).toEqual([])
    await seconds(21)
    expect(connections()).toEqual(['wa-eu', 'wa-eu'])
  })

  it.each([
    ['verification', 1, false, 7000, { againAfterSeconds: 2 }],
    ['verification', 7, false, 1000, { againAfterSeconds: 2 }],
    ['verification', 9, false, 0, { step: { ends: true, note: 'wa-eu skipped: no turn in time' } }],
    ['verification', 9, true, 8000, { againAfterSeconds: 2 }],
    ['notification', 9, false, 0, { step: { ends: true, note: 'wa-eu skipped: no turn in time' } }],
  ])('because all its places are taken: a %s that runs out, after %i seconds (last: %s)', async (...given) => {
    const [kind, age, isLast, waitMs, settlement] = given
    const { runtime } = routes.server
    const waits: number[] = []
    const places = { take: async (waitMs: number) => waits.push(waitMs) < 0, free: () => {} }
    const full = { places, comeBack: createReturns(() => 100), rest: neverRests }
    const handOver = createHandOver({
      ...{ commit: routes.server.commit, runtime, pace: async () => ({ waitMs: 0 }) },
      connections: { find: async () => ({ ...full, channel: routes.provider }), known: () => full },
    } as unknown as HandOverParts)
    const createdAt = new Date(runtime.now().getTime() - age * 1000)
    const route = { connection: 'wa-eu', isLast, others: isLast ? [] : ['tg', 'sms'] }
    const expiresAt = new Date(createdAt.getTime() + 600_000)
    const delivery = { kind, ...route, createdAt, expiresAt } as Partial<Delivery> as Delivery
    expect(await handOver(delivery, { claimedAt: 0, foundAt: 0 })).toMatchObject(settlement)
    expect(waits).toEqual([waitMs])
  })
})
