/** What nobody but the service sees to in an embedded database: that its files stay as small as what they hold. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { createLog } from '../../../src/kit/runtime.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { openQueue } from '../../../src/store/engine/queue.ts'
import { write } from '../../../src/store/engine/session.ts'
import { createUpkeep, type UpkeepLimits } from '../../../src/store/engine/upkeep.ts'

const jobsCount = 3000
const batch = 500

let dataDir: string
let database: Database
let commit: Commit
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'watchword-upkeep-'))
  database = await connect({ kind: 'embedded', dataDir })
  await database.migrate()
  commit = createCommit(database, commitOptions(database))
})
afterEach(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const ask = async <Row>(text: string) => (await database.queueDb.executeSql(text)).rows as Row[]
const upkeepBy = (limits: Partial<UpkeepLimits>) =>
  createUpkeep({ run: database.reader.run, command: (text) => ask(text), ...limits })

describe('the embedded database', () => {
  it('takes no more room for jobs that come and go', async () => {
    const queue = await openQueue(database, [{ name: 'a' }], { log: createLog('silent'), supervise: false })
    const sizes: number[] = []
    for (let round = 0; round < 4; round++) {
      const jobs = Array.from({ length: jobsCount }, (_, number) => ({ data: { number } }))
      await commit.transaction((tx) => queue.add(tx, 'a', jobs))
      for (let done = 0; done < jobsCount; done += batch) {
        const ids = (await queue.claim('a', batch)).map(({ id }) => id)
        await commit.transaction((tx) => queue.complete(tx, 'a', ids))
      }
      await commit.transaction((tx) => tx.run(write(`delete from pgboss.job where state = 'completed'`), []))
      await database.upkeep?.()
      const [size] = await ask<{ pages: number }>(`
        select (sum(pg_relation_size(oid)) / 8192)::int as pages from pg_class
        where relname like 'job%' and relkind in ('r', 'i')`)
      sizes.push(size?.pages ?? 0)
    }
    await queue.close()
    const [, second = 0, , last] = sizes
    expect(second).toBeGreaterThan(0)
    expect(last).toBeLessThan(second * 1.1)
  })

  it('never runs out of transaction ids: rows of old ones are frozen', async () => {
    const ages = () =>
      ask<{ age: number }>(`select max(age(relfrozenxid)) as age from pg_class where relkind in ('r', 'm', 't')`)
    for (let times = 0; times < 300; times++) await ask('select pg_current_xact_id()')
    const [before] = await ages()
    expect(before?.age).toBeGreaterThan(300)
    await upkeepBy({ freezeAge: 200 })()
    const [after] = await ages()
    expect(after?.age).toBeLessThan(200)
  })

  it('lets go of the log that a start would not need', async () => {
    await ask('create table big (text text)')
    const logs = async () => {
      const names = (await readdir(join(dataDir, 'database', 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
      const stats = await Promise.all(names.map((name) => stat(join(dataDir, 'database', 'pg_wal', name))))
      return stats.reduce((sum, { size }) => sum + size, 0)
    }
    const upkeep = upkeepBy({ logBytes: 16 * 1024 * 1024 })
    const sizes: number[] = []
    for (let round = 0; round < 4; round++) {
      await ask(`insert into big select repeat('a', 1000) from generate_series(1, 30000)`)
      await ask('truncate big')
      await upkeep()
      sizes.push(await logs())
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(96 * 1024 * 1024)
  })
})
