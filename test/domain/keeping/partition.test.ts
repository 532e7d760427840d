import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPartitions } from '../../../src/domain/keeping/partition.ts'
import { findGaps, partitionsWanted } from '../../../src/domain/keeping/partitionsWanted.ts'
import { leastUlid } from '../../../src/kit/runtime.ts'
import { read } from '../../../src/store/engine/session.ts'
import {
  addPartition,
  beginProof,
  type NewPartition,
  partitioned,
  partitionedBy,
  prove,
  takeAlone,
} from '../../../src/store/keeping/partition.ts'
import { findTakenLegs } from '../../../src/store/sending/delivery.ts'
import { listenTo } from '../../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer({ config: { retentionDays: 30 } })
})
afterEach(() => server.close())

const daySeconds = 24 * 3600
/** What the schedule does every hour. @returns what it says of partitions */
const purge = async () => {
  await server.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
  await server.work()
  const lines = server.runtime.lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const { partitionsMade, partitionsDropped, partitionsHeld } = lines.findLast(({ msg }) => msg === 'purged')!
  return { partitionsMade, partitionsDropped, partitionsHeld }
}
const namesOf = async (table: string) =>
  (
    await server.query<{ name: string }>(sql`select relid::regclass::text as name
      from pg_partition_tree(${table}::regclass) where isleaf order by 1`)
  ).map(({ name }) => name)
const days = (table: string, ...list: number[]) => [...list.map((day) => `${table}_${day}0000`), `${table}_default`]
const partitionOf = async (id: string) => {
  const [row] = await server.query<{ partition: string }>(
    sql`select tableoid::regclass::text as partition from message where id = ${id}`,
  )
  return row?.partition
}
const proofs = () =>
  server.query(sql`select conname from pg_constraint where contype = 'c' and conname like '%\\_ahead\\_%'`)
const least = (time: string) => `req_${leastUlid(new Date(time))}`
const partition = (day: number, changes: Partial<NewPartition> = {}): NewPartition => ({
  ...{ table: 'message', suffix: `202611${day}0000` },
  ...{ from: least(`2026-11-${day}`), to: least(`2026-11-${day + 1}`), ...changes },
})
const proving = () => ({ reader: server.commit.reader, isStopping: () => false })
const timeOf = (day: string) => least(day).slice(4, 14)
const until = (time: string) => server.advance((Date.parse(time) - server.runtime.now().getTime()) / 1000)
const countOf = async (table: string, phone: string) => {
  const [row] = await server.query<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)} where phone = ${phone}`,
  )
  return row!.count
}

it('partitions are made ahead, and each message goes to that of its time', async () => {
  const before = await server.live.send(newPhone())
  expect(await purge()).toEqual({ partitionsMade: 18, partitionsDropped: 0, partitionsHeld: 0 })
  for (const table of partitioned) expect(await namesOf(table)).toEqual(days(table, 20261122, 20261123, 20261124))
  expect(await purge()).toMatchObject({ partitionsMade: 0 })
  await server.advance(15 * 3600 - 1)
  const last = await server.live.send(newPhone())
  await server.advance(1)
  const first = await server.live.send(newPhone())
  const partitions = ['message_default', 'message_default', 'message_202611220000']
  expect(await Promise.all([before, last, first].map(partitionOf))).toEqual(partitions)
  expect(await purge()).toMatchObject({ partitionsMade: 6 })
  expect(await namesOf('event')).toEqual(days('event', 20261122, 20261123, 20261124, 20261125))
})

it('one look through the default partition is enough for all partitions that are made', async () => {
  const { commit } = server
  const proof = partition(22, { to: partition(24).to })
  await commit.transaction((tx) => beginProof(tx, proof))
  await commit.transaction((tx) => prove(tx, proof, proving()))
  const looks = read<{ looks: number }>(
    `select seq_scan::int as looks from pg_stat_xact_user_tables where relname = 'message_default'`,
  )
  const looksFor = (day: number) =>
    commit.transaction(async (tx) => {
      const [before] = await tx.run(looks, [])
      await addPartition(tx, partition(day), proof)
      const [after] = await tx.run(looks, [])
      return after!.looks - before!.looks
    })
  for (const day of [22, 23, 24]) expect(await looksFor(day)).toBe(0)
  expect(await namesOf('message')).toEqual(days('message', 20261122, 20261123, 20261124))
  // The proof says nothing of what comes behind it.
  expect(await looksFor(25)).toBe(1)
})

it('messages go with their partition when its last moment is past, with all that hangs on them', async () => {
  const { close } = await listenTo(server, { mode: 'live' })
  await purge()
  const [old, active, young] = [newPhone(), newPhone(), newPhone()]
  await until('2026-11-22T00:00Z')
  const gone = [await server.live.send(old), await server.live.send(active)]
  await server.work()
  await until('2026-11-22T23:59:59.999Z')
  gone.push(await server.live.send(old))
  await server.work()
  await until('2026-11-23T00:00Z')
  const kept = [await server.live.send(active), await server.live.send(young)]
  await server.work()
  await server.query(sql`insert into leg (account_id, message_id, connection, provider_message_id)
    select account_id, id, 'wa', id from message`)
  /** How many rows each table has of the two days. */
  const counts = () =>
    Promise.all(
      partitioned.map(async (table) => {
        const day = sql`substring(${sql.identifier(partitionedBy[table])} from 5 for 10)`
        const [row] = await server.query<{ old: number; young: number }>(sql`select
          count(*) filter (where ${day} < ${timeOf('2026-11-23')})::int as old,
          count(*) filter (where ${day} >= ${timeOf('2026-11-23')} and ${day} < ${timeOf('2026-11-24')})::int as young
          from ${sql.identifier(table)}`)
        return row!
      }),
    )
  const all = await counts()
  expect(all.every((count) => count.old > 0 && count.young > 0)).toBe(true)

  await until('2026-12-22T23:59:59.999Z')
  expect(await purge()).toMatchObject({ partitionsDropped: 0 })
  expect(await counts()).toEqual(all)
  await until('2026-12-23T00:00Z')
  expect(await purge()).toMatchObject({ partitionsDropped: 6, partitionsHeld: 0 })
  expect(await counts()).toEqual(all.map(({ young }) => ({ old: 0, young })))
  for (const id of gone) expect(await server.live.get(`/v1/messages/${id}`)).toMatchObject({ status: 404 })
  for (const id of kept) expect(await server.live.status(id)).toBe('delivered')
  expect(await Promise.all([old, active, young].map((phone) => countOf('phone', phone)))).toEqual([0, 1, 1])
  await close()
})

it('a message is read, checked, reported on and forgotten in whatever partition it is', async () => {
  const phones = [newPhone(), newPhone(), newPhone()]
  const ids: string[] = []
  for (const phone of phones) {
    ids.push(await server.live.send(phone))
    await server.work()
    await purge()
    await server.advance(daySeconds)
  }
  expect(await Promise.all(ids.map(partitionOf))).toEqual([
    'message_default',
    'message_202611220000',
    'message_202611230000',
  ])
  expect(await Promise.all(ids.map((id) => server.live.status(id)))).toEqual(ids.map(() => 'delivered'))
  const together = await Promise.all(ids.map((id) => server.live.check(id, '000000')))
  expect(together).toEqual(ids.map(() => expect.objectContaining({ verified: false, reason: 'expired' })))
  for (const phone of phones) {
    expect(await server.app.forget(phone)).toEqual({ messages: 1, sandboxMessages: 1, phoneStates: 1 })
  }
  expect(await server.query(sql`select 1 from message`)).toEqual([])
})

describe('nothing is refused', () => {
  it('when nobody has made partitions for a month', async () => {
    await purge()
    await server.advance(40 * daySeconds)
    expect(await partitionOf(await server.live.send(newPhone()))).toBe('message_default')
    expect(await purge()).toMatchObject({ partitionsMade: 18 })
  })

  it('when a worker was ended while it made a partition, and none has come since', async () => {
    await server.commit.transaction((tx) => beginProof(tx, partition(22)))
    await server.advance(15 * 3600)
    const ids = await Promise.all([newPhone(), newPhone(), newPhone()].map((phone) => server.live.send(phone)))
    expect(await Promise.all(ids.map(partitionOf))).toEqual(ids.map(() => 'message_default'))
    expect(await proofs()).toEqual([])
  })

  it('when such a proof is left, and another table is looked through for long', async () => {
    if (!server.database) return
    await server.commit.transaction((tx) => beginProof(tx, partition(22)))
    await server.advance(15 * 3600)
    const id = await server.commit.transaction(async (tx) => {
      await takeAlone(tx)
      return server.live.send(newPhone())
    })
    expect(await partitionOf(id)).toBe('message_default')
    expect(await proofs()).toEqual([])
  })

  it('when a clock was ahead: the partition of that time is not made, and others are', async () => {
    await server.advance(2 * daySeconds)
    const ahead = await server.live.send(newPhone())
    await server.advance(-2 * daySeconds)
    expect(await purge()).toEqual({ partitionsMade: 17, partitionsDropped: 0, partitionsHeld: 0 })
    expect(await namesOf('message')).toEqual(days('message', 20261122, 20261124))
    await server.advance(2 * daySeconds)
    expect(await partitionOf(await server.live.send(newPhone()))).toBe('message_default')
    expect(await partitionOf(ahead)).toBe('message_default')
  })
})

describe('a worker that was ended over it', () => {
  const goesOn = async () => {
    expect(await purge()).toEqual({ partitionsMade: 18, partitionsDropped: 0, partitionsHeld: 0 })
    expect(await namesOf('message')).toEqual(days('message', 20261122, 20261123, 20261124))
    expect(await proofs()).toEqual([])
  }

  it('before the proof leaves nothing that the next round does not put right', async () => {
    await server.commit.transaction((tx) => beginProof(tx, partition(22)))
    await goesOn()
  })

  it('after the proof leaves nothing that the next round does not put right', async () => {
    await server.commit.transaction((tx) => beginProof(tx, partition(23)))
    await server.commit.transaction((tx) => prove(tx, partition(23), proving()))
    await goesOn()
  })

  it('after one of three partitions leaves nothing that the next round does not put right', async () => {
    const { commit } = server
    const legs = partition(22, { table: 'leg' })
    const proof = { ...legs, to: partition(24).to }
    await commit.transaction((tx) => beginProof(tx, proof))
    await commit.transaction((tx) => prove(tx, proof, proving()))
    await commit.transaction((tx) => addPartition(tx, legs, proof))
    expect(await purge()).toEqual({ partitionsMade: 17, partitionsDropped: 0, partitionsHeld: 0 })
    expect(await namesOf('leg')).toEqual(days('leg', 20261122, 20261123, 20261124))
    expect(await proofs()).toEqual([])
  })

  it('between two tables leaves what hangs on a message in a partition before that is', async () => {
    let rounds = 0
    const stopping = () => ++rounds > 4
    const { commit, runtime } = server
    await createPartitions({ commit, runtime, retentionDays: 30 })(new Date(0), stopping)
    expect(await namesOf('leg')).toEqual(days('leg', 20261122, 20261123, 20261124))
    expect(await namesOf('sandbox_message')).toEqual(days('sandbox_message', 20261122))
    expect(await namesOf('message')).toEqual(['message_default'])
    expect(await purge()).toMatchObject({ partitionsMade: 14 })
  })
})

it('two workers at once make each partition once, and drop it once', async () => {
  const { commit, runtime } = server
  const both = (before: Date) =>
    Promise.all([1, 2].map(() => createPartitions({ commit, runtime, retentionDays: 30 })(before, () => false)))
  await both(new Date(0))
  await purge()
  for (const table of partitioned) expect(await namesOf(table)).toEqual(days(table, 20261122, 20261123, 20261124))
  expect(await proofs()).toEqual([])
  await server.advance(31.7 * daySeconds)
  await both(new Date(server.runtime.now().getTime() - 30 * daySeconds * 1000))
  await purge()
  for (const table of partitioned) {
    expect(await namesOf(table)).toEqual(days(table, 20261123, 20261124, 20261224, 20261225, 20261226))
  }
  expect(server.runtime.lines.filter((line) => line.includes('could not'))).toEqual([])
}, 30_000)

it('sends go on while somebody reads for long, and the partition is dropped in a later round', async () => {
  await purge()
  await server.advance(15 * 3600)
  await server.live.send(newPhone())
  await server.advance(31 * daySeconds)
  await server.database!.sql.begin('isolation level repeatable read', async (tx) => {
    await tx`select count(*) from message`
    const [told, ...ids] = await Promise.all([
      purge(),
      ...Array.from({ length: 20 }, () => server.live.send(newPhone())),
    ])
    expect(told).toMatchObject({ partitionsHeld: expect.any(Number), partitionsDropped: 5 })
    expect(told.partitionsHeld).toBeGreaterThan(0)
    expect(ids).toHaveLength(20)
    expect(await namesOf('message')).toContain('message_202611220000')
  })
  expect(await purge()).toMatchObject({ partitionsHeld: 0 })
  expect(await namesOf('message')).not.toContain('message_202611220000')
}, 30_000)

describe('the partitions that are wanted', () => {
  const wanted = (retentionDays: number) =>
    partitionsWanted('req_', new Date('2026-11-21T22:00:00.001Z'), retentionDays)

  it('begin half a day later at the earliest, and are there for a day at least', () => {
    expect(wanted(30)).toEqual([23, 24, 25].map((day) => ({ from: partition(day).from, to: partition(day).to })))
    expect(wanted(1)).toHaveLength(24)
    expect(wanted(1)[0]).toEqual({ from: least('2026-11-22T11:00Z'), to: least('2026-11-22T12:00Z') })
    expect(wanted(3650)).toHaveLength(3)
  })

  it('fill what partitions of another width have left', () => {
    const [from, to] = ['d', 'k']
    const there = [
      { from: 'a', to: 'b' },
      { from: 'c', to: 'e' },
      { from: 'g', to: 'h' },
      { from: 'j', to: 'z' },
    ]
    expect(findGaps(there, { from, to })).toEqual([
      { from: 'e', to: 'g' },
      { from: 'h', to: 'j' },
    ])
    expect(findGaps([], { from, to })).toEqual([{ from, to }])
    expect(findGaps([{ from: 'a', to: 'z' }], { from, to })).toEqual([])
  })
})

it('a clock that is far ahead takes two partitions of a table in an hour, and no more', async () => {
  const keep = createPartitions({ commit: server.commit, runtime: server.runtime, retentionDays: 30 })
  await keep(new Date(0), () => false)
  expect(await keep(new Date('2027-11-23'), () => false)).toMatchObject({ partitionsDropped: 12 })
  for (const table of partitioned) expect(await namesOf(table)).toEqual(days(table, 20261124))
})

it('a round stopped over many phones has made what is next, and the next round goes on there', async () => {
  const keep = createPartitions({ commit: server.commit, runtime: server.runtime, retentionDays: 30 })
  await keep(new Date(0), () => false)
  await server.query(sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
    select 'acct_default', ${least('2026-11-22').slice(0, 14)} || lpad(n::text, 16, '0'), 'live', 'notification',
      '+14152999999', 'read', '2026-11-22', '[]', '2026-11-22' from generate_series(1, 10000) n`)
  const [row] = await server.query<{ parts: number }>(
    sql`select ceil(pg_relation_size('message_202611220000') / 8192.0 / 64)::int as parts`,
  )
  expect(row!.parts).toBeGreaterThan(2)
  await server.advance(31.7 * daySeconds)
  const before = new Date(server.runtime.now().getTime() - 30 * daySeconds * 1000)
  let looks = 0
  const stopped = await keep(before, () => ++looks > 18 + 2)
  expect(stopped).toMatchObject({ partitionsMade: 18, partitionsDropped: 0, partitionsHeld: 0 })
  looks = 0
  const done = await keep(before, () => ++looks < 0)
  expect(done).toMatchObject({ partitionsMade: 0, partitionsDropped: 6, partitionsHeld: 0 })
  expect(looks).toBe(row!.parts - 2 + 6)
})

it('a provider that gives an id again is understood of the newest message', async () => {
  await purge()
  await server.advance(15 * 3600)
  const first = await server.live.send(newPhone())
  await server.advance(daySeconds)
  const second = await server.live.send(newPhone())
  for (const id of [second, first]) {
    await server.query(sql`insert into leg (account_id, message_id, connection, provider_message_id)
      values ('acct_default', ${id}, 'wa', 'again')`)
  }
  const key = { accountId: 'acct_default', connection: 'wa', providerMessageId: 'again' }
  expect(await findTakenLegs(server.commit.reader, [key])).toEqual([second])
})

it('the embedded database has partitions too: messages go to them, and go with them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ww-partitions-'))
  const embedded = await startServer({ inFolder: folder })
  const { commit, runtime } = embedded
  const keep = createPartitions({ commit, runtime, retentionDays: 30 })
  const there = async () => {
    const rows = await embedded.query<{ partition: string }>(
      sql`select tableoid::regclass::text as partition from message`,
    )
    return rows.map((row) => row.partition)
  }
  expect(await keep(new Date(0), () => false)).toMatchObject({
    partitionsMade: 18,
    partitionsDropped: 0,
    partitionsHeld: 0,
  })
  await embedded.advance(20 * 3600)
  const id = await embedded.live.send(newPhone())
  expect(await there()).toEqual(['message_202611220000'])
  expect(await embedded.live.get(`/v1/messages/${id}`)).toMatchObject({ status: 200 })
  expect(await keep(new Date('2026-11-23'), () => false)).toMatchObject({ partitionsDropped: 6, partitionsHeld: 0 })
  expect(await there()).toEqual([])
  await embedded.close()
  await rm(folder, { recursive: true })
}, 60_000)
