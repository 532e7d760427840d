/** A primary and a synchronous standby: real servers, which take each other's place. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { freePort } from '../support/port.ts'
import { postgresServer, type ServerOptions } from '../support/postgres.ts'
import { copyFiles, processesOf, type Strike, signal } from './standby.ts'

const run = promisify(execFile)

export interface Cluster {
  /** Names both servers. */
  url: string
  ports: readonly number[]
  /** Of one of the two. */
  urlOf: (node: number) => string
  /** Which of the two takes writes. */
  primary: () => number
  /** Has the primary send the standby nothing any more: what it commits from now on, it has alone. */
  cutLine: () => Promise<void>
  /** Ends the primary, or has it stand still with all its connections open. */
  strike: (how: Strike) => Promise<void>
  /** As an operator restarts the primary: whoever is connected is told, and it writes down what it has. @param awayMs meanwhile */
  restart: (awayMs: number) => Promise<void>
  /** Has the standby take writes. @returns when it does */
  promote: () => Promise<void>
  /** Makes the primary that was struck a standby of the new one, and has commits wait for it again. */
  rejoin: () => Promise<void>
  /** Starts those that were ended from outside, as by a Ctrl-C. */
  revive: () => Promise<void>
  stop: () => Promise<void>
}

/** Milliseconds for a server to come up, and for a standby to have what the primary has. */
const upMs = 60_000
const database = 'failover'
/** The new standby reads what it lacks from the primary's log. */
const flags = ['wal_keep_size=512MB', 'max_wal_size=256MB', 'wal_level=replica', 'hot_standby=on']

/** @param folder that it may make and own. @param options as a server has them */
export async function openCluster(folder: string, options: Pick<ServerOptions, 'hasOwnEnd'> = {}): Promise<Cluster> {
  const nodes = [await openNode(join(folder, 'a'), options), await openNode(join(folder, 'b'), options)] as const
  let primary = 0
  const at = (node: number) => nodes[node] as Node
  const stop = async () => {
    for (const node of nodes) await node.strike('SIGKILL')
  }
  try {
    await at(0).create()
    await at(0).follow(at(1))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `postgres://postgres:postgres@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`,
    ports: nodes.map(({ port }) => port),
    urlOf: (node) => at(node).url(database),
    primary: () => primary,
    cutLine: () => at(primary).cutLine(),
    strike: (how) => at(primary).strike(how),
    restart: async (awayMs) => {
      await at(primary).strike('SIGINT')
      await wait(awayMs)
      await at(primary).start()
      await at(primary).isFollowed()
    },
    promote: async () => {
      primary = 1 - primary
      await at(primary).ask((sql) => sql`select pg_promote(wait => true)`)
    },
    rejoin: async () => {
      await at(1 - primary).strike('SIGKILL')
      await at(primary).follow(at(1 - primary))
    },
    revive: async () => {
      for (const node of [at(primary), at(1 - primary)]) if (!(await node.isAlive())) await node.start()
      await at(primary).isFollowed()
    },
    stop,
  }
}

type Node = Awaited<ReturnType<typeof openNode>>

async function openNode(folder: string, options: ServerOptions) {
  const port = await freePort()
  let log = ''
  let pids: number[] = []
  const listen = (text: unknown) => {
    log += text
  }
  const create = () => postgresServer(folder, port, flags, { ...options, onLog: listen })
  const url = (name: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${name}`

  const ask = async <T>(question: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
    const sql = postgres(url('postgres'), { max: 1, onnotice: () => {} })
    try {
      return await question(sql)
    } finally {
      await sql.end()
    }
  }
  /** A standby never says that it takes all connections, for which its starter would wait. */
  const start = async () => {
    const server = await create()
    let hasEnded = false
    server.start().catch(() => {
      hasEnded = true
    })
    for (const until = Date.now() + upMs; ; await wait(50)) {
      if (await ask((sql) => sql`select 1`).catch(() => undefined)) return
      if (hasEnded || Date.now() > until) throw new Error(`the server does not come up:\n${log.slice(-2000)}`)
    }
  }
  /** Resolves when commits wait for a standby that is there. */
  const isFollowed = () =>
    ask(async (sql) => {
      for (const until = Date.now() + upMs; ; await wait(50)) {
        const [standby] = await sql`select sync_state from pg_stat_replication`
        if (standby?.sync_state === 'sync') return
        if (Date.now() > until) throw new Error('the standby does not follow')
      }
    })
  return {
    port,
    url,
    ask,
    start,
    isFollowed,
    isAlive: async () => (await processesOf(folder, [])).length > 0,
    folder,
    create: async () => {
      const server = await create()
      await server.initialise()
      await start()
      await ask((sql) => sql.unsafe(`create database ${database}`))
    },
    cutLine: async () => {
      const [sender] = await ask((sql) => sql<{ pid: number }[]>`select pid from pg_stat_replication`)
      if (sender) signal(sender.pid, 'SIGSTOP')
    },
    strike: async (how: Strike) => {
      pids = await processesOf(folder, pids)
      const struck = how === 'SIGQUIT' || how === 'SIGINT' ? pids.slice(0, 1) : pids
      for (const pid of struck) signal(pid, how)
      if (how === 'SIGSTOP') return
      while (pids.some((pid) => signal(pid, 0))) await wait(20)
      // The numbers may be others' from now on.
      pids = []
    },
    /** Makes the other one a standby of this one, from a copy that is taken while it runs. */
    follow: async (other: { folder: string; start: () => Promise<void> }) => {
      await ask(async (sql) => {
        await sql`alter system set synchronous_standby_names = ''`
        await sql`select pg_reload_conf()`
        await sql`select pg_backup_start('standby', fast => true)`
        await copyFiles(folder, other.folder)
        const [stopped] = await sql`select labelfile from pg_backup_stop(wait_for_archive => false)`
        await writeFile(join(other.folder, 'backup_label'), stopped?.labelfile as string)
      })
      const source = `host=127.0.0.1 port=${port} user=postgres password=postgres application_name=standby`
      await writeFile(
        join(other.folder, 'postgresql.auto.conf'),
        // On the one that is promoted, nobody waits for a standby that is not there yet.
        `primary_conninfo = '${source}'\nsynchronous_standby_names = ''\n`,
      )
      await writeFile(join(other.folder, 'standby.signal'), '')
      await run('chown', ['-R', '--reference', folder, other.folder])
      await other.start()
      await ask(async (sql) => {
        await sql`alter system set synchronous_standby_names = 'standby'`
        await sql`select pg_reload_conf()`
      })
      await isFollowed()
    },
  }
}
