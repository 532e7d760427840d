/** What a budget promises to many sends at once, on several processes. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenTo } from '../../support/listening.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { openTwilio, type TwilioStage } from '../../support/twilio.ts'

let stage: TwilioStage
let server: TestServer
let other: TestServer
beforeAll(async () => {
  stage = await openTwilio()
  server = stage.server
  other = await startServer({ beside: server })
})
afterAll(async () => {
  await other.close()
  await stage.close()
})

const sending = { rules: [], fail: 'open' as const }
async function accountWith(budgets: Parameters<TestServer['app']['protections']['apply']>[1]['budgets']) {
  const account = `account ${newPhone().slice(1)}`
  const { id } = await server.app.accounts.create(account)
  await server.app.protections.apply(id, { ...sending, budgets })
  const key = await server.key({ mode: 'live', account })
  const made = async () => {
    const [row] = await server.query<{ made: number }>(
      sql`select count(*)::int as made from message where account_id = ${id}`,
    )
    return row!.made
  }
  return { id, account, key, made, clients: [server.as(key), other.as(key)] as const }
}

describe('a budget', () => {
  it('of 50 lets exactly 50 of 200 sends pass that come at once to two processes', async () => {
    const { clients, made, id } = await accountWith([
      { id: 'all', messages: 50 },
      { id: 'wide', messages: 1000 },
    ])
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => clients[index % 2]!.post('/v1/verify/send', { phone: newPhone() })),
    )
    const statuses = answers.map(({ status }) => status)
    expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 403).length]).toEqual([
      50, 150,
    ])
    expect(await made()).toBe(50)
    const counted = await server.query(
      sql`select budget, messages from budget_day where account_id = ${id} order by budget`,
    )
    expect(counted).toEqual([
      { budget: 'all', messages: 50 },
      { budget: 'wide', messages: 50 },
    ])
  })

  it('counts no more than is made when one phone is sent to from two processes at once', async () => {
    const { clients, made, id } = await accountWith([{ id: 'all', messages: 30 }])
    const phones = Array.from({ length: 10 }, () => newPhone())
    const tries = [...phones, ...phones].map((phone, index) =>
      clients[index < phones.length ? 0 : 1]!.post('/v1/verify/send', { phone }),
    )
    await Promise.all(tries)
    expect(await made()).toBe(10)
    expect(await server.query(sql`select messages from budget_day where account_id = ${id}`)).toEqual([
      { messages: 10 },
    ])
  })

  it.each([
    ['codes', '/v1/verify/send', {}],
    ['notifications', '/v1/notifications/send', { template: 'hello' }],
  ])('that another process holds keeps no %s of an account without one waiting', async (_what, path, more) => {
    const [within, without] = [await accountWith([{ id: 'all', messages: 50 }]), await accountWith([])]
    await Promise.all(
      [within, without].map(({ id }) => server.app.templates.apply(id, [{ slug: 'hello', text: 'Hello' }])),
    )
    const send = ({ clients }: typeof within) => clients[0].post(path, { phone: newPhone(), ...more })
    const { hold, stuckAt } = server.database!
    const letGo = await hold('budget_day', 'share')
    const waiting: ReturnType<typeof send>[] = []
    // As many as this process sends at once in transactions of their own.
    for (const count of [1, 2, 3]) {
      waiting.push(send(within))
      await expect.poll(() => stuckAt('budget_day'), { interval: 10 }).toHaveLength(count)
    }
    const others = await send(without)
    await letGo()
    expect(others.status).toBe(200)
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('that was changed is told of by its new size alone, while a process knows the old one', async () => {
    const { id, clients } = await accountWith([{ id: 'all', messages: 10 }])
    const listening = await listenTo(server, { accountId: id, mode: 'live' })
    const apply = (messages: number) =>
      server.app.protections.apply(id, { ...sending, budgets: [{ id: 'all', messages }] })
    const statuses: number[] = []
    const sendByTurns = async (count: number) => {
      for (let sent = 0; sent < count; sent++)
        statuses.push((await clients[sent % 2]!.post('/v1/verify/send', { phone: newPhone() })).status)
      await server.work()
      return listening.events().flatMap(({ type, data }) => (type === 'budget.reached' ? [data.percent] : []))
    }
    const noted = () => server.query(sql`select messages, told from budget_day where account_id = ${id}`)
    expect(await sendByTurns(8)).toEqual([80])
    await apply(100)
    expect(await sendByTurns(8)).toEqual([80])
    expect(statuses.slice(8)).toEqual([200, 200, 200, 403, 200, 403, 200, 403])
    expect(await noted()).toEqual([{ messages: 13, told: 0 }])
    other.runtime.advance(6)
    expect(await sendByTurns(2)).toEqual([80])
    await apply(10)
    expect(await sendByTurns(6)).toEqual([80, 100])
    expect(statuses.slice(18)).toEqual([403, 200, 403, 200, 403, 200])
    expect(await noted()).toEqual([{ messages: 18, told: 100 }])
    await listening.close()
  })

  it('holds on the wire of Twilio, which is told 60410', async () => {
    const { id } = await server.app.accounts.require('default')
    await server.app.protections.apply(id, { ...sending, budgets: [{ id: 'all', messages: 1 }] })
    server.runtime.advance(6)
    const twilio = await stage.as({ mode: 'live' })
    const send = () => twilio.post('/Verifications', { To: newPhone(), Channel: 'sms' })
    expect((await send()).status).toBe(201)
    expect(await send()).toMatchObject({ status: 403, body: { code: 60410 } })
  })
})
