/**
 * Processes that are killed in the middle of a commit. Of requests that share it: of each, all is there, or nothing. Of notifications
 * whose time has come: each goes once.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Client, createClient } from '../support/client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { keptKeys } from '../support/keptKey.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'
import { newPhone } from '../support/server.ts'

const secret = 'a secret of the crash test that is long enough'
let folder: string
let database: TestDatabase
let settings: Record<string, string>
/** Lives on, and is asked again what the dead one was asked. */
let survivor: Running
let key: string
let keptKey: Awaited<ReturnType<typeof keptKeys>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-crash-'))
  database = await createDatabase()
  settings = {
    DATABASE_URL: database.settings.url,
    WATCHWORD_SECRET: secret,
    WORKER: 'off',
    DATA_DIR: folder,
    DEV_KEYS: 'on',
  }
  survivor = await start()
  key = (await readFile(join(folder, 'test-key'), 'utf8')).trim()
  keptKey = await keptKeys(database, secret, 'test')
})
afterAll(async () => {
  await survivor?.end('SIGKILL')
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const start = () => whenReady(launchProcess('serve', settings))

interface Ask {
  path: string
  body: { phone?: string; request_id?: string }
  idempotencyKey: string
}
let keys = 0
const newKey = () => `crash-${++keys}`
const ask = (client: Client, { path, body, idempotencyKey }: Ask) =>
  client.post(path, body, { 'Idempotency-Key': idempotencyKey })

/**
 * Asks all at once of a process that hangs where a table may only be read, and is killed there.
 *
 * @returns for each, whether it was acknowledged
 */
async function dieIn(table: string, asks: Ask[]): Promise<boolean[]> {
  const dying = await start()
  const client = createClient(dying.url, key)
  const release = await database.hold(table, 'share')
  const answers = Promise.allSettled(asks.map((one) => ask(client, one)))
  await expect.poll(() => database.stuckAt(''), { interval: 10 }).not.toEqual([])
  await dying.end('SIGKILL')
  const acknowledged = (await answers).map(({ status }) => status === 'fulfilled')
  await release()
  // What the dead process had sent before, PostgreSQL goes through before it notices.
  const alive = async () => {
    const [row] =
      await database.sql`select count(*)::int as count from pg_stat_activity where datname = current_database()
      and application_name = 'watchword' and state <> 'idle'`
    return row?.count
  }
  await expect.poll(alive, { interval: 10 }).toBe(0)
  expect(acknowledged).toContain(false)
  return acknowledged
}

/** What is there of each request. */
async function tracesOf(asks: Ask[]): Promise<{ messages: number; phones: number; jobs: number; keys: number }[]> {
  const { sql } = database
  return Promise.all(
    asks.map(async ({ path, body: { phone = '' }, idempotencyKey }) => {
      const [row] = await sql`select
        (select count(*)::int from message where phone = ${phone}) as messages,
        (select count(*)::int from phone where phone = ${phone}) as phones,
        (select count(*)::int from pgboss.job j, jsonb_array_elements(j.data -> 'messages') as part
          join message m on m.id = part ->> 'id' where m.phone = ${phone}) as jobs,
        (select count(*)::int from idempotency where key = ${keptKey(path, idempotencyKey)}) as keys`
      return row as never
    }),
  )
}

const repeat = (asks: Ask[]): Promise<Answer[]> =>
  Promise.all(asks.map((one) => ask(createClient(survivor.url, key), one)))

const [nothing, all] = [0, 1].map((count) => ({ messages: count, phones: count, jobs: count, keys: count }))

// A table that a statement waits for before the commit is sent, and two that wait together with the commit.
describe.each(['phone', 'message', 'pgboss.job'])('killed at the table %s', (table) => {
  it.each([
    ['sends', '/v1/verify/send', {}],
    ['notifications', '/v1/notifications/send', { template: 'welcome', variables: { name: 'Ada' } }],
  ])('%s are done or not done, and once when they are repeated', async (_what, path, more) => {
    const asks = Array.from(
      { length: 20 },
      (): Ask => ({ path, body: { phone: newPhone(), ...more }, idempotencyKey: newKey() }),
    )
    const acknowledged = await dieIn(table, asks)
    for (const [index, traces] of (await tracesOf(asks)).entries()) {
      expect(acknowledged[index] ? [all] : [nothing, all]).toContainEqual(traces)
    }
    for (const answer of await repeat(asks)) expect(answer.status, answer.text).toBe(200)
    expect(await tracesOf(asks)).toEqual(asks.map(() => all))
  })
})

it.each(['phone', 'message'])('checks are counted or not, and once when they are repeated (%s)', async (table) => {
  const client = createClient(survivor.url, key)
  const asks = await Promise.all(
    Array.from({ length: 20 }, async (_, index): Promise<Ask> => {
      const body = { request_id: await client.send(newPhone()), code: index % 2 ? '000000' : '111111' }
      return { path: '/v1/verify/check', body, idempotencyKey: newKey() }
    }),
  )
  const acknowledged = await dieIn(table, asks)
  const statesOf = () =>
    Promise.all(
      asks.map(async ({ path, body: { request_id = '' }, idempotencyKey }) => {
        const [row] = await database.sql`select p.attempts, cardinality(p.wrong_at) as wrong,
            p.verified_attempt is not null as right, m.verified_at is not null as verified,
            (select count(*)::int from idempotency where key = ${keptKey(path, idempotencyKey)}) as keys
          from phone p join message m on m.id = p.verification_id where m.id = ${request_id}`
        return row
      }),
    )
  const untouched = { attempts: 0, wrong: 0, right: false, verified: false, keys: 0 }
  const done = (index: number) => {
    const isRight = index % 2 === 1
    return { attempts: 1, wrong: isRight ? 0 : 1, right: isRight, verified: isRight, keys: 1 }
  }
  const states = await statesOf()
  for (const [index, state] of states.entries()) {
    expect(acknowledged[index] ? [done(index)] : [untouched, done(index)]).toContainEqual(state)
  }
  const verdicts = (await repeat(asks)).map(({ data }) => data.verified)
  expect(verdicts).toEqual(asks.map((_, index) => index % 2 === 1))
  expect(await statesOf()).toEqual(asks.map((_, index) => done(index)))
})

const startWorker = () => whenReady(launchProcess('worker', settings))

/** @returns their phones */
async function schedule(count: number, seconds: (index: number) => number): Promise<string[]> {
  const client = createClient(survivor.url, key)
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const phone = newPhone()
      const send_at = new Date(Date.now() + seconds(index) * 1000).toISOString()
      const body = { phone, template: 'welcome', variables: { name: 'Ada' }, send_at }
      const { status, text } = await client.post('/v1/notifications/send', body)
      expect(status, text).toBe(200)
      return phone
    }),
  )
}

/** How many texts each phone has. */
async function textsOf(phones: readonly string[]): Promise<number[]> {
  const rows = await database.sql<{ phone: string; count: number }[]>`
    select phone, count(*)::int as count from sandbox_message where phone = any (${phones}) group by phone`
  const counts = new Map(rows.map(({ phone, count }) => [phone, count]))
  return phones.map((phone) => counts.get(phone) ?? 0)
}

/** Of each, how often it waits for its time, and for its delivery. */
async function waitsOf(phones: readonly string[]): Promise<{ scheduled: number; jobs: number }[]> {
  return Promise.all(
    phones.map(async (phone) => {
      const [row] = await database.sql`select
        (select count(*)::int from scheduled s join message m using (account_id, id) where m.phone = ${phone}) as scheduled,
        (select count(*)::int from pgboss.job j, jsonb_array_elements(j.data -> 'messages') as part
          join message m on m.id = part ->> 'id' where m.phone = ${phone} and j.state < 'completed') as jobs`
      return row as never
    }),
  )
}

/** A claim of a dead worker ends after half a minute. */
const allSent = { interval: 100, timeout: 120_000 }

describe('workers that are killed around `send_at`', () => {
  it.each(['phone', 'pgboss.job', 'scheduled'])(
    'at the table %s: each is dispatched or not, and goes once',
    async (table) => {
      const phones = await schedule(20, () => 3600)
      await database.sql`update scheduled set send_at = now()`
      const release = await database.hold(table, 'share')
      const dying = await startWorker()
      await expect.poll(() => database.stuckAt(''), { interval: 10, timeout: 20_000 }).not.toEqual([])
      await dying.end('SIGKILL')
      await release()
      for (const waits of await waitsOf(phones)) {
        expect([
          { scheduled: 1, jobs: 0 },
          { scheduled: 0, jobs: 1 },
        ]).toContainEqual(waits)
      }
      const next = await startWorker()
      await expect.poll(() => textsOf(phones), allSent).toEqual(phones.map(() => 1))
      await next.end('SIGTERM')
      expect(await textsOf(phones)).toEqual(phones.map(() => 1))
    },
    240_000,
  )

  it('three, one after the other while they send: each goes once', async () => {
    const workers = await Promise.all([startWorker(), startWorker(), startWorker()])
    const phones = await schedule(90, (index) => 1 + index / 15)
    const sent = async () => (await textsOf(phones)).filter((count) => count > 0).length
    for (const [index, worker] of [...workers].entries()) {
      await expect.poll(sent, { ...allSent, interval: 10 }).toBeGreaterThan(index * 25)
      await worker.end('SIGKILL')
      workers.push(await startWorker())
    }
    await expect.poll(() => textsOf(phones), allSent).toEqual(phones.map(() => 1))
    await expect.poll(() => waitsOf(phones), allSent).toEqual(phones.map(() => ({ scheduled: 0, jobs: 0 })))
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')))
    expect(await textsOf(phones)).toEqual(phones.map(() => 1))
  }, 300_000)
})
