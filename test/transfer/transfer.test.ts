/** A copy of all that a database holds: to the other kind, to a file, and back. */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openUnchanged, type Unchanged } from '../../src/app/admin.ts'
import { createSecrets } from '../../src/domain/access/secret.ts'
import { createPartitions } from '../../src/domain/keeping/partition.ts'
import { createLog, newUlid } from '../../src/kit/runtime.ts'
import type { DatabaseSettings } from '../../src/store/engine/connect.ts'
import { read, write } from '../../src/store/engine/session.ts'
import { createBackup, move, restore, type Target, type Written } from '../../src/transfer/transfer.ts'
import { testConfig } from '../support/config.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { linesOf } from './forgery.ts'
import { insertHostileRows, rowsOf } from './hostileRows.ts'

const opened: Unchanged[] = []
const databases: TestDatabase[] = []
let folder: string
let source: Unchanged
let file: string
let original: Record<string, string[]>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ww-transfer-'))
  source = await open({ kind: 'memory' })
  await source.migrate()
  await insertHostileRows(source.commit)
  await run(
    source,
    `insert into pgboss.job (name, data, start_after) values ('deliver-sandbox', '{"a": [1.10]}', now() + interval '1.234567 s')`,
  )
  original = await rowsOf(source.commit.reader)
  file = (await backUp(source, join(folder, 'whole'))).file
})
afterAll(async () => {
  for (const { close } of opened) await close()
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function open(settings: DatabaseSettings): Promise<Unchanged> {
  const database = await openUnchanged(testConfig(settings))
  opened.push(database)
  return database
}

/** On a PostgreSQL that nobody has used. */
async function openPostgres(): Promise<Unchanged & { database: TestDatabase }> {
  const database = await createDatabase()
  databases.push(database)
  return { ...(await open(database.settings)), database }
}

const run = ({ commit }: Unchanged, text: string) => commit.transaction((tx) => tx.run(write(text), []))
const now = () => new Date('2026-11-22T09:00:00.123Z')
const secrets = createSecrets(['a secret for backups, of enough characters'])
const backUp = (from: Unchanged, place: string) => createBackup({ ...from, secrets }, now)(place)
const into = (target: Unchanged): Target => ({ ...target, secrets: undefined })
const quiet = () => {}
const verified = { secrets, isUnverified: false, onRows: quiet }

it('every table comes out as it was, from the embedded database to PostgreSQL, to a file and back', async () => {
  expect(Object.entries(original).filter(([, rows]) => rows.length < 3 && !rows.join().includes('deliver-'))).toEqual(
    [],
  )
  const postgres = await openPostgres()
  const { tables } = await move(source, into(postgres), quiet)
  expect(await rowsOf(postgres.commit.reader)).toEqual(original)
  expect(tables.find(({ table }) => table === 'public.message')).toEqual({ table: 'public.message', rows: 3 })
  expect(tables.find(({ table }) => table === 'pgboss.job')).toEqual({ table: 'pgboss.job', rows: 1 })

  const { file: there } = await backUp(postgres, folder)
  expect(there).toBe(join(folder, 'watchword-20261122T090000Z.backup.gz'))
  const again = await open({ kind: 'memory' })
  expect(await restore(there, into(again), verified)).toEqual({ tables, madeAt: '2026-11-22T09:00:00.123Z' })
  expect(await rowsOf(again.commit.reader)).toEqual(original)
  expect(await rowsOf(source.commit.reader)).toEqual(original)
})

it('behind a pooler a copy is written and restored as without one', async () => {
  const { database } = await openPostgres()
  const pooled = await open({ ...database.settings, perTransaction: true })
  await restore(file, into(pooled), verified)
  const { file: there } = await backUp(pooled, join(folder, 'pooled'))
  const again = await open({ kind: 'memory' })
  await restore(there, into(again), verified)
  expect(await rowsOf(again.commit.reader)).toEqual(original)
})

it('a table that is kept in parts gets those that hold its rows', async () => {
  const [from, to] = [await open({ kind: 'memory' }), await openPostgres()]
  await from.migrate()
  for (const database of [from, to]) {
    await run(database, 'drop table sandbox_message')
    await run(database, 'create table sandbox_message (id text, at timestamptz(3)) partition by range (at)')
  }
  await run(
    from,
    `create table older partition of sandbox_message for values from (minvalue) to ('2026-01-01')
    partition by list (id)`,
  )
  await run(from, `create table older_a partition of older for values in ('a', 'it''s')`)
  await run(from, `create table newer partition of sandbox_message for values from ('2026-01-01') to (maxvalue)`)
  await run(from, `insert into sandbox_message values ('it''s', '2025-01-01'), ('b', '2026-01-01')`)
  const { file: there } = await backUp(from, join(folder, 'parts'))
  await restore(there, into(to), verified)
  expect(await to.database.sql`select tableoid::regclass::text as part, id from sandbox_message order by at`).toEqual([
    { part: 'older_a', id: `it's` },
    { part: 'newer', id: 'b' },
  ])
})

it('parts that were made ahead come with their rows and their keys, in both directions', async () => {
  const from = await open({ kind: 'memory' })
  await from.migrate()
  const log = createLog('silent')
  const runtime = { now: () => new Date('2026-11-21T09:00:00Z'), log }
  await createPartitions({ ...from, runtime, retentionDays: 30 })(new Date(0), () => false)
  const ids = ['2026-11-21', '2026-11-22', '2026-11-24'].map((day) => `req_${newUlid(new Date(day))}`)
  for (const id of ids) {
    await run(from, `insert into leg values ('acct_default', '${id}', 'wa', 'same')`)
  }
  const legs = read<{ part: string; id: string }>(
    'select tableoid::regclass::text as part, message_id as id from leg order by message_id',
  )
  const indexes = read<{ name: string }>(
    `select indexdef from pg_indexes where tablename like 'leg_2%' order by indexname`,
  )
  const there = await openPostgres()
  await move(from, into(there), quiet)
  const { file: written } = await backUp(there, join(folder, 'ahead'))
  const back = await open({ kind: 'memory' })
  await restore(written, into(back), verified)
  const parts = ['leg_default', 'leg_202611220000', 'leg_202611240000']
  for (const { commit } of [from, there, back]) {
    expect(await commit.reader.run(legs, [])).toEqual(ids.map((id, at) => ({ part: parts[at], id })))
    expect(await commit.reader.run(indexes, [])).toEqual(await from.commit.reader.run(indexes, []))
    expect(await commit.reader.run(indexes, [])).toHaveLength(6)
    const again = run({ commit } as Unchanged, `insert into leg values ('acct_default', '${ids[1]}x', 'wa', 'same')`)
    await expect(again).rejects.toThrow('duplicate key')
  }
})

it('a database with parts of other times takes those of the copy', async () => {
  const from = await open({ kind: 'memory' })
  await from.migrate()
  const to = await openPostgres()
  const runtime = { now: () => new Date('2026-11-21T09:00:00Z'), log: createLog('silent') }
  await createPartitions({ ...from, runtime, retentionDays: 30 })(new Date(0), () => false)
  await createPartitions({ ...to, runtime, retentionDays: 120 })(new Date(0), () => false)
  const parts = read<{ name: string }>(
    `select relid::regclass::text as name from pg_partition_tree('message') where isleaf order by 1`,
  )
  const given = await from.commit.reader.run(parts, [])
  expect(await to.commit.reader.run(parts, [])).not.toEqual(given)
  await move(from, into(to), quiet)
  expect(await to.commit.reader.run(parts, [])).toEqual(given)
})

it('a database that somebody uses is refused, whatever it holds', async () => {
  const used = await openPostgres()
  await run(used, `insert into sign_in (email_hash, latest_at) values ('a', now())`)
  await run(
    used,
    `insert into template (account_id, slug, text, updated_at) values ('acct_default', 'mine', '', now())`,
  )
  const before = await rowsOf(used.commit.reader)
  const refusal =
    'The PostgreSQL is in use: there are rows in sign_in, template. Nothing was copied; give it an empty database.'
  await expect(move(source, into(used), quiet)).rejects.toThrow(refusal)
  await expect(restore(file, into(used), verified)).rejects.toThrow(refusal)
  expect(await rowsOf(used.commit.reader)).toEqual(before)
})

it('a used database that quotes every name is refused too, and its backup is good elsewhere', async () => {
  const database = await createDatabase()
  databases.push(database)
  const name = new URL(database.settings.url).pathname.slice(1)
  await database.sql.unsafe(`alter database ${name} set quote_all_identifiers = on`)
  const used = await open(database.settings)
  await run(used, `insert into sign_in (email_hash, latest_at) values ('a', now())`)
  await expect(restore(file, into(used), verified)).rejects.toThrow('there are rows in sign_in')
  expect(await database.sql`select email_hash from sign_in`).toEqual([{ email_hash: 'a' }])

  const { file: there } = await backUp(used, join(folder, 'quoted'))
  const again = await open({ kind: 'memory' })
  const { tables } = await restore(there, into(again), verified)
  expect(tables.find(({ table }) => table === 'public.sign_in')).toEqual({ table: 'public.sign_in', rows: 1 })
})

it('when a row does not come out as it was read, nothing is there', async () => {
  const target = await openPostgres()
  await run(
    target,
    `create function change() returns trigger language plpgsql as
    $$ begin new.text := new.text || ' '; return new; end $$`,
  )
  await run(target, 'create trigger change before insert on sandbox_message for each row execute function change()')
  const before = await rowsOf(target.commit.reader)
  await expect(move(source, into(target), quiet)).rejects.toThrow(
    'public.sandbox_message did not come out as it was read',
  )
  expect(await rowsOf(target.commit.reader)).toEqual(before)
})

it('a copy has all the time that it needs', async () => {
  const target = await openPostgres()
  await run(
    target,
    `create function tell() returns trigger language plpgsql as $$ begin
      raise 'statements have %, pauses %', current_setting('statement_timeout'),
        current_setting('idle_in_transaction_session_timeout');
    end $$`,
  )
  await run(target, 'create trigger tell before insert on sandbox_message for each row execute function tell()')
  for (const copy of [() => move(source, into(target), quiet), () => restore(file, into(target), verified)]) {
    await expect(copy()).rejects.toThrow('statements have 0, pauses 0')
  }
})

it('a secret that does not open what is sealed is told, and nothing is copied', async () => {
  const target = await openPostgres()
  const secrets = createSecrets(['another secret, of enough characters'])
  for (const work of [
    () => move(source, { ...target, secrets }, quiet),
    () => restore(file, { ...target, secrets }, verified),
  ]) {
    await expect(work()).rejects.toThrow(
      'The secret that is set here does not open: connections (2), endpoints (3), inlets (3), authenticators (2), ' +
        'receipt keys (3), waiting messages (1), kept answers (2). Nothing was copied.',
    )
  }
  expect((await rowsOf(target.commit.reader)).message).toEqual([])
})

describe('a backup', () => {
  /** Without its signature: what follows is of the sums that a backup has of its own. */
  const lines = async () => linesOf(await readFile(file))
  const packed = async (name: string, text: string[]) => {
    await writeFile(join(folder, name), gzipSync(text.join('\n')))
    return join(folder, name)
  }
  /** Fails when anything is asked of it. */
  const untouched = new Proxy({} as Target, {
    get: (_, name) => {
      throw new Error(`asked for ${String(name)}`)
    },
  })
  const unverified = { ...verified, isUnverified: true }
  const refusalOf = (there: string) =>
    restore(there, untouched, unverified).then(String, ({ message }: Error) => message)
  const isDamaged = /(is cut off or was changed: nothing was restored|is no backup of Watchword, or is damaged)\.$/

  it('is for its owner alone, never replaces another file, and is gone when the backup fails', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await expect(backUp(source, file)).rejects.toThrow(`${file} is there already: give another name.`)
    await expect(backUp(source, join(folder, 'no', 'folder'))).rejects.toThrow(
      /Cannot write .*: there is no such file or folder\.$/,
    )
    expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  it('of two to one name at once, one is written, whole, and the other is told', async () => {
    const name = join(folder, 'both')
    const both = await Promise.allSettled([backUp(source, name), backUp(await openPostgres(), name)])
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []))
    expect(refused).toEqual([`${name} is there already: give another name.`])
    const [{ value: written }] = both.filter((one) => one.status === 'fulfilled') as [PromiseFulfilledResult<Written>]
    expect(written.bytes).toBe((await readFile(name)).length)
    expect((await restore(name, into(await open({ kind: 'memory' })), verified)).tables).toEqual(written.tables)
    expect((await readdir(folder)).filter((file) => file.includes('unfinished'))).toEqual([])
  })

  it('that is cut off anywhere is refused before anything is written', async () => {
    const bytes = await readFile(file)
    for (const length of [0, 1, 10, 100, bytes.length >> 1, bytes.length - 9, bytes.length - 1]) {
      await writeFile(join(folder, 'cut'), bytes.subarray(0, length))
      expect(await refusalOf(join(folder, 'cut')), `${length} bytes`).toMatch(/is cut off|is no backup/)
    }
    const whole = await lines()
    for (const count of [1, 2, 10, whole.length - 3, whole.length - 2]) {
      expect(await refusalOf(await packed('short', [...whole.slice(0, count), ''])), `${count} lines`).toMatch(
        isDamaged,
      )
    }
  })

  it('that was changed anywhere is refused before anything is written', async () => {
    const whole = await lines()
    const at = whole.findIndex((line) => line.startsWith('["acct_hard"'))
    const changes: [string, string[]][] = [
      ['a letter', whole.with(at, whole[at]!.replace('hard', 'herd'))],
      ['a row less', whole.toSpliced(at, 1)],
      ['a row twice', whole.toSpliced(at, 0, whole[at]!)],
      ['the end twice', [...whole.slice(0, -1), whole.at(-2)!, '']],
      ['no end of a line', whole.slice(0, -1)],
    ]
    for (const [name, changed] of changes)
      expect(await refusalOf(await packed('changed', changed)), name).toMatch(isDamaged)
    const bytes = await readFile(file)
    bytes[bytes.length >> 1]! ^= 1
    await writeFile(join(folder, 'bit'), bytes)
    expect(await refusalOf(join(folder, 'bit'))).toMatch(isDamaged)
  })

  it('that is none, or of another form, is told to be that', async () => {
    await copyFile(import.meta.filename, join(folder, 'code'))
    expect(await refusalOf(join(folder, 'code'))).toBe(
      `${join(folder, 'code')} is no backup of Watchword, or is damaged.`,
    )
    expect(await refusalOf(join(folder, 'none'))).toBe(
      `Cannot read ${join(folder, 'none')}: there is no such file or folder.`,
    )
    execFileSync('mkfifo', [join(folder, 'pipe')])
    for (const place of [join(folder, 'pipe'), folder]) {
      expect(await refusalOf(place)).toBe(
        `${place} is a pipe or a folder: a backup is read more than once, so name the file itself.`,
      )
    }
    const [start = '', ...rest] = await lines()
    const other = await packed('other', [start.replace('"form":1', '"form":2'), ...rest])
    expect(await refusalOf(other)).toBe(`${other} is no backup of this version of Watchword.`)
  })

  it('of another version is refused', async () => {
    const target = await openPostgres()
    await run(source, `update pgboss.version set version = version + 1`)
    const { file: newer } = await backUp(source, join(folder, 'newer'))
    await run(source, `update pgboss.version set version = version - 1`)
    await expect(restore(newer, into(target), verified)).rejects.toThrow(
      'is of another version of Watchword than this command',
    )
    await run(target, `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9e15)`)
    await expect(backUp(target, join(folder, 'x'))).rejects.toThrow('The PostgreSQL is of a newer version of Watchword')
    await expect(restore(file, into(target), verified)).rejects.toThrow(
      'The PostgreSQL is of a newer version of Watchword',
    )
  })
})
