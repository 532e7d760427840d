/** What strangers and liars may send to the wire of Twilio Verify. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../../src/domain/access/keyText.ts'
import { newPhone } from '../../support/server.ts'
import { basic, openTwilio, type TwilioStage } from '../../support/twilio.ts'

const unknownKeysPerMinute = 20
const count = sql`select count(*)::int from message`
const anySk = `SK${'0'.repeat(32)}`

let stage: TwilioStage
let key: string
beforeAll(async () => {
  stage = await openTwilio({ unknownKeysPerMinute })
  key = await stage.server.key()
})
afterAll(() => stage.close())

/** @param body as it is sent */
async function send(body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${stage.root}/Verifications`, {
    method: 'POST',
    headers: {
      authorization: basic(stage.accountSid, key),
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body,
  })
  const { code, status, message } = (await response.json()) as { code: number; status: number; message: string }
  expect(status).toBe(response.status)
  expect(response.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/)
  return { status, code, message, authenticate: response.headers.get('www-authenticate') }
}

describe('a form', () => {
  it.each<[string, string | Buffer]>([
    ['is empty', ''],
    ['has nothing but signs', '&&&=&=&'],
    ['has a field twice', `To=${encodeURIComponent('+14155550100')}&To=x&Channel=sms`],
    ['has a field twice, once by another spelling', 'T%6F=1&To=2&Channel=sms'],
    ['has half of an escape', 'To=%2&Channel=sms'],
    ['has escapes that are no UTF-8', 'To=%ff%fe&Channel=sms'],
    ['has half of a pair of surrogates', 'To=%ED%A0%80&Channel=sms'],
    ['has U+0000', 'To=%2B14155550100&Channel=sms&Tags=%00'],
    ['has bytes that are no UTF-8', Buffer.from([0x54, 0x6f, 0x3d, 0xff])],
    ['has the name of a prototype', '__proto__=1&To=%2B14155550100&Channel=sms'],
    ['has another name of one', 'constructor=1&hasOwnProperty=2&To=%2B14155550100&Channel=sms'],
    ['has brackets', 'To[]=%2B14155550100&Channel[x]=sms'],
    ['has a plus sign where it means a space', 'To=+14155550100&Channel=sms'],
    ['is JSON', '{"To":"+14155550100","Channel":"sms"}'],
    ['has thousands of fields', Array.from({ length: 2000 }, (_, index) => `a${index}=`).join('&')],
  ])('that %s is refused with 60200, and nothing is sent', async (_what, body) => {
    const before = await stage.server.query(count)
    expect(await send(body)).toMatchObject({ status: 400, code: 60_200 })
    expect(await stage.server.query(count)).toEqual(before)
  })

  it('is refused when it is too long, or has another type, or is compressed', async () => {
    expect(await send(`To=${'x'.repeat(20_000)}`)).toMatchObject({ status: 413, code: 20_413 })
    const form = 'To=%2B14155550100&Channel=sms'
    expect(await send(form, { 'content-type': 'application/json' })).toMatchObject({ status: 415, code: 20_415 })
    const utf16 = 'application/x-www-form-urlencoded; charset=utf-16'
    expect(await send(form, { 'content-type': utf16 })).toMatchObject({ status: 415, code: 20_415 })
    expect(await send(form, { 'content-encoding': 'gzip' })).toMatchObject({ status: 415, code: 20_415 })
  })

  it('never comes back in what is said of it', async () => {
    const { message } = await send('To=4155550199-secret&Channel=sms&CustomCode=12x4')
    expect(message).not.toMatch(/4155550199|secret|12x4/)
  })
})

describe('credentials', () => {
  it.each<[string, () => string | undefined]>([
    ['none', () => undefined],
    ['a key as a bearer', () => `Bearer ${key}`],
    ['no base64', () => 'Basic !!!'],
    ['no colon', () => `Basic ${Buffer.from(stage.accountSid).toString('base64')}`],
    ['no password', () => basic(stage.accountSid, '')],
    ['the SID of another account', () => basic(`AC${'0'.repeat(32)}`, key)],
    ['no SID', () => basic('admin', key)],
    ['half a SID of a key', () => basic('SK00', key)],
    ['a mistyped key', () => basic(anySk, `${key}x`)],
    ['a very long key', () => basic(anySk, 'x'.repeat(4000))],
  ])('that are %s are refused with 20003', async (_what, credentials) => {
    const authorization = credentials()
    const headers = authorization === undefined ? ({} as Record<string, string>) : { authorization }
    const response = await fetch(`${stage.root}/Verifications`, { method: 'POST', headers })
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Watchword"')
    expect([response.status, await response.json()]).toMatchObject([401, { code: 20_003, status: 401 }])
  })
})

describe('an address from which too many unknown keys came', () => {
  const ask = async () => {
    const headers = { authorization: basic(anySk, newKey('live')) }
    return (await fetch(`${stage.root}/Verifications/x`, { headers })).status
  }

  it('is refused at both doors, whichever it came to, and costs the database nothing more', async () => {
    for (let index = 0; index < unknownKeysPerMinute; index++) expect(await ask()).toBe(401)
    expect(await ask()).toBe(429)
    const ofFirstApi = await stage.server.as(newKey('live')).get('/v1/messages/req_00000000000000000000000000')
    expect(ofFirstApi.status).toBe(429)
    await stage.server.database!.sql.begin(async (transaction) => {
      await transaction`lock table api_key in access exclusive mode`
      expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set([429]))
    })
  })

  it('goes on with a key that is known', async () => {
    const form = new URLSearchParams({ To: newPhone(), Channel: 'sms' })
    expect(await stage.test.post('/Verifications', Object.fromEntries(form))).toMatchObject({ status: 201 })
  })
})
