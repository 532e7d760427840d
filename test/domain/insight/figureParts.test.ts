/** The parts of the overview: each message that was made is in exactly one of them, whatever way it takes. */
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MessageBreakdown } from '../../../src/store/insight/figure.ts'
import type { Client } from '../../support/client.ts'
import { createRoutes, failed, wa } from '../../support/routes.ts'
import { newPhone } from '../../support/server.ts'

const routes = createRoutes()
const { accountWith, report } = routes

interface Scene {
  accountId: string
  live: Client
}

interface Sent {
  id: string
  phone: string
}

/** What can happen to a message. */
const acts = {
  work: () => routes.server.work(),
  /** No channel takes what is handed over from now on. */
  refuse: () => {
    routes.answers = { 'wa-eu': () => failed('131026') }
  },
  delivered: ({ accountId }: Scene, { id }: Sent) => report(accountId, 'wa-eu', id, { status: 'delivered' }),
  read: ({ accountId }: Scene, { id }: Sent) => report(accountId, 'wa-eu', id, { status: 'read' }),
  failed: ({ accountId }: Scene, { id }: Sent) => report(accountId, 'wa-eu', id, { status: 'failed' }),
  verify: ({ live }: Scene, { id }: Sent) => {
    const content = routes.asked.find((message) => message.id === id)?.content
    return content?.kind === 'verification' && live.check(id, content.code)
  },
  cancel: ({ live }: Scene, { id: request_id }: Sent) => live.post('/v1/verify/cancel', { request_id }),
  replace: async ({ live }: Scene, { phone }: Sent) => {
    await routes.server.advance(60)
    await live.post('/v1/verify/send', { phone })
  },
  runOut: async () => {
    await routes.server.advance(600)
    await routes.server.work()
  },
  count: () => routes.server.app.countingLoop.runOnce(),
} satisfies Record<string, (scene: Scene, sent: Sent) => unknown>

type Act = keyof typeof acts

const sendCode = async ({ live }: Scene): Promise<Sent> => {
  const phone = newPhone()
  return { id: await live.send(phone), phone }
}
const notify = async ({ live }: Scene): Promise<Sent> => {
  const phone = newPhone()
  const { data } = await live.post('/v1/notifications/send', { phone, template: 'hello', variables: {} })
  return { id: data.request_id as string, phone }
}

async function partsAfter(seconds: number, { accountId }: Scene) {
  await routes.server.advance(seconds)
  await routes.server.work()
  await routes.server.app.countingLoop.runOnce()
  const overview = await routes.server.app.figures.overview({ accountId, mode: 'live' }, '24h')
  const { created, delivered, onTheWay, failed, expired, replaced } = overview.totals
  return { overview, created, parts: { delivered, onTheWay, failed, expired, replaced } }
}

const none: MessageBreakdown = { delivered: 0, onTheWay: 0, failed: 0, expired: 0, replaced: 0 }

it.each<[string, keyof MessageBreakdown, Act[]]>([
  ['that waits', 'onTheWay', []],
  ['that a channel took', 'onTheWay', ['work']],
  ['that was delivered', 'delivered', ['work', 'delivered']],
  ['that was read, without another word', 'delivered', ['work', 'read']],
  ['that no channel took', 'failed', ['refuse', 'work']],
  ['that its channel gave up', 'failed', ['work', 'failed']],
  ['that failed, and came all the same', 'delivered', ['work', 'failed', 'delivered']],
  ['that ran out', 'expired', ['work', 'runOut']],
  ['that ran out, and came all the same', 'delivered', ['work', 'runOut', 'read']],
  ['that was cancelled', 'expired', ['cancel']],
  ['that was cancelled, and came all the same', 'delivered', ['work', 'cancel', 'delivered']],
  ['that was verified, and never reported', 'delivered', ['work', 'verify']],
  ['that failed, and was verified', 'delivered', ['work', 'failed', 'verify']],
  ['that a newer one replaced before it left', 'replaced', ['replace', 'work']],
  ['that a newer one replaced when it had left', 'onTheWay', ['work', 'replace', 'work']],
])('a code %s, is counted as %s', async (_what, part, list) => {
  const scene = await accountWith(wa())
  const sent = await sendCode(scene)
  for (const act of list) await acts[act](scene, sent)
  const newer = list.includes('replace') ? 1 : 0
  const expected = { ...none, [part]: 1 }
  // A code that was made last is only on its way.
  expected.onTheWay += newer
  const { created, parts } = await partsAfter(31, scene)
  expect([created, parts]).toEqual([1 + newer, expected])
})

/** What became of the messages of an account, by what the API says of each. */
async function told({ accountId, live }: Scene): Promise<MessageBreakdown> {
  const rows = await routes.server.query<{ id: string; isVerified: boolean }>(
    sql`select id, verified_at is not null as "isVerified" from message where account_id = ${accountId}`,
  )
  const parts = { ...none }
  for (const { id, isVerified } of rows) {
    const { data } = await live.get<{ status: string; error?: { code: string } }>(`/v1/messages/${id}`)
    if (isVerified || data.status === 'delivered' || data.status === 'read') parts.delivered += 1
    else if (data.error?.code === 'superseded') parts.replaced += 1
    else if (data.status === 'failed' || data.status === 'expired') parts[data.status] += 1
    else parts.onTheWay += 1
  }
  return parts
}

it('whatever happens to messages and however often they are counted, the parts add up', async () => {
  const step = fc.tuple(fc.nat(3), fc.constantFrom(...(Object.keys(acts) as Act[])))
  const property = fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
    const scene = await accountWith(wa())
    await routes.server.app.templates.apply(scene.accountId, [{ slug: 'hello', text: 'Hello' }])
    const list = [await sendCode(scene), await sendCode(scene), await notify(scene), await notify(scene)]
    for (const [index, act] of steps) await acts[act](scene, list[index]!)
    // After that, what was reported late is counted too.
    const { overview, created, parts } = await partsAfter(8 * 3600, scene)
    expect(parts).toEqual(await told(scene))
    for (const sums of [{ created, ...parts }, ...overview.series, ...overview.channels, ...overview.countries]) {
      const { delivered, onTheWay, failed, expired, replaced } = sums
      expect(delivered + onTheWay + failed + expired + replaced).toBe(sums.created)
      expect(Math.min(delivered, onTheWay, failed, expired, replaced)).toBeGreaterThanOrEqual(0)
    }
  })
  await fc.assert(property, { numRuns: 15 })
})
