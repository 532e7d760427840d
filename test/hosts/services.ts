/** The service on each host, an API and a worker, with the servers of all hosts in its settings. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '../faults/service.ts'
import { launchProcess, type Process, type Role, whenReady } from '../support/process.ts'
import type { Host } from './network.ts'

export interface Services {
  settings: Record<string, string>
  urlOf: (host: Host) => string
  /** Asks one host's API. */
  post: (host: Host) => Service['post']
  /** Asks one after the other, as who is led there by a balancer that knows nothing of them. */
  postInTurn: Service['post']
  /** What the operations ports of an API and a worker say on `/readyz`. */
  readiness: (host: Host) => Promise<number[]>
  /** How callers were answered by what ran, by host: each status how often, and milliseconds of the slowest answer. */
  answers: () => Record<string, { statuses: Record<string, number>; slowestMs: number }>
  /** Starts another API on a host. @returns asks it */
  openApi: (host: Host, settings: Record<string, string>) => Promise<Service['post']>
  kill: (host: Host) => Promise<void>
  /** Starts the processes of a host again. */
  start: (host: Host) => Promise<void>
  stop: () => Promise<void>
}

const ports = { api: 3000, ops: 9464, workerOps: 9465 }
/** Milliseconds after which a caller has waited long enough. */
const patienceMs = 30_000

export async function startServices(hosts: readonly Host[], databaseUrl: string): Promise<Services> {
  const dataDir = await mkdtemp(join(tmpdir(), 'watchword-hosts-data-'))
  const settings = {
    DATABASE_URL: databaseUrl,
    WATCHWORD_SECRET: 'a secret of the test of hosts that is long enough',
    DATA_DIR: dataDir,
    HOST: '0.0.0.0',
    OPS_HOST: '0.0.0.0',
    DASHBOARD_PORT: 'off',
    PUBLIC_URL: `http://${hosts.at(-1)?.address}:${ports.api}`,
    CHANNELS_ALLOW_NETWORKS: '10.77.0.0/24',
    KEY_RATE_PER_SECOND: '1000000',
    KEY_BURST: '1000000',
  }
  const launched = new Map<Host, Process[]>(hosts.map((host) => [host, []]))
  const launch = (host: Host, role: Role, own: Record<string, string>) => {
    const command = [...host.enter, process.execPath, '--import', './src/loading.js', 'src/main.ts']
    const place = { command, folder: join(import.meta.dirname, '../..') }
    const started = launchProcess(role, { ...settings, ...own }, place)
    launched.get(host)?.push(started)
    return whenReady(started)
  }
  const serve = (host: Host, own: Record<string, string>) =>
    launch(host, 'serve', { PORT: String(ports.api), OPS_PORT: String(ports.ops), WORKER: 'off', ...own })
  const work = (host: Host) => launch(host, 'worker', { OPS_PORT: String(ports.workerOps) })

  // The first one makes the tables and the keys.
  await serve(hosts[0]!, { DEV_KEYS: 'on' })
  await Promise.all([...hosts.slice(1).map((host) => serve(host, {})), ...hosts.map(work)])
  const key = (await readFile(join(dataDir, 'live-key'), 'utf8')).trim()
  const answers: ReturnType<Services['answers']> = {}
  /** Names of the hosts on which nothing runs: nobody answers there. */
  const down = new Set<string>()
  const posting =
    (name: string, url: string): Service['post'] =>
    async (path, body, headers) => {
      const askedAt = performance.now()
      const wasDown = down.has(name)
      const note = (status: string) => {
        answers[name] ??= { statuses: {}, slowestMs: 0 }
        const own = answers[name]
        own.statuses[status] = (own.statuses[status] ?? 0) + 1
        own.slowestMs = Math.max(own.slowestMs, Math.round(performance.now() - askedAt))
      }
      try {
        const answer = await fetch(url + path, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(patienceMs),
        })
        note(String(answer.status))
        return answer
      } catch (error) {
        if (!wasDown && !down.has(name)) note('none')
        throw error
      }
    }
  const urlOf = ({ address }: Host, port = ports.api) => `http://${address}:${port}`
  const posts = new Map(hosts.map((host) => [host, posting(host.name, urlOf(host))]))
  let turn = 0
  return {
    settings,
    urlOf,
    post: (host) => posts.get(host)!,
    postInTurn: (...asked) => {
      turn += 1
      return posts.get(hosts[turn % hosts.length]!)!(...asked)
    },
    readiness: (host) =>
      Promise.all(
        [ports.ops, ports.workerOps].map(async (port) => (await fetch(`${urlOf(host, port)}/readyz`)).status),
      ),
    answers: () => answers,
    openApi: async (host, own) => {
      await serve(host, { PORT: String(ports.api + 1), OPS_PORT: '0', ...own })
      return posting(`${host.name} alone`, urlOf(host, ports.api + 1))
    },
    kill: async (host) => {
      down.add(host.name)
      for (const { child, ended } of launched.get(host)!.splice(0)) {
        child.kill('SIGKILL')
        await ended
      }
    },
    start: async (host) => {
      await Promise.all([serve(host, {}), work(host)])
      down.delete(host.name)
    },
    stop: async () => {
      for (const { child, ended } of [...launched.values()].flat()) {
        child.kill('SIGKILL')
        await ended
      }
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
