/** PostgreSQL, shared by any number of processes. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { arrayText } from './arrayText.ts'
import { type Clock, createClock, keepTime, serverMs } from './clock.ts'
import { type Database, migrationsFolder } from './database.ts'
import { ConnectionFailed } from './failure.ts'
import { Pool, PreparingClient } from './pool.ts'
import type { Drizzle, Link, Reader } from './session.ts'
import { pinned } from './settings.ts'

/** Any number, the same in every process: the advisory lock that migrations are made under. */
const migrationLock = 8_207_411
/** Milliseconds that one statement may take. */
const statementMs = 15_000

export function connectPostgres(url: string, connectionsMax: number): Database {
  const settings = settingsOf(url)
  const clock = createClock(() => performance.now())
  let time: { stop: () => void } | undefined
  const pool = openPool(settings, connectionsMax, clock)
  const reader: Reader = {
    run: async ({ name, text }, values) =>
      (await pool.query({ name, text, values: parametersOf(values) })).rows as never,
    db: drizzle(pool) as unknown as Drizzle,
  }
  return {
    kind: 'postgres',
    reader,
    transact: (work) => transact(pool, work),
    queueDb: {
      executeSql: (text, values) => (values?.length ? pool.query(text, values) : executeScript(pool, text)),
    },
    migrate: () => migrateAlone(settings),
    now: clock.now,
    pool: () => {
      const { totalCount, idleCount: idle, waitingCount: pending } = pool
      return { used: totalCount - idle, idle, pending, max: connectionsMax }
    },
    keepTime: async () => {
      time ??= await keepTime({ clock, ask: (statement) => reader.run(statement, []) })
    },
    close: () => {
      time?.stop()
      return pool.end()
    },
  }
}

function settingsOf(connectionString: string) {
  return { connectionString, application_name: 'watchword', connectionTimeoutMillis: 3000, keepAlive: true }
}

function openPool(settings: pg.ClientConfig, connectionsMax: number, clock: Clock): Pool {
  const pool = new Pool({
    ...settings,
    Client: PreparingClient,
    // Statements of a transaction are sent without waiting for the one before.
    pipeline: true,
    max: connectionsMax,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    // A server that is gone without a word ends no statement; the driver does.
    query_timeout: statementMs + 1000,
    onConnect: async (client) => {
      // A new connection may be one to another server, whose clock counts from now on.
      const askedAt = performance.now()
      const { rows } = await client.query<{ serverMs: number }>(`${pinned}, ${serverMs}`)
      if (rows[0]) clock.note(rows[0].serverMs, askedAt, performance.now())
    },
  } as pg.PoolConfig)
  // Of an idle connection that broke: the pool has dropped it, and the next query makes another.
  pool.on('error', () => {})
  return pool
}

async function migrateAlone(settings: pg.ClientConfig): Promise<void> {
  const lone = new PreparingClient(settings)
  try {
    await lone.connect()
    await lone.query(pinned)
    await lone.query('select pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle(lone), { migrationsFolder })
  } finally {
    // Ending the session gives the lock back.
    await lone.end()
  }
}

async function transact<T>(pool: Pool, work: (link: Link) => Promise<T>): Promise<T> {
  const client: PreparingClient & pg.PoolClient = await pool.connect()
  const { link, commit, rollBack } = openLink(client)
  try {
    const result = await work(link)
    await commit()
    client.release()
    return result
  } catch (error) {
    // Where the roll-back fails, nobody else may be given this connection.
    client.release(error instanceof ConnectionFailed || !(await rollBack()))
    throw error
  }
}

/** The transaction begins with its first statement, in the same write. */
function openLink(client: PreparingClient) {
  let begun: Promise<unknown> | undefined
  const last: { name: string; text: string; values: readonly unknown[] }[] = []
  const begin = () => {
    if (begun) return
    const sent: Promise<unknown> = client.query('begin')
    begun = sent
    sent.catch(() => {})
  }
  const send = (statement: { name: string; text: string }, values: readonly unknown[]): Promise<pg.QueryResult> =>
    client.query({ name: statement.name, text: statement.text, values: parametersOf(values) })
  const link: Link = {
    run: async (statement, values) => {
      const { rows } = await client.together(() => {
        begin()
        return send(statement, values)
      })
      // A statement whose `begin` failed stood alone: nothing may be built on it.
      await begun
      return rows as never
    },
    atCommit: ({ name, text }, values) => {
      last.push({ name, text, values })
    },
    get db() {
      begin()
      return drizzle(client) as unknown as Drizzle
    },
  }
  const commit = async () => {
    if (!begun && last.length === 0) return
    const sent = client.together(() => {
      begin()
      return [...last.map(({ values, ...statement }) => send(statement, values)), client.query('commit')]
    })
    const results = await Promise.allSettled([begun, ...sent])
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    // To the commit of a transaction that has failed PostgreSQL answers that it rolled back, and no error.
    const { command } = await (sent.at(-1) as Promise<pg.QueryResult>)
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
  }
  const rollBack = () =>
    Promise.resolve(begun && client.query('rollback')).then(
      () => true,
      () => false,
    )
  return { link, commit, rollBack }
}

/** Runs one of pg-boss's texts without parameters: several statements, which may be a transaction. */
async function executeScript(pool: Pool, text: string): Promise<{ rows: unknown[] }> {
  const client: pg.PoolClient = await pool.connect()
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

function parametersOf(values: readonly unknown[]): unknown[] {
  return values.map((value) => (Array.isArray(value) ? arrayText(value) : value))
}
