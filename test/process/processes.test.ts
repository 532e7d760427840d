/** Several processes of one start, as an operator and a client meet them: one service, of which a part may die. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../support/client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { createLoad, holdRequest } from '../support/load.ts'
import { freePort } from '../support/port.ts'
import { entriesOf, launchProcess, printed, type Running, whenReady } from '../support/process.ts'
import { newPhone } from '../support/server.ts'

const soon = { interval: 50 }
const keyRate = 10

let folder: string
let database: TestDatabase
let settings: Record<string, string>
let running: Record<'many' | 'killed', Running>
let keys: { test: string; live: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-processes-'))
  database = await createDatabase()
  settings = {
    DATABASE_URL: database.settings.url,
    WATCHWORD_SECRET: 'a secret of the test of processes that is long enough',
    DATA_DIR: folder,
    PROCESSES: '2',
    TEST_KEY_RATE_PER_SECOND: '1000000',
  }
  const started = await Promise.all([
    start({ DEV_KEYS: 'on', KEY_RATE_PER_SECOND: `${keyRate}`, KEY_BURST: `${keyRate}` }),
    start({ WORKER: 'off' }),
  ])
  running = { many: started[0], killed: started[1] }
  const [test = '', live = ''] = await Promise.all(
    ['test-key', 'live-key'].map(async (name) => (await readFile(join(folder, name), 'utf8')).trim()),
  )
  keys = { test, live }
})
afterAll(async () => {
  await Promise.all(Object.values(running ?? {}).map(({ end }) => end('SIGKILL')))
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const start = (more: Record<string, string>) => whenReady(launchProcess('serve', { ...settings, ...more }))

/** The processes that serve, as the log names them. */
const membersOf = (process: Running) =>
  new Set(entriesOf(process).flatMap(({ msg, pid }) => (msg === 'serving' ? [pid as number] : [])))

/** The sum of the lines that begin so. */
async function measured({ opsUrl }: Pick<Running, 'opsUrl'>, start: string): Promise<number> {
  const lines = (await (await fetch(`${opsUrl}/metrics`)).text()).split('\n').filter((line) => line.startsWith(start))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

/** Asks on a connection of its own, which is given to the next process. */
function askAlone(url: string, key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    get(`${url}/v1/messages/req_${'0'.repeat(26)}`, { headers, agent: new Agent() }, async (response) => {
      await text(response)
      resolve(response.statusCode ?? 0)
    }).once('error', reject)
  })
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('several processes', () => {
  let client: Client
  beforeAll(() => {
    client = createClient(running.many.url, keys.test)
  })

  it('are ready when each of them listens, and write nothing about it until then', async () => {
    const opsPort = await freePort()
    const settingsOfThree = { ...settings, PROCESSES: '3', WORKER: 'off', OPS_PORT: String(opsPort) }
    const starting = launchProcess('serve', settingsOfThree)
    const opsUrl = `http://127.0.0.1:${opsPort}`
    const status = () =>
      fetch(`${opsUrl}/readyz`).then(
        (answer) => answer.status,
        () => undefined,
      )
    await expect.poll(status, soon).toBe(200)
    expect(await measured({ opsUrl }, 'watchword_processes{state="serving"}')).toBe(3)
    expect(starting.output()).not.toContain('not ready')
    starting.child.kill('SIGKILL')
    await starting.ended
  })

  it('take connections in turn, and are measured as one', async () => {
    expect(await Promise.all(Array.from({ length: 20 }, () => askAlone(running.many.url, keys.test)))).toEqual(
      Array.from({ length: 20 }, () => 404),
    )
    const answered = 'watchword_request_seconds_count{operation="getMessage",status="404"}'
    expect(await measured(running.many, answered)).toBe(20)
    expect(await measured(running.many, 'watchword_processes{state="serving"}')).toBe(2)
    // What each has read in the database is no sum.
    expect(await measured(running.many, 'nodejs_version_info')).toBe(1)
    expect(await measured(running.many, 'watchword_database_up')).toBe(1)
    await expect
      .poll(() => new Set(entriesOf(running.many).flatMap(({ msg, pid }) => (msg === 'request' ? [pid] : []))), soon)
      .toEqual(membersOf(running.many))
    expect(membersOf(running.many).size).toBe(2)
  })

  it('count the rate of a key together', async () => {
    const startedAt = performance.now()
    const statuses = await Promise.all(Array.from({ length: 5 * keyRate }, () => askAlone(running.many.url, keys.live)))
    const seconds = Math.floor((performance.now() - startedAt) / 1000)
    const passed = statuses.filter((status) => status === 404).length
    expect(new Set(statuses)).toEqual(new Set([404, 429]))
    expect(passed).toBeGreaterThanOrEqual(keyRate)
    expect(passed).toBeLessThanOrEqual(keyRate * (1 + seconds))
  })

  it('deliver each message once, and one port tells what phones have', async () => {
    const phones = Array.from({ length: 20 }, newPhone)
    const ids = await Promise.all(phones.map((phone) => client.send(phone)))
    await expect
      .poll(async () => new Set(await Promise.all(ids.map((id) => client.status(id)))), soon)
      .toEqual(new Set(['delivered']))
    for (const phone of phones) {
      const said = await fetch(`${running.many.opsUrl}/sandbox/messages?phone=${encodeURIComponent(phone)}`)
      expect(await said.json()).toMatchObject([{ phone, text: 'Your code is 000000' }])
    }
  })

  it('serve on when one of them is killed, which is replaced, and nothing that was counted is lost', async () => {
    const { many } = running
    const counted = await measured(many, 'watchword_request_seconds_count')
    const [victim] = membersOf(many)
    process.kill(victim!, 'SIGKILL')
    await printed(many, 'a process ended')
    expect((await fetch(`${many.opsUrl}/readyz`)).status).toBe(200)
    expect(await askAlone(many.url, keys.test)).toBe(404)
    expect(await measured(many, 'watchword_request_seconds_count')).toBeGreaterThan(counted)
    await expect.poll(() => measured(many, 'watchword_processes{state="serving"}'), soon).toBe(2)
    expect(await measured(many, 'watchword_processes_replaced_total')).toBe(1)
    await expect.poll(() => membersOf(many).size, soon).toBe(3)
  })

  it('answer all that they have accepted when they are told to stop, and end with 0', async () => {
    const { many } = running
    const held = await Promise.all(Array.from({ length: 6 }, () => holdRequest(many.url, keys.test, newPhone())))
    const load = createLoad(many.url, keys.test, newPhone)
    await expect.poll(load.answered, soon).toBeGreaterThan(20)
    many.child.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${many.opsUrl}/readyz`)).status, soon).toBe(503)
    const answers = await Promise.all(held.map(({ finish }) => finish()))
    expect(answers).toEqual(held.map(() => ({ status: 200, last: true })))
    expect(new Set(await load.answers())).toEqual(new Set([200]))
    expect(await many.ended).toEqual({ code: 0, signal: null })
    expect([...membersOf(many)].filter(isAlive)).toEqual([])
    expect(entriesOf(many).filter(({ msg }) => msg === 'stopping')).toMatchObject([{ signal: 'SIGTERM' }])
  })

  it('end when the one that started them is killed, with an answer to what they have accepted', async () => {
    const { killed } = running
    const held = await holdRequest(killed.url, keys.test, newPhone())
    process.kill(killed.child.pid!, 'SIGKILL')
    await printed(killed, 'the process that started this one has gone')
    expect(await held.finish()).toEqual({ status: 200, last: true })
    // Which is known when nobody holds their output any more.
    await killed.ended
  })
})

describe('several processes are refused', () => {
  it('like one, when the first cannot start: in one line, with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const refused = launchProcess('serve', { ...settings, PORT: `${port}` })
    expect(await refused.ended).toEqual({ code: 1, signal: null })
    expect(refused.errors()).toBe(`Port ${port} is taken. Set PORT, DASHBOARD_PORT or OPS_PORT to another one.\n`)
    other.close()
  })

  it.each(['2', 'auto'])('on the embedded database, in one line: PROCESSES=%s', async (PROCESSES) => {
    const refused = launchProcess('serve', { DATA_DIR: join(folder, 'embedded'), PROCESSES })
    expect(await refused.ended).toEqual({ code: 1, signal: null })
    expect(refused.errors()).toBe(
      'The settings are wrong:\n' +
        '  PROCESSES: must be 1, because the embedded database has one process; set DATABASE_URL for more\n',
    )
  })
})
