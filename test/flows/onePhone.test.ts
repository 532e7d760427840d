/** A phone that can be called under two numbers, as a mobile phone of Argentina. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorData } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

let phones = 0
let [plain, withNine] = ['', '']
beforeEach(() => {
  phones += 1
  const rest = `11365${40_000 + phones}`
  ;[plain, withNine] = [`+54${rest}`, `+549${rest}`]
})

const send = (phone: string) => server.live.post<ErrorData>('/v1/verify/send', { phone })

describe('a phone with two numbers', () => {
  it('has one limit of codes, whichever of them is written', async () => {
    const answers = await Promise.all([plain, withNine, plain, withNine].map(send))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429])
    expect(answers.find(({ status }) => status === 429)?.data.code).toBe('resend_cooldown')
  })

  it('gets each message at the number that was written', async () => {
    await send(plain)
    await server.work()
    await server.advance(60)
    await send(withNine)
    await server.work()
    expect((await server.phone(plain)).map(({ phone }) => phone)).toEqual([plain])
    expect((await server.phone(withNine)).map(({ phone }) => phone)).toEqual([withNine])
  })

  it('has one code that can be used: the newest', async () => {
    const first = await server.test.send(plain)
    const second = await server.test.send(withNine)
    expect(await server.test.check(first, '000000')).toMatchObject({ verified: false, reason: 'superseded' })
    expect(await server.test.check(second, '000000')).toMatchObject({ verified: true })
  })

  it('has one limit of wrong codes', async () => {
    const wrong = async (phone: string) => {
      const id = await server.live.send(phone, { length: 8 })
      for (let guess = 0; guess < 5; guess++) {
        expect(await server.live.check(id, `1234567${guess}`)).toMatchObject({ verified: false })
      }
      await server.advance(60)
    }
    await wrong(plain)
    await wrong(withNine)
    const id = await server.live.send(plain)
    const answer = await server.live.post('/v1/verify/check', { request_id: id, code: '00000000' })
    expect([answer.status, answer.data.code]).toEqual([429, 'check_limit_reached'])
  })

  it('has one limit of notifications', async () => {
    const notify = async (phone: string) => {
      const body = { phone, template: 'welcome', variables: { name: 'Ada' } }
      return (await server.live.post('/v1/notifications/send', body)).status
    }
    const told: number[] = []
    for (let sent = 0; sent < 62; sent++) told.push(await notify(sent % 2 === 0 ? plain : withNine))
    expect(told).toEqual([...Array(60).fill(200), 429, 429])
  })

  it('is found and erased with all that it has under either number', async () => {
    const ids: string[] = []
    for (const phone of [plain, withNine]) {
      ids.push(await server.test.send(phone))
      await server.work()
      await server.advance(1)
    }
    for (const phone of [plain, withNine]) {
      const { data } = await server.test.get<{ messages: { id: string }[] }>(
        `/v1/messages?phone=${encodeURIComponent(phone)}`,
      )
      expect(data.messages.map(({ id }) => id)).toEqual(ids.toReversed())
    }
    expect(await server.app.forget(plain)).toEqual({ messages: 2, sandboxMessages: 2, phoneStates: 1 })
    expect([await server.phone(plain), await server.phone(withNine)]).toEqual([[], []])
  })
})
