import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorData } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** The code that a sandbox phone got last. */
async function lastCode(phone: string): Promise<string> {
  await server.work()
  const text = (await server.phone(phone)).at(-1)?.text ?? ''
  return text.match(/\d+$/)?.[0] ?? ''
}

const wrong = (code: string) => code.replace(/./g, (digit) => String((Number(digit) + 1) % 10))

describe('a code', () => {
  it('is sent to the phone, and verifies', async () => {
    const phone = newPhone()
    const answer = await server.live.post('/v1/verify/send', { phone })
    expect(answer.data).toEqual({
      request_id: expect.stringMatching(/^req_[0-9A-HJKMNP-TV-Z]{26}$/),
      status: 'sent',
      expires_in: 600,
    })
    const code = await lastCode(phone)
    expect(code).toMatch(/^\d{6}$/)
    expect(await server.live.check(answer.data.request_id as string, code)).toEqual({
      result: 'verified',
      verified: true,
      timestamp: server.moment(),
    })
  })

  it.each([4, 5, 6, 7, 8])('has %i digits when asked to', async (length) => {
    const phone = newPhone()
    const id = await server.live.send(phone, { length })
    const code = await lastCode(phone)
    expect(code).toHaveLength(length)
    expect(await server.live.check(id, code)).toMatchObject({ verified: true })
  })

  it('comes with the name of the application', async () => {
    const phone = newPhone()
    await server.live.send(phone, { brand_name: "L'Oréal & Co." })
    await server.work()
    expect((await server.phone(phone)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Your L'Oréal & Co\. code is \d{6}$/),
    ])
  })

  it('works once', async () => {
    const id = await server.test.send(newPhone())
    expect(await server.test.check(id, '000000')).toMatchObject({ verified: true })
    expect(await server.test.check(id, '000000')).toMatchObject({
      verified: false,
      reason: 'already_verified',
      attempts_remaining: 0,
    })
  })

  it('is not found through another code: a wrong one is counted, and the right one still works', async () => {
    const phone = newPhone()
    const id = await server.live.send(phone)
    const code = await lastCode(phone)
    expect(await server.live.check(id, wrong(code))).toMatchObject({
      verified: false,
      reason: 'incorrect_code',
      attempts_remaining: 4,
    })
    expect(await server.live.check(id, code)).toMatchObject({ verified: true })
  })

  it.each([
    [4, 3],
    [5, 3],
    [6, 5],
    [8, 5],
  ])('of %i digits is dead after %i wrong ones, even for the right one', async (length, attempts) => {
    const id = await server.test.send(newPhone(), { length })
    for (let left = attempts - 1; left > 0; left--) {
      expect(await server.test.check(id, '1'.repeat(length))).toMatchObject({
        reason: 'incorrect_code',
        attempts_remaining: left,
      })
    }
    const dead = { verified: false, reason: 'attempts_exhausted', attempts_remaining: 0 }
    expect(await server.test.check(id, '1'.repeat(length))).toMatchObject(dead)
    expect(await server.test.check(id, '0'.repeat(length))).toMatchObject(dead)
  })

  it('is good until its time is over, and not a moment longer', async () => {
    const [inTime, late] = [await server.test.send(newPhone()), await server.test.send(newPhone())]
    await server.advance(599.999)
    expect(await server.test.check(inTime, '000000')).toMatchObject({ verified: true })
    await server.advance(0.001)
    expect(await server.test.check(late, '000000')).toMatchObject({ verified: false, reason: 'expired' })
  })

  it('is superseded by a newer one to the same phone', async () => {
    const phone = newPhone()
    const [first, second] = [await server.test.send(phone), await server.test.send(phone)]
    expect(await server.test.check(first, '000000')).toMatchObject({ verified: false, reason: 'superseded' })
    await server.work()
    const { data } = await server.test.get(`/v1/messages/${first}`)
    expect(data).toMatchObject({ status: 'failed', error: { code: 'superseded' } })
    expect(await server.test.check(second, '000000')).toMatchObject({ verified: true })
  })

  it('is not superseded by one of the other mode, or to another phone', async () => {
    const phone = newPhone()
    const first = await server.test.send(phone)
    await server.live.send(phone)
    await server.test.send(newPhone())
    expect(await server.test.check(first, '000000')).toMatchObject({ verified: true })
  })
})

describe('the limits of live keys', () => {
  it('let one phone have a code once in 60 seconds, and say truly how long to wait', async () => {
    const phone = newPhone()
    await server.live.send(phone)
    await server.advance(20)
    const refused = await server.live.post<ErrorData>('/v1/verify/send', { phone })
    expect(refused).toMatchObject({ status: 429, data: { code: 'resend_cooldown', retry_after: 40 } })
    await server.advance(39)
    expect(await server.live.post('/v1/verify/send', { phone })).toMatchObject({ status: 429 })
    await server.advance(1)
    await server.live.send(phone)
  })

  it('let a phone have 5 codes in 10 minutes, 10 in an hour and 20 in a day', async () => {
    const phone = newPhone()
    let sent = 0
    const sendUntilRefused = async () => {
      for (;;) {
        const answer = await server.live.post<ErrorData>('/v1/verify/send', { phone })
        if (answer.status === 429) return answer.data
        sent += 1
        await server.advance(60)
      }
    }
    for (const total of [5, 10, 15, 20]) {
      const refused = await sendUntilRefused()
      expect(sent).toBe(total)
      expect(refused.code).toBe('send_limit_reached')
      await server.advance(refused.retry_after as number)
    }
    // A day after the first: the window lets go of one at a time.
    await server.live.send(phone)
  })

  it('stop checks of a phone after 10 wrong codes in an hour, whatever request they were for', async () => {
    const phone = newPhone()
    const first = await server.live.send(phone)
    for (let i = 0; i < 5; i++) await server.live.check(first, wrong(await lastCode(phone)))
    await server.advance(60)
    const second = await server.live.send(phone)
    const code = await lastCode(phone)
    for (let i = 0; i < 4; i++) await server.live.check(second, wrong(code))
    expect(await server.live.check(second, wrong(code))).toMatchObject({ reason: 'attempts_exhausted' })
    await server.advance(60)

    const third = await server.live.send(phone)
    const right = await lastCode(phone)
    const refused = await server.live.post<ErrorData>('/v1/verify/check', { request_id: third, code: right })
    expect(refused).toMatchObject({ status: 429, data: { code: 'check_limit_reached', retry_after: 3480 } })
    await server.advance(539)
    expect(await server.live.post('/v1/verify/check', { request_id: third, code: right })).toMatchObject({
      status: 429,
    })
  })

  it('do not count a right code among the wrong ones', async () => {
    const phone = newPhone()
    for (let round = 0; round < 4; round++) {
      const id = await server.live.send(phone)
      const code = await lastCode(phone)
      for (let i = 0; i < 2; i++) await server.live.check(id, wrong(code))
      expect(await server.live.check(id, code)).toMatchObject({ verified: true })
      await server.advance(150)
    }
    const id = await server.live.send(phone)
    const code = await lastCode(phone)
    expect(await server.live.check(id, wrong(code))).toMatchObject({ reason: 'incorrect_code' })
    expect(await server.live.check(id, code)).toMatchObject({ verified: true })
  })
})

describe('a request_id', () => {
  it('of another account, of the other mode, of a notification, or of no one is not found', async () => {
    const id = await server.test.send(newPhone())
    await server.app.accounts.create('another')
    const stranger = server.as(await server.key({ account: 'another' }))
    const { data } = await server.test.post<{ request_id: string }>('/v1/notifications/send', {
      phone: newPhone(),
      template: 'welcome',
      variables: { name: 'Ada' },
    })
    const notFound = { status: 404, data: { code: 'verification_not_found' } }
    const check = (client: typeof server.test, request_id: string) =>
      client.post('/v1/verify/check', { request_id, code: '000000' })
    for (const client of [stranger, server.live]) {
      expect(await check(client, id)).toMatchObject(notFound)
      expect(await client.post('/v1/verify/cancel', { request_id: id })).toMatchObject(notFound)
    }
    expect(await check(server.test, data.request_id)).toMatchObject(notFound)
    expect(await check(server.test, 'req_00000000000000000000000000')).toMatchObject(notFound)
    // What strangers tried has neither ended it nor used up an attempt.
    expect(await server.test.check(id, '111111')).toMatchObject({ attempts_remaining: 4 })
    expect(await server.test.check(id, '000000')).toMatchObject({ verified: true })
  })
})
