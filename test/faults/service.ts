/** The service as processes that are killed and started again: an API and two workers. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchProcess, type Process, type Role, type Running, whenReady } from '../support/process.ts'

export interface Service {
  /** What each process has in its environment. */
  settings: Record<string, string>
  /** Where a path of the API is. */
  urlOf: (path: string) => string
  /** Where the operations ports of those that run now are. */
  opsUrls: () => string[]
  /** All that its processes have ever said. */
  said: () => string
  /** Asks the API with a live key, unless another is given. It has another address after each start. */
  post: (path: string, body: object, headers?: Record<string, string>) => Promise<Response>
  get: (path: string, headers?: Record<string, string>) => Promise<Response>
  killApi: () => Promise<void>
  killWorker: (which: number) => Promise<void>
  /** Starts those that were killed, and those that ended because the database was away. */
  revive: () => Promise<void>
  stop: () => Promise<void>
}

export const workersMax = 2

/** @param more settings; with a `PORT`, the API is found under one address after each start */
export async function startService(databaseUrl: string, more: Record<string, string> = {}): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'watchword-faults-data-'))
  const settings = {
    DATABASE_URL: databaseUrl,
    WATCHWORD_SECRET: 'a secret of the fault test that is long enough',
    DATA_DIR: dataDir,
    DEV_KEYS: 'on',
    KEY_RATE_PER_SECOND: '1000000',
    KEY_BURST: '1000000',
    TEST_KEY_RATE_PER_SECOND: '1000000',
    TEST_MESSAGES_MAX: '1000000000',
  }
  const launched: Process[] = []
  const run = (role: Role, own: Record<string, string>) => {
    const process = launchProcess(role, { ...settings, ...own })
    launched.push(process)
    return whenReady(process)
  }
  const runApi = () => run('serve', { ...more, WORKER: 'off' })
  const { PORT: _port, ...ofWorker } = more
  const runWorker = () => run('worker', ofWorker)
  let api = await runApi()
  const workers = await Promise.all(Array.from({ length: workersMax }, runWorker))
  const key = (await readFile(join(dataDir, 'live-key'), 'utf8')).trim()
  const hasEnded = ({ child }: Running) => child.exitCode !== null || child.signalCode !== null
  return {
    settings,
    urlOf: (path) => api.url + path,
    opsUrls: () => [api, ...workers].map(({ opsUrl }) => opsUrl),
    said: () => launched.map((process) => process.output() + process.errors()).join(''),
    post: (path, body, headers) =>
      fetch(api.url + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    get: (path, headers) => fetch(api.url + path, { headers: { Authorization: `Bearer ${key}`, ...headers } }),
    killApi: async () => void (await api.end('SIGKILL')),
    killWorker: async (which) => void (await workers[which]?.end('SIGKILL')),
    revive: async () => {
      if (hasEnded(api)) api = await runApi()
      for (const [index, worker] of workers.entries()) if (hasEnded(worker)) workers[index] = await runWorker()
    },
    stop: async () => {
      await Promise.all([api, ...workers].map(({ end }) => end('SIGKILL')))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
