/** What may be configured of a connection to Telegram, and what `channels check` finds of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChannelParts, Finding } from '../../../src/delivery/channel.ts'
import { createTelegramKind } from '../../../src/delivery/channels/telegram/telegram.ts'
import { secretNames } from '../../../src/domain/channels/connectionField.ts'
import { localGuard } from '../../support/guard.ts'
import { type Behaviour, isHanging, type Provider, startProvider } from '../../support/provider.ts'
import { testRuntime } from '../../support/runtime.ts'

const telegram = createTelegramKind({ guard: localGuard })

const token = 'AAH_test_token'
const settingsOf = (changes: object) => telegram.settings.safeParse({ access_token: token, ...changes })

describe('the settings', () => {
  it('are a token, and whatever else has a default', () => {
    expect(settingsOf({}).data).toEqual({ access_token: token, base_url: 'https://gatewayapi.telegram.org' })
    expect(secretNames(telegram.fields({}))).toEqual(['access_token'])
  })

  it.each([
    { sender_username: 'acme_codes' },
    { base_url: 'http://127.0.0.1:8080' },
    { base_url: 'https://relay.internal/telegram' },
  ])('may be %j', (changes) => {
    expect(settingsOf(changes).data).toMatchObject(changes)
  })

  it.each([
    { access_token: undefined },
    { access_token: '' },
    { access_token: 'two words' },
    { access_token: `${token}\n` },
    { access_token: 'a"quote,and-more' },
    { sender_username: '@acme' },
    { sender_username: 'acme codes' },
    { base_url: 'ftp://relay.internal' },
    { base_url: 'relay.internal' },
    { base_url: 'https://relay.internal/' },
    { base_url: 'https://user:password@relay.internal' },
    { base_url: 'https://relay.internal?x=1' },
    { per_second: 80 },
    { acces_token: token },
  ])('are refused, and not quoted, with %j', (changes) => {
    const { success, error } = settingsOf(changes)
    expect(success).toBe(false)
    const said = JSON.stringify(error!.issues.map(({ message, path }) => [message, path]))
    for (const value of Object.values(changes)) if (value) expect(said).not.toContain(String(value).trim())
  })
})

it('carries codes of 4 to 8 digits, and no notifications', () => {
  const carried = [3, 4, 8, 9, 10].filter((digits) => telegram.carries({ kind: 'verification', digits }))
  expect(carried).toEqual([4, 8])
  expect(telegram.carries({ kind: 'notification', template: undefined })).toBe(false)
  expect(telegram.template).toBe(undefined)
})

describe('the check', () => {
  const runtime = testRuntime()
  let provider: Provider
  beforeAll(async () => {
    provider = await startProvider('gone')
  })
  afterAll(() => provider.close())

  async function check(behaviour: Behaviour, parts: Partial<ChannelParts> = {}): Promise<Finding[]> {
    provider.behave(behaviour)
    const channel = telegram.open(telegram.settings.parse({ access_token: token, base_url: provider.url }), {
      accountId: 'acct_default',
      connection: 'tg',
      publicUrl: 'https://codes.example',
      runtime,
      log: runtime.log,
      ...(isHanging(behaviour) && { answerMs: 500 }),
      ...parts,
    })
    const findings = await channel.check!([])
    await channel.close!()
    return findings
  }

  const refuse = (error: string) => ({ status: 200, body: JSON.stringify({ ok: false, error }) })

  it.each([
    ['REQUEST_ID_INVALID', { level: 'good', text: 'token taken' }],
    ['ACCESS_TOKEN_INVALID', { level: 'bad', text: 'token refused' }],
    ['SOMETHING_ELSE', { level: 'warning', text: 'token not refused, but: refused: SOMETHING_ELSE' }],
    ['FLOOD_WAIT_30', { level: 'bad', text: 'no answer about the token: too many at a time' }],
  ])('finds of the token, when Telegram answers %s: %j', async (error, finding) => {
    expect((await check(refuse(error)))[0]).toEqual(finding)
  })

  it.each([{ status: 200, body: '<html>' }, { status: 502 }, 'gone', 'hang'] as Behaviour[])(
    'finds that there is no answer about the token: %j',
    async (behaviour) => {
      const [finding] = await check(behaviour)
      expect(finding).toEqual({ level: 'bad', text: expect.stringMatching(/^no answer about the token: ./) })
    },
  )

  it('makes the one call that costs nothing, with a request that is not there', async () => {
    provider.asked.length = 0
    await check(refuse('REQUEST_ID_INVALID'))
    expect(provider.asked.map(({ path, body }) => [path, body])).toEqual([
      ['/checkVerificationStatus', '{"request_id":"0"}'],
    ])
  })

  it('tells where reports come to, or that none can', async () => {
    const [, reports] = await check('gone')
    expect(reports).toEqual({ level: 'good', text: 'reports come to https://codes.example/providers/acct_default/tg' })
    for (const publicUrl of [undefined, 'http://codes.example']) {
      const [, none] = await check('gone', { publicUrl })
      expect(none).toMatchObject({ level: 'warning' })
    }
  })
})
