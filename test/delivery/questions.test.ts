/** What providers are asked and told after a message was sent: one that does not answer holds up its own account alone. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Receipt } from '../../src/delivery/channel.ts'
import { createRoutes, tg } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
/** More than all questions that are under way at once, and than all right codes that are told. */
const many = 40
const soon = { interval: 20, timeout: 20_000 }

const hanging = Promise.withResolvers<undefined>()
let hangs = 0
const hang = () => {
  hangs += 1
  return hanging.promise
}

beforeAll(() => routes.server.app.worker.start())
afterAll(() => hanging.resolve(undefined))

it('a provider that answers no question leaves the questions of another account their places', async () => {
  routes.provider.ask = async (id): Promise<Receipt | undefined> =>
    id.startsWith('slow') ? hang() : { providerMessageId: id, status: 'delivered', at: routes.server.runtime.now() }
  const slow = await routes.accountWith(tg({ id: 'slow' }))
  const quick = await routes.accountWith(tg({ id: 'quick' }))
  const answerOf = (name: string) => (message: { id: string }) =>
    ({ kind: 'sent', providerMessageId: `${name}-${message.id}`, askAfterSeconds: [1] }) as const
  routes.answers = { slow: answerOf('slow'), quick: answerOf('quick') }
  hangs = 0
  const stuck = await Promise.all(Array.from({ length: many }, () => slow.live.send(newPhone())))
  await expect.poll(() => hangs, soon).toBeGreaterThan(16)
  const id = await quick.live.send(newPhone())
  await expect.poll(() => quick.live.status(id), soon).toBe('delivered')
  expect(new Set(await Promise.all(stuck.map((one) => slow.live.status(one))))).toEqual(new Set(['sent']))
})

it('a provider that takes no right code leaves those of another account their places', async () => {
  const told: string[] = []
  routes.provider.confirm = async (id) => {
    if (id.startsWith('slow')) await hang()
    else told.push(id)
  }
  const slow = await routes.accountWith(tg({ id: 'slow' }))
  const quick = await routes.accountWith(tg({ id: 'quick' }))
  const codes = new Map<string, string>()
  const answerOf = (name: string) => (message: { id: string; content: unknown }) => {
    codes.set(message.id, (message.content as { code: string }).code)
    return { kind: 'sent', providerMessageId: `${name}-${message.id}` } as const
  }
  routes.answers = { slow: answerOf('slow'), quick: answerOf('quick') }
  hangs = 0
  const verify = async ({ live }: typeof slow) => {
    const id = await live.send(newPhone())
    // A provider is told of a message by the name that it gave it: that must have been written before the check.
    const legs = () => routes.server.query(sql`select 1 from leg where message_id = ${id}`)
    await expect.poll(legs, soon).toHaveLength(1)
    expect(await live.check(id, codes.get(id)!)).toMatchObject({ verified: true })
    return id
  }
  await Promise.all(Array.from({ length: many }, () => verify(slow)))
  await expect.poll(() => hangs, soon).toBeGreaterThanOrEqual(8)
  const id = await verify(quick)
  await expect.poll(() => told, soon).toEqual([`quick-${id}`])
})
