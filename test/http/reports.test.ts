/** The providers' door over HTTP, with a service behind it that says what the test wants. */
import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OverlongReport, UnreadableReport } from '../../src/delivery/report.ts'
import type { IntakeLimits } from '../../src/http/intake.ts'
import { refusals } from '../../src/http/reports/refusal.ts'
import { createReports, type ReportsParts } from '../../src/http/reports/reports.ts'
import { createServer, type Listening, listen, type ServerTimeouts } from '../../src/http/server.ts'
import { ConnectionFailed } from '../../src/store/engine/failure.ts'
import { type TestRuntime, testRuntime } from '../support/runtime.ts'
import { read } from '../support/source.ts'
import { converse, statusesIn } from '../support/wire.ts'

const bytesMax = 3 * 1024 * 1024
const path = '/providers/acct_default/wa-eu'
const last = 'Connection: close\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n'

type Told = Parameters<ReportsParts['onReport']>[0]

interface Door {
  url: string
  accept: ReturnType<typeof vi.fn<ReportsParts['accept']>>
  isFull: ReturnType<typeof vi.fn<ReportsParts['isFull']>>
  handshake: ReturnType<typeof vi.fn<ReportsParts['handshake']>>
  /** What the metrics were told. */
  told: Told[]
  runtime: TestRuntime
  stop: () => void
}

let listening: Listening | undefined
afterEach(async () => {
  await listening?.shut(0, Number.POSITIVE_INFINITY)
  listening = undefined
})

interface DoorOptions {
  limits?: Partial<IntakeLimits>
  timeouts?: Partial<ServerTimeouts>
}

async function openDoor({ limits, timeouts }: DoorOptions = {}): Promise<Door> {
  const runtime = testRuntime()
  const told: Told[] = []
  let stopping = false
  const accept = vi.fn<ReportsParts['accept']>(async () => 'accepted')
  const isFull = vi.fn<ReportsParts['isFull']>(() => false)
  const handshake = vi.fn<ReportsParts['handshake']>(async (_address, query) =>
    query.get('hub.verify_token') === 'right' ? (query.get('hub.challenge') ?? '') : undefined,
  )
  const isStopping = () => stopping
  const onReport = (report: Told) => void told.push(report)
  const service = { accept, knows: async () => true, isFull, handshake, onReport }
  const reports = createReports({ ...service, runtime, isStopping, ...(limits && { limits }) })
  const refuse = () => 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
  listening = await listen(createServer({ ...reports, onBroken: refuse, onConnect: refuse, timeouts }), 0, '127.0.0.1')
  const stop = () => {
    stopping = true
  }
  return { url: `http://127.0.0.1:${listening.port}`, accept, isFull, handshake, told, runtime, stop }
}

function head(target = path, more = '', method = 'POST'): string {
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
}

const say = (door: Door, ...parts: (string | Buffer)[]) =>
  converse(door.url, (socket) => {
    for (const part of parts) socket.write(part as string, 'latin1')
  })

const chunk = (bytes: Buffer | string) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')])
const post = (door: Door, body: string | Buffer, headers = {}, target = path) =>
  fetch(door.url + target, { method: 'POST', body: body as string, headers })
const lengthOf = (length: number) => `Content-Length: ${length}\r\n`

function open(door: Door, ...parts: (string | Buffer)[]): Socket {
  const socket = connect(Number(new URL(door.url).port), '127.0.0.1').on('error', () => {})
  for (const part of parts) socket.write(part as string)
  return socket
}

const entries = ({ runtime }: Door) => runtime.lines.map((line) => JSON.parse(line) as Record<string, unknown>)

describe('a report', () => {
  it('comes to its connection as the bytes that were sent, with its headers, and is answered 200', async () => {
    const door = await openDoor()
    const body = Buffer.from([0, 255, 13, 10, 123, 200])
    const response = await post(
      door,
      body,
      { 'X-Hub-Signature-256': 'sha256=00', 'Content-Type': 'text/odd' },
      `${path}?a=b`,
    )
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/)
    expect(door.accept).toHaveBeenCalledExactlyOnceWith(
      { accountId: 'acct_default', connection: 'wa-eu', hasToken: false },
      {
        ...{ method: 'POST', target: `${path}?a=b`, body },
        headers: expect.objectContaining({ 'x-hub-signature-256': 'sha256=00', 'content-type': 'text/odd' }),
      },
    )
    expect(door.told).toEqual([{ operation: 'report', status: 200, seconds: expect.any(Number), refused: undefined }])
  })

  it('has all values of a repeated header, and takes no header for what every object has', async () => {
    const door = await openDoor()
    const more = 'X-Odd: one\r\nx-odd: two\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nconstructor: c\r\n__proto__: p\r\n'
    expect(statusesIn(await say(door, head(path, `${more}${lengthOf(2)}${last}`), '{}'))).toEqual([200])
    const { headers } = door.accept.mock.calls[0]![1]
    expect(headers).toMatchObject({ 'x-odd': 'one, two', 'set-cookie': 'a, b' })
    expect(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value).toBe('p')
    expect(Object.getOwnPropertyDescriptor(headers, 'constructor')?.value).toBe('c')
  })

  it('has a bounded number of headers, of bounded length', async () => {
    const door = await openDoor()
    const many = Array.from({ length: 1000 }, (_, i) => `${i}:\r\n`).join('')
    await say(door, head(path, `${many}${last}`))
    expect(Object.keys(door.accept.mock.calls[0]?.[1].headers ?? {}).length).toBeLessThan(150)
    expect(statusesIn(await say(door, head(path, `X-Long: ${'x'.repeat(9000)}\r\n${last}`)))).toEqual([400])
  })

  it('may be empty, and come in chunks of one byte', async () => {
    const door = await openDoor()
    await post(door, '')
    const body = Buffer.from('0123456789'.repeat(5000))
    const chunks = Buffer.concat(Array.from(body, (_, at) => chunk(body.subarray(at, at + 1))))
    expect(statusesIn(await say(door, head(path, chunked + last), chunks, '0\r\n\r\n'))).toEqual([200])
    expect(door.accept.mock.calls.map(([, report]) => report.body)).toEqual([Buffer.alloc(0), body])
  })

  it('is told of in one line of the log, without its query, its headers and its body', async () => {
    const door = await openDoor()
    await post(door, 'hidden body', { 'X-Hub-Signature-256': 'hidden signature' }, `${path}?hidden=query`)
    await fetch(`${door.url}${path}?hub.verify_token=hidden`)
    await expect.poll(() => door.runtime.lines.length).toBe(2)
    expect(door.runtime.lines.join()).not.toContain('hidden')
    const [report, handshake] = entries(door)
    const about = { account_id: 'acct_default', connection: 'wa-eu', msg: 'report' }
    expect(report).toMatchObject({ ...about, operation: 'report', status: 200, bytes: 11, ms: expect.any(Number) })
    expect(handshake).toMatchObject({ ...about, operation: 'handshake', status: 403, refused: 'handshake' })
  })
})

describe('a report that is not taken', () => {
  const broken = new Error('a secret detail')
  it.each<[string, ReportsParts['accept'], number, string]>([
    ['that is not the provider’s own', async () => 'refused', 401, 'signature'],
    ['for a connection that is not there', async () => 'unknown', 404, 'unknown'],
    [
      'that is the provider’s own and cannot be read, so that it is not repeated for days',
      () => Promise.reject(new UnreadableReport()),
      200,
      'unreadable',
    ],
    ['while the database is away', () => Promise.reject(new ConnectionFailed('away')), 503, 'unavailable'],
    ['because of a fault', () => Promise.reject(broken), 500, 'failed'],
  ])('%s is answered so, counted and logged', async (_what, accept, status, refused) => {
    const door = await openDoor()
    door.accept.mockImplementation(accept)
    const response = await post(door, '{}')
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null)
    const text = await response.text()
    expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(/\.$/) })
    expect(text).not.toContain('secret')
    await expect.poll(() => door.told).toMatchObject([{ operation: 'report', status, refused }])
    expect(entries(door)).toMatchObject([{ status, refused, connection: 'wa-eu', bytes: 2 }])
    // The next one on the connection is served.
    door.accept.mockResolvedValue('accepted')
    expect((await post(door, '{}')).status).toBe(200)
  })

  it('compressed is refused before it is read, because what is signed is what comes', async () => {
    const door = await openDoor()
    const response = await post(door, '{}', { 'Content-Encoding': 'gzip' })
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity'])
    expect((await post(door, '{}', { 'Content-Encoding': 'Identity' })).status).toBe(200)
    expect(door.accept).toHaveBeenCalledTimes(1)
  })
})

it('a report of too many messages is answered 413, and one that is to come again 503', async () => {
  const door = await openDoor()
  door.accept.mockRejectedValueOnce(new OverlongReport()).mockResolvedValueOnce('busy')
  const answers = [await post(door, '{}'), await post(door, '{}')]
  expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [413, null],
    [503, '1'],
  ])
  expect(door.told.map(({ refused }) => refused)).toEqual(['too_many', 'busy'])
})

it('of an account that has had its share, no report is read, and then they are again', async () => {
  const door = await openDoor()
  door.isFull.mockReturnValueOnce(true)
  expect(statusesIn(await say(door, head(path, lengthOf(bytesMax))))).toEqual([503])
  expect(door.isFull).toHaveBeenCalledWith(expect.objectContaining({ accountId: 'acct_default' }), bytesMax)
  expect((await post(door, '{}')).status).toBe(200)
  expect(door.told.map(({ refused }) => refused)).toEqual(['busy', undefined])
})

it('the reasons that operators read of are those that are counted', () => {
  const [, list] = /`watchword_reports_refused_total` counts.*?by `reason`: (.*?)\./s.exec(read('docs/operators.md'))!
  expect(Array.from(list!.matchAll(/`(\w+)`/g), ([, reason]) => reason)).toEqual(Object.keys(refusals))
})

describe('the body of a report', () => {
  const body = Buffer.alloc(bytesMax, 'x')
  const half = body.subarray(bytesMax / 2)

  it('may have 3 MB, announced or in chunks', async () => {
    const door = await openDoor()
    expect(statusesIn(await say(door, head(path, lengthOf(bytesMax) + last), body))).toEqual([200])
    expect(statusesIn(await say(door, head(path, chunked + last), chunk(half), chunk(half), '0\r\n\r\n'))).toEqual([
      200,
    ])
    for (const [, report] of door.accept.mock.calls) expect(report.body.equals(body)).toBe(true)
  })

  it('is refused with one byte more: at once where it is announced, else when that byte comes', async () => {
    const door = await openDoor()
    expect(statusesIn(await say(door, head(path, lengthOf(bytesMax + 1))))).toEqual([413])
    expect(statusesIn(await say(door, head(path, chunked), chunk(half), chunk(half), chunk('x')))).toEqual([413])
    expect(door.told.map(({ refused }) => refused)).toEqual(['too_large', 'too_large'])
    expect(door.accept).not.toHaveBeenCalled()
  })

  it('without an end is not read on', async () => {
    const door = await openDoor()
    const endless = open(door, head(path, chunked))
    let sent = 0
    const pour = () => {
      while (!endless.destroyed && endless.write(chunk(half))) sent += half.length
      sent += half.length
    }
    await new Promise((resolve) => endless.on('connect', pour).on('drain', pour).on('close', resolve))
    expect(door.told).toMatchObject([{ status: 413, refused: 'too_large' }])
    expect(sent).toBeLessThan(20 * bytesMax)
  })

  it('is asked for when its sender waits for that, and not when the head is enough to refuse it', async () => {
    const door = await openDoor()
    const expecting = (target: string, more: string) => head(target, `Expect: 100-continue\r\n${more}`)
    const asked = open(door, expecting(path, lengthOf(4) + last))
    expect(`${(await once(asked, 'data'))[0]}`).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    asked.write('body')
    expect(`${(await once(asked, 'data'))[0]}`).toMatch(/^HTTP\/1\.1 200 /)
    for (const [target, more, status] of [
      [path, lengthOf(bytesMax + 1), 413],
      [path, `Content-Encoding: gzip\r\n${lengthOf(9)}`, 415],
      ['/providers/nobody/wa', lengthOf(9), 404],
    ] as const) {
      expect(await say(door, expecting(target, more))).toMatch(
        new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*Connection: close`),
      )
    }
  })

  it('that is cut off, or too slow, leaves its place to others, and nothing is done', async () => {
    const limits = { bytesMax: 100_000, bytesAtOnceMax: 100_000 }
    const door = await openDoor({ limits, timeouts: { requestMs: 2500 } })
    const part = head(path, lengthOf(90_000))
    const slow = await converse(door.url, (socket) => socket.write(part + 'x'.repeat(80_000)))
    expect(statusesIn(slow)).toEqual([400])
    for (let i = 0; i < 3; i++) {
      const socket = open(door, head(path, `${lengthOf(90_000)}Expect: 100-continue\r\n`))
      // What is reset before the server has read it, is no request.
      await once(socket, 'data')
      socket.write('x'.repeat(80_000), () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    const statuses = () => door.told.map(({ status }) => status)
    await expect.poll(statuses).toEqual([499, 499, 499, 499])
    expect((await post(door, 'x'.repeat(100_000))).status).toBe(200)
    expect(door.accept).toHaveBeenCalledTimes(1)
  })
})

describe('of bodies at once', () => {
  const body = Buffer.alloc(bytesMax, 'x')
  const refusedOf = (door: Door) => door.told.filter(({ refused }) => refused === 'busy')

  it('those of 200 callers with 3 MB each take 48 MB, and the others are told to come again', async () => {
    // All of them share the two sides of one process.
    const door = await openDoor({ timeouts: { requestMs: 120_000, stalledMs: 120_000 } })
    const gate = Promise.withResolvers<'accepted'>()
    door.accept.mockImplementation(() => gate.promise)
    const crowd = Array.from({ length: 200 }, () => say(door, head(path, lengthOf(bytesMax) + last), body))
    await expect.poll(() => refusedOf(door).length).toBe(200 - 16)
    expect(refusedOf(door).every(({ status }) => status === 503)).toBe(true)
    await expect.poll(() => door.accept.mock.calls.length).toBe(16)
    gate.resolve('accepted')
    const answers = await Promise.all(crowd)
    expect(answers.filter((received) => statusesIn(received)[0] === 200)).toHaveLength(16)
    expect(answers.find((received) => received.includes(' 503 '))).toMatch(/\r\nRetry-After: 1\r\n/)
    // And all of the place is there again.
    const next = Array.from({ length: 16 }, () => say(door, head(path, lengthOf(bytesMax) + last), body))
    for (const received of await Promise.all(next)) expect(statusesIn(received)).toEqual([200])
  }, 180_000)

  it('a small one has its place while strangers fill that with large ones', async () => {
    const door = await openDoor({ limits: { bytesMax: 100_000, bytesAtOnceMax: 100_000 } })
    const part = (size: number) => head(path, lengthOf(size + 1)) + 'x'.repeat(size)
    const strangers = [open(door, part(60_000)), open(door, part(39_990))]
    await expect.poll(async () => (await post(door, 'x'.repeat(20))).status === 200 && refusedOf(door).length).toBe(1)
    expect((await post(door, 'x'.repeat(20))).status).toBe(200)
    strangers[1]!.write('x')
    expect(`${(await once(strangers[1]!, 'data'))[0]}`).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of strangers) socket.destroy()
  })
})

describe('a handshake', () => {
  it('with the right token gets its challenge as plain text', async () => {
    const door = await openDoor()
    const query = '?hub.mode=subscribe&hub.challenge=%3Cb%3E1158201444&hub.verify_token=right'
    const response = await fetch(door.url + path + query)
    expect([response.status, await response.text()]).toEqual([200, '<b>1158201444'])
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(door.handshake.mock.calls[0]![0]).toEqual({
      accountId: 'acct_default',
      connection: 'wa-eu',
      hasToken: false,
    })
    const bare = await say(door, head(path + query, last, 'HEAD'))
    expect(bare).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/)
  })

  it.each(['?hub.challenge=1158201444&hub.verify_token=wrong', '?hub.challenge=1158201444', ''])(
    'that is not good is refused, and hears nothing of what it said: %j',
    async (query) => {
      const door = await openDoor()
      const response = await fetch(door.url + path + query)
      expect(response.status).toBe(403)
      expect(await response.text()).not.toContain('1158201444')
      await expect.poll(() => door.told).toMatchObject([{ operation: 'handshake', refused: 'handshake' }])
    },
  )

  it('is told to come again while the database is away', async () => {
    const door = await openDoor()
    door.handshake.mockRejectedValue(new ConnectionFailed('away'))
    expect((await fetch(door.url + path)).status).toBe(503)
  })
})

describe('what is no report and no handshake', () => {
  const others = METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'CONNECT'].includes(method))

  it.each(others)('is told by %s what this path takes', async (method) => {
    const door = await openDoor()
    const received = await say(door, head(path, last, method))
    expect(received).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nAllow: GET, HEAD, POST\r\n/)
  })

  it.each([
    ...['/providers/', '/providers//', '/providers/acct_default', '/providers/acct_default/', `${path}/`, `${path}/x`],
    ...['/providers/acct_default/%77a', '/providers/acct_default%2fwa', '/providers/acct_default/wa%00', `${path}\0`],
    ...['/providers/../v1/messages', '/providers/./acct_default/wa', '/providers/acct_default/../wa', `/${path}`],
    ...['/providers/acct_default/WA', '/providers/acct_default/1a', `/providers/acct_default/w${'a'.repeat(32)}`],
    ...['/providers/acct_/wa', '/providers/default/wa', `/providers/acct_${'a'.repeat(41)}/wa`, '/providers/acct_é/wa'],
    ...['/providers/acct_default/wa#x', '/providers/__proto__/constructor', '/PROVIDERS/acct_default/wa', '/%'],
    ...[
      'http://x',
      '*',
      '?',
      'http://x/providers/acct_default/%2e%2e',
      '/providers/acct_default/wa;x',
      '/providers\\x',
    ],
  ])('is refused by what it asks for, and nobody looks for that: %j', async (target) => {
    const door = await openDoor()
    for (const method of ['POST', 'GET', 'PUT']) {
      const received = await say(door, head(target, last, method))
      expect([400, 404]).toContain(statusesIn(received)[0])
    }
    expect(door.accept).not.toHaveBeenCalled()
    expect(door.handshake).not.toHaveBeenCalled()
  })

  it('an id may be as long as ids are', async () => {
    const door = await openDoor()
    await post(door, '{}', {}, `/providers/acct_${'a'.repeat(40)}/w${'a'.repeat(31)}`)
    expect(door.accept).toHaveBeenCalledTimes(1)
  })
})

it('a process that goes away answers once more on each connection', async () => {
  const door = await openDoor()
  door.stop()
  expect((await post(door, '{}')).headers.get('connection')).toBe('close')
})
