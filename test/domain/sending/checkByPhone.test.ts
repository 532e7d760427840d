/** Checks by phone when everything comes at once: three processes' worth of the service on one PostgreSQL. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { messageIdsAround } from '../../../src/domain/sending/messageId.ts'
import { PreparingClient } from '../../../src/store/engine/postgres/pool.ts'
import { takeAttemptsByPhone } from '../../../src/store/sending/pendingVerification.ts'
import type { Client, ErrorData } from '../../support/client.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { execute } from '../../support/statement.ts'

const overrides = { groups: { waitMs: 20_000, workMs: 20_000 } }
const config = { keyRatePerSecond: 10_000, keyBurst: 10_000 }
const soon = { timeout: 10_000, interval: 10 }

let server: TestServer
let others: TestServer[]
let clients: Client[]
beforeAll(async () => {
  server = await startServer({ overrides, config })
  const beside = () => startServer({ overrides, config, beside: server })
  others = [await beside(), await beside()]
  const key = await server.key()
  clients = [server, ...others].map((one) => one.as(key))
})
afterAll(async () => {
  for (const one of [...others, server]) await one.close()
})

interface Told extends ErrorData {
  verified?: boolean
  reason?: string
  request_id?: string
  attempts_remaining?: number
}
type Ask = (client: Client) => Promise<Told>

const byPhone =
  (phone: string, code: string): Ask =>
  async (client) =>
    (await client.post<Told>('/v1/verify/check-by-phone', { phone, code })).data
const byId =
  (request_id: string, code: string): Ask =>
  async (client) =>
    (await client.post<Told>('/v1/verify/check', { request_id, code })).data

/** Each of them 200 / `asks.length` times, all at once, in turns by the processes. @returns how many were answered so */
async function atOnce(...asks: Ask[]): Promise<Record<string, number>> {
  const told = await Promise.all(
    Array.from({ length: 200 }, (_, i) => asks[i % asks.length]!(clients[i % clients.length]!)),
  )
  const counts: Record<string, number> = {}
  for (const { code, verified, reason } of told) {
    const answer = code ?? (verified ? 'verified' : reason)!
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return counts
}

const stateOf = async (phone: string) => {
  const [row] = await server.query<{ attempts: number; verified: boolean }>(sql`select attempts::int,
    verified_attempt is not null as verified, cardinality(wrong_at) as wrong from phone where phone = ${phone}`)
  return row
}

it('200 right codes by phone at once verify exactly once', async () => {
  const phone = newPhone()
  await server.test.send(phone)
  expect(await atOnce(byPhone(phone, '000000'))).toEqual({ verified: 1, verification_not_found: 199 })
  expect(await stateOf(phone)).toEqual({ attempts: 1, verified: true, wrong: 0 })
})

it.each([
  [6, 5],
  [4, 3],
])('200 wrong codes of %i digits by phone at once count as exactly %i', async (length, allowed) => {
  const phone = newPhone()
  await server.test.send(phone, { length })
  expect(await atOnce(byPhone(phone, '1'.repeat(length)))).toEqual({
    incorrect_code: allowed - 1,
    attempts_exhausted: 1,
    verification_not_found: 200 - allowed,
  })
  expect(await stateOf(phone)).toMatchObject({ attempts: allowed, verified: false })
})

it('right codes by phone and by request_id at once verify exactly once', async () => {
  const phone = newPhone()
  const id = await server.test.send(phone)
  const told = await atOnce(byPhone(phone, '000000'), byId(id, '000000'))
  expect(told.verified).toBe(1)
  expect((told.verification_not_found ?? 0) + (told.already_verified ?? 0)).toBe(199)
})

it('wrong codes by phone and by request_id at once share the attempts', async () => {
  const phone = newPhone()
  const id = await server.test.send(phone)
  const {
    incorrect_code,
    attempts_exhausted = 0,
    verification_not_found = 0,
  } = await atOnce(byPhone(phone, '111111'), byId(id, '111111'))
  expect(incorrect_code).toBe(4)
  expect(attempts_exhausted + verification_not_found).toBe(196)
  expect(await stateOf(phone)).toMatchObject({ attempts: 5, verified: false })
})

it('a check by phone that waits for a resend checks the code of that resend', async () => {
  const phone = newPhone()
  const older = await server.test.send(phone)
  const beside = await server.database!.sql.reserve()
  await beside`begin`
  await beside`select from phone where phone = ${phone} for update`
  const resent = clients[0]!.send(phone)
  let checked: Promise<Told> | undefined
  try {
    await expect.poll(() => server.database!.stuckAt('insert into phone'), soon).toHaveLength(1)
    checked = byPhone(phone, '000000')(clients[1]!)
    await expect.poll(() => server.database!.stuckAt('as is_pending'), soon).toHaveLength(1)
  } finally {
    await beside`commit`
    beside.release()
  }
  const newer = await resent
  expect(newer).not.toBe(older)
  expect(await checked).toMatchObject({ request_id: newer, verified: true })
  expect(await stateOf(phone)).toEqual({ attempts: 1, verified: true, wrong: 0 })
})

it('while codes are sent again and again, each check by phone is of one that was sent', async () => {
  const phone = newPhone()
  const sent = [await server.test.send(phone)]
  const sends = Array.from({ length: 30 }, (_, i) => clients[i % 3]!.send(phone).then((id) => sent.push(id)))
  const told = await Promise.all(Array.from({ length: 60 }, (_, i) => byPhone(phone, '111111')(clients[i % 3]!)))
  await Promise.all(sends)
  const counted = told.filter(({ code }) => code === undefined)
  expect(counted.length).toBeGreaterThan(0)
  for (const { request_id } of counted) expect(sent).toContain(request_id)
  const attempts = counted.map(({ request_id, attempts_remaining }) => `${request_id} ${attempts_remaining}`)
  expect(new Set(attempts).size).toBe(attempts.length)
})

it('that no code is pending is found by the same statements as that a code is wrong', async () => {
  const [wrong, verified, unknown] = [newPhone(), newPhone(), newPhone()]
  for (const phone of [wrong, verified]) await server.test.send(phone)
  await byPhone(verified, '000000')(server.test)
  await byPhone(unknown, '000000')(server.test)
  const statements: string[][] = []
  const send = PreparingClient.prototype.query as (this: unknown, ...given: unknown[]) => never
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (this: unknown, ...given) {
    const [query] = given as [string | { text: string }]
    statements.at(-1)!.push(typeof query === 'string' ? query : query.text)
    return send.apply(this, given)
  })
  for (const phone of [wrong, verified, unknown]) {
    statements.push([])
    await byPhone(phone, '111111')(server.test)
  }
  spy.mockRestore()
  expect(statements[0]!.some((text) => text.includes('update phone'))).toBe(true)
  expect(statements[1]).toEqual(statements[0])
  expect(statements[2]).toEqual(statements[0])
})

it('that no code is pending is a commit that waits for the disk, like that of a wrong code', async () => {
  const at = server.runtime.now()
  const guess = { accountId: 'acct_default', mode: 'test' as const, phone: newPhone(), at }
  const wrote = await server.commit.transaction(async (tx) => {
    const options = { rules: [], keyIds: [], pendingSpan: messageIdsAround([at], 600) }
    expect(await takeAttemptsByPhone(tx, [guess], options)).toEqual([undefined])
    const [row] = await execute<{ id: string | null }>(tx, sql`select pg_current_xact_id_if_assigned()::text as id`)
    return row?.id
  })
  expect(wrote).toMatch(/^\d+$/)
})
