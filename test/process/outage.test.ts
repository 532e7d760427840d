/** When the database goes away, and when it has too much to do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../src/app/app.ts'
import { type Client, createClient } from '../support/client.ts'
import { testConfig } from '../support/config.ts'
import type { TestDatabase } from '../support/database.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy.ts'

let server: TestServer
let database: TestDatabase
let wire: TcpProxy
let app: App
let client: Client
/** With a key that the process has not seen before: it has to ask for it. */
let stranger: Client
let opsUrl: string
beforeAll(async () => {
  server = await startServer()
  database = server.database!
  wire = await startTcpProxy(database.settings.url)
  app = await createApp(testConfig({ kind: 'postgres', url: wire.url, connectionsMax: 4 }), {
    runtime: server.runtime,
    drainMs: 0,
    groups: { membersMax: 8 },
  })
  const ports = await app.listen({ api: true, worker: true })
  const url = `http://127.0.0.1:${ports.port}`
  client = createClient(url, await server.key())
  stranger = createClient(url, await server.key())
  opsUrl = `http://127.0.0.1:${ports.opsPort}`
})
afterAll(async () => {
  await app.close()
  await wire.close()
  await server.close()
})

const ready = async () => (await fetch(`${opsUrl}/readyz`)).status
const metrics = async () => (await fetch(`${opsUrl}/metrics`)).text()
const stuckOnPhones = () => database.stuckAt('insert into phone')
const unavailable = { status: 503, data: { code: 'service_unavailable', retry_after: 1 } }

/** Asks until the answer is as wanted; the test's own time limit is the bound. */
async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (wanted(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('while the database is away', () => {
  it('answers 503 in the envelope, is not ready, and works again without a restart', async () => {
    const before = await client.send(newPhone())
    await until(
      () => client.status(before),
      (status) => status === 'delivered',
    )
    expect(await ready()).toBe(200)
    expect(await metrics()).toContain('\nwatchword_database_up 1\n')
    // No purge has come yet: it counts from the start of the worker.
    expect(await metrics()).toMatch(/^watchword_purged_timestamp_seconds \d+/m)

    wire.cut()
    const answers = await Promise.all([
      client.post('/v1/verify/send', { phone: newPhone() }),
      client.post('/v1/verify/check', { request_id: before, code: '000000' }),
      client.get(`/v1/messages/${before}`),
      client.post('/v1/verify/send', { phone: newPhone() }, { 'Idempotency-Key': 'while-away' }),
      stranger.get(`/v1/messages/${before}`),
    ])
    for (const answer of answers) expect(answer).toMatchObject(unavailable)
    expect(await ready()).toBe(503)
    expect((await fetch(`${opsUrl}/healthz`)).status).toBe(200)
    const told = await metrics()
    expect(told).toContain('\nwatchword_database_up 0\n')
    expect(told).not.toMatch(/^watchword_(oldest_job_seconds|database_server_connections)\{/m)

    wire.restore()
    await until(ready, (status) => status === 200)
    expect(await metrics()).toContain('\nwatchword_database_up 1\n')
    expect(await client.check(before, '000000')).toMatchObject({ verified: true })
    const after = await client.send(newPhone())
    // The worker of the process that was cut off is back as well.
    for (const id of [before, after])
      await until(
        () => client.status(id),
        (status) => status === 'delivered',
      )
  })
})

describe('while every connection is taken', () => {
  it('finishes what had begun; others wait for a bounded time, and are not done', async () => {
    const known = await client.send(newPhone())
    const statuses = new Map<string, number>()
    let lastAt = performance.now()
    const ask = async (path: string, phone: string, more: object) => {
      const answer = await client.post(path, { phone, ...more })
      if (answer.status !== 200) expect(answer).toMatchObject(unavailable)
      statuses.set(phone, answer.status)
      lastAt = performance.now()
    }
    const release = await database.hold('phone')
    const startedAt = performance.now()
    // Two groups of each kind, of at most eight, have the four connections that there are.
    const answers = Promise.all([
      ...times(40, () => ask('/v1/verify/send', newPhone(), {})),
      ...times(40, () =>
        ask('/v1/notifications/send', newPhone(), { template: 'welcome', variables: { name: 'Ada' } }),
      ),
    ])
    await until(stuckOnPhones, (pids) => pids.length === 4)
    expect(await client.get(`/v1/messages/${known}`)).toMatchObject(unavailable)
    // All who have not begun have been turned away: there comes no answer any more.
    await until(
      async () => performance.now() - lastAt,
      (quietMs) => quietMs > 1000,
    )
    const waitedMs = lastAt - startedAt
    await release()
    await answers
    expect(waitedMs).toBeLessThan(5000)
    const phonesWith = (wanted: number) => [...statuses].flatMap(([phone, status]) => (status === wanted ? phone : []))
    const [done, turnedAway] = [phonesWith(200), phonesWith(503)]
    expect(done.length).toBeGreaterThanOrEqual(4)
    expect(done.length).toBeLessThanOrEqual(32)
    expect(turnedAway.length).toBe(80 - done.length)
    expect(await messagesTo(done)).toBe(done.length)
    expect(await messagesTo(turnedAway)).toBe(0)
    await until(
      () => client.status(known),
      (status) => status === 'delivered',
    )
  })
})

describe('a request with an Idempotency-Key', () => {
  it('a request that dies half-way has done nothing and can be repeated; until then its key is taken', async () => {
    const phone = newPhone()
    const send = (from = client) => from.post('/v1/verify/send', { phone }, { 'Idempotency-Key': 'dies-half-way' })
    const release = await database.hold('phone')
    const first = send()
    // Its key is claimed when it waits for the table; then its connection goes, as it would with its process.
    const pids = await until(stuckOnPhones, (found) => found.length > 0)
    for (const from of [client, server.test]) {
      expect(await send(from)).toMatchObject({ status: 409, data: { code: 'idempotency_in_progress' } })
    }
    await database.terminate(pids)
    expect(await first).toMatchObject(unavailable)
    await release()
    const again = await send()
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect((await send()).text).toBe(again.text)
    expect(await messagesTo([phone])).toBe(1)
  })

  it('that dies half-way together with others has done nothing, and neither have they', async () => {
    const bodies = times(20, () => ({ phone: newPhone() }))
    const phones = bodies.map(({ phone }) => phone)
    const sendAll = () =>
      Promise.all(
        bodies.map((body) =>
          client.post('/v1/verify/send', body, { 'Idempotency-Key': `dies-${body.phone.slice(1)}` }),
        ),
      )
    const release = await database.hold('phone')
    let answered = false
    const first = sendAll().finally(() => {
      answered = true
    })
    await until(async () => {
      await database.terminate(await stuckOnPhones())
      return answered
    }, Boolean)
    for (const answer of await first) expect(answer).toMatchObject(unavailable)
    await release()
    expect(await messagesTo(phones)).toBe(0)
    const again = await sendAll()
    expect(again.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual(
      again.map(() => [200, null]),
    )
    expect((await sendAll()).map(({ text }) => text)).toEqual(again.map(({ text }) => text))
    expect(await messagesTo(phones)).toBe(20)
  })
})

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make)
}

async function messagesTo(phones: string[]): Promise<number> {
  const [row] = await database.sql`select count(*)::int as count from message where phone in ${database.sql(phones)}`
  return row?.count as number
}
