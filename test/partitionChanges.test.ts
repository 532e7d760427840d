/** Tables in parts, when operators change settings and when others hold the tables for long. */
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createParts } from '../src/domain/partition.ts'
import { createPurge } from '../src/domain/retention.ts'
import { leastUlid } from '../src/runtime.ts'
import { claimEvents, settleAttempts } from '../src/store/event.ts'
import { listProofs } from '../src/store/partition.ts'
import { listenTo } from './support/listening.ts'
import { newPhone, startServer, type TestServer } from './support/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const daySeconds = 24 * 3600
const until = (time: string) => server.advance((Date.parse(time) - server.runtime.now().getTime()) / 1000)
const countOf = async (table: string, phone: string) => {
  const [row] = await server.query<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)} where phone = ${phone}`,
  )
  return row!.count
}

it('less is kept at once when RETENTION_DAYS is set to less, whatever parts there are', async () => {
  const { close } = await listenTo(server, { mode: 'live' })
  const { commit, runtime } = server
  await createParts({ commit, runtime, retentionDays: 3650 })(new Date(0), () => false)
  await until('2026-12-20T00:00Z')
  const phones = [newPhone(), newPhone()]
  for (const phone of phones) {
    await server.live.send(phone)
    await server.work()
    await server.advance(daySeconds)
  }
  const [first] = await server.query(sql`select tableoid::regclass::text as part from message limit 1`)
  expect(first).toEqual({ part: 'message_202612180000' })
  await createPurge({ commit, runtime, retentionDays: 1 })(() => false)
  for (const table of ['message', 'sandbox_message', 'phone']) {
    expect(await Promise.all(phones.map((phone) => countOf(table, phone)))).toEqual([0, 1])
  }
  const [left] = await server.query(sql`select (select count(*) from event)::int as events,
    (select count(*) from event_delivery)::int as deliveries, (select count(*) from event_attempt)::int as attempts`)
  // Sent and delivered of the second; and that the first expired, which was told a day later.
  expect(left).toEqual({ events: 3, deliveries: 3, attempts: 3 })
  await close()
})

it('nothing is refused when a backup begins while a part is made, and takes half a day', async () => {
  if (!server.database) return
  await until('2026-11-21T21:00Z')
  const { commit, runtime } = server
  const backup = await server.database.sql.reserve()
  let isBegun = false
  const transaction: typeof commit.transaction = async (work) => {
    const done = await commit.transaction(work)
    if (!isBegun) await backup`begin isolation level repeatable read`
    if (!isBegun) await backup`select count(*) from leg, message`
    isBegun = true
    return done
  }
  await createParts({ commit: { ...commit, transaction }, runtime, retentionDays: 30 })(new Date(0), () => false)
  expect(await listProofs(commit.reader, 'leg')).toHaveLength(1)
  await until('2026-11-22T08:59Z')
  const id = `req_${leastUlid(new Date('2026-11-22T08:59Z'))}`
  const kept = server.query(sql`insert into leg (account_id, message_id, connection, provider_message_id)
    values ('acct_default', ${id}, 'wa', 'first')`)
  const outcome = await kept.then(
    () => 'kept',
    (error: unknown) => error,
  )
  await backup`rollback`
  backup.release()
  expect(outcome).toBe('kept')
  expect(await createParts({ commit, runtime, retentionDays: 30 })(new Date(0), () => false)).toMatchObject({
    partsHeld: 0,
  })
  expect(await listProofs(commit.reader, 'leg')).toEqual([])
}, 30_000)

it('of an event that is erased while it is sent, nothing is kept', async () => {
  const { id: endpointId, close } = await listenTo(server, { mode: 'live' })
  const { commit, runtime } = server
  await server.live.send(newPhone())
  await server.app.worker.runOnce()
  const [accountId, now] = ['acct_default', runtime.now()]
  const leasedUntil = new Date(now.getTime() + 30_000)
  const wanted = [{ accountId, endpointId, count: 1 }]
  const [claimed] = await commit.transaction((tx) => claimEvents(tx, wanted, now, leasedUntil))
  await server.query(sql`update event set at = ${new Date(0).toISOString()}`)
  await createPurge({ commit, runtime, retentionDays: 1 })(() => false)
  const came = { at: now, status: 500, error: 'HTTP 500', durationMs: 1, answer: 'of theirs' }
  await commit.transaction(async (tx) => settleAttempts(tx, [{ ...claimed!, ...came, state: 'due', dueAt: now }]))
  expect(await server.query(sql`select answer from event_attempt`)).toEqual([])
  await close()
})
