/** Accounts with connections to providers that answer what a test tells them to, and what was asked of them. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Channel, Outcome, Outgoing, Receipt } from '../../src/delivery/channel.ts'
import type { Config } from '../../src/settings/config.ts'
import type { GroupLimits } from '../../src/store/engine/group.ts'
import type { Client } from './client.ts'
import { type GivenConnection, giveConnections } from './connections.ts'
import { newPhone, startServer, type TestServer } from './server.ts'

export const wa = (more: Partial<GivenConnection> = {}): GivenConnection => ({ id: 'wa-eu', kind: 'whatsapp', ...more })
export const tg = (more: Partial<GivenConnection> = {}): GivenConnection => ({ id: 'tg', kind: 'telegram', ...more })

export const failed = (reason: string): Outcome => ({ kind: 'failed', code: 'not_on_channel', reason })
export const unknown: Outcome = { kind: 'unknown', reason: 'no answer in time' }
export const down: Outcome = { kind: 'down', reason: 'token refused' }

interface Told {
  timeline: { status: string; note?: string; connection?: string; providerCode?: string }[]
  kept: boolean
}

interface Scene {
  server: TestServer
  /** Everything that was asked of a provider, in order. */
  asked: Outgoing[]
  /** What a connection answers, by its id; `sent` when nothing is said. */
  answers: Record<string, (message: Outgoing) => Outcome | Promise<Outcome>>
}

/** One server for a file of tests, with providers in place of WhatsApp and Telegram; `groups` is how its requests share commits. */
export function createRoutes(config: Partial<Config> = {}, groups: Partial<GroupLimits> = {}) {
  const scene: Scene = { server: undefined as unknown as TestServer, asked: [], answers: {} }
  const provider = createProvider(scene)
  beforeAll(async () => {
    const channels = { whatsapp: provider, telegram: provider }
    scene.server = await startServer({ config, overrides: { channels, groups } })
  })
  afterAll(() => scene.server.close())
  let accounts = 0

  const told = async (id: string): Promise<Told> => {
    const [row] = await scene.server.query<Told>(
      sql`select timeline, content is not null as kept from message where id = ${id}`,
    )
    return row as Told
  }

  return Object.assign(scene, {
    provider,
    told,
    notes: async (id: string) => (await told(id)).timeline.map(({ note }) => note).filter((note) => note !== undefined),
    /** An account of its own with these connections, and a caller with its live key. */
    accountWith: async (...list: GivenConnection[]): Promise<{ accountId: string; live: Client }> => {
      accounts += 1
      const { server } = scene
      const { id: accountId, name: account } = await server.app.accounts.create(`account ${accounts}`)
      await giveConnections(server, accountId, list)
      scene.asked = []
      scene.answers = {}
      return { accountId, live: server.as(await server.key({ mode: 'live', account })) }
    },
    /** Sends a code, and lets the worker do what is due. */
    sentBy: async (live: Client): Promise<string> => {
      const id = await live.send(newPhone())
      await scene.server.work()
      return id
    },
    /** Two codes for the one place of `wa-eu`: one has it, and the other waits while `meanwhile` is done. All is done at the end. */
    withOnePlace: async (ids: readonly string[], meanwhile: (waiting: number) => Promise<void>): Promise<void> => {
      const busy = Promise.withResolvers<Outcome>()
      scene.answers = { 'wa-eu': () => busy.promise }
      let looks = 0
      Object.defineProperty(provider, 'atOnceMax', { configurable: true, get: () => Math.sign(++looks) })
      const working = scene.server.work()
      try {
        // Both have asked for the one place.
        await expect.poll(() => [looks, scene.asked.length]).toEqual([2, 1])
        scene.server.runtime.advance(5)
        await meanwhile(ids.findIndex((id) => id !== scene.asked[0]?.id))
        busy.resolve({ kind: 'sent' })
        await working
      } finally {
        busy.resolve({ kind: 'sent' })
        delete provider.atOnceMax
      }
    },
    /** A report of that connection. */
    report: async (accountId: string, connection: string, id: string, more: Partial<Receipt>): Promise<void> => {
      const { app, runtime } = scene.server
      const list = [{ message: { accountId, id }, at: runtime.now(), status: 'delivered', ...more }]
      const body = Buffer.from(JSON.stringify(list))
      const headers = { signature: 'good' }
      expect(await app.receipts.accept({ accountId, connection }, { headers, body })).toBe('accepted')
    },
    /** The connections that were asked, in order. */
    connections: () => scene.asked.map(({ connection }) => connection),
  })
}

/** For whatever connection; its reports are signed by a header. */
function createProvider(scene: Scene): Channel {
  return {
    send: async (message) => {
      scene.asked.push(message)
      return (await scene.answers[message.connection]?.(message)) ?? { kind: 'sent' }
    },
    verify: ({ headers }) => headers.signature === 'good',
    parse: (body) =>
      (JSON.parse(body.toString()) as Receipt[]).map((receipt) => ({ ...receipt, at: new Date(receipt.at) })),
  }
}
