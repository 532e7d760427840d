/** Budgets of an account: what it may send in a day, and what is refused when that is gone. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { WrittenBudget } from '../../src/domain/protection/budget/budget.ts'
import type { GivenProtection } from '../../src/domain/protection/protection.ts'
import type { Client, ErrorData } from '../support/client.ts'
import { listenTo } from '../support/listening.ts'
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
const apply = (budgets: WrittenBudget[], rules: GivenProtection['rules'] = []) =>
  server.app.protections.apply(accountId, { rules, fail: 'open', budgets }, 'a test')
const sendTo = (phone: string, by = live, headers = {}) => by.post<ErrorData>(path, { phone }, headers)
const statusesOf = async (count: number, send: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let sent = 0; sent < count; sent++) statuses.push((await send()).status)
  return statuses
}
const counted = () =>
  server.query<{ mode: string; budget: string; messages: number }>(sql`select mode, budget, messages from budget_day
    where account_id = ${accountId} and day = ${server.runtime.now().toISOString().slice(0, 10)}::date
    order by mode, budget`)
const german = () =>
  `+4915112${Math.floor(Math.random() * 1e6)
    .toString()
    .padStart(6, '0')}`

describe('a budget of messages', () => {
  it('refuses what goes over it with 403 budget_spent, names itself, and makes nothing', async () => {
    await apply([{ id: 'all', messages: 2 }])
    expect(await statusesOf(2, () => sendTo(newPhone()))).toEqual([200, 200])
    const phone = newPhone()
    expect(await sendTo(phone)).toMatchObject({
      status: 403,
      data: {
        code: 'budget_spent',
        details: [
          { field: 'budget:all', code: 'spent', message: 'the budget all is spent until 2026-11-22T00:00:00.000Z' },
        ],
      },
    })
    await server.work()
    expect(await server.phone(phone)).toEqual([])
    const { data } = await live.get<{ messages: unknown[] }>('/v1/messages')
    expect(data.messages).toHaveLength(2)
    expect(await counted()).toEqual([{ mode: 'live', budget: 'all', messages: 2 }])
  })

  it('leaves the code that is pending on a phone, and the limits of the phone, when it refuses', async () => {
    await apply([{ id: 'all', messages: 1 }])
    const phone = newPhone()
    const id = await live.send(phone)
    await server.work()
    const code = (await server.phone(phone))[0]!.text.slice(-6)
    server.runtime.advance(61)
    expect((await sendTo(phone)).status).toBe(403)
    expect(await live.check(id, code)).toMatchObject({ verified: true })
    await apply([])
    server.runtime.advance(6)
    expect((await sendTo(phone)).status).toBe(200)
  })

  it('is full again when the day is over (UTC)', async () => {
    const toMidnight = 86_400_000 - (server.runtime.now().getTime() % 86_400_000)
    server.runtime.advance(toMidnight / 1000 - 60)
    await apply([{ id: 'all', messages: 1 }])
    expect(await statusesOf(2, () => sendTo(newPhone()))).toEqual([200, 403])
    // A minute into the day: the clock of a package, on a busy machine, is behind this one.
    server.runtime.advance(120)
    expect(await statusesOf(2, () => sendTo(newPhone()))).toEqual([200, 403])
  })

  it('of some countries counts what is sent there alone', async () => {
    await apply([
      { id: 'de', countries: ['DE', 'AT'], messages: 1 },
      { id: 'all', messages: 3 },
    ])
    expect(await statusesOf(2, () => sendTo(german()))).toEqual([200, 403])
    expect(await statusesOf(3, () => sendTo(newPhone()))).toEqual([200, 200, 403])
    expect(await counted()).toEqual([
      { mode: 'live', budget: 'all', messages: 3 },
      { mode: 'live', budget: 'de', messages: 1 },
    ])
  })

  it('goes on with the messages that are counted when its countries change', async () => {
    await apply([{ id: 'some', countries: ['US'], messages: 2 }])
    expect(await statusesOf(3, () => sendTo(newPhone()))).toEqual([200, 200, 403])
    expect((await sendTo(german())).status).toBe(200)
    await apply([{ id: 'some', countries: ['DE'], messages: 3 }])
    expect(await statusesOf(2, () => sendTo(german()))).toEqual([200, 403])
    expect((await sendTo(newPhone())).status).toBe(200)
    await apply([{ id: 'other', countries: ['DE'], messages: 1 }])
    expect(await statusesOf(2, () => sendTo(german()))).toEqual([200, 403])
  })

  it('counts codes and notifications together, and test keys apart from live ones', async () => {
    await apply([{ id: 'all', messages: 2 }])
    await server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
    const notify = (by: Client) =>
      by.post<ErrorData>('/v1/notifications/send', { phone: newPhone(), template: 'hello' })
    const test = server.as(await server.key({ mode: 'test', account }))
    for (const by of [live, test]) {
      expect((await sendTo(newPhone(), by)).status).toBe(200)
      expect((await notify(by)).status).toBe(200)
      expect((await sendTo(newPhone(), by)).status).toBe(403)
      expect(await notify(by)).toMatchObject({ status: 403, data: { code: 'budget_spent' } })
    }
    expect(await counted()).toMatchObject([
      { mode: 'live', messages: 2 },
      { mode: 'test', messages: 2 },
    ])
  })

  it('counts what an inlet sends, as a code and as a text', async () => {
    await apply([{ id: 'all', messages: 2 }])
    const secret = 'the-secret-of-this-inlet'
    await server.app.inlets.apply(accountId, [{ id: 'plain', kind: 'plain', mode: 'live', secret }])
    const post = async (said: object) => {
      const { status } = await fetch(`${server.directUrl}/inlets/${accountId}/plain`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ phone: newPhone(), ...said }),
      })
      return status
    }
    const [code, text] = [{ code: '123456' }, { text: 'Your code is 123456.' }]
    expect([await post(code), await post(text), await post(code), await post(text)]).toEqual([200, 200, 403, 403])
    expect(await counted()).toMatchObject([{ messages: 2 }])
  })

  it('does not count what is refused for another reason', async () => {
    const byUser = {
      id: 'user',
      by: 'user',
      count: 'sends',
      window: '24h',
      over: { constant: 1 },
      do: 'block',
    } as const
    await apply([{ id: 'all', messages: 3 }], [byUser])
    const phone = newPhone()
    expect(await statusesOf(3, () => sendTo(phone))).toEqual([200, 429, 429])
    const asEve = () => live.post(path, { phone: newPhone(), signals: { user_id: 'eve' } })
    expect(await statusesOf(3, asEve)).toEqual([200, 403, 403])
    expect((await live.post('/v1/notifications/send', { phone, template: 'none' })).status).toBe(400)
    expect(await counted()).toMatchObject([{ messages: 2 }])
    expect(await statusesOf(2, () => sendTo(newPhone()))).toEqual([200, 403])
  })

  it('counts a repeat by its Idempotency-Key once, and keeps no refusal under the key', async () => {
    await apply([{ id: 'all', messages: 2 }])
    const [phone, headers] = [newPhone(), { 'Idempotency-Key': randomUUID() }]
    expect(await statusesOf(3, () => sendTo(phone, live, headers))).toEqual([200, 200, 200])
    expect(await counted()).toMatchObject([{ messages: 1 }])
    expect((await sendTo(newPhone())).status).toBe(200)
    const [other, key] = [newPhone(), { 'Idempotency-Key': randomUUID() }]
    expect((await sendTo(other, live, key)).status).toBe(403)
    await apply([{ id: 'all', messages: 3 }])
    server.runtime.advance(6)
    expect((await sendTo(other, live, key)).status).toBe(200)
  })

  it('is none until the account has one', async () => {
    expect((await sendTo(newPhone())).status).toBe(200)
    expect(await counted()).toEqual([])
  })
})

describe('what a budget has let pass', () => {
  const toldBy = (listening: Awaited<ReturnType<typeof listenTo>>) => async () => {
    await server.work()
    return listening.events().flatMap(({ type, data }) => (type === 'budget.reached' ? [data] : []))
  }
  const metric = async (percent: number) => {
    const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
    const line = new RegExp(`^watchword_budgets_reached_total\\{mode="live",percent="${percent}"\\} (\\d+)$`, 'm')
    return Number(line.exec(text)?.[1])
  }

  it('is told once a day at 80 and 100 %: by an event, a log line without a phone, and a metric', async () => {
    const listening = await listenTo(server, { accountId, mode: 'live' })
    const told = toldBy(listening)
    const [at80, at100] = [await metric(80), await metric(100)]
    await apply([{ id: 'all', messages: 5 }])
    await statusesOf(3, () => sendTo(newPhone()))
    expect(await told()).toEqual([])
    await sendTo(newPhone())
    const fourFifths = { mode: 'live', budget: 'all', percent: 80 }
    expect(await told()).toEqual([fourFifths])
    expect(await statusesOf(4, () => sendTo(newPhone()))).toEqual([200, 403, 403, 403])
    expect(await told()).toEqual([fourFifths, { ...fourFifths, percent: 100 }])
    expect([await metric(80), await metric(100)]).toEqual([at80 + 1, at100 + 1])
    const lines = server.runtime.lines.filter(
      (line) => line.includes('a budget reached this percentage today') && line.includes(accountId),
    )
    expect(lines.map((line) => JSON.parse(line).percent)).toEqual([80, 100])
    expect(lines.join('')).not.toContain('+1')
    server.runtime.advance(86_400)
    await statusesOf(4, () => sendTo(newPhone()))
    expect(await told()).toHaveLength(3)
    await listening.close()
  })

  it('is told again on the same day once the budget is raised, at 80 % and when it is spent', async () => {
    const listening = await listenTo(server, { accountId, mode: 'live' })
    const told = toldBy(listening)
    const percents = async () => (await told()).map(({ percent }) => percent)
    await apply([{ id: 'all', messages: 2 }])
    expect(await statusesOf(3, () => sendTo(newPhone()))).toEqual([200, 200, 403])
    expect(await percents()).toEqual([100])
    await apply([{ id: 'all', messages: 5 }])
    await sendTo(newPhone())
    expect(await percents()).toEqual([100])
    await sendTo(newPhone())
    expect(await percents()).toEqual([100, 80])
    expect(await statusesOf(3, () => sendTo(newPhone()))).toEqual([200, 403, 403])
    expect(await percents()).toEqual([100, 80, 100])
    await apply([{ id: 'all', messages: 6 }])
    await sendTo(newPhone())
    expect(await percents()).toEqual([100, 80, 100, 100])
    await listening.close()
  })

  it('is told when it is made: a send that the limits of its phone refuse reaches nothing', async () => {
    const listening = await listenTo(server, { accountId, mode: 'live' })
    const told = toldBy(listening)
    await apply([{ id: 'all', messages: 2 }])
    const phone = newPhone()
    expect(await statusesOf(3, () => sendTo(phone))).toEqual([200, 429, 429])
    expect(await told()).toEqual([])
    expect(await statusesOf(2, () => sendTo(newPhone()))).toEqual([200, 403])
    expect(await told()).toEqual([{ mode: 'live', budget: 'all', percent: 100 }])
    expect(await counted()).toMatchObject([{ messages: 2 }])
    await listening.close()
  })
})
