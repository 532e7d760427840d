/** Roles that are not the owner of the tables keep what they were granted, whatever a version makes of the tables. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commitOptions } from '../../src/app/admin.ts'
import { createPartitions } from '../../src/domain/keeping/partition.ts'
import { createLog } from '../../src/kit/runtime.ts'
import { createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import { listMigrations } from '../../src/store/engine/migrate.ts'
import { partitioned } from '../../src/store/keeping/partition.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

/** The last one that knows of no partitions. */
const lastWithout = '0007_phone_by_account'
/** A name that has to be quoted. */
const role = `Serves-${randomBytes(6).toString('hex')}`
const member = `Works-${randomBytes(6).toString('hex')}`
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  await database.sql.unsafe(`drop schema public cascade; create schema public; create role "${role}"`)
  await database.sql.unsafe(`create role "${member}"`)
})
afterAll(async () => {
  for (const one of [role, member]) await database.sql.unsafe(`drop owned by "${one}"; drop role "${one}"`)
  await database.drop()
})

it('what a role and everybody may do with a table, they may do when it is kept in partitions', async () => {
  const { sql } = database
  const all = listMigrations()
  const first = all.findIndex(({ tag }) => tag === lastWithout) + 1
  for (const { text } of all.slice(0, first)) await sql.unsafe(text)
  await sql.unsafe(`grant select, insert, update, delete on all tables in schema public to "${role}" with grant option`)
  await sql.unsafe(`revoke delete on event_attempt from "${role}"; grant select on event to public`)
  const granted = () => sql`
    select table_name, grantee, privilege_type, is_grantable from information_schema.role_table_grants
    where table_schema = 'public' and grantee in (${role}, 'PUBLIC') and table_name in ${sql(partitioned)}
    order by 1, 2, 3`
  const before = await granted()
  expect(before).toHaveLength(6 * 4 - 1 + 1)
  for (const { text } of all.slice(first)) await sql.begin((tx) => tx.unsafe(text))
  expect(await granted()).toEqual(before)
})

it('and so they may with each partition that is made then', async () => {
  const { sql, settings } = database
  const opened = await connect(settings)
  const runtime = { now: () => new Date('2026-11-21T09:00:00Z'), log: createLog('silent') }
  const commit = createCommit(opened, commitOptions(opened))
  await createPartitions({ commit, runtime, retentionDays: 30 })(new Date(0), () => false)
  await opened.close()
  for (const table of partitioned) {
    const grantedOn = (name: string) => sql`
      select grantee, privilege_type, is_grantable from information_schema.role_table_grants
      where table_name = ${name} and grantee in (${role}, 'PUBLIC') order by 1, 2`
    expect(await grantedOn(`${table}_202611240000`), table).toEqual(await grantedOn(table))
  }
})

it("a partition that a member of the owner makes is the owner's, who migrates it", async () => {
  const { sql, settings } = database
  const [one] = await sql<{ owner: string }[]>`select current_user as owner`
  await sql.unsafe(`grant "${one!.owner}" to "${member}"`)
  const url = `${settings.url}?options=${encodeURIComponent(`-c role=${member}`)}`
  const opened = await connect({ ...settings, url })
  const runtime = { now: () => new Date('2026-12-21T09:00:00Z'), log: createLog('silent') }
  const commit = createCommit(opened, commitOptions(opened))
  await createPartitions({ commit, runtime, retentionDays: 30 })(new Date(0), () => false)
  await opened.close()
  const made = await sql`select distinct tableowner from pg_tables where tablename like '%\\_202612%'`
  expect(made).toEqual([{ tableowner: one!.owner }])
})
