/** A database that is open, whichever it is. It knows no table. */
import type { Db as QueueDb } from 'pg-boss'
import { type ReadOnlyBy, TakesNoWrites } from './failure.ts'
import { type Link, type Manner, type Reader, read } from './session.ts'
import type { Upkeep } from './upkeep.ts'

export interface Database {
  /** PGlite, which one process holds alone; or a PostgreSQL that many share. */
  kind: 'embedded' | 'postgres'
  reader: Reader
  /** Runs `work` in one transaction, once. For `commit.ts` alone. */
  transact: <T>(work: (link: Link) => Promise<T>, manner?: Manner) => Promise<T>
  /** What pg-boss runs its own statements on. */
  queueDb: QueueDb
  /** Brings the tables to this version. Safe to call from many processes at once. */
  migrate: () => Promise<void>
  /** The database's own time, which rules wherever processes could differ. */
  now: () => Date
  /** This process's connections; undefined where the database is in this process. `pending`: how many wait for one. */
  pool: () => { used: number; idle: number; pending: number; max: number } | undefined
  /** Resolves once `now` is right, and keeps it so. */
  keepTime: () => Promise<void>
  /** What keeps its files small and its rows readable, from time to time; undefined where the database sees to that itself. */
  upkeep: Upkeep | undefined
  close: () => Promise<void>
}

/** Seconds after which a commit that still waits for a standby counts as one that none will confirm. */
const unconfirmedSeconds = 5

/**
 * SQL for why the server does no writes; null when it does. A transaction could say that it writes all the same, and where somebody
 * has turned that off for all, that may be to save the database: so nobody here does. A primary that has lost its standbys
 * takes writes, but confirms none. It may be an old one that is cut off, and another has been promoted meanwhile.
 */
export const readOnlyBy = `case when pg_is_in_recovery() then 'standby'
  when 'on' in (current_setting('transaction_read_only'), current_setting('default_transaction_read_only')) then 'setting'
  when exists (select from pg_stat_activity where datname = current_database() and usename = current_user
    and wait_event = 'SyncRep' and clock_timestamp() - query_start > interval '${unconfirmedSeconds} s') then 'unconfirmed'
  end as "readOnlyBy"`

/** @throws TakesNoWrites */
export function requireWrites(row: { readOnlyBy: ReadOnlyBy | null } | undefined): void {
  if (row?.readOnlyBy) throw new TakesNoWrites(row.readOnlyBy)
}

const mode = read<{ readOnlyBy: ReadOnlyBy | null }>(`select ${readOnlyBy}`)

const serverConnections = read<{ used: number; max: number }>(`
  select (select sum(numbackends) from pg_stat_database)::int as used,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int as max`)

/** Resolves when the database answers, and takes writes. @throws TakesNoWrites */
export async function ping(reader: Reader): Promise<void> {
  const [row] = await reader.run(mode, [])
  requireWrites(row)
}

/** Of the database's server, everybody's: those that are open, and how many it lets in. */
export async function countServerConnections(reader: Reader): Promise<{ used: number; max: number } | undefined> {
  const [row] = await reader.run(serverConnections, [])
  return row
}
