/** Queues have loops of their own: what is slow holds up itself, and a process that stops does not wait for it for long. */
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Channel } from '../../src/delivery/channel.ts'
import { createSecrets } from '../../src/domain/access/secret.ts'
import { sealContent } from '../../src/domain/sending/content.ts'
import { createDispatch, queueOf } from '../../src/domain/sending/dispatch.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { openQueue, type Queue } from '../../src/store/engine/queue.ts'
import { insertMessages } from '../../src/store/sending/message.ts'
import { testConfig } from '../support/config.ts'
import { giveConnections } from '../support/connections.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const soon = { interval: 10 }
const accountId = 'acct_default'

let home: TestServer
let beside: Database
let queue: Queue
beforeAll(async () => {
  home = await startServer()
  beside = await connect(home.database!.settings)
  await giveConnections(home, accountId, [
    { id: 'sandbox', kind: 'sandbox' },
    { id: 'pigeon', kind: 'pigeon' },
  ])
  // Of a kind that is not built in.
  queue = await openQueue(beside, [{ name: queueOf('pigeon') }], { log: home.runtime.log, supervise: false })
})
afterAll(async () => {
  await queue.close()
  await beside.close()
  await home.close()
})

/** Beside another channel, the sandbox is for test keys only. */
const modeOf = (channel: string) => (channel === 'sandbox' ? 'test' : 'live')

describe('a channel that never answers', () => {
  const hanging = Promise.withResolvers<{ kind: 'sent' }>()
  const reports = { verify: () => false, parse: () => [] }
  const channels: Record<string, Channel> = {
    sandbox: { ...reports, send: async () => ({ kind: 'sent' }) },
    pigeon: { ...reports, send: () => hanging.promise },
  }
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ beside: home, overrides: { channels } })
    server.app.worker.start()
  })
  afterAll(async () => {
    hanging.resolve({ kind: 'sent' })
    await server.app.worker.stop()
    await server.close()
  })

  it('holds up its own messages only', async () => {
    // More than it may have at once.
    const stuck = await Promise.all(Array.from({ length: 40 }, () => notify('pigeon')))
    await expect.poll(activePigeons, soon).toBeGreaterThan(16)
    const others = await Promise.all(Array.from({ length: 40 }, () => notify('sandbox')))
    server.app.worker.wake()
    await expect.poll(() => statuses(others), soon).toEqual(new Set(['sent']))
    expect(await statuses(stuck)).toEqual(new Set(['queued']))
    hanging.resolve({ kind: 'sent' })
    await expect.poll(() => statuses(stuck), soon).toEqual(new Set(['sent']))
  })

  async function activePigeons(): Promise<number> {
    const [row] = await home.query<{ count: number }>(
      sql`select count(*)::int as count from pgboss.job where name = 'deliver-pigeon' and state = 'active'`,
    )
    return row?.count as number
  }
})

describe('the purge', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startServer({ beside: home })
    server.app.worker.start()
    await home.query(sql`insert into audit (account_id, id, at, name, act, subject)
      select 'acct_default', 'adt_old' || n, '2020-01-01', '', 'user.joined', '' from generate_series(1, 1200) n`)
  })
  afterEach(async () => {
    await server.app.worker.stop()
    await server.close()
    await home.query(sql`delete from audit`)
    await home.query(sql`delete from pgboss.job where name = 'purge'`)
  })
  const begin = async () => {
    await home.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
    server.app.worker.wake()
    await expect.poll(() => home.database!.stuckAt('delete from'), soon).not.toEqual([])
  }
  const purges = async () => {
    const rows = await home.query<{ state: string }>(sql`select state from pgboss.job where name = 'purge'`)
    return rows.map(({ state }) => state)
  }
  const left = () => home.query(sql`select 1 from audit where id like 'adt_old%'`)

  it('does not hold up deliveries', async () => {
    const release = await home.database!.hold('idempotency')
    await begin()
    const id = await notify('sandbox')
    server.app.worker.wake()
    await expect.poll(() => statuses([id]), soon).toEqual(new Set(['delivered']))
    expect(await home.database!.stuckAt('delete from idempotency')).toHaveLength(1)
    await release()
  })

  it('stops when the process does, with most of its work left', async () => {
    const release = await home.database!.hold('audit')
    await begin()
    const stopped = server.app.worker.stop()
    await release()
    await stopped
    expect(await left()).toHaveLength(700)
  })

  it('stops before its hour is over, with the rest left to the next one', async () => {
    const release = await home.database!.hold('audit')
    await begin()
    server.runtime.advance(50 * 60)
    await release()
    await expect.poll(purges, soon).toEqual(['completed'])
    expect(await left()).toHaveLength(700)
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text()
    expect(metrics).not.toMatch(/^watchword_purged_timestamp_seconds /m)
    expect(server.runtime.lines.join()).toContain('a purge took too long')
  })
})

/** Queues a notification by that channel. @returns its id */
async function notify(channel: string): Promise<string> {
  const secrets = createSecrets([...testConfig(home.database!.settings).secrets!])
  const [id, at] = [`req_${home.runtime.newId()}`, home.runtime.now()]
  const content = sealContent(
    secrets,
    { accountId, id },
    { kind: 'notification', template: 't', variables: {}, text: 'x', channels: {} },
  )
  const message = {
    accountId,
    id,
    mode: modeOf(channel),
    kind: 'notification',
    phone: newPhone(),
    route: [channel],
    status: 'queued',
    keyId: 'key_1',
  } as const
  await home.commit.transaction(async (tx) => {
    insertMessages(tx, [{ ...message, content, at, expiresAt: null }])
    const dispatch = createDispatch({ queue, kindOf: ({ connection }) => connection })
    await dispatch(tx, [{ ...message, isUrgent: false, leg: 1, connection: channel, isLast: true }])
  })
  return id
}

async function statuses(ids: string[]): Promise<Set<string>> {
  const rows = await home.query<{ status: string }>(sql`select status from message where id in ${ids}`)
  return new Set(rows.map(({ status }) => status))
}
