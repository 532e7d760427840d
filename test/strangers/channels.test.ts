/** A first real channel, as people enter it: what belongs together, what a value looks like, and what a provider refuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileAnswer, outcomeOf } from '../../src/delivery/channels/sms/answer.ts'
import { shippedProviders } from '../../src/delivery/channels/sms/shipped.ts'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const sid = `AC${'0123456789abcdef'.repeat(2)}`
const entry = (changes: Record<string, string>) => {
  const members = { id: 'sms', kind: 'sms', provider: 'twilio', account_sid: sid, auth_token: 'a-token', ...changes }
  return JSON.stringify([members])
}

describe('a Twilio connection', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['without a sender', {}, /from: is missing: from or messaging_service is needed/],
    [
      'with an SID that is none',
      { account_sid: 'AC123', from: 'Acme' },
      /account_sid: must begin with AC, and have 34 characters/,
    ],
    ['with a number without its plus', { from: '5005550006' }, /from: must be a number in E\.164 form, with its plus/],
    ['with a name that is too long', { from: 'Acme Incorporated' }, /from: must be a number in E\.164 form/],
    ['with a service that is none', { messaging_service: sid }, /messaging_service: must begin with MG/],
  ])('%s is refused when it is applied, by the command', async (_what, changes, words) => {
    const { exitCode, stderr } = await site.apply(['channels', 'apply'], 'channels.yaml', entry(changes))
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(words)])
  })

  it('without a sender is refused by the dashboard, beside the field', async () => {
    const owner = await site.owner()
    const page = await owner.get('/new-channel?kind=sms&provider=twilio')
    const [, version = ''] = /name="version" value="([^"]*)"/.exec(page.text) ?? []
    const fields = { version, kind: 'sms', id: 'sms', provider: 'twilio', account_sid: 'AC123', auth_token: 'a-token' }
    const { status, text } = await owner.post('/new-channel', fields)
    expect(status).toBe(400)
    expect(text).toContain('from or messaging_service is needed')
    expect(text).toContain('must begin with AC')
  })

  it.each([
    { from: '+15005550006' },
    { from: '22395' },
    { from: 'Acme Shop' },
    { messaging_service: `MG${sid.slice(2)}` },
  ])('with what Twilio gives is taken: %j', async (changes) => {
    const { exitCode, stderr } = await site.apply(['channels', 'apply'], 'channels.yaml', entry(changes))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })
})

describe('a connection to another provider', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'infobip',
      { base: 'xyz12.api.infobip.com', api_key: 'k', from: 'Acme' },
      /base: must be letters, digits and - alone/,
    ],
    [
      'infobip',
      { base: 'xyz12', api_key: 'k', from: '00447491163443' },
      /from: must be a number with its country code/,
    ],
    [
      'infobip',
      { base: 'xyz12', api_key: 'k', from: 'Acme', template_id: '1' },
      /entity_id: is missing: template_id needs it/,
    ],
    [
      'telnyx',
      { api_key: 'k', from: 'Acme', public_key: 'FniJSC3tgdh8/OxMfeMkGA3Clrm6tlY7KxBY1IGq9UQ=' },
      /profile: is missing: a name in from needs it/,
    ],
    [
      'plivo',
      { auth_id: 'AC00000000000000000000', auth_token: 'k', from: '14155550100' },
      /auth_id: must begin with MA or SA, and have 20 characters/,
    ],
    [
      'sinch',
      { region: 'de', service_plan_id: '0', api_token: 'k', webhook_secret: 'k' },
      /region: must be us, eu, au, br, or ca/,
    ],
    [
      'vonage',
      { api_key: 'my-api-key', api_secret: 'k', signature_secret: 'k', from: 'Acme' },
      /api_key: must have 8 characters/,
    ],
    [
      'vonage',
      { api_key: 'abcd1234', api_secret: 'k', signature_secret: 'k', from: 'Acme', content_id: '1' },
      /entity_id: is missing: content_id needs it/,
    ],
    ['46elks', { username: 'me@example.com', password: 'k', from: 'Acme' }, /username: must begin with u/],
    [
      'messagebird',
      { access_key: 'k', signing_key: 'k', from: 'Acme Incorporated' },
      /from: must be a number with its country code/,
    ],
  ])('is refused with what is wrong, by the name of the setting: %s %j', async (provider, settings, words) => {
    const list = JSON.stringify([{ id: 'sms', kind: 'sms', provider, ...settings }])
    const { exitCode, stderr } = await site.apply(['channels', 'apply'], 'channels.yaml', list)
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(words)])
  })

  it.each<[string, Record<string, string>]>([
    ['vonage', { api_key: 'abcd1234', api_secret: 'k', signature_secret: 'k', from: '447700900000' }],
    ['plivo', { auth_id: 'SA000000000000000000', auth_token: 'k', from: '+14155550100' }],
    ['messagebird', { access_key: 'k', signing_key: 'k', from: 'booking.com' }],
    ['telnyx', { api_key: 'k', from: '+18445550001', public_key: 'FniJSC3tgdh8/OxMfeMkGA3Clrm6tlY7KxBY1IGq9UQ=' }],
  ])('is taken with what the provider gives: %s %j', async (provider, settings) => {
    const list = JSON.stringify([{ id: provider, kind: 'sms', provider, ...settings }])
    const { exitCode, stderr } = await site.apply(['channels', 'apply'], 'channels.yaml', list)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })
})

describe('what a provider refuses', () => {
  const outcomeOfAnswer = (provider: string, status: number, body: unknown) => {
    const { answer } = shippedProviders().find((file) => file.provider === provider)!
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const outcome = outcomeOf({ kind: 'answer', status, body: Buffer.from(text) } as never, compileAnswer(answer), [])
    return 'reason' in outcome ? outcome.reason : outcome.kind
  }

  it.each<[string, number, unknown, string]>([
    ['twilio', 401, { code: 20_003 }, 'the provider refuses the credentials (20003)'],
    ['twilio', 400, { code: 21_606 }, 'the provider does not let this sender send (21606)'],
    ['twilio', 403, { code: 30_002 }, 'the account at the provider is suspended (30002)'],
    ['twilio', 400, { code: 21_211 }, 'the provider knows no such number for SMS (21211)'],
    ['twilio', 400, { code: 21_610 }, 'the owner of the phone has opted out (21610)'],
    ['twilio', 400, { code: 21_408 }, 'the account at the provider does not send to this country (21408)'],
    ['twilio', 429, { code: 20_429 }, 'the provider does not take the message now (20429)'],
    ['twilio', 502, '<html>', 'the answer does not say whether the message was taken (status 502)'],
    ['vonage', 200, { messages: [{ status: '9' }] }, 'the provider asks for payment (9)'],
    ['telnyx', 403, { errors: [{ code: '40305' }] }, 'the provider does not let this sender send (40305)'],
    ['46elks', 403, 'Not enough credits', 'the provider asks for payment (status 403)'],
    ['kannel', 403, 'Authorization failed for sendsms', 'the provider refuses the credentials (status 403)'],
    ['plivo', 403, {}, 'the provider does not allow this account to send so (status 403)'],
  ])('is told in words, with its number behind: %s, %s %j', (provider, status, body, reason) => {
    expect(outcomeOfAnswer(provider, status, body)).toBe(reason)
  })

  it('says of each refusal what the operator has to look at, or what is wrong with the phone', () => {
    const plain = shippedProviders().flatMap(({ provider, answer, examples }) =>
      examples.flatMap((example) => {
        if (!('answer' in example) || example.is.kind === 'sent') return []
        const { status, body = '' } = example.answer
        const reason = outcomeOfAnswer(
          provider,
          status,
          answer.as === 'form' ? new URLSearchParams(body as never).toString() : body,
        )
        return /^the [a-z ]+[A-Z]*( \([\x21-\x7e]+( \d{3})?\))$/.test(reason) && !reason.includes('its settings')
          ? []
          : [`${provider}: ${reason}`]
      }),
    )
    expect(plain).toEqual([])
  })
})
