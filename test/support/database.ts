/** Databases for tests: copies of the template, each for one test file alone. */
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import type { DatabaseSettings } from '../../src/store/connect.ts'

export interface TestDatabase {
  settings: DatabaseSettings & { kind: 'postgres' }
  /** Runs a statement beside the server. */
  sql: postgres.Sql
  drop: () => Promise<void>
}

/** A database on the run's PostgreSQL. It is kept when its test file fails to drop it, for a look. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice: () => {} })
  // Copies of one template wait for each other, and PostgreSQL refuses rather than waits when somebody is connected to it.
  await admin`select pg_advisory_lock(1)`
  await admin.unsafe(`create database ${name} template template_watchword strategy file_copy`)
  await admin`select pg_advisory_unlock(1)`
  const url = `${server}/${name}`
  const sql = postgres(url, { max: 4, onnotice: () => {} })
  return {
    settings: { kind: 'postgres', url, connectionsMax: 20 },
    sql,
    drop: async () => {
      await sql.end()
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
