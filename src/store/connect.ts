/**
 * Opens the database, embedded or not, and hides how the two drivers differ. It knows no table.
 */
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import type { Db as QueueDb } from 'pg-boss'
import { isTransient } from './failure.ts'
import { Pool, PreparingClient } from './pool.ts'

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

export const migrationsFolder = join(import.meta.dirname, 'migrations')
/** Any number, the same in every process: the advisory lock that migrations are made under. */
const migrationLock = 8_207_411
/** Milliseconds that one statement may take. */
const statementMs = 15_000

export async function connect(settings: DatabaseSettings): Promise<Database> {
  if (settings.kind === 'postgres') return connectPostgres(settings.url, settings.connectionsMax)
  // Loaded here, so that only who needs it does.
  const { openEmbedded } = await import('./embedded.ts')
  return openEmbedded(settings.kind === 'memory' ? undefined : settings.dataDir)
}

/** The rows of a raw statement. Times come as text. */
export async function rows<Row>(session: Session, statement: SQL): Promise<Row[]> {
  return ((await session.execute(statement)) as unknown as { rows: Row[] }).rows
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
  const settings = {
    connectionString: url,
    application_name: 'watchword',
    connectionTimeoutMillis: 3000,
    keepAlive: true,
  }
  const pool = new Pool({
    ...settings,
    Client: PreparingClient,
    max: connectionsMax,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    // A server that is gone without a word ends no statement; the driver does.
    query_timeout: statementMs + 1000,
  })
  // Of an idle connection that broke: the pool has dropped it, and the next query makes another.
  pool.on('error', () => {})
  return {
    db: drizzlePostgres(pool) as unknown as Session,
    kind: 'postgres',
    queueDb: {
      executeSql: (text, values) => (values?.length ? pool.query(text, values) : executeScript(pool, text)),
    },
    migrate: async () => {
      const lone = new PreparingClient(settings)
      try {
        await lone.connect()
        await lone.query('select pg_advisory_lock($1)', [migrationLock])
        await migratePostgres(drizzlePostgres(lone), { migrationsFolder })
      } finally {
        // Ending the session gives the lock back.
        await lone.end()
      }
    },
    close: () => pool.end(),
  }
}

/** Runs one of pg-boss's texts without parameters: several statements, which may be a transaction. */
async function executeScript(pool: pg.Pool, text: string): Promise<{ rows: unknown[] }> {
  const client = await pool.connect()
  try {
    const results: pg.QueryResult | pg.QueryResult[] = await client.query(text)
    client.release()
    return { rows: [results].flat().flatMap((result) => result.rows) }
  } catch (error) {
    // It may have left a transaction open: this connection is given to nobody else.
    client.release(true)
    throw error
  }
}

/** Resolves when the database answers. */
export async function ping(session: Session): Promise<void> {
  await session.execute(sql`select 1`)
}
