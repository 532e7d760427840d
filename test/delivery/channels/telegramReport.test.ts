/** Telegram's reports: whose they are, and what they say. */
import { createHmac, hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTelegramKind } from '../../../src/delivery/channels/telegram/telegram.ts'
import { UnreadableReport } from '../../../src/delivery/report.ts'
import { localGuard } from '../../support/guard.ts'
import { testRuntime } from '../../support/runtime.ts'
import { receiptsIn } from '../../support/told.ts'

const telegram = createTelegramKind({ guard: localGuard })

const token = 'AAH_test_token'
const runtime = testRuntime('2023-11-14T22:15:23.000Z')
const channel = telegram.open(telegram.settings.parse({ access_token: token }), {
  accountId: 'acct_default',
  connection: 'tg',
  publicUrl: undefined,
  runtime,
  log: runtime.log,
})

/** The report that the vendor's documentation leads to, with its signature. */
const vector = {
  headers: {
    'x-request-timestamp': '1700000123',
    'x-request-signature': 'f502f0908e42e257b2c98b405fcb0629d42473e19a73b46499dd384105bba46b',
  },
  body: Buffer.from(
    '{"request_id":"1","phone_number":"+391234567890","request_cost":0.01,' +
      '"delivery_status":{"status":"delivered","updated_at":1700000123},"payload":"req_01JD"}',
  ),
}

function signedAt(timestamp: string) {
  const hmac = createHmac('sha256', hash('sha256', token, 'buffer'))
    .update(`${timestamp}\n`)
    .update(vector.body)
  return { ...vector, headers: { 'x-request-timestamp': timestamp, 'x-request-signature': hmac.digest('hex') } }
}

describe('the signature of a report', () => {
  it('is that of the vector: under the SHA-256 of the token, over timestamp, line end and raw body', () => {
    expect(channel.verify(vector)).toBe(true)
    expect(signedAt('1700000123')).toEqual(vector)
  })

  it.each([
    [-301, false],
    [-300, true],
    [0, true],
    [300, true],
    [301, false],
  ])('made %i seconds from now: %s', (seconds, good) => {
    expect(channel.verify(signedAt(String(1_700_000_123 + seconds)))).toBe(good)
  })

  it.each([
    '',
    ' 1700000123',
    '1700000123 ',
    '+1700000123',
    '1700000123.5',
    '1.700000123e9',
    '0x6553f17b',
    'NaN',
    '-1',
  ])('is refused when it is over a time like "%s", though it is right', (timestamp) => {
    expect(channel.verify(signedAt(timestamp))).toBe(false)
  })
})

describe('a report', () => {
  const payload = 'acct_default/req_01JD/2'
  const parse = (changes: object) =>
    receiptsIn(
      channel.parse(Buffer.from(JSON.stringify({ ...JSON.parse(vector.body.toString()), payload, ...changes }))),
    )
  const message = { accountId: 'acct_default', id: 'req_01JD' }
  const at = runtime.now()
  const price = { amount: '0.01', currency: 'USD' }
  const status = (status: string, updated_at = 1_700_000_123) => ({ delivery_status: { status, updated_at } })

  it.each([
    ['sent', { status: 'sent' }],
    ['delivered', { status: 'delivered' }],
    ['read', { status: 'read' }],
    [
      'expired',
      { status: 'failed', errorCode: 'not_delivered', reason: 'not delivered in time', providerCode: 'expired' },
    ],
    ['revoked', { status: 'failed', errorCode: 'not_delivered', reason: 'revoked', providerCode: 'revoked' }],
  ])('of a message that is %s', (name, said) => {
    expect(parse(status(name))).toEqual([{ message, providerMessageId: '1', at, price, ...said }])
  })

  it.each([
    ['of a message that was sent, and is not named', { ...status('sent'), payload: undefined }],
    ['of a status that nobody knows', status('pondered')],
    ['of a status that is no word of theirs', status('__proto__')],
    ['without a status', { delivery_status: undefined }],
    [
      'of a code that ran out',
      { delivery_status: undefined, verification_status: { status: 'expired', updated_at: 1_700_000_123 } },
    ],
  ])('%s says nothing', (_title, changes) => {
    expect(parse(changes)).toEqual([])
  })

  it('goes by its delivery, whatever became of the code, and what a person typed is not kept', () => {
    const verification_status = { status: 'code_invalid', updated_at: 1_700_000_123, code_entered: '046813' }
    const receipts = parse({ ...status('delivered'), verification_status })
    expect(receipts).toEqual([{ message, providerMessageId: '1', at, price, status: 'delivered' }])
  })

  it.each([
    ['none', undefined],
    ['null', null],
    ['another form', 'req_01JD'],
    ["another account's message", 'acct_other/req_01JD/1'],
    ['a leg that is none', 'acct_default/req_01JD/x'],
    ['more than that', 'acct_default/req_01JD/1/1'],
    ['an id that the store cannot be asked for', 'acct_default/req_\u0000/1'],
  ])('names the message by the id of Telegram alone when its payload is: %s', (_title, odd) => {
    expect(parse({ payload: odd })).toEqual([{ providerMessageId: '1', at, price, status: 'delivered' }])
  })

  it('of a code that was paid back says that it cost nothing', () => {
    const price = { amount: '0', currency: 'USD' }
    expect(parse({ ...status('expired'), is_refunded: true })).toMatchObject([{ status: 'failed', price }])
  })

  it.each([0, -1, null, '0.01', '1e400', 1e300, 1e-30, [0.01], { amount: 1 }, true])(
    'with the cost %j counts, and names no price',
    (request_cost) => {
      expect(parse({ request_cost, is_refunded: 'yes' })).toEqual([
        { message, providerMessageId: '1', at, status: 'delivered' },
      ])
    },
  )

  it('has the time of its status; now, when that cannot be', () => {
    expect(parse(status('read', 1_700_000_000))[0]!.at).toEqual(new Date(1_700_000_000_000))
    for (const odd of [1_800_000_000, 0, -1, 1e300]) expect(parse(status('read', odd))[0]!.at).toEqual(at)
  })

  it.each([
    ['no id', { request_id: undefined }],
    ['a number for an id', { request_id: 1 }],
    ['an id that the store does not take', { request_id: 'a b' }],
    ['a time in words', { delivery_status: { status: 'read', updated_at: '1700000123' } }],
    ['a list of statuses', { delivery_status: [] }],
  ])('is unreadable with %s', (_title, changes) => {
    expect(() => parse(changes)).toThrow(UnreadableReport)
  })
})
