/** Texts with a code that another system wrote: sent as codes are, and judged as codes are that are not checked here. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WrittenRule } from '../../src/domain/protection/rule.ts'
import { rulesOfList } from '../domain/protection/sends.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { authgearPost } from './players/authgear.ts'
import { post } from './site.ts'

const secret = 'the-secret-of-this-inlet'
const bearer = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }

let server: TestServer
let account: string
let name: string
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  name = `account ${newPhone().slice(1)}`
  account = (await server.app.accounts.create(name)).id
  await server.app.inlets.apply(account, [
    { id: 'plain', kind: 'plain', mode: 'live', secret },
    { id: 'authgear', kind: 'authgear', mode: 'live', secret },
  ])
})
afterAll(() => server.close())

const text = (phone: string, words: string, more: object = {}) =>
  post(server, JSON.stringify({ phone, text: words, ...more }), { headers: bearer, inlet: 'plain', account })
const authgearText = (phone: string, words: string) => {
  const { headers, body } = authgearPost({ secret, to: phone, body: words })
  return post(server, body, { headers, inlet: 'authgear', account })
}
const textsOn = async (phone: string) => (await server.phone(phone)).map(({ text: words }) => words)
const messagesTo = (phone: string) =>
  server.query<{ id: string; signals: object | null; findings: object[] | null }>(
    sql`select id, signals, findings from message where phone = ${phone}`,
  )

describe('a text', () => {
  it('has at most as many characters as a filled template', async () => {
    const [phone, whole] = [newPhone(), '🔑'.repeat(4096)]
    expect((await text(phone, whole)).status).toBe(200)
    const refused = await text(phone, `${whole}!`)
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      400,
      { data: { code: 'invalid_request', details: [{ field: '/text', code: 'too_long' }] } },
    ])
    const { status, text: told } = await authgearText(phone, `${whole}!`)
    expect([status, JSON.parse(told)]).toMatchObject([200, { code: 'delivery_rejected' }])
    expect(await messagesTo(phone)).toHaveLength(1)
  })

  it('that nobody could see is refused as an empty one is', async () => {
    const phone = newPhone()
    for (const words of ['', '   ', '\u200b\u200e']) {
      const { status, text: told } = await text(phone, words)
      expect([status, JSON.parse(told)]).toMatchObject([400, { data: { code: 'invalid_request' } }])
    }
    expect((await text(phone, '\u200e שלום\u00a0')).status).toBe(200)
    expect(await messagesTo(phone)).toHaveLength(1)
  })

  it('goes before notifications, as a code does', async () => {
    const phone = newPhone()
    await text(phone, 'Your code is 0M53RF')
    const [{ id } = {}] = await messagesTo(phone)
    const jobs = await server.query<{ priority: number }>(
      sql`select priority from pgboss.job where name like 'deliver-%' and data::text like ${`%${id}%`}`,
    )
    expect(jobs).toEqual([{ priority: expect.any(Number) }])
    expect(jobs[0]!.priority).toBeGreaterThan(0)
  })

  it('is not delivered when its code has run out, and its message is expired', async () => {
    const [early, late] = [newPhone(), newPhone()]
    for (const phone of [early, late]) await text(phone, 'Your code is 0M53RF')
    const [{ id } = {}] = await messagesTo(late)
    await server.query(sql`update pgboss.job set start_after = start_after + interval '600 s'
      where data::text like ${`%${id}%`}`)
    await server.work()
    await server.advance(600)
    await server.work()
    expect(await textsOn(early)).toEqual(['Your code is 0M53RF'])
    expect(await textsOn(late)).toEqual([])
    const live = server.as(await server.key({ mode: 'live', account: name }))
    expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({ status: 'expired' })
    expect(await server.app.history(id!)).toMatchObject({ timeline: [{ status: 'queued' }, { status: 'expired' }] })
  })
})

describe('the rules of an account', () => {
  const rule = (changes: Partial<WrittenRule>): WrittenRule => ({
    ...{ id: 'user-day', by: 'user', count: 'sends', window: '24h', over: { constant: 2 }, do: 'block' },
    ...changes,
  })
  const apply = (...rules: WrittenRule[]) =>
    server.app.protections.apply(account, { rules, fail: 'open', budgets: [] }, 'we are being pumped')
  const counted = async () => {
    await server.app.exchangeCounts()
    const [row] = await server.query<{ sends: number; unchecked: number }>(
      sql`select sum(sends)::int as sends, sum(unchecked)::int as unchecked from protection_count
        where key like ${`${account}/live/user:%`}`,
    )
    return row
  }
  const eve = { user: 'eve', ip: '203.0.113.7' }

  it('judge a text and count it as sent, and refuse it in the words of its inlet', async () => {
    await apply(rule({}))
    for (const _ of [1, 2]) expect((await text(newPhone(), 'Your code is 0M53RF', eve)).status).toBe(200)
    const phone = newPhone()
    const refused = await text(phone, 'Your code is 0M53RF', eve)
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([403, { data: { code: 'send_blocked' } }])
    expect(await messagesTo(phone)).toEqual([])
    expect(await counted()).toEqual({ sends: 2, unchecked: 2 })
    await apply(rule({ by: 'country', over: { constant: 0 }, do: 'challenge' }))
    await server.advance(5)
    const { status, text: told } = await authgearText(newPhone(), 'Your code is 0M53RF')
    expect([status, JSON.parse(told)]).toMatchObject([200, { code: 'delivery_rejected' }])
  })

  it('are told of a code that comes right after another, and not that it came too soon', async () => {
    await apply(rule({ over: { constant: 1 } }))
    const phone = newPhone()
    const codes: [number, unknown][] = []
    for (const code of ['111111', '222222', '333333']) {
      const answer = await post(server, JSON.stringify({ phone, code, ...eve }), {
        ...{ headers: bearer, inlet: 'plain', account },
      })
      codes.push([answer.status, JSON.parse(answer.text).data.code])
    }
    expect(codes).toEqual([
      [200, undefined],
      [403, 'send_blocked'],
      [403, 'send_blocked'],
    ])
  })

  it('find texts in a replay too, among what was sent', async () => {
    for (const _ of [1, 2, 3]) await text(newPhone(), 'Your code is 0M53RF', eve)
    await server.advance(1)
    const rules = rulesOfList(rule({ over: { constant: 1 } }))
    const tried = await server.app.tryRules(account, { rules, since: 3600, isBlocking: false })
    expect(tried).toMatchObject({ codes: 3, stopped: 2 })
  })

  it('find no text among what is not verified, because nobody checks it here', async () => {
    await apply(rule({ count: 'unverified', over: { constant: 0 } }))
    for (const _ of [1, 2, 3]) expect((await text(newPhone(), 'Your code is 0M53RF', eve)).status).toBe(200)
  })

  it('record what they find with the message, and of who asks only hashes are kept', async () => {
    await apply(rule({ over: { constant: 0 }, do: 'record' }))
    const phone = newPhone()
    await text(phone, 'Your code is 0M53RF', eve)
    const [message] = await messagesTo(phone)
    expect(message!.findings).toEqual([{ rule: 'user-day', did: 'record' }])
    expect(Object.keys(message!.signals!).toSorted()).toEqual(['ip', 'network', 'ownCode', 'unchecked', 'user'])
    expect(JSON.stringify(message)).not.toMatch(/eve|203\.0\.113/)
    const [found] = await server.query(sql`select sends from protection_finding where account_id = ${account}`)
    expect(found).toEqual({ sends: 1 })
  })
})
