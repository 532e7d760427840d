/** What WhatsApp posts. */
import crypto, { createHmac } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  createHandshake,
  createParse,
  createWhatsappVerify,
} from '../../../../src/delivery/channels/whatsapp/reports.ts'
import { UnreadableReport } from '../../../../src/delivery/report.ts'
import { receiptsIn } from '../../../support/told.ts'
import { nastyJson } from '../conformance/material.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const seconds = String(now.getTime() / 1000 - 60)
const minuteAgo = new Date('2026-11-21T08:59:00.000Z')
const phoneNumberId = '106540352242922'
const message = { accountId: 'acct_default', id: 'req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6' }
const read = createParse({ accountId: message.accountId, phoneNumberId, businessAccountId: '1022', now: () => now })
const parse = (body: Buffer) => receiptsIn(read(body))

function status(changes: object = {}): object {
  return {
    id: 'wamid.A',
    status: 'delivered',
    timestamp: seconds,
    recipient_id: '16505551234',
    biz_opaque_callback_data: `${message.accountId}/${message.id}/1`,
    pricing: { billable: true, category: 'authentication' },
    ...changes,
  }
}

function change(statuses: unknown[], changes: object = {}): object {
  const metadata = { display_phone_number: '15550783881', phone_number_id: phoneNumberId }
  return { field: 'messages', value: { messaging_product: 'whatsapp', metadata, statuses, ...changes } }
}

function report(...changes: unknown[]): Buffer {
  const entry = [{ id: '102290129340398', changes }]
  return Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }))
}

describe('a signature of WhatsApp', () => {
  const body = Buffer.from('{"object":"whatsapp_business_account","entry":[]}')
  const hex = 'c236c758c9b2bd40b388a550eeca09eaca72384dd0aa5e7c31d19cddac5bba46'
  const signed = (value: string) => ({ headers: { 'x-hub-signature-256': value }, body })

  it('is known by the app secret, and by either of two', () => {
    for (const secrets of [['app_secret'], ['app_secret', 'other'], ['other', 'app_secret']]) {
      expect(createWhatsappVerify(secrets)(signed(`sha256=${hex}`))).toBe(true)
    }
    expect(createWhatsappVerify(['other', 'another'])(signed(`sha256=${hex}`))).toBe(false)
  })

  it('is over the raw bytes, whatever they are', () => {
    const raw = Buffer.from([0xff, 0, 0x7b])
    const value = `sha256=${createHmac('sha256', 'app_secret').update(raw).digest('hex')}`
    const report = { headers: { 'x-hub-signature-256': value }, body: raw }
    expect(createWhatsappVerify(['app_secret'])(report)).toBe(true)
    expect(createWhatsappVerify(['app_secret'])({ ...report, body: Buffer.from(raw.toString()) })).toBe(false)
  })

  it.each([
    hex,
    `sha1=${hex}`,
    `sha256=${hex.toUpperCase()}`,
    `sha256=${hex}, sha256=${hex}`,
    `sha256= ${hex}`,
    'sha256=',
    '',
  ])('is not %j', (value) => {
    expect(createWhatsappVerify(['app_secret'])(signed(value))).toBe(false)
  })

  it('is missing', () => {
    expect(createWhatsappVerify(['app_secret'])({ headers: {}, body })).toBe(false)
  })
})

describe('a report of WhatsApp', () => {
  it.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'read'],
    ['played', 'read'],
  ])('%s names the message by what it was given, and by its own id', (said, found) => {
    const receipt = { message, providerMessageId: 'wamid.A', status: found, at: minuteAgo }
    expect(parse(report(change([status({ status: said })])))).toEqual([receipt])
  })

  it.each(['deleted', 'warning', 'constructor', '__proto__', ''])('%j tells nothing new', (said) => {
    expect(parse(report(change([status({ status: said })])))).toEqual([])
  })

  it.each([
    [131026, 'not_on_channel', '131026 (not on WhatsApp)'],
    [131049, 'rejected_by_channel', '131049 (held back to spare the person)'],
    [131999, 'rejected_by_channel', '131999 (a code that is not known here)'],
    [131042, 'channel_unavailable', '131042 (payment missing)', 'connection'],
    [132015, 'channel_unavailable', '132015 (template paused)', 'template'],
    [131056, 'channel_unavailable', '131056 (too many messages to this person)'],
    [131000, 'channel_unavailable', '131000 (something went wrong)'],
  ])('of a failure with the code %i is %s', (code, errorCode, reason, down?: string) => {
    const errors = [{ code, title: 'x', message: 'x', error_data: { details: '+16505551234' } }]
    const receipt = { message, providerMessageId: 'wamid.A', status: 'failed', at: minuteAgo }
    const why = { errorCode, reason, providerCode: String(code), ...(down !== undefined && { down }) }
    expect(parse(report(change([status({ status: 'failed', errors })])))).toEqual([{ ...receipt, ...why }])
  })

  it.each([undefined, [], [{}], 'x', [{ code: 'x' }]])(
    'of a failure without a code (%j) is one all the same',
    (errors) => {
      const [receipt] = parse(report(change([status({ status: 'failed', errors })])))
      expect(receipt).toMatchObject({
        status: 'failed',
        errorCode: 'rejected_by_channel',
        reason: 'failed without a code',
      })
    },
  )

  it('is read without a recipient, which may be missing', () => {
    expect(parse(report(change([status({ recipient_id: undefined })])))).toHaveLength(1)
  })

  it.each([undefined, '', 'x', 'a/b', 'a/b/c', 'a/b/1/2', 'a b/c/1', '\0/x/1', 7])(
    "names the message by WhatsApp's id alone, where what it was given is %j",
    (given) => {
      const [receipt] = parse(report(change([status({ biz_opaque_callback_data: given })])))
      expect(receipt).toEqual({ providerMessageId: 'wamid.A', status: 'delivered', at: minuteAgo })
    },
  )

  it("names the message by what it was given alone, where WhatsApp's id is none", () => {
    for (const id of [undefined, '', 'a b', 'x'.repeat(256), 7]) {
      expect(parse(report(change([status({ id })])))).toEqual([{ message, status: 'delivered', at: minuteAgo }])
    }
    expect(parse(report(change([status({ id: undefined, biz_opaque_callback_data: undefined })])))).toEqual([])
  })

  it("of another account's message is passed over", () => {
    expect(parse(report(change([status({ biz_opaque_callback_data: `acct_other/${message.id}/1` })])))).toEqual([])
  })

  it('of another phone number is passed over, and what is ours beside it is not', () => {
    const metadata = { phone_number_id: '106540352242923' }
    const others = change([status()], { metadata })
    const numbers = change([status()], { metadata: { phone_number_id: Number(phoneNumberId) } })
    expect(parse(report(others, numbers, change([status()])))).toHaveLength(1)
  })

  it('of messages to the business, of other fields and of other forms is passed over', () => {
    const inbound = change([], { statuses: undefined, messages: [{ from: '16505551234', text: { body: 'Hi' } }] })
    const both = change([status()], { messages: [{ from: '16505551234' }] })
    const template = { field: 'message_template_status_update', value: { event: 'PAUSED' } }
    const broken = change([null, 7, {}, [status()], status({ status: 7 })])
    const body = report(
      inbound,
      template,
      null,
      {},
      { field: 'messages' },
      broken,
      { ...change([status()]), field: 'x' },
      both,
    )
    expect(parse(body)).toHaveLength(1)
  })

  it('has what many entries and changes say, in their order, and repeats as they come', () => {
    const said = ['read', 'delivered', 'delivered', 'failed']
    const entry = said.map((one) => ({ id: '1', changes: [change([status({ status: one })]), change([status()])] }))
    const body = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }))
    expect(parse(body).map((receipt) => receipt.status)).toEqual(said.flatMap((one) => [one, 'delivered']))
  })

  it('may be of a thousand messages', () => {
    const many = Array.from({ length: 1000 }, (_, index) => status({ id: `wamid.${index}` }))
    expect(parse(report(change(many))).map(({ providerMessageId }) => providerMessageId)).toEqual(
      many.map((_, index) => `wamid.${index}`),
    )
  })

  it.each([undefined, null, '', 'x', '-1', '99999999999999999999', '1', '4102444800', 4102444800, 1e300, {}])(
    'with the time %j, which cannot be, is of now',
    (timestamp) => {
      expect(parse(report(change([status({ timestamp })])))).toMatchObject([{ at: now }])
    },
  )

  it('may have its time as a number', () => {
    expect(parse(report(change([status({ timestamp: Number(seconds) })])))).toMatchObject([{ at: minuteAgo }])
  })

  it.each(['', '{', 'null', '[]', '{}', '{"object":"page","entry":[]}', '{"object":"whatsapp_business_account"}'])(
    'is not %j',
    (text) => {
      expect(() => parse(Buffer.from(text))).toThrow(UnreadableReport)
    },
  )

  it('of any form at all is read, or is refused as unreadable', () => {
    const sample = JSON.parse(report(change([status({ status: 'failed', errors: [{ code: 131026 }] })])).toString())
    fc.assert(
      fc.property(nastyJson(sample), (body) => {
        try {
          for (const receipt of parse(body)) {
            expect(receipt.providerMessageId ?? 'x').toMatch(/^[\x21-\x7e]{1,255}$/)
            expect(Math.abs(now.getTime() - receipt.at.getTime())).toBeLessThanOrEqual(30 * 24 * 3600 * 1000)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableReport)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the question whether the address is ours', () => {
  const handshake = createHandshake('the verify token')
  const asked = (changes: Record<string, string> = {}) =>
    new URLSearchParams({
      ...{ 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'the verify token' },
      ...changes,
    })

  it('is answered with its challenge', () => {
    expect(handshake(asked())).toBe('1158201444')
  })

  it.each([
    [{ 'hub.verify_token': 'another token' }],
    [{ 'hub.verify_token': 'the verify token ' }],
    [{ 'hub.verify_token': '' }],
    [{ 'hub.mode': 'unsubscribe' }],
    [{ 'hub.mode': '' }],
    [{ 'hub.challenge': '' }],
    [{ 'hub.challenge': '<script>' }],
    [{ 'hub.challenge': '1\n2' }],
    [{ 'hub.challenge': '1'.repeat(257) }],
  ])('is refused with %j', (changes) => {
    expect(handshake(asked(changes))).toBe(undefined)
  })

  it('is refused with anything missing, and compares a token that is not there too', () => {
    expect(handshake(new URLSearchParams())).toBe(undefined)
    for (const name of ['hub.mode', 'hub.challenge', 'hub.verify_token']) {
      const query = asked()
      query.delete(name)
      expect(handshake(query)).toBe(undefined)
    }
  })
})

describe('the comparison that takes the same time wherever the difference is', () => {
  /** @returns what it found, each time that it was asked */
  function compared(work: () => void): unknown[] {
    const compare = vi.spyOn(crypto, 'timingSafeEqual')
    syncBuiltinESMExports()
    try {
      work()
      return compare.mock.results.map(({ value }) => value)
    } finally {
      compare.mockRestore()
      syncBuiltinESMExports()
    }
  }

  it('decides about a signature, with each secret, also when the first one fits', () => {
    const body = Buffer.from('{}')
    const value = `sha256=${createHmac('sha256', 'first').update(body).digest('hex')}`
    const verify = createWhatsappVerify(['first', 'second'])
    expect(compared(() => verify({ headers: { 'x-hub-signature-256': value }, body }))).toEqual([true, false])
  })

  it('decides about a verify token, of another length too', () => {
    const handshake = createHandshake('token')
    const asked = (token: string) => handshake(new URLSearchParams({ 'hub.verify_token': token }))
    expect(compared(() => ['token', 'tokem', 'to', ''].map(asked))).toEqual([true, false, false, false])
  })
})
