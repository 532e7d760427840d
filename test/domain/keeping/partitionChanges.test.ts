/** Tables in partitions, when operators change settings and when others hold the tables for long. */
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPartitions } from '../../../src/domain/keeping/partition.ts'
import { createPurge } from '../../../src/domain/keeping/retention.ts'
import { leastUlid } from '../../../src/kit/runtime.ts'
import {
  beginProof,
  isHeld,
  listPartitions,
  listProofs,
  type NewPartition,
  prove,
  Unproven,
} from '../../../src/store/keeping/partition.ts'
import { claimEvents, settleAttempts } from '../../../src/store/webhooks/event.ts'
import { listenTo } from '../../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

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

it('less is kept at once when RETENTION_DAYS is set to less, whatever partitions there are', async () => {
  const { close } = await listenTo(server, { mode: 'live' })
  const { commit, runtime } = server
  await createPartitions({ commit, runtime, retentionDays: 3650 })(new Date(0), () => false)
  await until('2026-12-20T00:00Z')
  const phones = [newPhone(), newPhone()]
  for (const phone of phones) {
    await server.live.send(phone)
    await server.work()
    await server.advance(daySeconds)
  }
  const [first] = await server.query(sql`select tableoid::regclass::text as partition from message limit 1`)
  expect(first).toEqual({ partition: 'message_202612180000' })
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

it("an operator's partition, with bounds of no time, is in no one's way and keeps nothing longer", async () => {
  const { commit, runtime } = server
  const bound = `req_${leastUlid(new Date('2026-11-22T12:00Z')).slice(0, 10)}`
  await server.query(
    sql.raw(`create table message_theirs partition of message for values from ('req_') to ('${bound}')`),
  )
  const phone = newPhone()
  await server.live.send(phone)
  await server.work()
  expect(await countOf('message_theirs', phone)).toBe(1)
  const purge = createPurge({ commit, runtime, retentionDays: 30 })
  expect(await purge(() => false)).toMatchObject({ messages: 0, partitionsMade: 17, partitionsHeld: 0 })
  expect((await listPartitions(commit.reader, 'message')).map(({ name }) => name)).toEqual([
    'message_202611230000',
    'message_202611240000',
    'message_theirs',
  ])
  await until('2026-12-22T00:00Z')
  expect(await purge(() => false)).toMatchObject({ messages: 1, partitionsHeld: 0 })
  expect(await Promise.all(['message', 'phone'].map((table) => countOf(table, phone)))).toEqual([0, 0])
})

it('nothing is refused when a backup begins while a partition is made, and takes half a day', async () => {
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
  await createPartitions({ commit: { ...commit, transaction }, runtime, retentionDays: 30 })(new Date(0), () => false)
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
  expect(await createPartitions({ commit, runtime, retentionDays: 30 })(new Date(0), () => false)).toMatchObject({
    partitionsHeld: 0,
  })
  expect(await listProofs(commit.reader, 'leg')).toEqual([])
}, 30_000)

describe('a default partition that cannot be looked through in time', () => {
  const [from, to] = ['2026-11-22', '2026-11-23'].map((day) => `req_${leastUlid(new Date(day))}`) as [string, string]
  const partition: NewPartition = { table: 'leg', suffix: '202611220000', from, to }
  /** A vacuum has it for long. */
  const vacuum = () => server.database!.hold('leg_default', 'share update exclusive')

  it('is told to be that by the server, and is not begun anew', async () => {
    if (!server.database) return
    const { commit } = server
    await commit.transaction((tx) => beginProof(tx, partition))
    const end = await vacuum()
    const proving = { reader: commit.reader, isStopping: () => false, withinMs: 100 }
    const error = await commit.transaction((tx) => prove(tx, partition, proving)).catch((caught: unknown) => caught)
    await end()
    expect(error).toBeInstanceOf(Unproven)
    expect(isHeld(error)).toBe(false)
  })

  it('is left when the process is to stop, and what is told of it names it', async () => {
    if (!server.database) return
    const { commit, runtime, database } = server
    let end: (() => Promise<void>) | undefined
    const transaction: typeof commit.transaction = async (work) => {
      const done = await commit.transaction(work)
      end ??= await vacuum()
      return done
    }
    let isStopping = false
    const keep = createPartitions({ commit: { ...commit, transaction }, runtime, retentionDays: 30 })
    const round = keep(new Date(0), () => isStopping)
    await expect.poll(() => database.stuckAt('validate constraint'), { timeout: 10_000 }).toHaveLength(1)
    isStopping = true
    expect(await round).toMatchObject({ partitionsMade: 0, partitionsHeld: 1 })
    expect(await database.stuckAt('validate constraint')).toEqual([])
    await end!()
    const told = runtime.lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(told.filter(({ level }) => Number(level) >= 40)).toMatchObject([
      { table: 'leg', seconds: expect.any(Number), msg: expect.stringContaining('not looked through') },
    ])
  }, 30_000)
})

it('a large default partition is looked through after all else of a purge is done', async () => {
  const { commit, runtime } = server
  await server.query(sql`insert into leg (account_id, message_id, connection, provider_message_id)
    values ('acct_default', 'req_1', 'wa', 'first')`)
  const tables = ['event', 'leg', 'sandbox_message', 'message'] as const
  const countParts = () => Promise.all(tables.map(async (table) => (await listPartitions(commit.reader, table)).length))
  const keep = createPartitions({ commit, runtime, retentionDays: 30, quickBlocks: 0 })
  const done = await keep(
    new Date(0),
    () => false,
    async () => ({ before: await countParts() }),
  )
  expect(done).toMatchObject({ before: [3, 0, 0, 0], partitionsMade: 18, partitionsHeld: 0 })
  expect(await countParts()).toEqual([3, 3, 3, 3])
})

describe('a default partition that was emptied', () => {
  const bytesOf = async (table: string) => {
    const [row] = await server.query<{ bytes: number }>(sql`select pg_relation_size(${table}::regclass)::int as bytes`)
    return row!.bytes
  }
  const fill = () =>
    server.query(sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
      select 'acct_default', 'req_0' || n, 'live', 'notification', '+14152999999', 'read', '2020-01-01', '[]', '2020-01-01'
      from generate_series(1, 5000) n`)
  const keepWith = (emptyBytes: number) =>
    createPartitions({ commit: server.commit, runtime: server.runtime, retentionDays: 30, emptyBytes })
  const erase = async () => ({ erased: await server.query(sql`delete from message`) })

  it('gives its disk back, while others read and write', async () => {
    await fill()
    let isOver = false
    const keepOn = async (work: () => Promise<unknown>) => {
      while (!isOver) await work()
    }
    const others = Promise.all([
      keepOn(() => server.query(sql`select count(*) from message`)),
      keepOn(() =>
        server.query(sql`insert into sandbox_message (account_id, id, phone, text, at)
        values ('acct_default', ${`req_${server.runtime.newId()}`}, '+14152999999', '', now())`),
      ),
    ])
    const done = await keepWith(100_000)(new Date(0), () => false, erase)
    isOver = true
    await others
    expect(done).toMatchObject({ partitionsMade: 18, partitionsEmptied: 1, partitionsHeld: 0 })
    expect(await bytesOf('message_default')).toBe(0)
    expect(await bytesOf('message_default_pk')).toBeLessThan(10_000)
    await server.live.send(newPhone())
    expect(await server.query(sql`select tableoid::regclass::text as name from message`)).toEqual([
      { name: 'message_default' },
    ])
  })

  it('is left as it is while it is small, or has a row', async () => {
    await fill()
    const small = await keepWith(100_000_000)(new Date(0), () => false, erase)
    expect(small).toMatchObject({ partitionsEmptied: 0 })
    await server.live.send(newPhone())
    expect(await keepWith(0)(new Date(0), () => false)).toMatchObject({ partitionsHeld: 0 })
    expect(await server.query(sql`select 1 from message`)).toHaveLength(1)
  })

  it('waits for who holds it, and keeps nobody else waiting', async () => {
    if (!server.database) return
    await keepWith(100_000)(new Date(0), () => false)
    await fill()
    await server.query(sql`delete from message`)
    await server.database.sql.begin('isolation level repeatable read', async (tx) => {
      await tx`select count(*) from message`
      const look = () => server.live.get(`/v1/messages/req_${server.runtime.newId()}`)
      const [done, ...looks] = await Promise.all([
        keepWith(100_000)(new Date(0), () => false),
        ...Array.from({ length: 20 }, look),
      ])
      expect(done).toMatchObject({ partitionsEmptied: 0, partitionsHeld: 1 })
      expect(new Set(looks.map(({ status }) => status))).toEqual(new Set([404]))
    })
    expect(await keepWith(100_000)(new Date(0), () => false)).toMatchObject({ partitionsEmptied: 1 })
    expect(await bytesOf('message_default')).toBe(0)
  }, 30_000)
})

it('of an event that is erased while it is sent, nothing is kept', async () => {
  const { id: endpointId, close } = await listenTo(server, { mode: 'live' })
  const { commit, runtime } = server
  await server.live.send(newPhone())
  await server.app.worker.runOnce()
  const [accountId, now] = ['acct_default', runtime.now()]
  const leasedUntil = new Date(now.getTime() + 30_000)
  const wanted = [{ accountId, endpointId, count: 1 }]
  const [claimed] = await commit.transaction((tx) => claimEvents(tx, wanted, { now, leasedUntil, first: 'oldest' }))
  await server.query(sql`update event set at = ${new Date(0).toISOString()}`)
  await createPurge({ commit, runtime, retentionDays: 1 })(() => false)
  const came = { at: now, status: 500, error: 'HTTP 500', durationMs: 1, answer: 'of theirs' }
  await commit.transaction(async (tx) => settleAttempts(tx, [{ ...claimed!, ...came, state: 'due', dueAt: now }]))
  expect(await server.query(sql`select answer from event_attempt`)).toEqual([])
  await close()
})
