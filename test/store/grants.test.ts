/** Roles that are not the owner of the tables keep what they were granted, whatever a version makes of the tables. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listMigrations } from '../../src/store/migrate.ts'
import { partitioned } from '../../src/store/partition.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

/** The last one that knows of no partitions. */
const lastWithout = '0007_phone_by_account'
/** A name that has to be quoted. */
const role = `Serves-${randomBytes(6).toString('hex')}`
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  await database.sql.unsafe(`drop schema public cascade; create schema public; create role "${role}"`)
})
afterAll(async () => {
  await database.sql.unsafe(`drop owned by "${role}"; drop role "${role}"`)
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
