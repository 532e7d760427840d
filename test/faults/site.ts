/** Versions of the service beside each other on one database, and what leads callers to those that serve. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { launchProcess, type Process, type Running, whenReady } from '../support/process.ts'
import type { Service } from './service.ts'

/** Whose code runs: a name for it, and where it is. */
export interface Version extends Placed {
  name: string
}

/** A checkout, or an empty folder in which a package is installed with this command. */
export interface Placed {
  folder: string
  command?: string
}

/** The processes of a version: one that serves, and one that delivers. */
export interface Pair {
  version: string
  post: Service['post']
  get: (path: string) => Promise<Response>
  opsUrl: string
  /** What a sandbox phone has got. */
  textsOn: (phone: string) => Promise<string[]>
  /** What was answered 200 here so far, and messages that its worker has delivered. */
  done: () => { answered: number; delivered: number }
}

export interface Site {
  settings: Record<string, string>
  /** Runs an operator's command of a version. */
  command: (version: Version, ...words: string[]) => Promise<Ended>
  /** Starts its processes, and leads callers to them too. @throws Error when they do not get ready */
  open: (version: Version) => Promise<Pair>
  /** Leads callers to others, waits for those that were led there, and ends the processes. @returns their exit codes */
  shut: (pair: Pair) => Promise<(number | null)[]>
  /** Those that callers are led to, another one first each time. */
  pairs: () => Pair[]
  /** Asks one after the other. */
  post: Service['post']
  stop: () => Promise<void>
}

export interface Ended {
  code: number | null
  output: string
  errors: string
}

interface Open extends Pair {
  /** Requests under way. */
  busy: () => number
  processes: Running[]
}

export async function openSite(databaseUrl: string): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'watchword-site-'))
  const settings = {
    DATABASE_URL: databaseUrl,
    WATCHWORD_SECRET: 'a secret of the upgrade test that is long enough',
    DATA_DIR: dataDir,
    DEV_KEYS: 'on',
    KEY_RATE_PER_SECOND: '1000000',
    KEY_BURST: '1000000',
    TEST_KEY_RATE_PER_SECOND: '1000000',
    TEST_MESSAGES_MAX: '1000000000',
  }
  const launched: Process[] = []
  const launch = (program: 'cli' | 'main', words: string[], version: Version, more = {}) => {
    const sources = [process.execPath, '--import', './src/loading.js', `src/${program}.ts`]
    const command = version.command ? [version.command] : sources
    const process_ = launchProcess(words, { ...settings, ...more }, { command, folder: version.folder })
    launched.push(process_)
    return process_
  }
  const pairs: Open[] = []
  let turn = 0
  const inTurn = () => {
    turn += 1
    return pairs.map((_pair, index) => pairs[(index + turn) % pairs.length] as Open)
  }
  return {
    settings,
    command: async (version, ...words) => {
      const command = launch('cli', words, version)
      const { code } = await command.ended
      return { code, output: command.output(), errors: command.errors() }
    },
    open: async (version) => {
      const serve = await whenReady(launch('main', ['serve'], version, { WORKER: 'off' }))
      const worker = await whenReady(launch('main', ['worker'], version))
      const key = (await readFile(join(dataDir, 'live-key'), 'utf8')).trim()
      const pair = openPair(version.name, serve, worker, key)
      pairs.push(pair)
      return pair
    },
    shut: async (pair) => {
      const [gone] = pairs.splice(pairs.indexOf(pair as Open), 1)
      while (gone!.busy() > 0) await wait(10)
      const ends = await Promise.all(gone!.processes.map(({ end }) => end('SIGTERM')))
      return ends.map(({ code }) => code)
    },
    pairs: inTurn,
    post: (...asked) => inTurn()[0]!.post(...asked),
    stop: async () => {
      for (const { child } of launched) child.kill('SIGKILL')
      await Promise.all(launched.map(({ ended }) => ended))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function openPair(version: string, serve: Running, worker: Running, key: string): Open {
  let [answered, busy] = [0, 0]
  const ask = async (url: string, init: RequestInit = {}) => {
    busy += 1
    try {
      const headers = { Authorization: `Bearer ${key}`, ...init.headers }
      const response = await fetch(url, { ...init, headers })
      // Whole, so that nothing of it is under way any more.
      const whole = new Response(await response.arrayBuffer(), response)
      if (whole.status === 200 && url.startsWith(serve.url)) answered += 1
      return whole
    } finally {
      busy -= 1
    }
  }
  return {
    version,
    post: (path, body, headers) =>
      ask(serve.url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    get: (path) => ask(serve.url + path),
    textsOn: async (phone) => {
      const answer = await ask(`${serve.opsUrl}/sandbox/messages?phone=${encodeURIComponent(phone)}`)
      return ((await answer.json()) as { text: string }[]).map(({ text }) => text)
    },
    opsUrl: serve.opsUrl,
    done: () => ({ answered, delivered: worker.deliveries() }),
    busy: () => busy,
    processes: [serve, worker],
  }
}
