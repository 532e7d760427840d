/** What WhatsApp's answers come to. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src/delivery/channel.ts'
import { classification, toGraphOutcome } from '../../../../src/delivery/channels/whatsapp/outcome.ts'
import type { OutboundAnswer } from '../../../../src/outbound/client.ts'
import { nastyJson } from '../conformance/material.ts'

const template = 'auth_copy_code'

function answered(body: unknown, changes: Partial<Extract<OutboundAnswer, { kind: 'answered' }>> = {}): OutboundAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answered', status: 200, body: Buffer.from(text), truncated: false, ...changes }
}

/** As WhatsApp writes it, with what nobody may see. */
function refused(code: number, changes: object = {}) {
  return {
    error: {
      message: `(#${code}) +15551234567 482913`,
      type: 'OAuthException',
      code,
      error_subcode: 0,
      error_data: { messaging_product: 'whatsapp', details: '+15551234567' },
      is_transient: false,
      fbtrace_id: 'A4O',
      ...changes,
    },
  }
}

const taken = {
  messaging_product: 'whatsapp',
  contacts: [{ input: '+15551234567', wa_id: '15551234567' }],
  messages: [{ id: 'wamid.HBgL+/=', message_status: 'accepted' }],
}

const notOnChannel = { kind: 'failed', code: 'not_on_channel' } as const
const rejected = { kind: 'failed', code: 'rejected_by_channel' } as const
const expected: [Partial<Outcome>, number[]][] = [
  [{ kind: 'retry' }, [4, 80007, 130429, 131016, 131057, 133016]],
  [{ kind: 'retry', afterSeconds: 6, isOfRecipient: true }, [131056]],
  [{ kind: 'unknown' }, [131000, 135000, 1, 2]],
  [notOnChannel, [131026]],
  [rejected, [131047, 131049, 131021, 131030, 130472, 131062, 130497]],
  [{ kind: 'failed', code: 'opted_out', isMarketingAlone: true }, [131050]],
  [{ kind: 'down' }, [0, 190, 3, 10, 131005, 131031, 368, 131042, 131045, 131037, 131048, 131064]],
  [{ kind: 'down' }, Array.from({ length: 100 }, (_, index) => 200 + index)],
  [{ kind: 'down' }, [33, 133010]],
  [
    { kind: 'down', template },
    [100, 131008, 131009, 132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 137000],
  ],
]
const rows = expected.flatMap(([outcome, codes]) => codes.map((code) => [code, outcome] as const))

describe('an answer of WhatsApp', () => {
  it.each(rows)('with the code %i is %o, whatever the HTTP status', (code, outcome) => {
    for (const status of [200, 400, 401, 403, 404, 429, 500, 503]) {
      const found = toGraphOutcome(answered(refused(code), { status }), template)
      const reason = expect.stringMatching(new RegExp(`^${code} \\([^+]+\\)$`))
      expect(found).toEqual({ ...outcome, providerCode: String(code), reason })
    }
  })

  it('knows exactly these codes', () => {
    const known = classification.flatMap(({ codes }) => Object.keys(codes))
    const tested = rows.map(([code]) => String(code)).filter((code) => !/^2\d\d$/.test(code))
    expect(known.toSorted()).toEqual([...tested, '200-299', '100/33'].toSorted())
    expect(new Set(known).size).toBe(known.length)
  })

  it('tells a phone number id that is not there from a parameter that is wrong', () => {
    const outcome = {
      kind: 'down',
      providerCode: '100',
      reason: expect.stringMatching(/^100 \(no such phone number id/),
    }
    expect(toGraphOutcome(answered(refused(100, { error_subcode: 33 })), template)).toEqual(outcome)
    expect(toGraphOutcome(answered(refused(100, { error_subcode: 'x' })), template)).toMatchObject({ template })
  })

  it('with a code of no row fails the message, or leaves open what became of it when it will pass', () => {
    for (const code of [5, 199, 300, 131999, -1, 2 ** 31]) {
      const why = { providerCode: String(code), reason: `${code} (a code that is not known here)` }
      expect(toGraphOutcome(answered(refused(code)), template)).toEqual({ ...rejected, ...why })
      expect(toGraphOutcome(answered(refused(code, { is_transient: 'x' })), template)).toEqual({ ...rejected, ...why })
      expect(toGraphOutcome(answered(refused(code, { is_transient: true })), template)).toEqual({
        kind: 'unknown',
        ...why,
      })
    }
  })

  it('is waited for as long as it says, and 6 seconds at least before the same person is written to', () => {
    const waiting = (code: number, retryAfterSeconds: number) =>
      toGraphOutcome(answered(refused(code), { retryAfterSeconds }), template)
    expect(waiting(130429, 17)).toMatchObject({ kind: 'retry', afterSeconds: 17 })
    expect(waiting(131056, 2)).toMatchObject({ kind: 'retry', afterSeconds: 6 })
    expect(waiting(131056, 17)).toMatchObject({ kind: 'retry', afterSeconds: 17 })
    expect(waiting(131026, 17)).not.toHaveProperty('afterSeconds')
  })

  it('that takes the message gives its id', () => {
    expect(toGraphOutcome(answered(taken), template)).toEqual({ kind: 'sent', providerMessageId: 'wamid.HBgL+/=' })
    const silent = { ...taken, messages: [{ id: 'wamid.x' }] }
    expect(toGraphOutcome(answered(silent), template)).toEqual({ kind: 'sent', providerMessageId: 'wamid.x' })
  })

  it.each(['', 'a b', 'é', '\0', 'x'.repeat(256), 17, null, undefined])(
    'that takes it with no id that is one (%j)',
    (id) => {
      expect(toGraphOutcome(answered({ ...taken, messages: [{ id }] }), template)).toEqual({ kind: 'sent' })
    },
  )

  it.each([
    ['a page', answered('<html>502 Bad Gateway</html>', { status: 502 })],
    ['nothing', answered('')],
    ['half of it', answered('{"messages":[{"id":')],
    ['more than is read', answered(taken, { truncated: true })],
    ['bytes', answered('', { body: Buffer.from([0xff, 0xfe]) })],
    ['another form', answered({ messages: [] })],
    ['an error without a code', answered({ error: { message: 'x' } }, { status: 500 })],
    ['an error of another form', answered({ error: 'x' }, { status: 400 })],
    ['a code that is text', answered({ error: { code: '131026' } }, { status: 400 })],
    ['a message in a redirect', answered(taken, { status: 302 })],
    ['a message in an error', answered(taken, { status: 500 })],
  ])('that is %s leaves open what became of the message', (_title, answer) => {
    const reason = expect.stringMatching(/^status \d+ with an unknown body$/)
    expect(toGraphOutcome(answer, template)).toEqual({ kind: 'unknown', reason })
  })

  it('that did not come is tried again when nothing was sent, and otherwise left open', () => {
    expect(toGraphOutcome({ kind: 'unsent', reason: 'ECONNREFUSED' }, template)).toEqual({
      kind: 'retry',
      reason: 'ECONNREFUSED',
    })
    expect(toGraphOutcome({ kind: 'unknown', reason: 'no answer' }, template)).toEqual({
      kind: 'unknown',
      reason: 'no answer',
    })
  })

  it('of any form at all is an outcome that the store takes', () => {
    const bodies = fc.oneof(nastyJson(refused(131026)), nastyJson(taken))
    fc.assert(
      fc.property(bodies, fc.integer({ min: 100, max: 599 }), (body, status) => {
        const outcome = toGraphOutcome(answered('', { body, status }), template)
        expect(JSON.stringify(outcome).length).toBeLessThan(400)
        if (outcome.kind === 'sent') expect(outcome.providerMessageId ?? 'x').toMatch(/^[\x21-\x7e]{1,255}$/)
        else expect(outcome.providerCode ?? 'x').toMatch(/^[\x21-\x7e]{1,100}$/)
      }),
      { numRuns: 2000 },
    )
  })
})
