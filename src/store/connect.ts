/**
 * Opens the database, embedded or not, and hides how the two drivers differ. It knows no table.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import { migrate as migratePostgres } from 'drizzle-orm/postgres-js/migrator'
import { fromPglite, type Db as QueueDb } from 'pg-boss'
import postgres from 'postgres'
import { DatabaseHeld, isTransient } from './failure.ts'

/** The database, or a transaction in it: what a query runs on. */
export type Session = PgDatabase<PgQueryResultHKT>

export interface Database {
  db: Session
  /** PGlite in a folder, which one process holds alone; or a PostgreSQL that many share. */
  kind: 'embedded' | 'postgres'
  /** What pg-boss runs its own statements on. */
  queueDb: QueueDb
  /** Brings the tables to this version. Safe to call from many processes at once. */
  migrate: () => Promise<void>
  close: () => Promise<void>
}

export type DatabaseSettings =
  | { kind: 'postgres'; url: string; connectionsMax: number }
  | { kind: 'embedded'; dataDir: string }
  | { kind: 'memory' }

const migrationsFolder = join(import.meta.dirname, 'migrations')
/** Any number, the same in every process: the advisory lock that migrations are made under. */
const migrationLock = 8_207_411

export function connect(settings: DatabaseSettings): Promise<Database> | Database {
  if (settings.kind === 'postgres') return connectPostgres(settings.url, settings.connectionsMax)
  return openEmbedded(settings.kind === 'memory' ? undefined : settings.dataDir)
}

/** The rows of a raw statement: drivers answer with a list, or an object that has one. */
export async function rows<Row>(session: Session, statement: SQL): Promise<Row[]> {
  const result = (await session.execute(statement)) as Row[] | { rows: Row[] }
  return Array.isArray(result) ? result : result.rows
}

/**
 * Runs `work` in one transaction, again when the database asks for it (a deadlock or a serialization failure). What
 * `work` does beside the database must bear being done again.
 */
export async function transaction<T>(session: Session, work: (tx: Session) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await session.transaction((tx) => work(tx as Session))
    } catch (error) {
      if (attempt === 3 || !isTransient(error)) throw error
    }
  }
}

function connectPostgres(url: string, connectionsMax: number): Database {
  const client = prepared(
    postgres(url, {
      max: connectionsMax,
      connect_timeout: 5,
      idle_timeout: 60,
      // Seconds. The driver's own backoff grows to 20, in which a database that is back would not be noticed.
      backoff: (failures: number) => Math.min(1, failures / 10),
      onnotice: () => {},
      connection: {
        application_name: 'watchword',
        idle_in_transaction_session_timeout: 30_000,
        statement_timeout: 30_000,
      },
    }),
  )
  const db = drizzlePostgres(client)
  return {
    db: db as Session,
    kind: 'postgres',
    queueDb: { executeSql: (text, values) => executeQueueSql(client, text, values) },
    migrate: async () => {
      const lone = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 5 })
      try {
        await lone`select pg_advisory_lock(${migrationLock})`
        await migratePostgres(drizzlePostgres(lone), { migrationsFolder })
      } finally {
        // Ending the session gives the lock back.
        await lone.end({ timeout: 5 })
      }
    },
    close: () => client.end({ timeout: 5 }),
  }
}

/**
 * Drizzle hands postgres.js finished text, which that driver does not prepare unless told to. Every statement here has a
 * fixed text, so each is parsed and planned once a connection.
 */
function prepared(client: postgres.Sql): postgres.Sql {
  const { unsafe, begin } = client
  client.unsafe = ((text: string, values?: never[], options?: object) =>
    unsafe(text, values, values?.length ? { prepare: true, ...options } : options)) as typeof unsafe
  if (begin)
    client.begin = ((work: (tx: postgres.Sql) => unknown) => begin((tx) => work(prepared(tx as never)))) as never
  return client
}

/**
 * Drizzle has made the client's json serializer the identity, which is what pg-boss's ready-made text needs. Its texts
 * without parameters may be whole transactions, so they get a connection of their own.
 */
async function executeQueueSql(client: postgres.Sql, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  if (values?.length) return { rows: await client.unsafe(text, values as never[]) }
  const connection = await client.reserve()
  try {
    const result: unknown[] = await connection.unsafe(text)
    return { rows: Array.isArray(result[0]) ? result.flat() : result }
  } catch (error) {
    await connection.unsafe('rollback').catch(() => {})
    throw error
  } finally {
    connection.release()
  }
}

async function openEmbedded(dataDir: string | undefined): Promise<Database> {
  const release = dataDir === undefined ? () => {} : await holdAlone(dataDir)
  const client = dataDir === undefined ? new PGlite() : new PGlite(join(dataDir, 'database'))
  const db = drizzlePglite(client)
  return {
    db: db as unknown as Session,
    kind: 'embedded',
    queueDb: fromPglite(client),
    migrate: () => migratePglite(db, { migrationsFolder }),
    close: async () => {
      await client.close()
      release()
    },
  }
}

/**
 * Takes the data folder for this process. The operating system gives the lock back however the process ends, which a
 * file with a process id cannot promise; that id is written beside it for people.
 */
async function holdAlone(dataDir: string): Promise<() => void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  const holderFile = join(dataDir, 'lock.pid')
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new DatabaseHeld(dataDir, readHolder(holderFile))
  }
  writeFileSync(holderFile, `${process.pid}\n`)
  return () => lock.close()
}

function readHolder(holderFile: string): string {
  try {
    return `process ${readFileSync(holderFile, 'utf8').trim()}`
  } catch {
    return 'another process'
  }
}

/** Resolves when the database answers. */
export async function ping(session: Session): Promise<void> {
  await session.execute(sql`select 1`)
}
