/** The simulated Telegram Gateway, by its wire. */
import { createHash, createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { standardOptions } from '../../src/simulator/options.ts'
import { createSignature } from '../../src/simulator/telegram/reports.ts'
import { ask, code, reference, type Simulated, startSimulated } from '../support/simulated.ts'

const phone = '+14155552671'
const now = new Date(1_700_000_123_456)

let simulated: Simulated
beforeEach(async () => {
  simulated = await startSimulated({ now: () => now })
})
afterEach(() => simulated.close())

const canSend = (number = phone) => simulated.telegram('checkSendAbility', { phone_number: number })

describe('a code', () => {
  it('is asked for, then sent with the same request, and reported to the address that it names', async () => {
    const { json: ability } = await canSend()
    const requestId = ability.result.request_id
    const paid = {
      request_id: requestId,
      phone_number: phone.slice(1),
      request_cost: 0.01,
      is_refunded: false,
      remaining_balance: expect.any(Number),
    }
    expect(ability).toEqual({ ok: true, result: paid })
    const changes = {
      request_id: requestId,
      callback_url: `${simulated.receiver.url}/callback`,
      sender_username: 'acme',
    }
    const { status, json } = await simulated.sendByTelegram(phone, changes)
    const sent = { delivery_status: { status: 'sent', updated_at: 1_700_000_123 }, payload: reference }
    expect([status, json]).toEqual([200, { ok: true, result: { ...paid, ...sent } }])
    expect(json.result.remaining_balance).toBe(ability.result.remaining_balance)

    const [report, ...others] = await simulated.reported()
    expect(others).toEqual([])
    expect(report?.path).toBe('/callback')
    const delivered = { ...sent, delivery_status: { status: 'delivered', updated_at: 1_700_000_123 } }
    expect(JSON.parse(report!.body)).toEqual({ ...paid, ...delivered })
    expect(simulated.phone(phone).messages).toEqual([
      expect.objectContaining({ id: requestId, wire: 'telegram', reference, leg: 2, code, taken: true }),
    ])
  })

  it('may be sent without being asked for, and then is reported where the simulator was told', async () => {
    expect((await simulated.sendByTelegram(phone)).json.ok).toBe(true)
    expect((await simulated.reported()).map(({ path }) => path)).toEqual(['/tg'])
  })

  it('is reported to nobody when no address is known, and its status can be asked for', async () => {
    simulated.pointAt({ telegram: undefined })
    const { json } = await simulated.sendByTelegram(phone)
    expect(await simulated.reported()).toEqual([])
    const asked = await simulated.telegram('checkVerificationStatus', { request_id: json.result.request_id })
    expect(asked.json.result.delivery_status.status).toBe('delivered')
    expect(asked.json.result).not.toHaveProperty('verification_status')
  })

  it('is on the phone as often as it was sent, also with one request', async () => {
    const { json } = await canSend()
    for (let count = 0; count < 2; count++) {
      await simulated.sendByTelegram(phone, { request_id: json.result.request_id })
    }
    expect(simulated.phone(phone).messages).toHaveLength(2)
  })

  it('is made by Telegram when only its length is given', async () => {
    await simulated.sendByTelegram(phone, { code: undefined, code_length: 8 })
    expect(simulated.phone(phone).messages[0]?.code).toMatch(/^\d{8}$/)
  })
})

describe('what Telegram refuses', () => {
  it.each([
    ['CODE_INVALID', 'three digits', { code: '123' }],
    ['CODE_INVALID', 'nine digits', { code: '123456789' }],
    ['CODE_INVALID', 'letters', { code: 'abcdef' }],
    ['CODE_INVALID', 'a number', { code: 123_456 }],
    ['CODE_INVALID', 'no code', { code: undefined }],
    ['CODE_LENGTH_INVALID', 'a length of 3', { code: undefined, code_length: 3 }],
    ['TTL_INVALID', '29 seconds', { ttl: 29 }],
    ['TTL_INVALID', '3,601 seconds', { ttl: 3601 }],
    ['TTL_INVALID', 'half a second more', { ttl: 60.5 }],
    ['PAYLOAD_INVALID', '129 bytes', { payload: `${'é'.repeat(64)}x` }],
    ['PHONE_NUMBER_INVALID', 'no phone', { phone_number: undefined }],
    ['PHONE_NUMBER_INVALID', 'a phone that is none', { phone_number: '+0' }],
    ['REQUEST_ID_INVALID', 'a request that is not there', { request_id: '1' }],
    ['CALLBACK_URL_INVALID', 'an address of another machine without TLS', { callback_url: 'http://example.com/' }],
    ['CALLBACK_URL_INVALID', 'an address that is none', { callback_url: 'https://' }],
    ['SENDER_INVALID', 'a sender that is none', { sender_username: 'a b' }],
  ])('is answered with %s: %s', async (error, _what, changes) => {
    const { status, json } = await simulated.sendByTelegram(phone, changes)
    expect([status, json]).toEqual([200, { ok: false, error }])
    expect(simulated.phone(phone).messages.filter(({ taken }) => taken)).toEqual([])
  })

  it('lets pass what is just within its bounds', async () => {
    for (const changes of [{ code: '1234', ttl: 30 }, { code: '12345678', ttl: 3600 }, { payload: 'x'.repeat(128) }]) {
      expect((await simulated.sendByTelegram(phone, changes)).json.ok).toBe(true)
    }
  })

  it('is a request of another phone', async () => {
    const { json } = await canSend('+14155552672')
    const answer = await simulated.sendByTelegram(phone, { request_id: json.result.request_id })
    expect(answer.json).toEqual({ ok: false, error: 'REQUEST_ID_INVALID' })
    expect(simulated.phone(phone).messages).toMatchObject([{ taken: false, outcome: 'REQUEST_ID_INVALID' }])
  })

  it.each(['checkSendAbility', 'sendVerificationMessage', 'checkVerificationStatus', 'revokeVerificationMessage'])(
    'is a wrong token, and whatever is no request: %s',
    async (method) => {
      const refused = await simulated.telegram(method, {}, { Authorization: 'Bearer other' })
      expect([refused.status, refused.json]).toEqual([200, { ok: false, error: 'ACCESS_TOKEN_INVALID' }])
      const headers = { Authorization: `Bearer ${standardOptions.telegramToken}` }
      for (const body of ['', '{', '[]', 'null', '7', '{"phone_number":{}}', 'x'.repeat(100_000)]) {
        const { status, json } = await ask(`${simulated.url}/${method}`, 'POST', body, headers)
        expect([status, json]).toEqual([200, { ok: false, error: expect.stringMatching(/^[A-Z_]+$/) }])
      }
    },
  )
})

describe('after a person typed the code', () => {
  it.each([
    [code, 'code_valid'],
    ['999999', 'code_invalid'],
  ])('is told whether %s is right', async (typed, status) => {
    const { json } = await simulated.sendByTelegram(phone)
    const asked = { request_id: json.result.request_id, code: typed }
    const { result } = (await simulated.telegram('checkVerificationStatus', asked)).json
    expect(result.verification_status).toMatchObject({ status })
    expect(simulated.phone(phone).messages[0]?.verification).toBe(status)
  })
})

describe('a code that is called back', () => {
  it('is reported revoked, if it has not arrived', async () => {
    simulated.setFault(phone, 'silent')
    const { json } = await simulated.sendByTelegram(phone)
    const revoked = await simulated.telegram('revokeVerificationMessage', { request_id: json.result.request_id })
    expect(revoked.json).toEqual({ ok: true, result: true })
    expect(await simulated.statuses()).toEqual(['revoked'])
  })

  it('stays, if it has', async () => {
    const { json } = await simulated.sendByTelegram(phone)
    await simulated.settled()
    await simulated.telegram('revokeVerificationMessage', { request_id: json.result.request_id })
    expect(await simulated.statuses()).toEqual(['delivered'])
  })
})

describe('a report', () => {
  it('is signed as the page of the provider tells', async () => {
    const body =
      '{"request_id":"1","phone_number":"+391234567890","request_cost":0.01,' +
      '"delivery_status":{"status":"delivered","updated_at":1700000123},"payload":"req_01JD"}'
    const signature = 'f502f0908e42e257b2c98b405fcb0629d42473e19a73b46499dd384105bba46b'
    expect(createSignature('AAH_test_token')('1700000123', body)).toBe(signature)
    await simulated.sendByTelegram(phone)
    const [report] = await simulated.reported()
    const key = createHash('sha256').update(standardOptions.telegramToken).digest()
    const hex = createHmac('sha256', key).update(`1700000123\n${report!.body}`).digest('hex')
    expect(report!.headers).toMatchObject({ 'x-request-timestamp': '1700000123', 'x-request-signature': hex })
  })
})
