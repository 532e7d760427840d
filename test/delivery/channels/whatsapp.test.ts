/** The channel to WhatsApp, against a server that answers as WhatsApp does. */
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Channel, Outgoing } from '../../../src/delivery/channel.ts'
import { createWhatsappKind } from '../../../src/delivery/channels/whatsapp/whatsapp.ts'
import { secretNames } from '../../../src/domain/channels/connectionField.ts'
import type { Content } from '../../../src/domain/sending/content.ts'
import { localGuard } from '../../support/guard.ts'
import { type Provider, startProvider } from '../../support/provider.ts'
import { testRuntime } from '../../support/runtime.ts'

const whatsapp = createWhatsappKind({ guard: localGuard })

const entry = {
  phone_number_id: '106540352242922',
  business_account_id: '102290129340398',
  access_token: 'EAAG-the-access-token',
  app_secret: 'the-app-secret',
  verify_token: 'the-verify-token',
  code_template: { name: 'auth_copy_code', language: 'en_US' },
}
const tokens = [entry.access_token, entry.app_secret, entry.verify_token]
const runtime = testRuntime()

let provider: Provider
let channel: Channel
beforeAll(async () => {
  provider = await startProvider({ status: 200, body: '{}' })
})
// Anew for each test: the provider closes what is open when it is to behave in another way.
beforeEach(() => {
  provider.asked.splice(0)
  channel = open({ base_url: `${provider.url}/proxy` })
})
afterEach(() => channel.close!())
afterAll(() => provider.close())

function open(changes: object): Channel {
  const settings = whatsapp.settings.parse({ ...entry, ...changes })
  return whatsapp.open(settings, {
    ...{ accountId: 'acct_default', connection: 'wa-eu', publicUrl: undefined },
    ...{ runtime, log: runtime.log },
  })
}

function outgoing(content: Content = { kind: 'verification', code: '048291' }): Outgoing {
  return {
    ...{ accountId: 'acct_default', id: `req_${runtime.newId()}`, leg: 1, connection: 'wa-eu' },
    ...{ phone: '+15551234567', content, attempt: 1, expiresAt: null },
  }
}

const taken = { messaging_product: 'whatsapp', contacts: [], messages: [{ id: 'wamid.A' }] }

describe('a connection to WhatsApp', () => {
  it('hands a message over under its number, with its token', async () => {
    provider.behave({ status: 200, body: JSON.stringify(taken) })
    const message = outgoing()
    expect(await channel.send(message)).toEqual({ kind: 'sent', providerMessageId: 'wamid.A' })
    const [{ method, path, headers, body } = { body: '' }] = provider.asked
    expect([method, path]).toEqual(['POST', '/proxy/v23.0/106540352242922/messages'])
    expect(headers).toMatchObject({ authorization: `Bearer ${entry.access_token}`, 'content-type': 'application/json' })
    expect(JSON.parse(body)).toMatchObject({ biz_opaque_callback_data: `acct_default/${message.id}/1` })
  })

  it('hands a notification over under the template that it names for WhatsApp', async () => {
    provider.behave({ status: 200, body: JSON.stringify(taken) })
    const settings = { name: 'order_shipped', language: 'de', parameters: ['name'] }
    const channels = { whatsapp: settings, http: {} }
    const content = {
      kind: 'notification',
      template: 'shipped',
      variables: { name: 'Ada' },
      text: '',
      channels,
    } as const
    expect(await channel.send(outgoing(content))).toMatchObject({ kind: 'sent' })
    expect(provider.asked[0]?.body).toContain('"name":"order_shipped"')
  })

  it('is out of service for one template alone, when it is about that', async () => {
    provider.behave({ status: 400, body: '{"error":{"code":132001}}' })
    expect(await channel.send(outgoing())).toMatchObject({ kind: 'down', template: 'auth_copy_code' })
  })

  it('does not ask WhatsApp for what it would refuse', async () => {
    const say = (variables: Record<string, string>, settings: unknown) =>
      outgoing({ kind: 'notification', template: 'x', variables, text: '', channels: { whatsapp: settings } })
    const settings = { name: 'order_shipped', language: 'de', parameters: ['name'] }
    const rejected = { kind: 'failed', code: 'rejected_by_channel', isUnasked: true }
    expect(await channel.send(say({ name: '' }, settings))).toMatchObject(rejected)
    expect(await channel.send(say({ name: 'Ada' }, undefined))).toMatchObject(rejected)
    const down = { kind: 'down', template: 'order_shipped', isUnasked: true }
    expect(await channel.send(say({}, settings))).toMatchObject(down)
    expect(provider.asked).toEqual([])
  })

  it.each([
    ['token refused', { status: 401, body: '{"error":{"code":190,"message":"x"}}' }, 'down'],
    ['number unknown', { status: 400, body: '{"error":{"code":131026}}' }, 'failed'],
    ['too fast', { status: 429, body: '{"error":{"code":130429}}', headers: { 'Retry-After': '9' } }, 'retry'],
    ['a page', { status: 500, body: '<html>' }, 'unknown'],
    ['elsewhere', { status: 302, body: '', headers: { Location: 'http://127.0.0.1:1/' } }, 'unknown'],
    ['cut off', 'reset in the body', 'unknown'],
    ['without an end', 'flood', 'unknown'],
  ] as const)('answered %s, tells the outcome and no secret', async (_title, behaviour, kind) => {
    provider.behave(behaviour)
    const outcome = await channel.send(outgoing())
    expect(outcome).toMatchObject({ kind })
    if (kind === 'retry') expect(outcome).toMatchObject({ afterSeconds: 9 })
    expectSilent(outcome)
    expect(provider.asked).toHaveLength(1)
  })

  it('tells that nothing was sent where nobody listens', async () => {
    const gone = await startProvider('gone')
    await gone.close()
    const away = open({ base_url: gone.url })
    const outcome = await away.send(outgoing())
    expect(outcome).toMatchObject({ kind: 'retry' })
    expectSilent(outcome)
    await away.close?.()
  })

  it('is paced at 80 messages a second, or as configured', () => {
    const faster = open({ per_second: 500 })
    expect([channel.perSecond, faster.perSecond]).toEqual([80, 500])
  })

  it('answers the question whether its address is ours', () => {
    const query = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '1', 'hub.verify_token': tokens[2]! })
    expect(channel.handshake?.(query)).toBe('1')
  })
})

function expectSilent(shown: unknown): void {
  const text = inspect([shown, runtime.lines], { depth: 20, showHidden: true })
  for (const secret of [...tokens, '15551234567', '048291']) expect(text).not.toContain(secret)
}

describe('what is configured for WhatsApp', () => {
  const refusedWith = (changes: object) => whatsapp.settings.safeParse({ ...entry, ...changes }).error?.message

  it('has defaults', () => {
    const defaults = { graph_version: 'v23.0', per_second: 80, base_url: 'https://graph.facebook.com' }
    expect(whatsapp.settings.parse(entry)).toEqual({ ...entry, ...defaults })
  })

  it('may have two app secrets, a newer version and a proxy of its own', () => {
    const changes = { app_secret: ['new', 'old'], graph_version: 'v26.0', base_url: 'http://127.0.0.1:8080/meta' }
    expect(whatsapp.settings.parse({ ...entry, ...changes })).toMatchObject(changes)
  })

  it.each([
    ['phone_number_id', 106540352242922],
    ['phone_number_id', '+15551234567'],
    ['business_account_id', ''],
    ['access_token', 'with space'],
    ['access_token', 'with\nbreak'],
    ['app_secret', []],
    ['app_secret', ['1', '2', '3']],
    ['verify_token', undefined],
    ['code_template', { name: 'auth_copy_code' }],
    ['code_template', { name: 'auth_copy_code', language: [] }],
    ['code_template', { name: 'auth_copy_code', language: ['en_US', 'pt-BR'] }],
    ['graph_version', '23'],
    ['per_second', 0],
    ['base_url', 'graph.facebook.com'],
    ['base_url', 'ftp://graph.facebook.com'],
    ['base_url', 'https://name:word@graph.facebook.com'],
    ['base_url', 'https://graph.facebook.com/?x=1'],
    ['base_url', 'https://graph.facebook.com/'],
    ['other', 'x'],
  ])('is refused by name, without its value: %s %j', (name, value) => {
    const message = refusedWith({ [name]: value })
    expect(message).toContain(name)
    if (typeof value === 'string' && value.length > 3) expect(message).not.toContain(value)
  })

  it('has three secrets', () => {
    expect(secretNames(whatsapp.fields({})).map((name) => Object.hasOwn(entry, name))).toEqual([true, true, true])
  })

  it('carries every code, and a notification whose template says how', () => {
    const settings = { name: 'order_shipped', language: 'de' }
    expect(whatsapp.carries({ kind: 'verification', digits: 10 })).toBe(true)
    expect(whatsapp.carries({ kind: 'notification', template: settings })).toBe(true)
    expect(whatsapp.carries({ kind: 'notification', template: undefined })).toBe(false)
  })
})
