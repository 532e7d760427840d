/** The wire of Twilio Verify over HTTP: start, check, fetch, cancel, and every number of an error. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageIdIn, verificationSidOf } from '../../../src/domain/twilioSid.ts'
import { newPhone } from '../../support/server.ts'
import { openTwilio, type TwilioStage } from '../../support/twilio.ts'

let stage: TwilioStage
beforeAll(async () => {
  stage = await openTwilio()
})
afterAll(() => stage.close())

const start = (To = newPhone(), more: Record<string, string> = {}) =>
  stage.test.post('/Verifications', { To, Channel: 'sms', ...more })

describe('a verification', () => {
  it('is started with 201, pending, in all the members that Twilio has', async () => {
    const To = newPhone()
    const { status, body } = await start(To)
    expect(status).toBe(201)
    const { sid, url } = body
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(body).toEqual({
      sid: expect.stringMatching(/^VE[0-9a-f]{32}$/),
      service_sid: stage.serviceSid,
      account_sid: stage.accountSid,
      to: To,
      channel: 'sms',
      status: 'pending',
      valid: false,
      lookup: {},
      amount: null,
      payee: null,
      send_code_attempts: [{ attempt_sid: `VL${String(sid).slice(2)}`, channel: 'sms', time }],
      date_created: time,
      date_updated: time,
      sna: null,
      url: `${stage.server.url}/v2/Services/${stage.serviceSid}/Verifications/${sid}`,
    })
    const fetched = await stage.test.get(String(url).slice(stage.root.length))
    expect([fetched.status, fetched.body]).toEqual([200, body])
  })

  it('is the request of the first API: its SID is the request id, both ways', async () => {
    const { body } = await start()
    const id = messageIdIn(String(body.sid))!
    expect(verificationSidOf(id)).toBe(body.sid)
    expect(await stage.server.test.get(`/v1/messages/${id}`)).toMatchObject({ status: 200, data: { id } })
    const checked = await stage.server.test.post('/v1/verify/check', { request_id: id, code: '000000' })
    expect(checked.data).toMatchObject({ verified: true })
  })

  it.each(['To', 'VerificationSid'])(
    'is approved by the right code, asked by %s, and not found after that',
    async (by) => {
      const { body } = await start()
      const what = { [by]: String(by === 'To' ? body.to : body.sid) }
      const wrong = await stage.test.post('/VerificationCheck', { ...what, Code: '111111' })
      expect([wrong.status, wrong.body.status, wrong.body.valid]).toEqual([200, 'pending', false])
      const right = await stage.test.post('/VerificationCheck', { ...what, Code: '000000' })
      expect([right.status, right.body.status, right.body.valid]).toEqual([200, 'approved', true])
      expect(right.body).toMatchObject({ sid: body.sid, to: body.to, channel: 'sms', sna_attempts_error_codes: null })
      expectError(await stage.test.post('/VerificationCheck', { ...what, Code: '000000' }), 404, 20_404)
      expectError(await stage.test.get(`/Verifications/${body.sid}`), 404, 20_404)
    },
  )

  it('takes five wrong codes, and answers 60202 from then on until its time ends', async () => {
    const { body } = await start()
    const check = (Code: string) => stage.test.post('/VerificationCheck', { VerificationSid: String(body.sid), Code })
    for (let index = 0; index < 5; index++) expect((await check('111111')).body.status).toBe('pending')
    const refused = await check('000000')
    expectError(refused, 429, 60_202)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await stage.test.get(`/Verifications/${body.sid}`)).body.status).toBe('max_attempts_reached')
    await stage.server.advance(601)
    expectError(await check('000000'), 404, 20_404)
  })

  it('counts as many of thirty guesses at once as are allowed', async () => {
    const { body } = await start()
    const guesses = Array.from({ length: 30 }, () =>
      stage.test.post('/VerificationCheck', { VerificationSid: String(body.sid), Code: '111111' }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(25)
  })

  it('is approved once of thirty right codes at once', async () => {
    const { body } = await start()
    const checks = Array.from({ length: 30 }, () =>
      stage.test.post('/VerificationCheck', { To: String(body.to), Code: '000000' }),
    )
    const statuses = (await Promise.all(checks)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(new Set(statuses)).toEqual(new Set([200, 404]))
  })

  it('is found by its phone, and cancelled by it', async () => {
    const { body } = await start()
    const path = `/Verifications/${encodeURIComponent(String(body.to))}`
    expect((await stage.test.get(path)).body).toEqual(body)
    const cancelled = await stage.test.post(path, { Status: 'canceled' })
    expect([cancelled.status, cancelled.body.status, cancelled.body.valid]).toEqual([200, 'canceled', false])
    expectError(await stage.test.post(path, { Status: 'canceled' }), 404, 20_404)
    expectError(await stage.test.post('/VerificationCheck', { To: String(body.to), Code: '000000' }), 404, 20_404)
  })

  it('replaces the one that was pending for the phone: that one is not found any more', async () => {
    const { body: first } = await start()
    const { body: second } = await start(String(first.to))
    expect(second.sid).not.toBe(first.sid)
    expectError(
      await stage.test.post('/VerificationCheck', { VerificationSid: String(first.sid), Code: '000000' }),
      404,
      20_404,
    )
    const checked = await stage.test.post('/VerificationCheck', { To: String(first.to), Code: '000000' })
    expect(checked.body).toMatchObject({ sid: second.sid, status: 'approved' })
  })

  it('of a code of your own needs its scope, to be sent and to be approved', async () => {
    const phone = newPhone()
    expectError(await start(phone, { CustomCode: '4071' }), 403, 20_403)
    const { body } = await start(phone)
    expectError(await stage.test.post(`/Verifications/${body.sid}`, { Status: 'approved' }), 403, 20_403)

    const custom = await stage.as({ scopes: ['verify:write', 'verify:custom_code'] })
    expectError(await custom.post(`/Verifications/${body.sid}`, { Status: 'approved' }), 404, 20_404)
    expect((await stage.test.get(`/Verifications/${body.sid}`)).body.status).toBe('pending')
    const sent = await custom.post('/Verifications', { To: phone, Channel: 'sms', CustomCode: '4071' })
    expect(sent.status).toBe(201)
    const approved = await custom.post(`/Verifications/${sent.body.sid}`, { Status: 'approved' })
    expect([approved.status, approved.body.status, approved.body.valid]).toEqual([200, 'approved', true])
    expectError(await custom.post(`/Verifications/${sent.body.sid}`, { Status: 'approved' }), 404, 20_404)
  })

  it('takes what Twilio takes of a device as the signals of the first API, and leaves tags alone', async () => {
    const { status, body } = await start(newPhone(), {
      ...{ CustomFriendlyName: 'Acme', Locale: 'de', AppHash: 'FA+9qCX9VSu', Tags: '{"team":"login"}' },
      ...{ DeviceIp: '203.0.113.7', RateLimits: JSON.stringify({ user_id: 'user-1042' }) },
    })
    expect(status).toBe(201)
    const { server } = stage
    const id = await server.test.send(newPhone(), { signals: { ip: '203.0.113.7', user_id: 'user-1042' } })
    const kept = async (of: string) =>
      (await server.query<{ signals: object | null }>(sql`select signals from message where id = ${of}`))[0]!.signals
    expect(await kept(id)).not.toBeNull()
    expect(await kept(messageIdIn(String(body.sid))!)).toEqual(await kept(id))
  })

  it.each<[string, Record<string, string>]>([
    ['DeviceIp', { DeviceIp: '1:::2' }],
    ['RateLimits', { RateLimits: '["user_id"]' }],
    ['RateLimits', { RateLimits: JSON.stringify({ user_id: 'x'.repeat(129) }) }],
  ])('is refused where what it tells of a device has another form: %s', async (name, form) => {
    const answer = await start(newPhone(), form)
    expectError(answer, 400, 60_200)
    expect(answer.body.message).toMatch(new RegExp(`^Invalid parameter: ${name} `))
  })
})

describe('a repeat by Idempotency-Key', () => {
  it('gets the first answer, byte for byte, also of a code that worked once', async () => {
    const headers = { 'Idempotency-Key': `start ${Math.random()}`.replaceAll(' ', '-') }
    const form = { To: newPhone(), Channel: 'sms' }
    const [first, again] = [
      await stage.test.post('/Verifications', form, headers),
      await stage.test.post('/Verifications', form, headers),
    ]
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    const guess = { To: form.To, Code: '000000' }
    const [right, repeat] = [
      await stage.test.post('/VerificationCheck', guess, headers),
      await stage.test.post('/VerificationCheck', guess, headers),
    ]
    expect([repeat.status, repeat.body]).toEqual([200, right.body])
    expect(right.body.status).toBe('approved')
  })

  it('is refused for another verification, though the body is the same', async () => {
    const headers = { 'Idempotency-Key': 'cancel-one-of-two' }
    const [one, other] = [await start(), await start()]
    const cancel = (sid: unknown) => stage.test.post(`/Verifications/${sid}`, { Status: 'canceled' }, headers)
    expect((await cancel(one.body.sid)).body.status).toBe('canceled')
    expectError(await cancel(other.body.sid), 409, 20_409)
    expect((await stage.test.get(`/Verifications/${other.body.sid}`)).body.status).toBe('pending')
  })
})

describe('an error', () => {
  it.each<[string, Record<string, string>]>([
    ['To', { Channel: 'sms' }],
    ['Channel', { To: '+14155552671' }],
    ['Channel', { To: '+14155552671', Channel: 'call' }],
    ['To', { To: '4155552671', Channel: 'sms' }],
    ['TemplateSid', { To: '+14155552671', Channel: 'sms', TemplateSid: 'HJ1' }],
    ['Amount', { To: '+14155552671', Channel: 'sms', Amount: '39.99' }],
  ])('60200 names the parameter that is wrong: %s', async (name, form) => {
    const answer = await stage.test.post('/Verifications', form)
    expectError(answer, 400, 60_200)
    expect(answer.body.message).toMatch(new RegExp(`^Invalid parameter: ${name} `))
  })

  it('60200 answers a number that cannot exist, and points at the reference of this service', async () => {
    const answer = await start('+14155')
    expectError(answer, 400, 60_200)
    expect(answer.body.message).toBe('This phone number cannot exist: it is too short for its country.')
    expect(answer.body.more_info).toBe(`${stage.server.url}/docs/errors#invalid_phone`)
  })

  it('60203 answers a phone with a live key that got a code a moment ago', async () => {
    const live = await stage.as({ mode: 'live' })
    const form = { To: newPhone(), Channel: 'auto' }
    expect((await live.post('/Verifications', form)).status).toBe(201)
    const refused = await live.post('/Verifications', form)
    expectError(refused, 429, 60_203)
    expect(refused.headers.get('retry-after')).toBe('60')
  })

  it('20404 answers the service of another account, and a verification of the other mode', async () => {
    await stage.server.app.accounts.create('Other')
    const other = await stage.as({ account: 'Other' })
    const { body } = await start()
    expectError(await other.get(`/Verifications/${body.sid}`), 404, 20_404)
    const live = await stage.as({ mode: 'live' })
    expectError(await live.get(`/Verifications/${body.sid}`), 404, 20_404)
  })

  it('20404 and 20004 answer a path and a method that are not there', async () => {
    expectError(await stage.test.get('/Nothing'), 404, 20_404)
    const answer = await stage.test.get('/VerificationCheck')
    expectError(answer, 405, 20_004)
    expect(answer.headers.get('allow')).toBe('POST')
  })
})

it('without TWILIO_VERIFY, the paths are not there', async () => {
  const closed = await openTwilio({ twilioVerify: false })
  const response = await fetch(`${closed.root}/Verifications`, { method: 'POST' })
  expect([response.status, await response.json()]).toMatchObject([404, { data: { code: 'route_not_found' } }])
  await closed.close()
})

function expectError(answer: Awaited<ReturnType<TwilioStage['test']['get']>>, status: number, code: number): void {
  expect(answer.body).toEqual({ code, message: expect.any(String), more_info: expect.any(String), status })
  expect(answer.status).toBe(status)
}
