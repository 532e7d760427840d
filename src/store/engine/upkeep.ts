/**
 * What a PostgreSQL server does beside its work, for the embedded one, where nobody would: has the space of dead rows used again,
 * keeps transaction ids from running out, and lets go of the log that a start after a crash would not need.
 */
import { setTimeout } from 'node:timers/promises'
import { codesOf } from './failure.ts'
import { type Reader, read } from './session.ts'

export interface UpkeepLimits {
  /** Transactions since a table was frozen; there are two thousand million ids before one comes again. */
  freezeAge: number
  /** Bytes of the log since the last checkpoint: a start after a crash reads them all. */
  logBytes: number
}

export interface UpkeepParts extends Partial<UpkeepLimits> {
  run: Reader['run']
  /** Runs a statement that is no part of a transaction. */
  command: (text: string) => Promise<unknown>
}

/** Looks after what needs it, a table at a time, so that others come between. */
export type Upkeep = (signal?: AbortSignal) => Promise<void>

/**
 * Tables that are worn, the smallest first. By the rules of autovacuum: a fifth of the rows are dead, of which the counts are
 * lost in a crash; or it has grown by a fifth. Catalogs and what is kept apart from its rows (TOAST) are tables too.
 */
const wornTables = read<{ table: string; isOld: boolean }>(`
  select oid::regclass::text as "table", "isOld"
  from (
    select oid, relpages, reltuples, pg_relation_size(oid) / current_setting('block_size')::int as pages,
      greatest(age(relfrozenxid), mxid_age(relminmxid)) > $1::int as "isOld"
    from pg_class where relkind in ('r', 'm', 't') and relpersistence <> 't'
  ) found
  where "isOld" or pages > relpages * 1.2 + 100
    or pg_stat_get_dead_tuples(oid) > greatest(reltuples, 0) * 0.2 + 50
  order by pages`)

const log = read<{ bytes: number }>(`
  select (pg_current_wal_insert_lsn() - redo_lsn)::float8 as bytes from pg_control_checkpoint()`)

const noSuchTable = '42P01'

export function createUpkeep({
  run,
  command,
  freezeAge = 100_000_000,
  logBytes = 64 * 1024 * 1024,
}: UpkeepParts): Upkeep {
  return async (signal) => {
    const faults: unknown[] = []
    for (const { table, isOld } of await run(wornTables, [freezeAge])) {
      if (signal?.aborted) return
      const startedAt = performance.now()
      await command(`vacuum ${isOld ? '(freeze) ' : ''}${table}`).catch((error) => {
        // A partition that was dropped since.
        if (!codesOf(error).includes(noSuchTable)) faults.push(error)
      })
      // At most half of the time is taken from others.
      await setTimeout(performance.now() - startedAt, undefined, { signal }).catch(() => {})
    }
    const [found] = await run(log, [])
    if (found && found.bytes > logBytes) await command('checkpoint')
    // One table that cannot be read keeps no other from being looked after.
    if (faults.length > 0) throw faults[0]
  }
}
