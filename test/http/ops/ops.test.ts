/** The operations port: when it says that a process is ready, and what many who ask at once cost. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../../src/app/app.ts'
import { createOps, type OpsOptions, type ServingState } from '../../../src/http/ops/ops.ts'
import { listen } from '../../../src/http/server.ts'
import { testConfig } from '../../support/config.ts'
import { createDatabase } from '../../support/database.ts'
import { freePort } from '../../support/port.ts'
import { testRuntime } from '../../support/runtime.ts'

const plain = { render: async () => 'a 1\n', contentType: 'text/plain; version=0.0.4; charset=utf-8' }

async function start(parts: Partial<OpsOptions>) {
  const runtime = testRuntime()
  const { log } = runtime
  const options: OpsOptions = {
    metrics: plain,
    state: () => 'serving',
    checkReady: async () => {},
    sandboxMessages: async () => [],
    isForUs: () => true,
    token: undefined,
    isShared: false,
    log,
    ...parts,
  }
  const ops = createOps(options, { crowd: { connectionsMax: 1000, log } })
  const door = await listen(ops, 0, '127.0.0.1')
  onTestFinished(() => door.shut(0, performance.now()))
  const get = (path: string) => fetch(`http://127.0.0.1:${door.port}${path}`)
  return { get, port: door.port, lines: runtime.lines }
}

/** Work that is under way until somebody ends it, each time that it is begun. */
function held<Value>(value: Value) {
  const begun: PromiseWithResolvers<Value>[] = []
  const work = () => {
    const one = Promise.withResolvers<Value>()
    begun.push(one)
    return one.promise
  }
  /** Resolves when all are answered: one that came after the end of the first is answered by the next. */
  const endAll = async (asked: Promise<Response>[]): Promise<Response[]> => {
    const ending = setInterval(() => {
      for (const one of begun) one.resolve(value)
    }, 10)
    return Promise.all(asked).finally(() => clearInterval(ending))
  }
  return { work, count: () => begun.length, endAll }
}

describe('a process', () => {
  it('is not ready before its last door is open, and writes no warning about that', async () => {
    const database = await createDatabase()
    const [runtime, taken] = [testRuntime(), await start({})]
    const opsPort = await freePort()
    const config = testConfig(database.settings, { port: taken.port, opsPort })
    const app = await createApp(config, { runtime, drainMs: 0 })
    // Its operations port listens, and its API does not.
    await expect(app.listen({ api: true, worker: false })).rejects.toThrow('EADDRINUSE')
    const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`)
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'not ready', reason: 'starting' }])
    expect(runtime.lines.join('')).not.toContain('not ready')
    await app.close()
    await database.drop()
  })

  it('is ready from when all is open until it begins to stop', async () => {
    let state: ServingState = 'starting'
    const { get, lines } = await start({ state: () => state })
    const answers = []
    for (state of ['starting', 'serving', 'stopping'] as const) answers.push((await get('/readyz')).status)
    expect(answers).toEqual([503, 200, 503])
    expect(lines).toEqual([])
  })

  it('logs why it is not ready when its database is away', async () => {
    const { get, lines } = await start({ checkReady: () => Promise.reject(new Error('it is away')) })
    expect((await get('/readyz')).status).toBe(503)
    expect(lines.join('')).toContain('it is away')
  })
})

it.each([
  ['/healthz', 200],
  ['/readyz', 200],
  ['/metrics', 200],
  ['/sandbox/messages?phone=14155550100', 200],
  ['/sandbox/messages', 400],
  ['/nothing', 404],
])('no answer of the operations port is kept by a cache, or read as another type: %s', async (path, status) => {
  const { get } = await start({})
  const answer = await get(path)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

describe('forty who ask at once', () => {
  it.each([
    [
      'for the metrics get one page',
      '/metrics',
      (work: () => Promise<string>) => ({ metrics: { ...plain, render: work } }),
    ],
    [
      'whether it is ready ask the database once',
      '/readyz',
      (work: () => Promise<unknown>) => ({ checkReady: work as never }),
    ],
  ])('%s, and who comes later is answered anew', async (_title, path, partsOf) => {
    const { work, count, endAll } = held('a 1\n')
    const { get } = await start(partsOf(work))
    const asked = Array.from({ length: 40 }, () => get(path))
    await expect.poll(count).toBe(1)
    // Those that were sent before this one have come.
    await get('/healthz')
    expect(new Set((await endAll(asked)).map(({ status }) => status))).toEqual(new Set([200]))
    const before = count()
    expect(before).toBeLessThan(40)
    await endAll([get(path)])
    expect(count()).toBe(before + 1)
  })

  it('for sandbox messages have four reads at a time', async () => {
    const { work, count, endAll } = held([])
    const { get } = await start({ sandboxMessages: work })
    const asked = Array.from({ length: 40 }, () => get('/sandbox/messages?phone=14155550100'))
    await expect.poll(count).toBe(4)
    await get('/healthz')
    expect(count()).toBe(4)
    await endAll(asked)
  })
})
