/** Databases for tests: copies of the template, each for one test file alone. */
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import type { DatabaseSettings } from '../../src/store/engine/connect.ts'

export interface TestDatabase {
  settings: DatabaseSettings & { kind: 'postgres' }
  /** Runs a statement beside the server. */
  sql: postgres.Sql
  /**
   * Keeps others from a table.
   *
   * @param mode as PostgreSQL names it; without one, others may not even read
   * @returns lets them have it again
   */
  hold: (table: string, mode?: 'share' | 'share update exclusive') => Promise<() => Promise<void>>
  /** @returns the connections that wait for a lock with a statement that holds the text */
  stuckAt: (text: string) => Promise<number[]>
  /** Ends connections, as it does when their processes end. */
  terminate: (pids: number[]) => Promise<void>
  drop: () => Promise<void>
}

/** A database on the run's PostgreSQL. It is kept when its test file fails to drop it, for a look. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice: () => {} })
  // Copies of one template wait for each other, and PostgreSQL refuses rather than waits when somebody is connected to it.
  await admin`select pg_advisory_lock(1)`
  // PostgreSQL 14 has but this one, without a name for it.
  const strategy = inject('postgresMajor') < 15 ? '' : 'strategy file_copy'
  await admin.unsafe(`create database ${name} template template_watchword ${strategy}`)
  await admin`select pg_advisory_unlock(1)`
  const url = `${server}/${name}`
  const sql = postgres(url, { max: 4, onnotice: () => {} })
  return {
    settings: { kind: 'postgres', url, connectionsMax: 20 },
    sql,
    hold: (table, mode) => hold(sql, table, mode),
    stuckAt: async (text) => {
      const found = await sql<{ pid: number }[]>`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and position(${text} in query) > 0`
      return found.map(({ pid }) => pid)
    },
    terminate: async (pids) => {
      if (pids.length > 0) await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as gone (pid)`
    },
    drop: async () => {
      await sql.end()
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

async function hold(sql: postgres.Sql, table: string, mode = 'access exclusive'): Promise<() => Promise<void>> {
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in ${tx.unsafe(mode)} mode`
    held.resolve()
    await over.promise
  })
  await Promise.race([held.promise, holder])
  return async () => {
    over.resolve()
    await holder
  }
}
