import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Channel } from '../../src/delivery/channel.ts'
import type { ErrorData } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const path = '/v1/notifications/send'
const [hour, day] = [3600, 86_400]

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const later = (seconds: number) => new Date(server.runtime.now().getTime() + seconds * 1000).toISOString()

function post(more: object, caller = server.test) {
  const body = { phone: newPhone(), template: 'welcome', variables: { name: 'Ada' }, ...more }
  return caller.post<{ request_id: string; status: string } & ErrorData>(path, body)
}
const schedule = async (more: object = {}, caller = server.test) =>
  (await post({ send_at: later(hour), ...more }, caller)).data.request_id
const cancel = async (request_id: string, caller = server.test) =>
  (await caller.post<{ cancelled: boolean; status: string }>('/v1/notifications/cancel', { request_id })).data
const read = async (id: string, caller = server.test) =>
  (await caller.get<{ status: string; send_at?: string; error?: { code: string } }>(`/v1/messages/${id}`)).data
const textsOf = async (phone: string) => (await server.phone(phone)).map(({ text }) => text)

describe('a notification with `send_at`', () => {
  it('waits until then, and goes once', async () => {
    const phone = newPhone()
    const sendAt = later(hour)
    const answer = await post({ phone, send_at: sendAt })
    expect(answer).toMatchObject({ status: 200, data: { status: 'queued' } })
    const id = answer.data.request_id
    await server.advance(hour - 60)
    await server.work()
    await server.work()
    expect(await textsOf(phone)).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'queued', send_at: sendAt })

    await server.advance(60)
    for (let round = 0; round < 3; round++) await server.work()
    // The worker of a package may look a moment later.
    await expect.poll(() => read(id)).toMatchObject({ status: 'delivered', send_at: sendAt })
    await expect.poll(() => textsOf(phone)).toEqual(['Welcome, Ada!'])
  })

  it('says what its template said when it was made', async () => {
    const { id: accountId } = await server.app.accounts.require('default')
    await server.app.templates.apply(accountId, [{ slug: 'note', text: 'before' }])
    const phone = newPhone()
    await schedule({ phone, template: 'note', variables: {} })
    await server.app.templates.apply(accountId, [{ slug: 'note', text: 'after' }])
    await server.advance(hour)
    await server.work()
    await server.work()
    await expect.poll(() => textsOf(phone)).toEqual(['before'])
  })

  it('goes at once where its time is the last minute', async () => {
    const phone = newPhone()
    await post({ phone, send_at: later(-60) })
    await server.work()
    await expect.poll(() => textsOf(phone)).toEqual(['Welcome, Ada!'])
  })

  it.each([
    ['more than a minute in the past', () => later(-61), 'too_small'],
    ['more than 29 days ahead, as messages are kept for 30', () => later(29 * day + 1), 'too_large'],
    ['in the year 9999', () => '9999-12-31T23:59:59Z', 'too_large'],
    ['no time', () => 'tomorrow', 'wrong_format'],
    ['a day that no month has', () => '2026-02-30T08:00:00Z', 'wrong_format'],
  ])('is refused in words: %s', async (_what, send_at, code) => {
    const answer = await post({ send_at: send_at() })
    expect(answer).toMatchObject({ status: 400, data: { code: 'invalid_request' } })
    expect(answer.data.details).toMatchObject([{ field: '/send_at', code }])
  })

  it('is refused at once for what is wrong with it', async () => {
    const answers = await Promise.all([
      post({ send_at: later(hour), template: 'none' }),
      post({ send_at: later(hour), variables: {} }),
    ])
    expect(answers.map(({ data }) => data.code)).toEqual(['unknown_template', 'invalid_variables'])
  })

  it('is not sent when it has expired while no worker was there', async () => {
    const phone = newPhone()
    const id = await schedule({ phone, expires_in: 60 })
    await server.advance(hour + 60)
    await server.work()
    await server.work()
    expect(await textsOf(phone)).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'expired' })
  })

  it('counts on the limits of its phone when it goes, and fails where they are used up', async () => {
    const phone = '+14155550105'
    const ids: string[] = []
    for (let count = 0; count < 61; count++) ids.push(await schedule({ phone }, server.live))
    expect(await post({ phone }, server.live)).toMatchObject({ status: 200 })
    await server.advance(hour)
    await server.work()
    const found = await Promise.all(ids.map((id) => read(id, server.live)))
    const failed = found.filter(({ status }) => status === 'failed')
    expect(failed.map(({ error }) => error?.code)).toEqual(['send_limit_reached'])
    expect(await post({ phone }, server.live)).toMatchObject({ status: 429 })
  })

  it('counts on a budget when it goes, and fails where that is spent', async () => {
    const { protections } = server.app
    const { id: accountId } = await server.app.accounts.require('default')
    const { rules } = await protections.find(accountId)
    await protections.apply(accountId, { rules, fail: 'open', budgets: [{ id: 'one', messages: 1 }] })
    const ids = [await schedule(), await schedule()]
    expect(await post({})).toMatchObject({ status: 200 })
    await server.advance(hour)
    await server.work()
    const found = await Promise.all(ids.map((id) => read(id)))
    await protections.apply(accountId, { rules, fail: 'open', budgets: [] })
    expect(found.map(({ error }) => error?.code)).toEqual(['budget_spent', 'budget_spent'])
  })

  it('is not sent to a phone that has opted out meanwhile', async () => {
    const asked: string[] = []
    const send: Channel['send'] = async ({ id }) => {
      asked.push(id)
      return { kind: 'failed', code: 'opted_out', reason: 'STOP' }
    }
    const stopping = await startServer({
      overrides: { channels: { sandbox: { send, verify: () => false, parse: () => [] } } },
    })
    const body = { phone: newPhone(), template: 'welcome', variables: { name: 'Ada' } }
    const send_at = new Date(stopping.runtime.now().getTime() + hour * 1000).toISOString()
    const waiting = await stopping.test.post<{ request_id: string }>(path, { ...body, send_at })
    const refused = await stopping.test.post<{ request_id: string }>(path, body)
    await stopping.work()
    await stopping.advance(hour)
    await stopping.work()
    await stopping.work()
    const { data } = await stopping.test.get(`/v1/messages/${waiting.data.request_id}`)
    await stopping.close()
    expect(data).toMatchObject({ status: 'failed', error: { code: 'opted_out' } })
    expect(asked).toEqual([refused.data.request_id])
  })

  it('is gone with its phone when that is forgotten', async () => {
    const phone = newPhone()
    await schedule({ phone })
    await server.query(sql`delete from message where phone = ${phone}`)
    await server.advance(hour)
    await server.work()
    expect(await textsOf(phone)).toEqual([])
    expect(await server.query(sql`select from scheduled where send_at <= ${later(0)}::timestamptz`)).toEqual([])
  })

  it('is made once for one Idempotency-Key', async () => {
    const [phone, send_at] = [newPhone(), later(hour)]
    const body = { phone, template: 'welcome', variables: { name: 'Ada' }, send_at }
    const key = { 'Idempotency-Key': `later-${phone}` }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.test.post<{ request_id: string }>(path, body, key)),
    )
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ data }) => data.request_id)).size).toBe(1)
    await server.advance(hour)
    await server.work()
    await server.work()
    await expect.poll(() => textsOf(phone)).toEqual(['Welcome, Ada!'])
  })
})

describe('the notifications that are due at once', () => {
  it('go once each, though several workers look for them, and behind codes', async () => {
    const phones = Array.from({ length: 40 }, () => newPhone())
    for (const phone of phones) await schedule({ phone, send_at: later(hour) })
    await server.advance(hour)
    await Promise.all(Array.from({ length: 4 }, () => server.app.worker.sweep()))
    const code = await server.test.send(newPhone())
    const jobs = await server.query<{ priority: number; ids: string[] }>(sql`
      select priority, array(select one ->> 'id' from jsonb_array_elements(data -> 'messages') one) as ids
      from pgboss.job where state < 'active' and name like 'deliver-%'`)
    expect(jobs.filter(({ priority }) => priority > 0).flatMap(({ ids }) => ids)).toContain(code)
    expect(jobs.filter(({ priority }) => priority === 0).flatMap(({ ids }) => ids)).toHaveLength(phones.length)
    await server.work()
    expect((await Promise.all(phones.map(textsOf))).map((texts) => texts.length)).toEqual(phones.map(() => 1))
  })
})

describe('a notification that is cancelled', () => {
  it('ends at once as expired, and never goes', async () => {
    const phone = newPhone()
    const id = await schedule({ phone })
    expect(await cancel(id)).toEqual({ request_id: id, cancelled: true, status: 'expired' })
    expect(await cancel(id)).toEqual({ request_id: id, cancelled: false, status: 'expired' })
    await server.advance(hour)
    await server.work()
    await server.work()
    expect(await textsOf(phone)).toEqual([])
    expect(await server.query(sql`select content from message where id = ${id}`)).toEqual([{ content: null }])
  })

  it('is not, when its time has come: the answer says how far it is', async () => {
    const id = await schedule()
    await server.advance(hour)
    await server.work()
    await server.work()
    expect(await cancel(id)).toEqual({ request_id: id, cancelled: false, status: 'delivered' })
  })

  it('is one of the account and of the mode of the key, and no code', async () => {
    const id = await schedule()
    const stranger = server.as(await server.key({ account: (await server.app.accounts.create('other')).name }))
    const code = await server.test.send(newPhone())
    for (const [caller, of] of [
      [server.live, id],
      [stranger, id],
      [server.test, code],
    ] as const) {
      expect(await cancel(of, caller)).toMatchObject({ code: 'message_not_found' })
    }
    expect(await cancel(id)).toMatchObject({ cancelled: true })
  })

  it('goes or is cancelled, never both, however often both are tried at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const phone = newPhone()
        return { phone, id: await schedule({ phone }) }
      }),
    )
    await server.advance(hour)
    const [answers] = await Promise.all([
      Promise.all(all.map(({ id }) => cancel(id))),
      server.app.worker.sweep(),
      server.app.worker.sweep(),
    ])
    await server.work()
    await server.work()
    const sent = await Promise.all(all.map(async ({ phone }) => (await textsOf(phone)).length))
    expect(sent).toEqual(answers.map(({ cancelled }) => (cancelled ? 0 : 1)))
  })
})
