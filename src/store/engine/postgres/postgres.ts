/** PostgreSQL, shared by any number of processes. */
import type pg from 'pg'
import { type Database, readOnlyBy, requireWrites } from '../database.ts'
import { ConnectionFailed, isReadOnly, NotUtf8, type ReadOnlyBy } from '../failure.ts'
import { bringUpInTurn, type RunSql, whenFree } from '../migrate.ts'
import type { Link, Manner, Reader } from '../session.ts'
import { pinned, pinnedLocally, unbounded } from '../settings.ts'
import { type Clock, createClock, keepTime, serverMs } from './clock.ts'
import { openLink, type Start, sqlParametersOf } from './link.ts'
import { Pool, PreparingClient, toClient } from './pool.ts'
import { createServers, type Servers, watchServers } from './servers.ts'
import { serverUrls, withStrictMode } from './serverUrls.ts'

/** Milliseconds that one statement may take, as a rule. */
const usualMs = 15_000
/** The most milliseconds that a timer takes: 24 days. */
const endlessMs = 2 ** 31 - 1
/**
 * Milliseconds for which a migration may rest between two statements: it does so for moments, unless its machine is gone without a
 * word, and then everybody waits for what it has locked.
 */
const migratingIdleMs = 30_000
/** Milliseconds for a server to say whether it takes writes. */
const probeMs = 2000

type Client = InstanceType<ReturnType<typeof toClient>> & pg.PoolClient

export interface PostgresSettings {
  url: string
  connectionsMax: number
  perTransaction?: boolean
  /** Milliseconds that one statement may take; 15 seconds when left out. */
  statementMs?: number
}

export function connectPostgres({
  url,
  connectionsMax,
  perTransaction = false,
  statementMs = usualMs,
}: PostgresSettings): Database {
  const urls = serverUrls(url).map(withStrictMode)
  const clock = createClock(() => performance.now())
  const clients = new Set<Client>()
  const servers = createServers({
    urls,
    probe: async (server) => (await openWatched(server, perTransaction)).drop(),
    // What is under way on the server before would wait for it in vain.
    onMove: () => {
      for (const client of clients) if (client.server !== servers.current()) client.abort()
    },
  })
  const parts = { connectionsMax, perTransaction, clock, servers, statementMs }
  const pool = openPool(parts)
  pool.on('connect', (client) => clients.add(client as Client))
  pool.on('remove', (client) => clients.delete(client as Client))
  const start = toStart(parts)
  const query = alone(pool, perTransaction ? start.begin : undefined)
  const readingQuery = perTransaction ? query : pool.query.bind(pool)
  const reader: Reader = {
    run: async ({ name, text }, values) =>
      (await readingQuery({ name, text, values: sqlParametersOf(values) })).rows as never,
  }
  const stops: (() => void)[] = []
  return {
    kind: 'postgres',
    reader,
    transact: (work, manner) => transact({ pool, servers, start: manner ? toStart(parts, manner) : start }, work),
    queueDb: {
      executeSql: (text, values) =>
        values?.length
          ? query(text, values)
          : executeScript(pool, text, perTransaction ? locally(statementMs) : undefined),
    },
    migrate: () => migrateAlone(parts),
    now: clock.now,
    pool: () => {
      const { totalCount, idleCount: idle, waitingCount } = pool
      // A query stands in line for a moment even if a connection is free: whoever asks for figures does so just now.
      const free = idle + connectionsMax - totalCount
      return { used: totalCount - idle, idle, pending: Math.max(0, waitingCount - free), max: connectionsMax }
    },
    keepTime: async () => {
      if (stops.length > 0) return
      stops.push((await keepTime({ clock, ask: (statement) => reader.run(statement, []) })).stop)
      if (urls.length > 1)
        stops.push(watchServers({ servers, open: () => openWatched(servers.current(), perTransaction) }).stop)
    },
    upkeep: undefined,
    close: () => {
      for (const stop of stops) stop()
      return pool.end()
    },
  }
}

const settings = {
  application_name: 'watchword',
  connectionTimeoutMillis: 3000,
  // What has no bound in time learns so that its server is gone without a word.
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
}

/** Behind a pooler a connection to the server is everybody's: what a transaction relies on, it brings along. */
const locally = (statementMs: number, idleMs = statementMs) =>
  pinnedLocally({
    statement_timeout: String(statementMs),
    idle_in_transaction_session_timeout: String(idleMs),
    // A plan is made for each execution: one for all values would have every partition of a table in it.
    plan_cache_mode: 'force_custom_plan',
  })
const writing = 'begin isolation level read committed, read write, not deferrable'
const reading = 'begin isolation level repeatable read, read only, not deferrable'

function toStart(
  { perTransaction, statementMs }: Pick<PoolParts, 'perTransaction' | 'statementMs'>,
  { isStill = false, isLong = false }: Manner = {},
): Start {
  // Once anything was asked in it, PostgreSQL lets nobody change what a transaction sees.
  const begin = isStill ? reading : perTransaction ? writing : 'begin'
  const statements = [begin, perTransaction && locally(statementMs), isLong && unbounded]
  return { begin: statements.filter(Boolean).join('; '), patienceMs: isLong ? endlessMs : undefined }
}

interface PoolParts {
  connectionsMax: number
  perTransaction: boolean
  clock: Clock
  servers: Servers
  /** Of one statement; 0 is no bound. */
  statementMs: number
}

function openPool({ connectionsMax, perTransaction, clock, servers, statementMs }: PoolParts): Pool {
  const ofSession = { statement_timeout: statementMs, idle_in_transaction_session_timeout: statementMs }
  const config = {
    ...settings,
    ...(!perTransaction && ofSession),
    Client: toClient(servers),
    prepares: !perTransaction,
    // Statements of a transaction are sent without waiting for the one before.
    pipeline: true,
    max: connectionsMax,
    idleTimeoutMillis: 60_000,
    // A server that is gone without a word ends no statement; the driver does.
    query_timeout: statementMs && statementMs + 1000,
    onConnect: async (client: Client) => {
      // A new connection may be one to another server, whose clock counts from now on.
      const askedAt = performance.now()
      const asked = client.query<{ serverMs: number; readOnlyBy: ReadOnlyBy | null }>(
        `${perTransaction ? 'select' : `${pinned},`} ${serverMs}, ${readOnlyBy}`,
      )
      const { rows } = await asked.catch((error: unknown) => {
        servers.suspect(client.server)
        throw error
      })
      if (rows[0]?.readOnlyBy) servers.suspect(client.server)
      requireWrites(rows[0])
      if (rows[0]) clock.note(rows[0].serverMs, askedAt, performance.now())
    },
  }
  const pool = new Pool(config as unknown as pg.PoolConfig, servers)
  // Of an idle connection that broke: the pool has dropped it, and the next query makes another.
  pool.on('error', () => {})
  return pool
}

/** @throws when the server takes no writes, or does not say so in time */
async function openWatched(connectionString: string, perTransaction: boolean) {
  const lone = new PreparingClient({
    ...settings,
    connectionString,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  })
  const ask = async () => {
    const { rows }: pg.QueryResult<{ readOnlyBy: ReadOnlyBy | null }> = await lone.query(`select ${readOnlyBy}`)
    requireWrites(rows[0])
  }
  const drop = () => lone.abort()
  try {
    await lone.connect()
    // The server ends this one too when the machine is gone.
    if (!perTransaction) await lone.query(pinned)
    await ask()
  } catch (error) {
    drop()
    throw error
  }
  return { ask, drop }
}

async function migrateAlone(parts: PoolParts): Promise<void> {
  const pool = openPool({ ...parts, connectionsMax: 1, statementMs: 0 })
  try {
    await whenFree(async () => {
      const lone: pg.PoolClient = await pool.connect()
      try {
        // One transaction: a lock of the session would stay with a pooler.
        await lone.query(`${writing}; ${locally(0, migratingIdleMs)}`)
        const ask: RunSql = (text, values) => lone.query(text, values)
        await requireUtf8(lone)
        await bringUpInTurn(ask)
        await lone.query('commit')
      } finally {
        lone.release(true)
      }
    })
  } finally {
    await pool.end()
  }
}

/** SQL_ASCII, which a server made under the locale C has, keeps the bytes of UTF-8 as they come. @throws NotUtf8 */
async function requireUtf8(client: pg.PoolClient): Promise<void> {
  const text = `select current_setting('server_encoding') as encoding`
  const [found] = (await client.query<{ encoding: string }>(text)).rows
  const encoding = String(found?.encoding)
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII') throw new NotUtf8(encoding)
}

interface Transacting {
  pool: Pool
  servers: Servers
  start: Start
}

async function transact<T>({ pool, servers, start }: Transacting, work: (link: Link) => Promise<T>): Promise<T> {
  const client: Client = await pool.connect()
  const { link, commit, rollBack } = openLink(client, start)
  try {
    const result = await work(link)
    await commit()
    client.release()
    return result
  } catch (error) {
    if (isReadOnly(error)) servers.suspect(client.server)
    // Where the roll-back fails, nobody else may be given this connection.
    client.release(error instanceof ConnectionFailed || isReadOnly(error) || !(await rollBack()))
    throw error
  }
}

/** Runs one statement in a transaction of its own, all in one write. @param begin where PostgreSQL does not make one by itself */
function alone(pool: Pool, begin: string | undefined) {
  return async (statement: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    const client: Client = await pool.connect()
    const send = (): Promise<pg.QueryResult> => client.query(statement, values)
    const sendAll = () => Promise.all([client.query(begin), send(), client.query('commit')] as const)
    try {
      const result = begin ? (await client.together(sendAll))[1] : await send()
      client.requireConfirmed()
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

/** Runs one of pg-boss's texts without parameters: several statements, which may be a transaction. */
async function executeScript(pool: Pool, text: string, first?: string): Promise<{ rows: unknown[] }> {
  const client: Client = await pool.connect()
  try {
    const asked: Promise<pg.QueryResult | pg.QueryResult[]> = client.query(first ? `${first}; ${text}` : text)
    const results = await asked
    client.requireConfirmed()
    client.release()
    const own = [results].flat().slice(first ? 1 : 0)
    return { rows: own.flatMap((result) => result.rows) }
  } catch (error) {
    // It may have left a transaction open: this connection is given to nobody else.
    client.release(true)
    throw error
  }
}
