/**
 * What happened is told, and nothing else, whenever the processes that tell it are killed. `FAULT_ROUNDS` says how often (20),
 * `FAULT_SEED` repeats a run.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAdmin } from '../../src/app/admin.ts'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { follows } from '../../src/domain/sending/status.ts'
import { loadConfig } from '../../src/settings/config.ts'
import type { MessageStatus } from '../../src/store/schema/schema.ts'
import { type EventReceiver, startEventReceiver } from '../support/eventReceiver.ts'
import { type MortalDatabase, openMortalDatabase } from './database.ts'
import { type Service, startService, workersMax } from './service.ts'

const rounds = Number(process.env.FAULT_ROUNDS ?? 20)
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
/** Milliseconds for a claim of a dead worker to be taken over, and for what was refused to be tried again. */
const settleMs = 150_000

const round = fc.record({
  killed: fc.subarray(
    Array.from({ length: workersMax }, (_worker, index) => index),
    { minLength: 1 },
  ),
  afterMs: fc.integer({ min: 50, max: 900 }),
})

let folder: string
let database: MortalDatabase
let service: Service
let receiver: EventReceiver
let secret: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-faults-'))
  database = await openMortalDatabase(folder)
  service = await startService(database.url)
  receiver = await startEventReceiver(fussy())
  const admin = await createAdmin(loadConfig(service.settings, { role: 'cli' }))
  const { id: accountId } = await admin.accounts.require(defaultAccount)
  const added = await admin.endpoints.add({ accountId, mode: 'test', url: receiver.url, types: null })
  secret = added.secret
  await admin.close()
  // The processes know of it by then.
  await wait(5000)
})
afterAll(async () => {
  await receiver?.close()
  await service?.stop()
  await database?.stop()
  await rm(folder, { recursive: true, force: true })
})

it(`tells all that happened and nothing else in ${rounds} rounds of kills (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const load = createLoad(await testKey())
  for (const { killed, afterMs } of fc.sample(round, { numRuns: rounds, seed })) {
    await wait(afterMs)
    process.stdout.write(
      `  ${load.checks()} codes checked, ${receiver.received.length} events; kills workers ${killed}\n`,
    )
    await Promise.all(killed.map(service.killWorker))
    await service.revive()
  }
  const ends = await load.stop()
  expect(ends.size).toBeGreaterThan(rounds)
  await expectTold(ends)
})

/** Breaks off at some events when they come for the first time, before or after it has taken them. */
function fussy() {
  const seen = new Set<unknown>()
  return ({ headers }: { headers: Record<string, unknown> }) => {
    const id = headers['webhook-id']
    const isFirst = !seen.has(id)
    seen.add(id)
    if (isFirst && seen.size % 29 === 0) return 'reset'
    return { status: isFirst && seen.size % 31 === 0 ? 500 : 204 }
  }
}

async function testKey(): Promise<string> {
  return (await readFile(join(service.settings.DATA_DIR!, 'test-key'), 'utf8')).trim()
}

type End = 'verified' | 'attempts_exhausted'

/** Sends codes to phones that behave in each way, and checks most of them: rightly, or until no attempt is left. */
function createLoad(key: string) {
  const ends = new Map<string, End | undefined>()
  let [stopping, turns] = [false, 0]
  const ask = async (path: string, body: object) => {
    const response = await service.post(path, body, { Authorization: `Bearer ${key}` })
    const { data } = (await response.json()) as { data: { request_id: string; verified?: boolean; reason?: string } }
    expect([response.status, data]).toEqual([200, expect.anything()])
    return data
  }
  const check = async (request_id: string, isRight: boolean) => {
    for (let left = isRight ? 1 : 5; left > 0; left--) {
      const { verified, reason } = await ask('/v1/verify/check', { request_id, code: isRight ? '000000' : '111111' })
      ends.set(request_id, verified ? 'verified' : reason === 'attempts_exhausted' ? reason : undefined)
    }
  }
  const send = async (phone: string) => (await ask('/v1/verify/send', { phone })).request_id
  const caller = async () => {
    while (!stopping) {
      turns += 1
      const turn = turns
      const id = await send(`+1415${2_000_000 + turn}`)
      await wait(turn % 5 === 0 ? 0 : 40)
      if (turn % 6 !== 0) await check(id, turn % 4 !== 0)
    }
  }
  /** Another code for the same phone would supersede the one before, whose message may be on its way. */
  const waiter = async (phone: string, status: string) => {
    while (!stopping) {
      const id = await send(phone)
      while (!stopping && (await statusOf(id)) !== status) await wait(50)
    }
  }
  const statusOf = async (id: string) => {
    const response = await fetch(service.urlOf(`/v1/messages/${id}`), { headers: { Authorization: `Bearer ${key}` } })
    return ((await response.json()) as { data: { status: string } }).data.status
  }
  const ranges = Array.from({ length: 10 }, (_phone, digit) => digit)
  const callers = Promise.all([
    ...Array.from({ length: 4 }, caller),
    ...ranges.map((digit) => waiter(`+1415555011${digit}`, 'read')),
    ...ranges.map((digit) => waiter(`+1415555012${digit}`, 'failed')),
  ])
  // What went wrong comes out of `stop`.
  callers.catch(() => {})
  return {
    checks: () => ends.size,
    stop: async () => {
      stopping = true
      await callers
      return ends
    },
  }
}

/** Holds what was received to what the database says has happened. */
async function expectTold(ends: Map<string, End | undefined>): Promise<void> {
  const sql = postgres(database.url, { max: 2, onnotice: () => {} })
  const open = async () => {
    const [row] = await sql`select (select count(*)::int from event_delivery where state <> 'delivered') +
      (select count(*)::int from pgboss.job where name in ('deliver-sandbox', 'report', 'abandoned')
        and state < 'completed') as open`
    return row?.open as number
  }
  await expect.poll(open, { timeout: settleMs, interval: 500 }).toBe(0)

  const events = await sql<{ id: string; body: string }[]>`select id, body from event`
  const received = receiver.received.map(({ headers, body }) => [headers['webhook-id'], body] as const)
  // Each at least once, with the same bytes however often; and nothing that is not written.
  expect(new Set(received.map(([id, body]) => `${id} ${body}`))).toEqual(
    new Set(events.map(({ id, body }) => `${id} ${body}`)),
  )
  expect(receiver.faults(secret)).toEqual([])
  process.stdout.write(`  ${events.length} events, ${received.length - events.length} of them came more than once\n`)

  const messages = await sql<Message[]>`select id, timeline, taken_at is not null as "isTaken" from message`
  await sql.end()
  const isDecided = (id: string) => ends.get(id) !== undefined
  const told = events.flatMap(({ body }) => {
    const { type, data } = JSON.parse(body)
    // Of a code that was decided about when its message failed, nothing is told; but it may have failed before.
    if (data.reason === 'not_delivered' && isDecided(data.request_id)) return []
    return `${data.request_id} ${type} ${data.reason ?? ''}`
  })
  expect(told.toSorted()).toEqual(
    messages.flatMap((message) => expectedEvents(message, ends.get(message.id))).toSorted(),
  )
}

interface Message {
  id: string
  timeline: { status: MessageStatus; at: string }[]
  isTaken: boolean
}

/** What is to be told of a message, out of what is written down of its way. */
function expectedEvents({ id, timeline, isTaken }: Message, end: End | undefined): string[] {
  const told = isTaken ? ['message.sent '] : []
  let [status] = timeline.map((step) => step.status)
  for (const { status: next } of timeline) {
    if (!follows[next].includes(status!)) continue
    status = next
    told.push(`message.${next} `)
    if (next === 'failed' && !end) told.push('verification.failed not_delivered')
  }
  if (end === 'verified') told.push('verification.verified ')
  if (end === 'attempts_exhausted') told.push('verification.failed attempts_exhausted')
  return told.map((one) => `${id} ${one}`)
}
