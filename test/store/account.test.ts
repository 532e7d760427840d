/** Accounts that were made before names were compared without regard to case. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commitOptions } from '../../src/app/admin.ts'
import { brandForm } from '../../src/contract/document.ts'
import { createAccounts } from '../../src/domain/access/account.ts'
import { createActCommit } from '../../src/domain/access/act.ts'
import { findConnections } from '../../src/store/channels/connection.ts'
import { createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { acting, testOperator } from '../support/acting.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { testRuntime } from '../support/runtime.ts'

const migrations = join(import.meta.dirname, '../../src/store/migrations')

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createDatabase()
  await test.sql.unsafe('drop schema public cascade; drop schema drizzle cascade; create schema public')
  await migrateUntil('account_name_key')
  const made = ['acme', 'Acme', 'acme ', 'Globex', 'a\u001b[2J']
  for (const [index, name] of made.entries()) {
    await test.sql`insert into account (id, name, created_at) values (${`acct_${index}`}, ${name}, ${new Date(index)})`
  }
  database = await connect(test.settings)
  await database.migrate()
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

/** Brings the database to the version before the migration of that name. */
async function migrateUntil(name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-migrations-'))
  const pool = new pg.Pool({ connectionString: test.settings.url, max: 1 })
  try {
    await cp(migrations, folder, { recursive: true })
    const journal = join(folder, 'meta/_journal.json')
    const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8')) as { entries: { tag: string }[] }
    const end = entries.findIndex(({ tag }) => tag.endsWith(`_${name}`))
    expect(end).toBeGreaterThan(0)
    await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, end) }))
    await migrate(drizzle(pool), { migrationsFolder: folder })
  } finally {
    await pool.end()
    await rm(folder, { recursive: true })
  }
}

const openAccounts = () => {
  const runtime = testRuntime()
  const commit = createActCommit(createCommit(database, commitOptions(database)), { runtime })
  const firstConnection = { id: 'trial', kind: 'sandbox' }
  return acting(createAccounts({ commit, runtime, firstConnection, brandForm }), testOperator)
}

it('keep their names, and are found by them', async () => {
  const accounts = openAccounts()
  for (const [name, id] of [
    ['acme', 'acct_0'],
    ['Acme', 'acct_1'],
    ['acme ', 'acct_2'],
    ['ACME', 'acct_0'],
    ['globex', 'acct_3'],
  ]) {
    expect(await accounts.require(name!)).toMatchObject({ id })
  }
  expect(await accounts.list()).toHaveLength(6)
})

it('leave no room for another that differs in case alone, also at once', async () => {
  const accounts = openAccounts()
  await expect(accounts.create('ACME')).rejects.toThrow('There is an account "acme" already.')
  await expect(accounts.create(' globex ')).rejects.toThrow('There is an account "Globex" already.')
  await expect(accounts.create('DEFAULT')).rejects.toThrow('There is an account "default" already.')
  const names = ['Initech', 'initech', 'INITECH', ' initech', 'iNiTeCh']
  const made = await Promise.allSettled(names.map((name) => accounts.create(name)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('have one connection each from their start, those that were there before too', async () => {
  const accounts = openAccounts()
  const { id } = await accounts.create('Umbrella')
  await expect(accounts.create('umbrella')).rejects.toThrow('There is an account')
  const [fresh, older] = await findConnections(database.reader, [id, 'acct_0'])
  const first = {
    kind: 'sandbox',
    countries: null,
    failoverSeconds: null,
    settings: {},
    sealed: null,
    restsUntil: null,
  }
  expect(fresh).toMatchObject([{ id: 'trial', ...first }])
  expect(older).toMatchObject([{ id: 'sandbox', ...first }])
  const all = await accounts.list()
  const found = await findConnections(
    database.reader,
    all.map((account) => account.id),
  )
  expect(found.map((list) => list.length)).toEqual(all.map(() => 1))
})
