/**
 * Measures the hot paths on a real PostgreSQL: requests a second, and CPU microseconds of the server a request. Absolute
 * figures belong to one machine and one moment; compare two runs that were made in turn.
 *
 * npm run bench -- [seconds] [callers]
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryPostgres } from '../test/support/postgres.ts'
import { launchProcess, type Running, whenReady } from '../test/support/process.ts'

const [seconds = 5, callers = 32] = process.argv.slice(2).map(Number)

const dataDir = await mkdtemp(join(tmpdir(), 'watchword-bench-data-'))
const postgres = await temporaryPostgres('bench', ['max_connections=100'])
const settings = {
  DATABASE_URL: postgres.url,
  WATCHWORD_SECRET: 'a secret of the benchmark that is long enough',
  DATA_DIR: dataDir,
  DEV_KEYS: 'on',
  NODE_ENV: 'production',
  KEY_RATE_PER_SECOND: '1000000',
  KEY_BURST: '1000000',
}
const api = await whenReady(launchProcess('serve', { ...settings, WORKER: 'off' }))
const key = (await readFile(join(dataDir, 'live-key'), 'utf8')).trim()
const agent = new Agent({ keepAlive: true, maxSockets: callers })
const write = (line: string) => process.stdout.write(`${line}\n`)

try {
  let phones = 0
  const ids: string[] = []
  const phone = () => `+1${415 + (phones % 2)}${String(2_000_000 + (phones++ >> 1))}`
  write(`${seconds} s, ${callers} callers      requests/s   CPU µs/request`)
  await measure('send', async () => {
    const { data } = await call('POST', '/v1/verify/send', { phone: phone() })
    ids.push(data.request_id as string)
  })
  let next = 0
  const id = () => ids[next++ % ids.length] as string
  await measure('check (wrong, right, used)', () =>
    call('POST', '/v1/verify/check', { request_id: id(), code: '123456' }),
  )
  await measure('get', () => call('GET', `/v1/messages/${id()}`))
  await measure('notify', () =>
    call('POST', '/v1/notifications/send', { phone: phone(), template: 'welcome', variables: { name: 'Ada' } }),
  )
  await measureWorker()
} finally {
  agent.destroy()
  await api.end('SIGTERM')
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const before = await cpuSeconds(api)
  const end = performance.now() + seconds * 1000
  let done = 0
  const caller = async () => {
    for (; performance.now() < end; done++) await work()
  }
  await Promise.all(Array.from({ length: callers }, caller))
  report(name, done, seconds, (await cpuSeconds(api)) - before)
}

/** How fast a worker brings through what the other measures have left. */
async function measureWorker(): Promise<void> {
  const started = performance.now()
  const worker = await whenReady(launchProcess('worker', settings))
  let seen = -1
  while (worker.deliveries() !== seen) {
    seen = worker.deliveries()
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  report('deliver and settle', seen, (performance.now() - started) / 1000 - 1, await cpuSeconds(worker))
  await worker.end('SIGTERM')
}

function report(name: string, done: number, took: number, cpu: number): void {
  write(`${name.padEnd(28)}${(done / took).toFixed(0).padStart(10)}${((cpu / done) * 1e6).toFixed(0).padStart(16)}`)
}

async function cpuSeconds({ opsUrl }: Running): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1])
}

function call(method: string, path: string, body?: object): Promise<{ data: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const sent = request(api.url + path, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 429) resolve(JSON.parse(text))
        else reject(new Error(`${response.statusCode} ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}
