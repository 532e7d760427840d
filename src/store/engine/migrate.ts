/**
 * How a database is brought to this version, and when that is refused: code of any version works with it that knows what it
 * needs, whatever newer versions have added.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import queueManifest from 'pg-boss/package.json' with { type: 'json' }
import manifest from '../../../package.json' with { type: 'json' }
import { ping } from './database.ts'
import { DatabaseNewer, isInUse, isTransient, refuseMigration, TablesInUse } from './failure.ts'
import { type Reader, read } from './session.ts'

/** The version of pg-boss's tables that this code makes and uses. */
export const queueVersion = queueManifest.pgboss.schema
/**
 * The oldest of those versions whose code works on the tables of this one: pg-boss looks for an older one alone. It is this
 * one's own, unless `test/faults/upgrade.test.ts` has shown that code of the version before works too.
 */
export const oldestQueueVersion = 40

export interface Migration {
  tag: string
  /** Milliseconds of Unix time: by it a database knows which it has had. */
  when: number
  text: string
}

const readOwn = (name: string) => readFileSync(join(import.meta.dirname, '../migrations', name), 'utf8')

/** @returns those that this version knows, in their order */
export function listMigrations(): Migration[] {
  const { entries } = JSON.parse(readOwn('meta/_journal.json')) as { entries: { tag: string; when: number }[] }
  return entries.map(({ tag, when }) => ({ tag, when, text: readOwn(`${tag}.sql`) }))
}

/** Of the migrations that this version knows, in their order, as a database notes them. */
export function migrationHashes(): string[] {
  return listMigrations().map(hashOf)
}

const hashOf = ({ text }: Migration) => hash('sha256', text, 'hex')

/** The tables that the migrations of this version lead to, by the names that SQL has for them. */
export function ownTables(): string[] {
  const newest = listMigrations().at(-1)!.tag.slice(0, 4)
  const { tables } = JSON.parse(readOwn(`meta/${newest}_snapshot.json`)) as { tables: Record<string, { name: string }> }
  return Object.values(tables).map(({ name }) => name)
}

/** What a migration says where it takes something from code that does not know another migration, and why. */
const need = /^-- old code needs (\w+): \S/gm

/**
 * @returns the time of the newest migration that code must know to work with the tables that these make; 0 for none
 * @throws Error when one is named that is not there
 */
export function findNeeded(migrations: readonly Migration[]): number {
  const named = migrations.flatMap(({ text }) => Array.from(text.matchAll(need), ([, tag]) => tag))
  const times = named.map((tag) => {
    const found = migrations.find((migration) => migration.tag === tag)
    if (!found) throw new Error(`a migration needs ${tag}, which is not there`)
    return found.when
  })
  return Math.max(0, ...times)
}

/** What code must know to work with a database, and the version of Watchword that has seen to that. */
interface Needs {
  migration: number
  queue: number
  madeBy: string
}

/** Asked for first: where they are there, a database of this version is opened by a user that may make none. */
const ownNotes = read<{ needs: boolean; done: boolean }>(`
  select to_regclass('drizzle.needs') is not null as needs,
    to_regclass('drizzle.__drizzle_migrations') is not null as done`)
const needs = read<Needs>(
  'select migration::float8 as migration, queue, made_by as "madeBy" from drizzle.needs where is_only',
)
const makeTable = [
  'create schema if not exists drizzle',
  `create table if not exists drizzle.needs (is_only boolean primary key default true check (is_only),
    migration bigint not null, queue integer not null, made_by text not null)`,
]
/** As Drizzle's own migrator has it: code of earlier versions brings databases up with that. */
const makeNotes = [
  'create schema if not exists drizzle',
  'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
]
const noted = 'select coalesce(max(created_at), 0)::float8 as until from drizzle.__drizzle_migrations'
const note = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)'
const raise = `insert into drizzle.needs as had (migration, queue, made_by) values ($1, $2, $3)
  on conflict (is_only) do update set migration = greatest(had.migration, excluded.migration),
    queue = greatest(had.queue, excluded.queue), made_by = excluded.made_by`

/** Of this process's migrations, as its code was when it opened its database: another version may be installed over it. */
let newest: number | undefined

/** Runs a statement in the transaction. */
export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/**
 * For one transaction: a process that ends here leaves what was there.
 *
 * @throws DatabaseNewer
 */
export async function bringUp(ask: RunSql): Promise<void> {
  const own = listMigrations()
  const [found] = (await ask(ownNotes.text)).rows as [{ needs: boolean; done: boolean }]
  const [had] = found.needs ? ((await ask(needs.text)).rows as [Needs?]) : []
  newest = newestOf(own)
  requireKnown(had, newest)
  const migration = findNeeded(own)
  if (!had || had.migration < migration || had.queue < oldestQueueVersion) {
    for (const text of makeTable) await ask(text)
    await ask(raise, [migration, oldestQueueVersion, manifest.version])
  }
  if (!found.done) for (const text of makeNotes) await ask(text)
  await migrate(ask, own)
}

/** Does what the migrations say that the database has not had. */
async function migrate(ask: RunSql, own: readonly Migration[]): Promise<void> {
  const [{ until }] = (await ask(noted)).rows as [{ until: number }]
  for (const migration of own.filter(({ when }) => when > until)) {
    for (const statement of migration.text.split('--> statement-breakpoint')) await ask(statement)
    await ask(note, [hashOf(migration), migration.when])
  }
}

/** Any number, the same in every process. */
const migrationLock = 8_207_411
const takeTurn = `select pg_advisory_xact_lock(${migrationLock})`
/** All that comes after a migration that waits for a table waits behind it: so it does not wait for long. */
const briefLocks = `select set_config('lock_timeout', '1s', true)`

/** The same where processes share the database: one after the other. @throws MayNotMigrate */
export async function bringUpInTurn(ask: RunSql): Promise<void> {
  await ask(takeTurn)
  await ask(briefLocks)
  await bringUp(ask).catch(refuseMigration)
}

/**
 * Resolves when the database answers, takes writes, and was not changed by a newer version so that this process cannot work with
 * it any more. @throws ConnectionFailed, DatabaseNewer, or what the driver throws
 */
export async function requireUsable(reader: Reader): Promise<void> {
  await ping(reader)
  const [had] = await reader.run(needs, [])
  newest ??= newestOf(listMigrations())
  requireKnown(had, newest)
}

function newestOf(migrations: readonly Migration[]): number {
  return Math.max(...migrations.map(({ when }) => when))
}

function requireKnown(had: Needs | undefined, known: number): void {
  if (!had || (had.migration <= known && had.queue <= queueVersion)) return
  throw new DatabaseNewer(had.madeBy, manifest.version)
}

/** Milliseconds between two tries, and for which there are some. */
const [restMs, patienceMs] = [1000, 60_000]
/** Tries again while others hold the tables. @throws TablesInUse when they go on to */
export async function whenFree(work: () => Promise<void>, forMs = patienceMs): Promise<void> {
  for (const givenUpAt = performance.now() + forMs; ; await wait(restMs)) {
    try {
      return await work()
    } catch (error) {
      if (!isInUse(error) && !isTransient(error)) throw error
      if (performance.now() > givenUpAt) throw new TablesInUse()
    }
  }
}
