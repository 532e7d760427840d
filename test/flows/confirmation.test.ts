import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { extraScopes, scopes } from '../../src/contract/document.ts'
import type { WrittenRule } from '../../src/domain/protection/rule.ts'
import { applyInlets, bodyOf, entry, post } from '../inlets/site.ts'
import type { Client } from '../support/client.ts'
import { listenTo } from '../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let account: string
/** Sends codes of its own. */
let own: Client
beforeAll(async () => {
  server = await startServer()
  account = await applyInlets(server, entry(), entry({ id: 'staging', mode: 'test' }))
  own = server.as(await server.key({ mode: 'live', scopes: [...scopes, ...extraScopes] }))
})
afterAll(() => server.close())

const confirm = (body: object, client: Client = server.live, headers = {}) =>
  client.post('/v1/verify/confirm', body, headers)
/** Posts a code of the auth system. @returns the id of its message */
async function posted(phone: string, inlet?: string): Promise<string> {
  await post(server, bodyOf({ phone, code: '561166' }), inlet === undefined ? {} : { inlet })
  const [message] = await server.query<{ id: string }>(
    sql`select id from message where phone = ${phone} order by id desc limit 1`,
  )
  return message!.id
}

describe('a code that an auth system has checked', () => {
  it.each(['id', 'phone'])('is confirmed once, by its %s, and shows as verified', async (name) => {
    const phone = newPhone()
    const request_id = await posted(phone)
    const body = name === 'id' ? { request_id } : { phone }
    expect(await confirm(body)).toMatchObject({ status: 200, data: { request_id, confirmed: true } })
    expect((await confirm(body)).data).toMatchObject({ request_id, confirmed: false, reason: 'already_verified' })
    const rows = await server.query(sql`select verified_at from message where id = ${request_id}`)
    expect(rows).toEqual([{ verified_at: expect.anything() }])
  })

  it('is told the same again under the same Idempotency-Key', async () => {
    const phone = newPhone()
    const request_id = await posted(phone)
    const headers = { 'Idempotency-Key': phone }
    const answers = [await confirm({ phone }, server.live, headers), await confirm({ phone }, server.live, headers)]
    expect(answers.map(({ data }) => data)).toMatchObject([
      { request_id, confirmed: true },
      { request_id, confirmed: true },
    ])
  })

  it('is confirmed until it expires, and not from then on', async () => {
    const [phone, late] = [newPhone(), newPhone()]
    const ids = [await posted(phone), await posted(late)]
    await server.advance(599)
    expect((await confirm({ request_id: ids[0] })).data).toMatchObject({ confirmed: true })
    await server.advance(1)
    expect((await confirm({ request_id: ids[1] })).data).toMatchObject({ confirmed: false, reason: 'expired' })
    expect((await confirm({ phone: late })).data).toMatchObject({ confirmed: false, reason: 'expired' })
  })

  it('is the newest of its phone: an older one is not confirmed in its place', async () => {
    const phone = newPhone()
    const first = await posted(phone)
    await server.advance(121)
    const second = await posted(phone)
    for (const confirmed of [true, false])
      expect((await confirm({ phone })).data).toMatchObject({ request_id: second, confirmed })
    expect((await confirm({ request_id: first })).data).toMatchObject({ confirmed: true })
  })

  it('is found by no other account, and by no key of the other mode', async () => {
    const { name } = await server.app.accounts.create('another shop')
    const stranger = server.as(await server.key({ mode: 'live', account: name }))
    const [phone, testPhone] = [newPhone(), newPhone()]
    const id = await posted(phone)
    const testId = await posted(testPhone, 'staging')
    const asked = [
      confirm({ request_id: id }, stranger),
      confirm({ phone }, stranger),
      confirm({ request_id: id }, server.test),
      confirm({ phone }, server.test),
      confirm({ request_id: testId }),
      confirm({ phone: testPhone }),
    ]
    for (const { status, data } of await Promise.all(asked))
      expect([status, data]).toMatchObject([404, { code: 'verification_not_found' }])
    expect((await confirm({ phone: testPhone }, server.test)).data).toMatchObject({ confirmed: true })
    expect((await confirm({ phone })).data).toMatchObject({ confirmed: true })
  })

  it('tells endpoints of no verification, and the charts of one', async () => {
    const listening = await listenTo(server)
    const phone = newPhone()
    const request_id = await posted(phone)
    await server.work()
    await confirm({ request_id })
    await server.advance(700)
    await server.work()
    expect(listening.types()).not.toContain('verification.verified')
    const { sent, verified } = await vi.waitFor(async () => {
      await server.app.countingLoop.runOnce()
      const [row] = await server.query<{ sent: number; verified: number }>(
        sql`select coalesce(sum(sent), 0)::int as sent, coalesce(sum(verified), 0)::int as verified
          from figure where grain = 'day' and mode = 'live'`,
      )
      // A service that is another process may be counting just then, and leaves nothing to count here.
      expect(row!.verified).toBeGreaterThan(0)
      return row!
    }, 20_000)
    expect(verified).toBeLessThanOrEqual(sent)
  })
})

describe('a code that the caller made', () => {
  it('is confirmed in place of a check, which then finds it used', async () => {
    const phone = newPhone()
    const request_id = await own.send(phone, { code: '40718293' })
    expect((await confirm({ phone }, own)).data).toMatchObject({ request_id, confirmed: true })
    expect(await own.check(request_id, '40718293')).toMatchObject({ verified: false, reason: 'already_verified' })
    expect((await confirm({ request_id }, own)).data).toMatchObject({ confirmed: false, reason: 'already_verified' })
  })

  it('is not confirmed when it was replaced, cancelled, or is over', async () => {
    const [phone, cancelled, late] = [newPhone(), newPhone(), newPhone()]
    const replaced = await own.send(phone, { code: '111111' })
    const ended = await own.send(cancelled, { code: '111111' })
    const over = await own.send(late, { code: '111111' })
    await own.post('/v1/verify/cancel', { request_id: ended })
    expect((await confirm({ request_id: ended }, own)).data).toMatchObject({ confirmed: false, reason: 'expired' })
    await server.advance(60)
    await own.send(phone, { code: '222222' })
    expect((await confirm({ request_id: replaced }, own)).data).toMatchObject({ reason: 'superseded' })
    await server.advance(540)
    expect((await confirm({ request_id: over }, own)).data).toMatchObject({ confirmed: false, reason: 'expired' })
  })
})

it('a code that was made here is not confirmed, loses no attempt by it, and is checked as before', async () => {
  const phone = newPhone()
  const request_id = await server.test.send(phone)
  for (const body of [{ request_id }, { phone }])
    expect(await confirm(body, server.test)).toMatchObject({ status: 404, data: { code: 'verification_not_found' } })
  expect(await server.test.check(request_id, '111111')).toMatchObject({ attempts_remaining: 4 })
  expect(await server.test.check(request_id, '000000')).toMatchObject({ verified: true })
})

it('neither, or both of request_id and phone are refused', async () => {
  for (const body of [{}, { request_id: `req_${'0'.repeat(26)}`, phone: newPhone() }])
    expect(await confirm(body)).toMatchObject({ status: 400, data: { code: 'invalid_request' } })
})

describe('rules by conversion', () => {
  const rule: WrittenRule = {
    ...{ id: 'ip', by: 'ip', count: 'unverified', window: '1h', do: 'block' },
    over: { constant: 2, verified: 1 },
  }
  const sendsFrom = async (ip: string, count: number) => {
    const statuses: number[] = []
    for (const phone of Array.from({ length: count }, newPhone))
      statuses.push((await server.live.post('/v1/verify/send', { phone, signals: { ip } })).status)
    return statuses.filter((status) => status === 200).length
  }

  it('let as many more through as were confirmed, and a confirmed code is no unverified one', async () => {
    await server.app.protections.apply(account, { rules: [rule], fail: 'open', budgets: [] }, 'pumped')
    await server.advance(5)
    const [busy, quiet] = ['198.51.100.23', '198.51.100.24']
    for (const phone of Array.from({ length: 5 }, newPhone)) {
      await post(server, bodyOf({ phone, code: '561166', ip: busy }))
      expect((await confirm({ phone })).data).toMatchObject({ confirmed: true })
      await post(server, bodyOf({ phone: newPhone(), code: '561166', ip: quiet }))
    }
    expect(await sendsFrom(busy, 9)).toBe(5)
    expect(await sendsFrom(quiet, 9)).toBe(2)
  })
})
