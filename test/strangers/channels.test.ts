/** A first real channel, as people enter it: what belongs together, what a value looks like, and what a provider refuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Provider, startProvider } from '../support/provider.ts'
import { type Api, openSite, type Site } from './site.ts'

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

describe('what a gateway refuses', () => {
  let gateway: Provider
  let api: Api
  beforeAll(async () => {
    ;[gateway, api] = [await startProvider({ status: 202, body: '0: Accepted for delivery' }), await site.api('live')]
    const kannel = { kind: 'sms', provider: 'kannel', base_url: gateway.url, username: 'acme', password: 'a-password' }
    const list = JSON.stringify([{ id: 'sms', ...kannel }])
    expect(await site.apply(['channels', 'apply'], 'channels.yaml', list)).toMatchObject({ exitCode: 0, stderr: '' })
  })
  afterAll(() => gateway?.close())

  it.each([
    [403, 'Not routable. Do not try again.', 'the provider refuses the message (status 403)'],
    [400, 'Empty receiver number', 'the provider refuses the message (status 400)'],
    [403, 'Authorization failed for sendsms', 'the provider refuses the credentials (status 403)'],
  ])('is told in words where the message is looked up: %s %j', async (status, body, reason) => {
    gateway.behave({ status, body })
    const sent = await api.post('/v1/verify/send', { phone: `+1415555${2000 + gateway.asked.length}` })
    const shown = async () => (await site.cli('messages', 'show', sent.body.data.request_id)).stdout
    await expect.poll(shown, { interval: 500 }).toContain(reason)
  })
})
