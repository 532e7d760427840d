/** Tables that PostgreSQL took to be empty, and that have grown: connections that are open find rows by key again. */
import { randomBytes } from 'node:crypto'
import type { ReservedSql } from 'postgres'
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest'
import { connect } from '../../../src/store/engine/connect.ts'
import { analyseOutgrown } from '../../../src/store/engine/outgrown.ts'
import { openCommit } from '../../support/commit.ts'

const { test, commit } = await openCommit()
let connection: ReservedSql

beforeEach(async () => {
  await test.sql`truncate idempotency`
  // What another does in between would be taken for ours.
  await test.sql`alter table idempotency set (autovacuum_enabled = off)`
  connection = await test.sql.reserve()
})
afterEach(async () => {
  await connection`deallocate all`
  connection.release()
})

/** As connections of the service keep a statement: planned once, for whatever values. */
async function prepareLook(): Promise<void> {
  await connection`set plan_cache_mode = force_generic_plan`
  await connection.unsafe(`prepare look (text[]) as
    select kept.status from unnest($1) asked (key)
    join idempotency kept on account_id = 'acct_default' and mode = 'live' and operation = 'send' and kept.key = asked.key`)
  await plan()
}

const plan = async () => JSON.stringify(await connection.unsafe(`explain (format json) execute look('{a}')`))
const readsAll = /"Node Type":"Seq Scan"[^}]*"Relation Name":"idempotency"/
const fill = (from: number, to: number) => test.sql`
  insert into idempotency (account_id, mode, operation, key, fingerprint, fingerprint_key_id, created_at)
  select 'acct_default', 'live', 'send', n::text, '\\x00', 'k', now() from generate_series(${from}::int, ${to}) n`

const rowsKnown = async () =>
  (await test.sql`select reltuples from pg_class where relname = 'idempotency'`)[0]!.reltuples

const emptied: [how: string, empty: () => Promise<unknown>][] = [
  ['analysed before it had rows', () => test.sql`analyze idempotency`],
  [
    'vacuumed when its last row was erased',
    async () => {
      await fill(1, 5000)
      await test.sql`delete from idempotency`
      await test.sql`vacuum idempotency`
    },
  ],
]

it.each(emptied)(
  'a connection that knew a table as it was %s, finds rows by key once it has grown',
  async (_, empty) => {
    await empty()
    await prepareLook()
    await fill(1, 5000)
    expect(await plan()).toMatch(readsAll)
    await analyseOutgrown(commit)
    expect(await plan()).not.toMatch(readsAll)
  },
)

it('a table is analysed once it is worth it, and not again', async () => {
  await test.sql`analyze idempotency`
  await fill(1, 10)
  await analyseOutgrown(commit)
  expect(await rowsKnown()).toBe(0)
  await fill(11, 5000)
  await analyseOutgrown(commit)
  expect(await rowsKnown()).toBe(5000)
  await fill(5001, 10_000)
  await analyseOutgrown(commit)
  expect(await rowsKnown()).toBe(5000)
})

it('tables that others have beside those of the service are left to them, its partitions are not', async () => {
  await test.sql`create table theirs (n int) with (autovacuum_enabled = off)`
  await test.sql`analyze theirs, message_default`
  await test.sql`insert into theirs select generate_series(1, 50000)`
  await test.sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
    select 'acct_default', 'req_' || n, 'live', 'notification', '+1', 'read', now(), '[]', now() from generate_series(1, 5000) n`
  await analyseOutgrown(commit)
  const known =
    await test.sql`select relname from pg_class where relname in ('theirs', 'message_default') and reltuples > 0`
  expect(known.map(({ relname }) => relname)).toEqual(['message_default'])
})

it('a table that another process analyses just now is left to it', async () => {
  await test.sql`analyze idempotency`
  await fill(1, 5000)
  const release = await test.hold('idempotency', 'share update exclusive')
  await analyseOutgrown(commit)
  expect(await rowsKnown()).toBe(0)
  await release()
})

it('a role that does not own the tables has those analysed that PostgreSQL lets it, and no other', async () => {
  await test.sql`analyze idempotency`
  await fill(1, 5000)
  const role = `reads_${randomBytes(6).toString('hex')}`
  await test.sql.unsafe(`create role ${role} login password '${role}'; grant select on idempotency to ${role}`)
  const url = new URL(test.settings.url)
  Object.assign(url, { username: role, password: role })
  const opened = await connect({ ...test.settings, url: url.href })
  const transaction = vi.fn()
  await analyseOutgrown({ reader: opened.reader, transaction })
  expect(transaction).not.toHaveBeenCalled()
  await analyseOutgrown({ reader: commit.reader, transaction })
  expect(transaction).toHaveBeenCalledOnce()
  if (inject('postgresMajor') >= 17) {
    await test.sql.unsafe(`grant maintain on idempotency to ${role}`)
    await analyseOutgrown({ reader: opened.reader, transaction })
    expect(transaction).toHaveBeenCalledTimes(2)
  }
  await opened.close()
  await test.sql.unsafe(`drop owned by ${role}; drop role ${role}`)
})
