/** The process as an operator meets it: started, refused, killed, stopped, and what it leaves in its log. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { type Client, createClient } from '../support/client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { createLoad, holdRequest } from '../support/load.ts'
import {
  entriesOf,
  launchProcess,
  type Process,
  printed,
  type Role,
  type Running,
  whenReady,
} from '../support/process.ts'

const secret = 'a secret of the process test that is long enough'
const soon = { interval: 50 }
const brand = 'Quillon'

const started: Process[] = []
/** What no log may hold, by what it is. */
const confidential = { codes: [] as string[], keys: [secret], variables: [] as string[], phones: [] as string[] }

let folder: string
let database: TestDatabase
let settings: { embedded: Record<string, string>; postgres: Record<string, string> }
let first: Running
let api: Running
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-process-'))
  database = await createDatabase()
  settings = {
    embedded: { DATA_DIR: join(folder, 'embedded') },
    postgres: {
      DATABASE_URL: database.settings.url,
      WATCHWORD_SECRET: secret,
      WORKER: 'off',
      DATA_DIR: join(folder, 'postgres'),
    },
  }
  const starting = start('serve', { ...settings.embedded, WORKER: 'off' })
  api = await start('serve', { ...settings.postgres, DEV_KEYS: 'on', TEST_KEY_RATE_PER_SECOND: '1000000' })
  first = await starting
})
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('on the embedded database', () => {
  const names = ['secret', 'test-key', 'live-key'] as const
  let files: string[]
  let last: Running
  let messages: { id: string; phone: string; text: string }[]
  let liveCode: { id: string; phone: string }

  const pathOf = (name: string) => join(folder, 'embedded', name)
  const readFiles = () => Promise.all(names.map(async (name) => (await readFile(pathOf(name), 'utf8')).trim()))
  const withKey = ({ url }: Running, mode: 'test' | 'live') => createClient(url, files[names.indexOf(`${mode}-key`)])

  beforeAll(async () => {
    files = await readFiles()
    confidential.keys.push(...files)
  })

  it('makes a secret, a test key and a live key at its first start, which only their owner can read', async () => {
    expect(files).toEqual([
      expect.stringMatching(/^[0-9A-Za-z+/]{43}=$/),
      expect.stringMatching(/^ww_test_[0-9A-Za-z]{49}$/),
      expect.stringMatching(/^ww_live_[0-9A-Za-z]{49}$/),
    ])
    const modes = await Promise.all(names.map(async (name) => (await stat(pathOf(name))).mode & 0o777))
    expect(modes).toEqual([0o600, 0o600, 0o600])
    expect((await stat(pathOf('.'))).mode & 0o777).toBe(0o700)
  })

  it('takes little memory at rest, from its first start on', async () => {
    expect(await residentMegabytes(first)).toBeLessThan(450)
  })

  it('starts well after a first start that was killed on the way', async () => {
    const dataDir = join(folder, 'killed')
    const killed = launch('serve', { DATA_DIR: dataDir })
    await expect.poll(() => readdir(join(dataDir, 'database')).catch(() => []), soon).not.toEqual([])
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(killed.output()).toBe('')

    const next = await start('serve', { DATA_DIR: dataDir })
    const key = (await readFile(join(dataDir, 'test-key'), 'utf8')).trim()
    confidential.keys.push(key)
    expect(await createClient(next.url, key).send(nextPhone())).toMatch(/^req_/)
    await next.end('SIGKILL')
  }, 120_000)

  it('keeps others out of the database, whatever the folder around it allows', async () => {
    expect((await stat(join(settings.embedded.DATA_DIR as string, 'database'))).mode & 0o777).toBe(0o700)
  })

  it('refuses a second process the folder, in one line that names the first', async () => {
    const second = launch('serve', settings.embedded)
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.errors()).toBe(
      `The embedded database in ${join(folder, 'embedded')} is in use by process ${first.child.pid}. Stop it first; ` +
        'or set DATABASE_URL, because a PostgreSQL can be shared by many processes.\n',
    )
    expect(second.output()).toBe('')
    expect((await fetch(`${first.opsUrl}/readyz`)).status).toBe(200)
  })

  it('brings what it acknowledged to the phone once, though killed before and during the delivery', async () => {
    const livePhone = nextPhone()
    liveCode = { phone: livePhone, id: await withKey(first, 'live').send(livePhone, { length: 8, brand_name: brand }) }
    // So many that the next one is still at it when it is killed.
    messages = await notify(withKey(first, 'test'), 200)
    await first.end('SIGKILL')

    const second = launch('serve', settings.embedded)
    // Handed over, and not yet written down.
    await printed(second, '"msg":"delivery"')
    second.child.kill('SIGKILL')
    await second.ended

    last = await start('serve', settings.embedded)
    await everyMessage(withKey(last, 'test')).toBe('delivered')
    await expect.poll(() => withKey(last, 'live').status(liveCode.id), soon).toBe('delivered')
    expect(last.deliveries()).toBeGreaterThan(0)
    const received = await Promise.all(messages.map(({ phone }) => textsOf(last, phone)))
    expect(received).toEqual(messages.map(({ text }) => [text]))
  }, 120_000)

  it('keeps its secret and its keys over a restart', async () => {
    expect(await readFiles()).toEqual(files)
  })

  it('checks a code that it sent before it was killed', async () => {
    const [text, ...others] = await textsOf(last, liveCode.phone)
    expect(others).toEqual([])
    const [, code] = new RegExp(`^Your ${brand} code is (\\d{8})$`).exec(text ?? '') ?? []
    confidential.codes.push(code ?? '')
    expect(await withKey(last, 'live').check(liveCode.id, code ?? '')).toMatchObject({ verified: true })
  })

  it('answers every request that it accepted before it was told to stop, and ends with 0', async () => {
    const key = files[1]!
    const held = await Promise.all(Array.from({ length: 10 }, () => holdRequest(last.url, key, nextPhone())))
    const load = createLoad(last.url, key, nextPhone)
    await expect.poll(load.answered, soon).toBeGreaterThan(50)

    last.child.kill('SIGTERM')
    await expect.poll(() => isListening(last.url), soon).toBe(false)
    // As npm passes on a Ctrl-C that the terminal has brought already.
    for (const again of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) last.child.kill(again)
    const answers = await Promise.all(held.map(({ finish }) => finish()))
    expect(answers).toEqual(held.map(() => ({ status: 200, last: true })))
    const loaded = await load.answers()
    expect(new Set(loaded)).toEqual(new Set([200]))
    expect(await last.ended).toEqual({ code: 0, signal: null })

    // The log has every request that was accepted, also one whose caller never had the answer.
    const logged = entriesOf(last).filter(({ operation }) => operation === 'sendVerification')
    expect(new Set(logged.map(({ status }) => status))).toEqual(new Set([200]))
    expect(logged).toHaveLength(held.length + loaded.length)
    expect(entriesOf(last)).toContainEqual(expect.objectContaining({ msg: 'stopping', signal: 'SIGTERM' }))
  })

  /** Sends so many notifications at once, each to a phone of its own. */
  async function notify(client: Client, count: number) {
    return Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const [phone, name] = [nextPhone(), `Zyx-${index}-Qwertz`]
        confidential.variables.push(name)
        const answer = await client.post('/v1/notifications/send', { phone, template: 'welcome', variables: { name } })
        expect(answer.data).toMatchObject({ status: 'queued' })
        return { id: answer.data.request_id as string, phone, text: `Welcome, ${name}!` }
      }),
    )
  }

  /** The status that all messages have, once they have one. */
  function everyMessage(client: Client) {
    const statuses = async () => new Set(await Promise.all(messages.map(({ id }) => client.status(id))))
    return expect.poll(async () => [...(await statuses())].join(), soon)
  }
})

describe('on PostgreSQL', () => {
  it.each([
    [['serve', '--help'], 0],
    [['--help'], 0],
    [['worker', '--port', '1'], 2],
    [['serf'], 2],
  ])('starts nothing when it is told what it does not take, and says what it does: %j', async (words, status) => {
    const process = launchProcess(words, {})
    expect(await process.ended).toEqual({ code: status, signal: null })
    expect(process.output() + process.errors()).toMatch(/^Usage: main\.ts .*\n.*docs\/operators\.md.*\n$/)
  })

  it('tells its version', async () => {
    const process = launchProcess(['--version'], {})
    expect(await process.ended).toEqual({ code: 0, signal: null })
    expect(process.output()).toBe(`${manifest.version}\n`)
  })

  let refused: Record<'settings' | 'worker' | 'port' | 'opsPort', Process>
  beforeAll(() => {
    refused = {
      settings: launch('serve', {
        DATABASE_URL: database.settings.url,
        PORT: 'http',
        WORKER: 'yes',
        CODE_TTL_SECONDS: '5',
      }),
      worker: launch('worker', { DATA_DIR: join(folder, 'never') }),
      port: launch('serve', { ...settings.postgres, PORT: new URL(api.url).port }),
      opsPort: launch('serve', { ...settings.postgres, OPS_PORT: new URL(api.opsUrl).port }),
    }
  })

  /** What a refused process has said. */
  const refusal = async (name: keyof typeof refused) => {
    expect(await refused[name].ended).toEqual({ code: 1, signal: null })
    expect(refused[name].output()).toBe('')
    return refused[name].errors()
  }
  const pathOf = (mode: 'test' | 'live') => join(folder, 'postgres', `${mode}-key`)
  const keyOf = (mode: 'test' | 'live') => readFile(pathOf(mode), 'utf8').then((key) => key.trim())

  it('does not start without a secret, and names this and every other fault of its settings at once', async () => {
    expect((await refusal('settings')).trimEnd().split('\n')).toEqual([
      'The settings are wrong:',
      '  PORT: must be a whole number from 0 to 65535, in digits alone',
      expect.stringMatching(/^ {2}WORKER: /),
      '  CODE_TTL_SECONDS: must be at least 60',
      expect.stringMatching(/^ {2}WATCHWORD_SECRET: must be set together with DATABASE_URL/),
    ])
  })

  it('has no worker of its own for the embedded database, and says so', async () => {
    expect(await refusal('worker')).toMatch(
      /^The settings are wrong:\n {2}DATABASE_URL: must be set for a worker[^\n]*\n$/,
    )
  })

  it('says in one line which port is taken', async () => {
    const line = (url: string) =>
      `Port ${new URL(url).port} is taken. Set PORT, DASHBOARD_PORT or OPS_PORT to another one.\n`
    expect(await refusal('port')).toBe(line(api.url))
    expect(await refusal('opsPort')).toBe(line(api.opsUrl))
  })

  it('writes the first keys into files when it is asked to, which only their owner can read', async () => {
    for (const mode of ['test', 'live'] as const) {
      const key = await keyOf(mode)
      confidential.keys.push(key)
      expect(key).toMatch(new RegExp(`^ww_${mode}_[0-9A-Za-z]{49}$`))
      expect((await stat(pathOf(mode))).mode & 0o777).toBe(0o600)
      expect((await createClient(api.url, key).get(`/v1/messages/req_${'0'.repeat(26)}`)).status).toBe(404)
    }
    await expect(stat(join(folder, 'postgres', 'secret'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  let worker: Running

  it('has one process take requests and another deliver', async () => {
    const [phone, name] = [nextPhone(), 'Zyx-apart-Qwertz']
    confidential.variables.push(name)
    const client = createClient(api.url, await keyOf('test'))
    const code = await client.send(phone, { length: 8 })
    confidential.codes.push('00000000')
    const { data } = await client.post('/v1/notifications/send', { phone, template: 'welcome', variables: { name } })
    const id = data.request_id as string
    expect(await client.status(id)).toBe('queued')

    worker = await start('worker', settings.postgres)
    await expect
      .poll(async () => [await client.status(id), await client.status(code)], soon)
      .toEqual(['delivered', 'delivered'])
    expect((await textsOf(worker, phone)).sort()).toEqual([`Welcome, ${name}!`, 'Your code is 00000000'])
    await expect.poll(() => [api.deliveries(), worker.deliveries()], soon).toEqual([0, 2])
  })

  it('takes little memory at rest, whatever its role', async () => {
    for (const one of [api, worker]) await expect.poll(() => residentMegabytes(one), soon).toBeLessThan(150)
  })

  it.each([
    ['has gone', (log: Readable) => log.destroy()],
    ['does not read', (log: Readable) => log.pause()],
  ])(
    'serves on, and stops when it is told to, though the reader of its log %s',
    async (_, leave) => {
      const unread = await start('serve', settings.postgres)
      leave(unread.child.stdout!)
      // A line each: more than the system takes for a reader.
      for (let burst = 0; burst < 15; burst++) {
        await Promise.all(
          Array.from({ length: 100 }, () => fetch(`${unread.url}/nowhere`).then((answer) => answer.text())),
        )
      }
      expect((await fetch(`${unread.opsUrl}/readyz`)).status).toBe(200)
      expect(await unread.end('SIGTERM')).toEqual({ code: 0, signal: null })
    },
    120_000,
  )

  it('ends with 0 when it is told to stop or its terminal goes, whatever its role', async () => {
    expect(await worker.end('SIGHUP')).toEqual({ code: 0, signal: null })
    expect(await api.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})

describe('the log of all these processes', () => {
  it('is one JSON object a line, with the trace of each request and the masked phone of each delivery', () => {
    const entries = started.flatMap(entriesOf)
    const requests = entries.filter(({ msg }) => msg === 'request')
    const deliveries = entries.filter(({ msg }) => msg === 'delivery')
    expect(requests.length).toBeGreaterThan(100)
    expect(deliveries.length).toBeGreaterThan(60)
    for (const { trace_id } of requests) expect(trace_id).toMatch(/^[0-9a-f]{32}$/)
    for (const { phone } of deliveries) expect(phone).toMatch(/^\+1415•{5}\d\d$/)
  })

  it.each(['codes', 'keys', 'variables', 'phones'] as const)('holds none of the %s', (kind) => {
    const log = started.map((process) => process.output() + process.errors()).join('\n')
    expect(confidential[kind].length).toBeGreaterThan(0)
    for (const value of confidential[kind]) {
      expect(value).not.toBe('')
      expect(log.includes(value), `a log holds ${value}`).toBe(false)
    }
  })
})

function launch(role: Role, settings: Record<string, string>): Process {
  const launched = launchProcess(role, settings)
  started.push(launched)
  return launched
}

function start(role: Role, settings: Record<string, string>): Promise<Running> {
  return whenReady(launch(role, settings))
}

let phones = 0

function nextPhone(): string {
  phones += 1
  const phone = `+1415${3_140_000 + phones}`
  confidential.phones.push(phone)
  return phone
}

async function textsOf({ opsUrl }: Running, phone: string): Promise<string[]> {
  const response = await fetch(`${opsUrl}/sandbox/messages?phone=${encodeURIComponent(phone)}`)
  return ((await response.json()) as { text: string }[]).map(({ text }) => text)
}

async function residentMegabytes({ opsUrl }: Running): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(metrics)?.[1]) / 1024 ** 2
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const answer = (listening: boolean) => () => {
      socket.destroy()
      resolve(listening)
    }
    socket.once('connect', answer(true)).once('error', answer(false))
  })
}
