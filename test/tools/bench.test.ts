import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import type { Figure, Ratio } from '../../scripts/bench/figure.ts'
import type { Life } from '../../scripts/bench/life.ts'
import { type Ask, startLoad } from '../../scripts/bench/load.ts'
import { quickFolder } from '../support/memory.ts'

const root = join(import.meta.dirname, '../..')
/** Milliseconds for a dozen servers to start, on a busy machine. */
const busyMs = 360_000

/** On a PostgreSQL in memory: what a disk takes is no matter here. */
async function bench(...args: string[]): Promise<{ stdout: string }> {
  const env = { ...process.env, TMPDIR: await quickFolder() }
  return promisify(execFile)(process.execPath, ['scripts/bench.ts', ...args], { cwd: root, env })
}

describe('the benchmark', () => {
  it('has every figure of every server, and how each of ours compares to the bare one', {
    timeout: busyMs,
  }, async () => {
    const only = 'send,twilio-send,inlet,notify,check,get,401,better-auth,express,deliver,due'
    const args = ['--seconds', '0.2', '--rounds', '1', '--callers', '1', '--json', '--only', only]
    const { stdout } = await bench(...args)
    const { figures, ratios, failures } = JSON.parse(stdout)

    expect(failures).toEqual([])
    expect(figures.map(({ measure, of }: Figure) => `${measure}: ${of}`)).toEqual([
      ...['send', 'twilio-send', 'inlet', 'notify', 'check-wrong', 'check-right'].flatMap((measure) => [
        `${measure}: Express + postgres.js, one INSERT a request`,
        `${measure}: Watchword`,
      ]),
      ...['get: Express + postgres.js, one SELECT a request', 'get: Watchword'],
      ...['401: Express alone', '401: Watchword'],
      ...['better-auth-send', 'better-auth-wrong', 'better-auth-right'].flatMap((measure) => [
        `${measure}: better-auth with its phone plug-in`,
        `${measure}: Watchword`,
      ]),
      'express: Express alone',
      ...['phone, template and variables', 'locale, reference, expires_in and channels too', 'and send_at'].map(
        (what) => `notify-full: Watchword, ${what}`,
      ),
      ...['deliver: Watchword', 'due: Watchword'],
    ])
    const some = expect.any(Number)
    for (const figure of figures) {
      const ofRequests = ['deliver', 'due'].includes(figure.measure) ? null : some
      expect(figure).toEqual({
        ...{ measure: expect.any(String), of: expect.any(String) },
        ...{ requestsPerSecond: some, cpuMicros: some, postgresCpuMicros: some },
        ...{ callersCpuMicros: ofRequests, p50Ms: ofRequests, p99Ms: ofRequests },
        ...{ memoryAtRestMb: some, memoryAfterMb: some },
      })
      expect(figure.requestsPerSecond).toBeGreaterThan(0)
    }
    const compared = [
      ...['send', 'twilio-send', 'inlet', 'notify', 'check-wrong', 'check-right', 'get', '401'],
      ...['better-auth-send', 'better-auth-wrong', 'better-auth-right'],
      // Of two to the first.
      ...['notify-full', 'notify-full'],
    ]
    expect(ratios.map(({ measure, what }: Ratio) => `${measure}: ${what}`)).toEqual(
      compared.flatMap((measure) => [`${measure}: requestsPerSecond`, `${measure}: cpuMicros`]),
    )
    for (const { ratio } of ratios) expect(ratio).toBeGreaterThan(0)
  })

  it('has what one code costs in processors, log and disk, from its request to the right answer', {
    timeout: busyMs,
  }, async () => {
    const args = ['--seconds', '0.1', '--json', '--only', 'life']
    const { stdout } = await bench(...args)
    const { lives, failures } = JSON.parse(stdout) as { lives: Life[]; failures: object[] }
    expect(failures).toEqual([])
    expect(lives).toMatchObject([{ of: 'Watchword', codes: 200 }])
    const [{ steps, messageBytes, phoneBytes }] = lives as [Life]
    expect(steps.map(({ name }) => name)).toEqual(['sent and delivered', 'checked'])
    // A row of the tables has more than a hundred bytes; a log without it would be lost in a crash.
    for (const { walBytes, walPages } of steps) {
      expect(walBytes).toBeGreaterThan(100)
      expect(walPages).toBeGreaterThanOrEqual(0)
    }
    expect(messageBytes).toBeGreaterThan(100)
    expect(phoneBytes).toBeGreaterThan(100)
  })

  it.each(['whatsapp', 'sms'])(
    'has the figures of deliveries by %s, and of what a provider that hangs costs',
    {
      timeout: busyMs,
    },
    async (channel) => {
      const args = ['--seconds', '0.3', '--rounds', '1', '--json', '--channel', channel]
      const { stdout } = await bench(...args)
      const { figures, failures } = JSON.parse(stdout)
      expect(failures).toEqual([])
      expect(figures.map(({ measure, of }: Figure) => `${measure}: ${of}`)).toEqual([
        'deliver: Watchword',
        'deliver: Watchword, 500 a second',
        'hand-over: Watchword',
        'hand-over: Watchword, every tenth answer hangs',
      ])
      for (const { requestsPerSecond, callersCpuMicros, p50Ms, p99Ms } of figures) {
        for (const value of [requestsPerSecond, callersCpuMicros, p50Ms, p99Ms]) expect(value).toBeGreaterThanOrEqual(0)
        expect(p99Ms).toBeGreaterThan(0)
      }
    },
  )
})

it('the benchmark of events brings all that is due to who does not hang, and says what a send costs', {
  timeout: busyMs,
}, async () => {
  const args = ['--events', '--seconds', '0.2', '--rounds', '1', '--callers', '1', '--json']
  const { stdout } = await bench(...args)
  const { figures, ratios, failures } = JSON.parse(stdout)
  expect(failures).toEqual([])
  const found = figures.map(({ measure, of, requestsPerSecond }: Figure) => [measure, of, requestsPerSecond > 0])
  expect(found).toEqual([
    ['events', 'Watchword', true],
    ['told', 'Watchword', true],
    ['told', 'Watchword, with an endpoint', true],
  ])
  expect(ratios.map(({ of, to, ratio }: Ratio) => [of, to, ratio > 0])).toEqual([
    ['Watchword, with an endpoint', 'Watchword', true],
    ['Watchword, with an endpoint', 'Watchword', true],
  ])
})

it('the benchmark of endpoints that hang tells how long one that answers waits beside them', {
  timeout: busyMs,
}, async () => {
  const args = ['--only', 'hanging', '--seconds', '0.5', '--json']
  const { stdout } = await bench(...args)
  const { figures, failures } = JSON.parse(stdout)
  expect(failures).toEqual([])
  expect(figures.map(({ of, p50Ms, p99Ms }: Figure) => [of, p50Ms! <= p99Ms!])).toEqual([
    ['Watchword, alone', true],
    ['Watchword, beside them', true],
    ['Watchword, just started', true],
    ['Watchword, first events of new ones', true],
  ])
})

describe('its callers', () => {
  const closers: (() => void)[] = []
  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })

  const ask: Ask = {
    ...{ method: 'POST', path: '/send', key: 'a key', body: '{"phone":"*"}' },
    ...{ values: { phonesFrom: 0 }, expected: { status: 200, text: '"good"' } },
  }

  /** Answers with each of these in turn, as a whole or in pieces. */
  async function serve(answers: [status: number, body: string][], { inPieces = false } = {}) {
    const bodies: string[] = []
    const server = createServer(async (request, response) => {
      const [status, body] = answers[bodies.length % answers.length]!
      bodies.push(await text(request))
      if (inPieces) for (const piece of body.match(/[^,]+,?/g)!) response.write(piece)
      else response.writeHead(status, { 'Content-Length': Buffer.byteLength(body) }).write(body)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const load = startLoad()
    closers.push(() => server.close(), load.end)
    const { port } = server.address() as AddressInfo
    return { bodies, run: (requestsMax: number) => load.run({ ...ask, port, callers: 4, secondsMax: 10, requestsMax }) }
  }

  it('ask as often as they are told, each time with another phone', async () => {
    const { bodies, run } = await serve([[200, '{"good":1}']])
    expect(await run(1000)).toMatchObject({ requests: 1000, unexpected: {} })
    const phones = new Set(bodies.map((body) => JSON.parse(body).phone))
    expect(phones.size).toBe(1000)
  })

  it('take an answer that comes in pieces as one', async () => {
    const { bodies, run } = await serve([[200, '{"good":1,"n":"0"}']], { inPieces: true })
    expect(await run(100)).toMatchObject({ requests: 100, unexpected: {} })
    expect(bodies).toHaveLength(100)
  })

  it('fail the run when an answer is a refusal or not what was hoped for, and say how many were', async () => {
    const { run } = await serve([
      [200, '{"good":1}'],
      [200, '{"bad":1}'],
      [429, '{"good":1}'],
      [429, '{"good":1}'],
    ])
    await expect(run(8)).rejects.toThrow('of 8 answers, 2 of status 200, 4 of status 429 were not as expected')
  })
})
