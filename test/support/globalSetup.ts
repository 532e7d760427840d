/** One real PostgreSQL for the run, and a template database from which every test file gets a copy of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/admin.ts'
import { testConfig } from './config.ts'
import { freePort } from './port.ts'
import { postgresServer } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server; without a database. */
    postgresUrl: string
    engine: 'postgres' | 'memory'
    /** Whether the contract is watched by a Prism proxy in front of the server. */
    proxied: boolean
  }
}

export default async function setup(project: TestProject) {
  const port = await freePort()
  const databaseDir = await mkdtemp(join(tmpdir(), 'watchword-postgres-'))
  // A test's data need not outlive the machine. Everything else is as it would be.
  const postgres = await postgresServer(databaseDir, port, ['fsync=off', 'max_connections=300'])
  await postgres.initialise()
  await postgres.start()
  await postgres.createDatabase('template_watchword')
  const postgresUrl = `postgres://postgres:postgres@127.0.0.1:${port}`
  await migrate(testConfig({ kind: 'postgres', url: `${postgresUrl}/template_watchword`, connectionsMax: 2 }))
  project.provide('postgresUrl', postgresUrl)
  return async () => {
    await postgres.stop()
    await rm(databaseDir, { recursive: true, force: true })
  }
}
