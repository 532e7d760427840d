/** What a soak would say of a service that loses something. */
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createFindings } from '../../scripts/soak/findings.ts'
import { createLedger } from '../../scripts/soak/ledger.ts'
import { prove } from '../../scripts/soak/proof.ts'
import { createSimLog, sim } from '../../scripts/soak/sim.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase | undefined
let sql: TestDatabase['sql']
let ledger: ReturnType<typeof createLedger>
let findings: ReturnType<typeof createFindings>
let taken: Set<string>
let simLog: ReturnType<typeof createSimLog>
beforeEach(async () => {
  await database?.drop()
  database = await createDatabase()
  sql = database.sql
  ;[ledger, findings, taken, simLog] = [createLedger(), createFindings(), new Set(), createSimLog()]
})
afterAll(() => database?.drop())

interface Given {
  status?: string
  isVerified?: boolean
  isTaken?: boolean
  secondsLeft?: number
  phone?: string
  kind?: 'verification' | 'notification'
  /** Of its `send_at`, from now on. */
  waitsSeconds?: number
}

async function giveMessage(id: string, given: Given = {}): Promise<string> {
  const { status = 'delivered', isVerified = false, isTaken = true, secondsLeft = 60, phone = `+1212555${id}` } = given
  const { kind = 'verification', waitsSeconds } = given
  const now = new Date()
  const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  await sql`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at, expires_at,
      verified_at, taken_at, send_at)
    values ('acct_default', ${id}, 'live', ${kind}, ${phone}, ${status}, ${now}, '[]', ${now},
      ${kind === 'verification' ? inSeconds(secondsLeft) : null}, ${isVerified ? now : null}, ${isTaken ? now : null},
      ${waitsSeconds === undefined ? null : inSeconds(waitsSeconds)})`
  return id
}

function acknowledge(id: string, phone = `+1212555${id}`, kind: Given['kind'] = 'verification'): void {
  ledger.sending(phone)
  ledger.acknowledge(id, { phone, kind })
}

async function found(): Promise<[what: string, count: number][]> {
  await prove(sql, { ledger, findings, receiver: { taken } as never, simLog })
  return findings.list().map(({ what, count }) => [what, count])
}

it('nothing, where everything that was acknowledged is there', async () => {
  acknowledge(await giveMessage('1000'))
  acknowledge(await giveMessage('1001', { isVerified: true }))
  ledger.conclude('1001', 'verified')
  expect(await found()).toEqual([])
})

it('that a code which the inlet has taken is lost', async () => {
  await giveMessage('1000', { phone: '+12125551000' })
  for (const phone of ['+12125551000', '+12125551001']) ledger.posted(phone)
  expect(await found()).toEqual([['a code that the inlet has taken is lost', 1]])
})

it('that a message is lost, or is another one', async () => {
  acknowledge('1000')
  acknowledge(await giveMessage('1001'), '+12125559999')
  expect(await found()).toEqual([
    ['a message that was acknowledged is lost', 1],
    ['a message is another one than was acknowledged', 1],
  ])
})

it('that a code was accepted, and the database does not know, or the other way round', async () => {
  acknowledge(await giveMessage('1000'))
  ledger.conclude('1000', 'verified')
  acknowledge(await giveMessage('1001', { isVerified: true }))
  // Of these, nobody was told.
  acknowledge(await giveMessage('1002', { isVerified: true }))
  ledger.conclude('1002', 'unclear')
  expect(await found()).toEqual([
    ['a code is not verified in the database, and its caller was told: verified', 1],
    ['a code is verified in the database, and its caller was told: open', 1],
  ])
})

it('that a message stays as it is for ever, unless a provider may still report or a job is there', async () => {
  acknowledge(await giveMessage('1000', { status: 'sent', isTaken: false }))
  acknowledge(await giveMessage('1001', { status: 'sent', secondsLeft: -60 }))
  acknowledge(await giveMessage('1002', { status: 'sent' }))
  acknowledge(await giveMessage('1003', { status: 'sent', isTaken: false }))
  await sql`insert into pgboss.job (name, data) values ('deliver-sandbox', '{"messages":[{"id":"1003"}]}')`
  expect(await found()).toEqual([['a message has no end, and nothing will give it one', 2]])
})

it('that what was repeated was done twice, or by half', async () => {
  for (const id of ['1000', '1001']) await giveMessage(id, { phone: '+12125550000' })
  acknowledge('1000', '+12125550000')
  // Who asks twice gets two.
  for (const id of ['1002', '1003']) acknowledge(await giveMessage(id, { phone: '+12125550002' }), '+12125550002')
  await sql`insert into idempotency (account_id, mode, operation, key, fingerprint, fingerprint_key_id, created_at)
    values ('acct_default', 'live', 'sendVerification', 'a key', '', '', now())`
  expect(await found()).toEqual([
    ['a phone was sent to twice', 1],
    ['a key was claimed, and has no answer', 1],
  ])
})

it('that a scheduled notification went too early, or was cancelled and went', async () => {
  const give = async (id: string, given: Given) =>
    acknowledge(await giveMessage(id, { kind: 'notification', ...given }), `+1212555${id}`, 'notification')
  await give('1000', { waitsSeconds: 60 })
  await give('1001', { waitsSeconds: 60, status: 'queued', isTaken: false })
  await give('1002', { waitsSeconds: -60, status: 'queued', isTaken: false })
  await give('1003', { waitsSeconds: -60, status: 'expired', isTaken: false })
  await give('1004', { waitsSeconds: -60 })
  for (const id of ['1003', '1004']) ledger.conclude(id, 'cancelled')
  expect(await found()).toEqual([
    ['a notification went before its time', 1],
    ['a message has no end, and nothing will give it one', 1],
    ['a cancelled notification went', 1],
  ])
})

it('that a SIM was handed more than its cap within a minute', async () => {
  const hand = (count: number, at: string) => {
    for (let index = 0; index < count; index++) simLog.note({ provider: sim.provider, at })
  }
  hand(sim.perMinute - 1, '2026-05-01T10:00:10Z')
  hand(1, '2026-05-01T10:01:04Z')
  hand(sim.perMinute, '2026-05-01T10:02:30Z')
  expect(await found()).toEqual([])
  hand(1, '2026-05-01T10:03:20Z')
  expect(await found()).toEqual([['a SIM was handed more than its cap', 1]])
})

it('that an event was not brought, or waits although it is due', async () => {
  const give = async (id: string, state: string, secondsAgo: number) => {
    await sql`insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, attempts, at)
      values ('acct_default', ${id}, 'ep_1', ${state}, now() - ${secondsAgo} * interval '1 second', 1, now())`
  }
  await give('evt_1', 'delivered', 0)
  await give('evt_2', 'delivered', 0)
  await give('evt_3', 'due', 300)
  await give('evt_4', 'due', -300)
  await give('evt_5', 'failed', 0)
  taken.add('evt_1')
  expect(await found()).toEqual([
    ['an event was never brought', 1],
    ['an event is due, and nobody brings it', 1],
    ['an event is failed', 1],
  ])
})
