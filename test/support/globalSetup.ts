/** One real PostgreSQL for the run, and a template database from which every test file gets a copy of its own. */
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/app/admin.ts'
import { testConfig } from './config.ts'
import type { InstalledPackage } from './installedPackage.ts'
import { temporaryPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server; without a database. */
    postgresUrl: string
    /** Of the server, like 18. */
    postgresMajor: number
    engine: 'postgres' | 'memory'
    /** Whether the contract is watched by a Prism proxy in front of the server. */
    proxied: boolean
    /** The package that tests run on; undefined where they run on the checkout. */
    installed: InstalledPackage | undefined
    /** How many requests may share a transaction. */
    membersMax: number
  }
}

const template = 'template_watchword'

export default (project: TestProject) =>
  provideDatabases(project, (url) => migrate(testConfig({ kind: 'postgres', url, connectionsMax: 2 })))

/** @param prepare makes the tables of the template @returns what stops it */
export async function provideDatabases(project: TestProject, prepare: (url: string) => Promise<unknown>) {
  // A test's data need not outlive the machine. Everything else is as it would be.
  const flags = ['fsync=off', 'max_connections=300']
  // A database is hundreds of files: on a disk, each copy takes ten times as much of a processor.
  const { url, stop } = await temporaryPostgres(template, flags, { inMemory: true })
  await prepare(url)
  project.provide('postgresUrl', url.replace(`/${template}`, ''))
  const sql = postgres(url, { max: 1 })
  const [row] = await sql<{ major: number }[]>`select current_setting('server_version_num')::int / 10000 as major`
  const { major } = row!
  // A password takes a third of the time that it takes PostgreSQL to open a connection, of which there are thousands.
  if (major >= 16) await sql.unsafe(`set scram_iterations = 1; alter role postgres password 'postgres'`)
  await sql.end()
  project.provide('postgresMajor', major)
  return stop
}
