import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { WrittenRule } from '../../src/domain/protection/rule.ts'
import type { Client, ErrorData } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const server: TestServer = await startServer()
afterAll(() => server.close())
let live: Client
let accountId: string
let account: string
/** Each test has an account of its own. */
beforeEach(async () => {
  account = `account ${newPhone().slice(1)}`
  accountId = (await server.app.accounts.create(account)).id
  live = server.as(await server.key({ mode: 'live', account }))
})

const path = '/v1/verify/send'
const byUser: WrittenRule = {
  id: 'user-day',
  by: 'user',
  count: 'sends',
  window: '24h',
  over: { constant: 2 },
  do: 'block',
}
const apply = (rules: WrittenRule[], fail: 'open' | 'closed' = 'open') =>
  server.app.protections.apply(accountId, { rules, fail, budgets: [] }, 'we are being pumped')
const sendBy = (user_id: string, more = {}, phone = newPhone()) =>
  live.post<ErrorData & { request_id: string }>(path, { phone, signals: { user_id, ...more } })
const counts = async (what: string) => {
  await server.app.exchangeCounts()
  return server.query<{ count: number }>(sql`select coalesce(sum(sends), 0)::int as count from protection_count
    where key like ${`${accountId}/live/${what}:%`}`)
}
const ofRule = async (rule: string) => (await findings()).filter((one) => one.rule === rule)
const findings = () =>
  server.query<{
    rule: string
    did: string
    sends: number
    phones: string[]
  }>(sql`select rule, did, sum(sends)::int as sends,
    array_agg(phones) as phones from (select rule, did, sends, array_to_string(phones, ' ') as phones from protection_finding
    where account_id = ${accountId}) f group by rule, did order by rule`)

describe('a rule that blocks', () => {
  it('refuses what is too much with 403, and names itself', async () => {
    await apply([byUser])
    for (let sent = 0; sent < 2; sent++) expect((await sendBy('eve')).status).toBe(200)
    const refused = await sendBy('eve')
    expect(refused).toMatchObject({
      status: 403,
      data: { code: 'send_blocked', details: [{ field: 'rule:user-day', code: 'blocked' }] },
    })
    expect((await sendBy('ada')).status).toBe(200)
  })

  it('makes and sends nothing; it counts on the limits of the phone, and is kept with its number', async () => {
    await apply([{ ...byUser, over: { constant: 0 } }])
    const phone = newPhone()
    expect(await sendBy('eve', {}, phone)).toMatchObject({ status: 403 })
    expect(await sendBy('eve', {}, phone)).toMatchObject({ status: 429, data: { code: 'resend_cooldown' } })
    await server.work()
    expect(await server.phone(phone)).toEqual([])
    expect((await live.get<{ messages: unknown[] }>('/v1/messages')).data.messages).toEqual([])
    expect(await counts('user')).toEqual([{ count: 0 }])
    expect(await findings()).toEqual([{ rule: 'user-day', did: 'block', sends: 1, phones: [phone] }])
  })

  it('holds for many that come at once: as many pass as it allows', async () => {
    await apply([byUser])
    const all = await Promise.all(Array.from({ length: 40 }, () => sendBy('eve')))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(2)
    // A process beside this one brings its counts to the database in its own time.
    await expect.poll(() => counts('user'), { timeout: 10_000 }).toEqual([{ count: 2 }])
  })

  it('lets pass whom the application trusts', async () => {
    await apply([byUser])
    for (let sent = 0; sent < 4; sent++) expect((await sendBy('eve', { trusted: true })).status).toBe(200)
  })
})

it('loses no count when a list gets its first rule of minutes, nor when it loses that again', async () => {
  const ofMinutes: WrittenRule = { ...byUser, id: 'user-minutes', window: '10m', over: { constant: 50 }, do: 'record' }
  await apply([byUser])
  await sendBy('eve')
  await apply([byUser, ofMinutes])
  expect((await sendBy('eve')).status).toBe(200)
  expect((await sendBy('eve')).status).toBe(403)
  await apply([byUser])
  expect((await sendBy('eve')).status).toBe(403)
})

describe('a rule that challenges', () => {
  it('asks for a captcha with 403, and lets pass who has solved one; that is recorded', async () => {
    await apply([{ ...byUser, over: { constant: 0 }, do: 'challenge' }])
    expect(await sendBy('eve')).toMatchObject({
      status: 403,
      data: { code: 'challenge_required', details: [{ field: 'rule:user-day', code: 'challenged' }] },
    })
    expect((await sendBy('eve', { captcha: { provider: 'turnstile', score: 0.2 } })).status).toBe(403)
    const { data } = await sendBy('eve', { captcha: { provider: 'turnstile' } })
    expect((await live.get(`/v1/messages/${data.request_id}`)).data).toMatchObject({
      findings: [{ rule: 'user-day', did: 'record' }],
    })
  })
})

describe('a challenge and the limits of a phone', () => {
  const solved = { captcha: { provider: 'turnstile' } }
  beforeEach(() => apply([{ ...byUser, over: { constant: 0 }, do: 'challenge' }]))

  it('lets the repeat with a captcha follow at once, and that send begins the cooldown', async () => {
    const phone = newPhone()
    expect((await sendBy('eve', {}, phone)).data.code).toBe('challenge_required')
    expect((await sendBy('eve', solved, phone)).status).toBe(200)
    for (const more of [{}, solved])
      expect(await sendBy('eve', more, phone)).toMatchObject({ status: 429, data: { code: 'resend_cooldown' } })
    await server.advance(60)
    expect((await sendBy('eve', {}, phone)).data.code).toBe('challenge_required')
  })

  it('count together: after five challenges in ten minutes, no captcha helps', async () => {
    const phone = newPhone()
    for (let times = 0; times < 5; times++)
      expect((await sendBy('eve', {}, phone)).data.code).toBe('challenge_required')
    for (const more of [{}, solved])
      expect(await sendBy('eve', more, phone)).toMatchObject({ status: 429, data: { code: 'send_limit_reached' } })
    await server.advance(600)
    expect((await sendBy('eve', solved, phone)).status).toBe(200)
  })
})

it('counts codes that the application made as any other: those that are right are verified', async () => {
  await apply([{ ...byUser, count: 'unverified' }])
  const scopes = ['verify:write', 'verify:custom_code']
  const own = server.as(await server.key({ mode: 'live', account, scopes }))
  const send = () =>
    own.post<{ request_id: string }>(path, { phone: newPhone(), code: '40718293', signals: { user_id: 'eve' } })
  const [first] = [await send(), await send()]
  expect(await send()).toMatchObject({ status: 403, data: { code: 'send_blocked' } })
  expect(await own.check(first.data.request_id, '40718293')).toMatchObject({ verified: true })
  expect(await send()).toMatchObject({ status: 200 })
  expect(await send()).toMatchObject({ status: 403 })
})

it('counts what was verified of a kind of numbers: where codes are typed in, the next ones pass', async () => {
  const byKind: WrittenRule = {
    ...{ id: 'kind-hour', by: 'number_kind', count: 'unverified', window: '1h', over: { constant: 2 } },
    do: 'block',
  }
  await apply([byKind])
  for (let sent = 0; sent < 4; sent++) {
    const phone = newPhone()
    const id = await live.send(phone)
    await server.work()
    const [message] = await server.phone(phone)
    expect(await live.check(id, message!.text.slice(-6))).toMatchObject({ verified: true })
  }
  const statuses: number[] = []
  for (let sent = 0; sent < 3; sent++) statuses.push((await live.post(path, { phone: newPhone() })).status)
  expect(statuses).toEqual([200, 200, 403])
})

it('counts by country what is made: no repeat of a key, and nothing that a limit refuses', async () => {
  const byCountry = { id: 'country-hour', by: 'country', count: 'sends', window: '1h', over: { constant: 2 } } as const
  await apply([{ ...byCountry, do: 'block' }])
  const phone = newPhone()
  const send = (to: string, headers = {}) => live.post<ErrorData>(path, { phone: to }, headers)
  const key = { 'Idempotency-Key': 'the-first' }
  for (let times = 0; times < 4; times++) expect((await send(phone, key)).status).toBe(200)
  for (let times = 0; times < 3; times++)
    expect(await send(phone)).toMatchObject({ status: 429, data: { code: 'resend_cooldown' } })
  expect((await send(newPhone())).status).toBe(200)
  expect(await send(newPhone())).toMatchObject({ status: 403, data: { code: 'send_blocked' } })
})

describe('the standard list', () => {
  it('records and stops nothing: what it found is with the message, in GET and in the list', async () => {
    const ids: string[] = []
    for (let sent = 0; sent < 12; sent++) ids.push((await sendBy('eve')).data.request_id)
    const found = { rule: 'user-day', did: 'record' }
    expect((await live.get<{ findings: unknown[] }>(`/v1/messages/${ids[11]}`)).data.findings).toContainEqual(found)
    expect((await live.get<{ findings?: unknown[] }>(`/v1/messages/${ids[0]}`)).data.findings).toBeUndefined()
    const { data } = await live.get<{ messages: { id: string; findings?: unknown[] }[] }>('/v1/messages')
    expect(data.messages.find(({ id }) => id === ids[11])!.findings).toContainEqual(found)
    expect(await findings()).toContainEqual(expect.objectContaining({ ...found, sends: 2 }))
  })

  it('knows what was verified: a country where codes are typed in is not conspicuous', async () => {
    for (let sent = 0; sent < 6; sent++) {
      const phone = newPhone()
      const id = await live.send(phone)
      await server.work()
      const [message] = await server.phone(phone)
      expect(await live.check(id, message!.text.slice(-6))).toMatchObject({ verified: true })
    }
    for (let sent = 0; sent < 40; sent++) await live.send(newPhone())
    // They may still be typed in.
    expect(await ofRule('country-hour')).toEqual([])
    await server.advance(181)
    await live.send(newPhone())
    expect(await ofRule('country-hour')).not.toEqual([])
  })
})

describe('the list of an account', () => {
  it('is the standard one until it has its own; what refuses needs a reason, which the audit has', async () => {
    const { protections, listAudit } = server.app
    expect(await protections.find(accountId)).toMatchObject({ isOwn: false, fail: 'open' })
    const given = { rules: [byUser], fail: 'closed' as const, budgets: [] }
    await expect(protections.apply(accountId, given)).rejects.toThrow('refuse sends from now on: user-day')
    expect(await protections.apply(accountId, given, 'pumped')).toEqual({ raised: ['user-day'], removedBudgets: [] })
    expect(await protections.find(accountId)).toMatchObject({ ...given, isOwn: true })
    expect(await protections.apply(accountId, given)).toEqual({ raised: [], removedBudgets: [] })
    const noted = (await listAudit(accountId, { count: 10 })).filter(({ act }) => act === 'protection.changed')
    expect(noted).toHaveLength(1)
    expect(noted[0]!.detail).toMatchObject({ refuse: ['user-day'], reason: 'pumped' })
  })

  it('is the standard one again after a reset, which the audit has', async () => {
    const { protections, listAudit } = server.app
    await protections.apply(accountId, { rules: [byUser], fail: 'closed', budgets: [] }, 'pumped')
    expect(await protections.reset(accountId)).toBe(true)
    expect(await protections.find(accountId)).toMatchObject({ isOwn: false, fail: 'open' })
    expect(await protections.reset(accountId)).toBe(false)
    const noted = (await listAudit(accountId, { count: 10 })).map(({ act, detail }) => ({ act, detail }))
    const changed = expect.arrayContaining(['user-day', 'sequence', 'fail'])
    expect(noted).toContainEqual({ act: 'protection.changed', detail: { changed, standard: true } })
  })
})
