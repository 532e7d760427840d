/** What statements rely on holds on every connection, whatever the database, the role or the URL has for it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { commitOptions, migrate } from '../../../src/app/admin.ts'
import { createApp } from '../../../src/app/app.ts'
import { explain } from '../../../src/process/explain.ts'
import { createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import { problemIn } from '../../../src/store/engine/failure.ts'
import { read } from '../../../src/store/engine/session.ts'
import { testConfig } from '../../support/config.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

/** What somebody may have set, for a reason of their own, and what it must be here. */
const settings: Record<string, [theirs: string, ours: string]> = {
  DateStyle: ['SQL, DMY', 'ISO, YMD'],
  IntervalStyle: ['sql_standard', 'postgres'],
  TimeZone: ['America/New_York', 'UTC'],
  standard_conforming_strings: ['off', 'on'],
  quote_all_identifiers: ['on', 'off'],
  search_path: ['elsewhere', 'public'],
  default_transaction_isolation: ['serializable', 'read committed'],
  default_transaction_deferrable: ['on', 'off'],
  synchronous_commit: ['off', 'on'],
  enable_seqscan: ['on', 'off'],
  enable_bitmapscan: ['on', 'off'],
  enable_hashjoin: ['on', 'off'],
  enable_mergejoin: ['on', 'off'],
  plan_cache_mode: ['force_custom_plan', 'force_generic_plan'],
  jit: ['on', 'off'],
  array_nulls: ['off', 'on'],
  bytea_output: ['escape', 'hex'],
  extra_float_digits: ['-15', '1'],
  lock_timeout: ['1', '0'],
  idle_session_timeout: ['60000', '0'],
  exit_on_error: ['on', 'off'],
  client_min_messages: ['error', 'notice'],
  tcp_keepalives_idle: ['7200', '30'],
  tcp_keepalives_interval: ['75', '10'],
  tcp_keepalives_count: ['9', '3'],
  tcp_user_timeout: ['5000', '60000'],
  from_collapse_limit: ['1', '8'],
  join_collapse_limit: ['1', '8'],
  enable_nestloop: ['off', 'on'],
  enable_indexscan: ['off', 'on'],
  enable_partition_pruning: ['off', 'on'],
  ...(inject('postgresMajor') >= 17 && { transaction_timeout: ['60000', '0'] }),
}
const names = Object.keys(settings)
const theirs = Object.entries(settings).map(([name, [value]]) => [name, value] as const)
const ours = Object.fromEntries(Object.entries(settings).map(([name, [, value]]) => [name, value]))

/** Sets all of it in one of the places where it can be set. @returns the URL to connect to */
const places: Record<string, (database: TestDatabase) => Promise<string>> = {
  'the database': ({ sql: beside, settings: { url } }) => change(beside, url, ''),
  'the role, in this database': ({ sql: beside, settings: { url } }) => change(beside, url, 'role postgres in '),
  'the URL': async ({ settings: { url } }) => {
    const options = theirs.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`).join(' ')
    return `${url}?options=${encodeURIComponent(options)}`
  },
}

async function change(beside: postgres.Sql, url: string, whose: string): Promise<string> {
  const database = `database ${new URL(url).pathname.slice(1)}`
  for (const [name, value] of theirs) {
    const list = name === 'search_path' || name === 'DateStyle' ? value : `'${value}'`
    await beside.unsafe(`alter ${whose}${database} set ${name} = ${list}`)
  }
  return url
}

describe.each(Object.entries(places))('where %s has other settings', (_place, set) => {
  let database: TestDatabase
  let url: string
  let server: TestServer
  beforeAll(async () => {
    database = await createDatabase()
    url = await set(database)
    // A hundred checks of one verification are one after the other: on a busy machine that takes longer than a caller waits.
    const overrides = { groups: { waitMs: 20_000 } }
    server = await startServer({ on: { ...database, settings: { ...database.settings, url } }, overrides })
  })
  afterAll(async () => {
    await server?.close()
    await database.drop()
  })

  it('every connection has those of the service, and who does not ask for them has theirs', async () => {
    const plain = postgres(url, { max: 1, onnotice: () => {} })
    const [row] = await plain`show datestyle`
    expect(row).toEqual({ DateStyle: 'SQL, DMY' })
    await plain.end()

    const opened = await connect({ ...database.settings, url })
    const text = `select name, setting from pg_settings where name in (${names.map((name) => `'${name}'`)})`
    const statement = read<{ name: string; setting: string }>(text)
    const { transaction } = createCommit(opened, commitOptions(opened))
    const asked = [
      opened.reader.run(statement, []),
      transaction((tx) => tx.run(statement, [])),
      transaction((tx) => tx.run({ ...statement, name: '' }, [])),
      opened.queueDb.executeSql(text).then(rowsOf),
    ]
    for (const rows of await Promise.all(asked)) {
      expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(ours)
    }
    await opened.close()
  })

  it('revoked and expired keys are refused, and others are not', async () => {
    const status = async (key: string) => (await server.as(key).get(`/v1/messages/req_${'0'.repeat(26)}`)).data.code
    const [revoked, good] = [await server.newKey(), await server.newKey()]
    const expired = await server.key({ expiresAt: new Date(server.runtime.now().getTime() + 1000) })
    await server.app.apiKeys.revoke(revoked.id)
    await server.advance(1)
    expect(await Promise.all([revoked.key, expired, good.key].map(status))).toEqual([
      'revoked_api_key',
      'expired_api_key',
      'message_not_found',
    ])
  })

  it('keys are listed with their times', async () => {
    const expiresAt = new Date('2027-03-02T01:00:00.000Z')
    const { id } = await server.newKey({ expiresAt })
    const env = { PATH: process.env.PATH, DATABASE_URL: url }
    const cli = ['--import', './src/loading.js', 'src/cli.ts', 'keys', 'list', '--json']
    const { stdout } = await promisify(execFile)(process.execPath, cli, {
      cwd: join(import.meta.dirname, '../../..'),
      env,
    })
    const listed = (JSON.parse(stdout) as { id: string }[]).find((row) => row.id === id)
    expect(JSON.stringify(listed)).toContain(expiresAt.toISOString())
  })

  it('a code that ran out is told as expired, and its message at the moment when it did', async () => {
    const id = await server.test.send(newPhone())
    const ranOutAt = new Date(server.runtime.now().getTime() + 600_000).toISOString()
    await server.advance(601)
    expect(await server.test.check(id, '000000')).toMatchObject({ verified: false, reason: 'expired' })
    for (const moment of ['before', 'after']) {
      if (moment === 'after') await server.work()
      expect((await server.test.get(`/v1/messages/${id}`)).data).toMatchObject({
        status: 'expired',
        timestamp: ranOutAt,
      })
    }
  })

  it('limits wait for as long as they say', async () => {
    const phone = newPhone()
    await server.live.send(phone)
    await server.advance(20)
    const refused = await server.live.post('/v1/verify/send', { phone })
    expect(refused).toMatchObject({ status: 429, data: { code: 'resend_cooldown', retry_after: 40 } })
  })

  it('100 checks at once are all answered, and 100 sends', async () => {
    const id = await server.test.send(newPhone())
    const checks = Array.from({ length: 100 }, () =>
      server.test.post('/v1/verify/check', { request_id: id, code: '111111' }),
    )
    const phone = newPhone()
    const sends = Array.from({ length: 100 }, () => server.live.post('/v1/verify/send', { phone }))
    expect(new Set((await Promise.all(checks)).map(({ status }) => status))).toEqual(new Set([200]))
    expect((await Promise.all(sends)).map(({ status }) => status).toSorted()).toEqual([200, ...Array(99).fill(429)])
  })
})

/** Where somebody turns writes off, for a reason of their own. */
const readOnlyIn: Record<string, (database: TestDatabase) => Promise<string>> = {
  'the database': ({ sql: beside, settings: { url } }) => turnOffWrites(beside, url, ''),
  'the role, in this database': ({ sql: beside, settings: { url } }) => turnOffWrites(beside, url, 'role postgres in '),
  'the URL': async ({ settings: { url } }) => `${url}?options=-c%20default_transaction_read_only%3Don`,
}

async function turnOffWrites(beside: postgres.Sql, url: string, whose: string): Promise<string> {
  await beside.unsafe(`alter ${whose}database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
  return url
}

describe.each(Object.entries(readOnlyIn))('where writes are turned off by %s', (_place, turnOff) => {
  it('they stay off, and the operator is told what turned them off, not that the database is away', async () => {
    const database = await createDatabase()
    const url = await turnOff(database)
    for (const perTransaction of [false, true]) {
      const settings = { ...database.settings, url, perTransaction }
      const failure = await createApp(testConfig(settings)).catch((error: unknown) => error)
      expect(explain(failure)).toMatch(
        /^The database takes no writes: default_transaction_read_only is on, by DATABASE_URL/,
      )
      expect(problemIn(failure)).toMatchObject({ code: 'service_unavailable' })
    }
    await database.drop()
  })
})

it('a process whose database turns writes off is not ready, and its log says why', async () => {
  const server = await startServer()
  const name = new URL(server.database!.settings.url).pathname.slice(1)
  await server.database!.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  await server.database!.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${name} and pid <> pg_backend_pid()`
  // The first answer may come from a connection that has just been ended.
  const answered = async () => {
    expect((await fetch(`${server.opsUrl}/readyz`)).status).toBe(503)
    return server.runtime.lines.join('')
  }
  await expect.poll(answered).toContain('default_transaction_read_only is on')
  await server.close()
})

it('a synchronous commit that asks for more than the disk is left as it is', async () => {
  const database = await createDatabase()
  await change(database.sql, database.settings.url, '')
  const { url } = database.settings
  await database.sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = remote_apply`)
  const opened = await connect(database.settings)
  expect(await opened.reader.run(read('show synchronous_commit'), [])).toEqual([{ synchronous_commit: 'remote_apply' }])
  await opened.close()
  await database.drop()
})

it('tables are made where they belong, also where another schema comes first', async () => {
  const server = inject('postgresUrl')
  const name = `test_empty_${process.pid}`
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name}`)
  const inside = postgres(`${server}/${name}`, { max: 1, onnotice: () => {} })
  await inside`create schema elsewhere`
  for (const [setting, value] of theirs) {
    const list = setting === 'search_path' || setting === 'DateStyle' ? value : `'${value}'`
    await admin.unsafe(`alter database ${name} set ${setting} = ${list}`)
  }
  await migrate(testConfig({ kind: 'postgres', url: `${server}/${name}`, connectionsMax: 2 }))
  const made = await inside`select schemaname from pg_tables where tablename in ('message', 'phone', 'api_key')`
  expect(made.map(({ schemaname }) => schemaname)).toEqual(['public', 'public', 'public'])
  await inside.end()
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

function rowsOf({ rows }: { rows: unknown[] }): { name: string; setting: string }[] {
  return rows as { name: string; setting: string }[]
}
