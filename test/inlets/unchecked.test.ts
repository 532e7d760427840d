/** Codes that an auth system checks: Watchword delivers them, and has none of them pending. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WrittenRule } from '../../src/domain/protection/rule.ts'
import { listenTo } from '../support/listening.ts'
import { newPhone, patient, startServer, type TestServer } from '../support/server.ts'
import { applyInlets, bodyOf, entry, post } from './site.ts'

let server: TestServer
let other: TestServer
let account: string
beforeAll(async () => {
  server = await startServer({ overrides: { groups: patient } })
  other = await startServer({ overrides: { groups: patient }, beside: server })
  account = await applyInlets(server, entry(), entry({ id: 'shop' }), entry({ id: 'staging', mode: 'test' }))
})
afterAll(async () => {
  await other.close()
  await server.close()
})

const messagesTo = (phone: string) =>
  server.query<{ id: string; verified: boolean }>(
    sql`select id, verified_at is not null as verified from message where phone = ${phone} order by id`,
  )
const textsOn = async (phone: string) => {
  await server.work()
  return (await server.phone(phone)).map(({ text }) => text)
}
/** The code that the API had sent to it. */
const codeOn = async (phone: string) => (await textsOn(phone)).find((text) => !text.includes('Acme'))!.slice(-6)

describe('a code that an auth system checks', () => {
  it.each(['live', 'test'] as const)('is known to no check and no cancellation (%s)', async (mode) => {
    const [phone, client] = [newPhone(), server[mode]]
    await post(server, bodyOf({ phone, code: '561166' }), { inlet: mode === 'live' ? 'supabase-prod' : 'staging' })
    const [message] = await messagesTo(phone)
    const body = { request_id: message!.id, code: '561166' }
    const answers = [
      await client.post('/v1/verify/check-by-phone', { phone, code: '561166' }),
      await client.post('/v1/verify/check', body),
      await client.post('/v1/verify/cancel', { request_id: message!.id }),
    ]
    for (const { status, data } of answers)
      expect([status, data]).toMatchObject([404, { code: 'verification_not_found' }])
    expect(await messagesTo(phone)).toMatchObject([{ verified: false }])
    expect((await client.get(`/v1/messages/${message!.id}`)).status).toBe(200)
  })

  it('ends no code that the API has pending, however many are posted beside it', async () => {
    const phones = Array.from({ length: 10 }, newPhone)
    const ids = await Promise.all(
      phones.map(async (phone, at) => {
        const posts = [1, 2, 3].map((n) => post(n % 2 ? server : other, bodyOf({ phone, code: `00000${n}` })))
        const id = await (at % 2 ? server : other).live.send(phone)
        await Promise.all(posts)
        return id
      }),
    )
    for (const [at, phone] of phones.entries()) {
      const code = await codeOn(phone)
      const [checked, wrong] =
        at % 2
          ? [await server.live.check(ids[at]!, code), undefined]
          : [
              (await server.live.post('/v1/verify/check-by-phone', { phone, code })).data,
              (await server.live.post('/v1/verify/check-by-phone', { phone, code: '000001' })).data,
            ]
      expect(checked).toMatchObject({ verified: true })
      if (wrong) expect(wrong).toMatchObject({ code: 'verification_not_found' })
    }
  })

  it('begins no cooldown for the API, and waits for none', async () => {
    const phone = newPhone()
    await post(server, bodyOf({ phone, code: '000001' }))
    await server.live.send(phone)
    const tooSoon = async () => (await server.live.post('/v1/verify/send', { phone })).data
    expect(await tooSoon()).toMatchObject({ code: 'resend_cooldown', retry_after: 60 })
    await server.advance(20)
    expect((await post(server, bodyOf({ phone, code: '000002' }))).text).toBe('{}')
    expect(await tooSoon()).toMatchObject({ code: 'resend_cooldown', retry_after: 40 })
    await server.advance(39)
    expect((await post(server, bodyOf({ phone, code: '000003' }))).text).toBe('{}')
    await server.advance(1)
    await server.live.send(phone)
    expect(await tooSoon()).toMatchObject({ code: 'send_limit_reached', retry_after: 540 })
  })

  it('lets one send of the API through, of many at once with posts between them, and five of all', async () => {
    const phone = newPhone()
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const at = n % 2 ? server : other
        if (n % 4 < 2) return (await at.live.post('/v1/verify/send', { phone })).status === 200 ? 'api' : 'refused'
        const code = String(100_000 + n)
        const { status, text } = await post(at, bodyOf({ phone, code }))
        // What is to come again later has the same body.
        return status === 200 && text === '{}' ? 'inlet' : 'refused'
      }),
    )
    expect(answers.filter((one) => one === 'api').length).toBeLessThanOrEqual(1)
    expect(answers.filter((one) => one !== 'refused')).toHaveLength(5)
    expect(await messagesTo(phone)).toHaveLength(5)
  })

  it('arrives beside that of another system, though both are posted at once', async () => {
    const phones = Array.from({ length: 25 }, newPhone)
    await Promise.all(
      phones.flatMap((phone) => [
        post(server, bodyOf({ phone, code: '111111' })),
        post(other, bodyOf({ phone, code: '222222' }), { inlet: 'shop' }),
      ]),
    )
    for (const phone of phones)
      expect((await textsOn(phone)).toSorted()).toEqual(['Your Acme code is 111111', 'Your Acme code is 222222'])
  })

  it('tells endpoints of its message, and of no verification', async () => {
    const listening = await listenTo(server)
    await post(server, bodyOf({ phone: newPhone(), code: '561166' }), { inlet: 'staging' })
    await server.work()
    await server.advance(600)
    await server.work()
    expect(listening.types().toSorted()).toEqual(['message.delivered', 'message.sent'])
  })
})

it('a right code is confirmed by one of forty requests that come at once to two processes', async () => {
  const phone = newPhone()
  await post(server, bodyOf({ phone, code: '561166' }))
  const [message] = await messagesTo(phone)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const body = n % 4 < 2 ? { phone } : { request_id: message!.id }
      return (n % 2 ? server : other).live.post('/v1/verify/confirm', body)
    }),
  )
  const told = answers.map(({ data: { confirmed, reason } }) => (confirmed ? 'confirmed' : reason))
  expect(told.toSorted()).toEqual([...Array.from({ length: 39 }, () => 'already_verified'), 'confirmed'])
  expect(await messagesTo(phone)).toMatchObject([{ verified: true }])
})

it('20 right codes of an auth system let no more than five pumped ones past a rule', async () => {
  const rule: WrittenRule = {
    ...{ id: 'ip', by: 'ip', count: 'unverified', window: '1h', do: 'block' },
    over: { constant: 5, verified: 1 },
  }
  await server.app.protections.apply(account, { rules: [rule], fail: 'open', budgets: [] }, 'made-up numbers')
  await server.advance(5)
  const ip = '198.51.100.23'
  for (const phone of Array.from({ length: 20 }, newPhone)) {
    expect((await post(server, bodyOf({ phone, code: '561166', ip }))).text).toBe('{}')
    await server.live.post('/v1/verify/check-by-phone', { phone, code: '561166' })
  }
  const sent: number[] = []
  for (const phone of Array.from({ length: 25 }, newPhone))
    sent.push((await server.live.post('/v1/verify/send', { phone, signals: { ip } })).status)
  expect(sent.filter((status) => status === 200)).toHaveLength(5)
})
