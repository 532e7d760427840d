/** The queues that a start finds, what a claim reads, and which jobs are alone. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { queues } from '../../../src/app/queues.ts'
import { createLog } from '../../../src/kit/runtime.ts'
import { createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { openQueue, type Queue } from '../../../src/store/engine/queue.ts'
import { passClaims } from '../../support/claims.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let made: TestDatabase
let database: Database
beforeAll(async () => {
  made = await createDatabase()
  database = await connect(made.settings)
})
afterAll(async () => {
  await database?.close()
  await made?.drop()
})

/** @returns the statements that it took */
async function start(): Promise<string[]> {
  const statements: string[] = []
  const executeSql: Database['queueDb']['executeSql'] = (text, values) => {
    statements.push(text)
    return database.queueDb.executeSql(text, values)
  }
  const queue = await openQueue({ ...database, queueDb: { executeSql } }, queues, {
    log: createLog('silent'),
    supervise: false,
  })
  await queue.close()
  return statements
}

const settings = () =>
  made.sql`select name, policy, retry_limit, expire_seconds, dead_letter from pgboss.queue order by name`

describe('a start', () => {
  it('gives the queues of an earlier version what this one has', async () => {
    await start()
    const before = await settings()
    expect(before.map(({ name }) => name)).toEqual(expect.arrayContaining(['abandoned', 'deliver-sandbox', 'purge']))
    await made.sql`update pgboss.queue set retry_limit = 7, expire_seconds = 77 where name = 'deliver-sandbox'`
    await start()
    expect(await settings()).toEqual(before)
  })

  it('makes the purge one at a time, in a database where it was not', async () => {
    await start()
    const of = async () => (await settings()).find(({ name }) => name === 'purge')
    const alone = { name: 'purge', policy: 'exclusive', retry_limit: 0, expire_seconds: 3300, dead_letter: null }
    expect(await of()).toEqual(alone)
    await made.sql`update pgboss.queue set policy = 'standard', retry_limit = 3, expire_seconds = 30 where name = 'purge'`
    await start()
    expect(await of()).toEqual(alone)
  })

  it('leaves queues alone that are as they should be', async () => {
    await start()
    expect((await start()).filter((text) => /create_queue|update .*queue/is.test(text))).toEqual([])
  })
})

it('a claim reads what waits and not what was done before, also when nothing was there at first', async () => {
  const own = await createDatabase()
  const { sql: beside } = own
  const opened = await connect(own.settings)
  const queue = await openQueue(opened, queues, { log: createLog('silent'), supervise: false })
  // Nobody counts the rows meanwhile, as in the first minute of an installation.
  await beside`alter table pgboss.job_common set (autovacuum_enabled = off)`
  expect(await queue.claim('deliver-sandbox', 32)).toEqual([])
  await beside`insert into pgboss.job (name, data, policy, state, completed_on)
    select 'deliver-sandbox', '{}', 'standard', 'completed', now() from generate_series(1, 20000)`
  await beside`insert into pgboss.job (name, data, policy)
    select 'deliver-sandbox', '{}', 'standard' from generate_series(1, 32)`
  const rowsRead = async () => {
    const [row] = await beside`select pg_stat_clear_snapshot(), idx_tup_fetch::int as rows from pg_stat_all_tables
      where relid = 'pgboss.job_common'::regclass`
    return row?.rows as number
  }
  const before = await rowsRead()
  expect(await queue.claim('deliver-sandbox', 32)).toHaveLength(32)
  await queue.close()
  // A connection tells what it has read when it ends.
  await opened.close()
  await expect.poll(rowsRead).toBeGreaterThan(before)
  expect((await rowsRead()) - before).toBeLessThan(1000)
  await own.drop()
})

describe('a claim', () => {
  const add = (queue: Queue, jobs: Parameters<Queue['add']>[2]) =>
    createCommit(database, commitOptions(database)).transaction((tx) => queue.add(tx, 'deliver-sandbox', jobs))
  const jobsOf = (lane: string, count: number, isUrgent = false) =>
    Array.from({ length: count }, () => ({ data: {}, lane, isUrgent }))
  const lanesOf = (jobs: { lane?: string | undefined }[]) => jobs.map(({ lane }) => lane)
  let queue: Queue
  beforeAll(async () => {
    queue = await openQueue(database, queues, { log: createLog('silent'), supervise: false })
  })
  afterAll(() => queue.close())
  afterEach(() => made.sql`delete from pgboss.job`)

  it('takes urgent jobs before others that wait for longer, or either alone', async () => {
    await add(queue, jobsOf('a', 4))
    await add(queue, jobsOf('b', 2, true))
    expect(lanesOf(await queue.claim('deliver-sandbox', 1, { isUrgent: true }))).toEqual(['b'])
    // In any order among themselves.
    expect(lanesOf(await queue.claim('deliver-sandbox', 2)).toSorted()).toEqual(['a', 'b'])
    expect(lanesOf(await queue.claim('deliver-sandbox', 9, { isUrgent: true }))).toEqual([])
    expect(lanesOf(await queue.claim('deliver-sandbox', 9, { isUrgent: false }))).toEqual(['a', 'a', 'a'])
  })

  it('leaves out lanes, and has jobs without one', async () => {
    await add(queue, [...jobsOf('a', 3), ...jobsOf('b', 1), { data: {} }])
    const found = await queue.claim('deliver-sandbox', 9, { withoutLanes: ['a', 'c'] })
    expect(new Set(lanesOf(found))).toEqual(new Set(['b', undefined]))
    expect(lanesOf(await queue.claim('deliver-sandbox', 9))).toEqual(['a', 'a', 'a'])
  })

  it('of urgent jobs reads none of the others, however many wait', async () => {
    await made.sql`insert into pgboss.job (name, data, policy, group_id)
      select 'deliver-sandbox', '{}', 'standard', 'a' from generate_series(1, 5000)`
    await add(queue, jobsOf('b', 1, true))
    const texts: { text: string; values: unknown[] | undefined }[] = []
    const executeSql: Database['queueDb']['executeSql'] = (text, values) => {
      texts.push({ text, values })
      return database.queueDb.executeSql(text, values)
    }
    const noted = await openQueue({ ...database, queueDb: { executeSql } }, queues, {
      log: createLog('silent'),
      supervise: false,
    })
    texts.length = 0
    expect(lanesOf(await noted.claim('deliver-sandbox', 32, { isUrgent: true, withoutLanes: ['a'] }))).toEqual(['b'])
    await noted.close()
    const { text, values } = texts[0]!
    const explained = await database.queueDb.executeSql(`explain (analyze, format json) ${text}`, values)
    const found = JSON.stringify(explained.rows)
    expect(found).toContain('job_common_i11')
    expect(found).not.toContain('"Seq Scan"')
    const removed = [...found.matchAll(/"Rows Removed by [^"]*": ?(\d+)/g)].map(([, count]) => Number(count))
    expect(Math.max(0, ...removed)).toBeLessThan(10)
  })
})

it('knows which queues this process has added due jobs to, and so which are worth a look', async () => {
  const queue = await openQueue(database, queues, { log: createLog('silent'), supervise: false })
  const commit = createCommit(database, commitOptions(database))
  await commit.transaction(async (tx) => {
    await queue.add(tx, 'deliver-sandbox', [{ data: {} }])
    await queue.add(tx, 'failover', [{ data: {}, afterSeconds: 30 }])
  })
  const names = queues.map(({ name }) => name)
  expect(names.filter((name) => queue.isFresh(name))).toEqual(['deliver-sandbox'])
  expect(await queue.claim('deliver-sandbox', 32)).toHaveLength(1)
  await queue.close()
})

describe.each(['postgres', 'memory'] as const)('a job that is alone (%s)', (kind) => {
  let own: Database
  let queue: Queue
  let drop = async () => {}
  beforeAll(async () => {
    const test = kind === 'postgres' ? await createDatabase() : undefined
    own = await connect(test?.settings ?? { kind: 'memory' })
    queue = await openQueue(own, mixed, { log: createLog('silent'), supervise: false })
    drop = async () => test?.drop()
  })
  afterEach(async () => {
    await own.queueDb.executeSql('delete from pgboss.job')
  })
  afterAll(async () => {
    await queue.close()
    await own.close()
    await drop()
  })
  const mixed = [{ name: 'alone', aloneSeconds: 3300 }, { name: 'any' }]
  const add = () =>
    createCommit(own, commitOptions(own)).transaction(async (tx) => {
      for (const { name } of mixed) await queue.add(tx, name, [{ data: {} }])
    })
  const claim = async () => ({ alone: await queue.claim('alone', 9), any: await queue.claim('any', 9) })
  /** @returns the states of the jobs */
  const pass = async (minutes: number) => {
    await passClaims(own, minutes)
    return (await own.queueDb.executeSql('select name, state from pgboss.job order by name')).rows
  }

  it('has no other beside it, neither while it waits nor while it is done', async () => {
    await add()
    await add()
    const { alone, any } = await claim()
    expect([alone.length, any.length]).toEqual([1, 2])
    await add()
    expect(await claim()).toEqual({ alone: [], any: [expect.anything()] })
    await createCommit(own, commitOptions(own)).transaction((tx) => queue.complete(tx, 'alone', [alone[0]!.id]))
    await add()
    expect((await claim()).alone).toHaveLength(1)
  })

  it('is left to its worker for longer than others, then given up, and the next one has its turn', async () => {
    await add()
    await claim()
    expect(await pass(54)).toEqual([
      { name: 'alone', state: 'active' },
      { name: 'any', state: 'retry' },
    ])
    expect(await pass(56)).toEqual([
      { name: 'alone', state: 'failed' },
      { name: 'any', state: 'retry' },
    ])
    expect((await claim()).alone).toEqual([])
    await add()
    expect((await claim()).alone).toHaveLength(1)
  })
})
