/** Where the service's database user does not own the tables. */
import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { createPartitions } from '../../../src/domain/keeping/partition.ts'
import { createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import { createDatabase } from '../../support/database.ts'
import { testRuntime } from '../../support/runtime.ts'
import { newPhone, startServer } from '../../support/server.ts'

const daySeconds = 24 * 3600

it('nothing is kept longer where partitions may not be dropped, and the log says who can', async () => {
  const database = await createDatabase()
  const role = `serves_${randomBytes(6).toString('hex')}`
  await database.sql.unsafe(`create role ${role};
    grant usage on schema public, pgboss, drizzle to ${role};
    grant select on all tables in schema drizzle to ${role};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${role}`)
  const owner = await connect(database.settings)
  const commit = createCommit(owner, commitOptions(owner))
  await createPartitions({ commit, runtime: testRuntime(), retentionDays: 30 })(new Date(0), () => false)
  await owner.close()
  const url = `${database.settings.url}?options=${encodeURIComponent(`-c role=${role}`)}`
  const server = await startServer({ on: { ...database, settings: { ...database.settings, url } } })
  const rows = () => server.query(sql`select tableoid::regclass::text as partition from message`)
  const purge = async () => {
    await server.query(sql`insert into pgboss.job (name, policy) values ('purge', 'standard')`)
    await server.work()
    return server.runtime.lines.map((line) => JSON.parse(line) as { msg: string; level: number })
  }

  await server.advance(daySeconds)
  await server.live.send(newPhone())
  expect(await rows()).toEqual([{ partition: 'message_202611220000' }])
  await server.advance(30 * daySeconds)
  await purge()
  expect(await rows()).toHaveLength(1)
  await server.advance(daySeconds)
  const lines = await purge()
  expect(await rows()).toEqual([])
  expect(await server.query(sql`select to_regclass('message_202611220000') is not null as "isThere"`)).toEqual([
    { isThere: true },
  ])
  expect(lines.filter(({ level }) => level >= 50)).toEqual([])
  expect(lines.filter(({ msg }) => msg.includes('run the command partitions as the owner'))).toHaveLength(2)

  await server.close()
  await database.sql.unsafe(`drop owned by ${role}; drop role ${role}`)
  await database.drop()
})
