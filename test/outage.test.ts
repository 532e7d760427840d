/** When the database goes away, and when it has too much to do. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { createGate } from '../src/contract/gate.ts'
import { type Client, createClient } from './support/client.ts'
import { testConfig } from './support/config.ts'
import { newPhone, startServer, type TestServer } from './support/server.ts'
import { startTcpProxy, type TcpProxy } from './support/tcpProxy.ts'

let server: TestServer
let wire: TcpProxy
let app: App
let client: Client
/** With a key that the process has not seen before: it has to ask for it. */
let stranger: Client
let opsUrl: string
beforeAll(async () => {
  server = await startServer()
  if (!server.database) throw new Error('needs PostgreSQL')
  wire = await startTcpProxy(server.database.settings.url)
  app = await createApp(testConfig({ kind: 'postgres', url: wire.url, connectionsMax: 4 }), {
    runtime: server.runtime,
    drainMs: 0,
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

    wire.restore()
    await until(ready, (status) => status === 200)
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
  it('lets requests wait for a bounded time, then answers 503; what had begun is done', async () => {
    if (!server.database) throw new Error('needs PostgreSQL')
    const phones = Array.from({ length: 60 }, newPhone)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const locked = Promise.withResolvers<void>()
    const holder = server.database.sql.begin(async (tx) => {
      await tx`lock table phone in access exclusive mode`
      locked.resolve()
      await held
    })
    await locked.promise
    const started = performance.now()
    let turnedAway = 0
    const answers = Promise.all(
      phones.map(async (phone) => {
        const answer = await client.post('/v1/verify/send', { phone })
        if (answer.status !== 503) return answer.status
        expect(answer).toMatchObject(unavailable)
        turnedAway += 1
        // All but the four that hold the process's connections.
        if (turnedAway === phones.length - 4) release()
        return answer.status
      }),
    )
    const statuses = (await answers).sort()
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(statuses).toEqual([...Array(4).fill(200), ...Array(56).fill(503)])
    await holder
    const sent = await server.query(sql`select id from message where phone in ${phones}`)
    expect(sent).toHaveLength(4)
  })

  it('turns away at once what would make the queue longer than its bound', async () => {
    const gate = createGate({ width: 1, waitingMax: 2, waitMs: 60_000, workMs: 60_000 })
    const first = Promise.withResolvers<string>()
    const running = gate(() => first.promise)
    const waiting = [gate(async () => 'second'), gate(async () => 'third')]
    await expect(gate(async () => 'fourth')).rejects.toMatchObject({ code: 'service_unavailable' })
    first.resolve('first')
    expect(await Promise.all([running, ...waiting])).toEqual(['first', 'second', 'third'])
  })

  it('answers a client whose work takes too long, and gives its place away only when the work is done', async () => {
    const gate = createGate({ width: 1, waitingMax: 1, waitMs: 10, workMs: 10 })
    const work = Promise.withResolvers<string>()
    await expect(gate(() => work.promise)).rejects.toMatchObject({ code: 'service_unavailable' })
    await expect(gate(async () => 'too early')).rejects.toMatchObject({ code: 'service_unavailable' })
    work.resolve('done')
    await work.promise
    expect(await gate(async () => 'now')).toBe('now')
  })
})

describe('a request with an Idempotency-Key', () => {
  it('that dies half-way has done nothing, and can be repeated; until then the key is taken', async () => {
    if (!server.database) throw new Error('needs PostgreSQL')
    const phone = newPhone()
    const send = () => client.post('/v1/verify/send', { phone }, { 'Idempotency-Key': 'dies-half-way' })
    const { sql: beside } = server.database
    await beside.begin(async (tx) => {
      await tx`lock table phone in access exclusive mode`
      const first = send()
      // Its key is claimed when it waits for the table; then its connection goes, as it would with its process.
      const waiting = async () => {
        const [row] = await beside`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into phone%'`
        return row?.pid as number | undefined
      }
      const pid = await until(waiting, (found) => found !== undefined)
      expect(await send()).toMatchObject({ status: 409, data: { code: 'idempotency_in_progress' } })
      await beside`select pg_terminate_backend(${pid as number})`
      expect(await first).toMatchObject(unavailable)
    })
    const again = await send()
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect((await send()).text).toBe(again.text)
    expect(await server.query(sql`select id from message where phone = ${phone}`)).toHaveLength(1)
  })
})
