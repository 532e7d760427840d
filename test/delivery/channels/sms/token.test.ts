/** A gateway that wants a token first: fetched once for all messages, kept in memory, and never told. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { createSmsKind } from '../../../../src/delivery/channels/sms/sms.ts'
import { textOfFault } from '../../../../src/kit/reading/formFaults.ts'
import { createAddressGuard } from '../../../../src/outbound/address.ts'
import { localGuard } from '../../../support/guard.ts'
import { type Asked, type Behaviour, type Provider, startProvider } from '../../../support/provider.ts'
import { testRuntime } from '../../../support/runtime.ts'

const file = `provider: heron
title: Heron
settings:
  client: {}
  password: { secret: true }
token:
  url: https://auth.heron.example/oauth/token
  auth: { basic: ["{{s.client}}", "{{s.password}}"] }
  body: { grant_type: client_credentials }
  value: /access_token
  expires_in: /expires_in
request:
  url: https://sms.heron.example/messages
  headers: { Authorization: "Bearer {{token}}" }
  body: { to: "{{to}}", text: "{{text}}" }
answer:
  id: /id
  error: /error
  rules:
    - { when: { status: 2xx }, is: sent }
    - { when: { status: [401, 403] }, is: down }
probe:
  url: https://sms.heron.example/balance
  headers: { Authorization: "Bearer {{token}}" }
`

let provider: Provider
let now: Date
/** What the token's address answers; by itself, another token each time. */
let tokens: Behaviour | undefined
let messages: (asked: Asked) => Behaviour
const fetched = () => provider.asked.filter(({ path }) => path === '/oauth/token')
const sent = () => provider.asked.filter(({ path }) => path === '/messages')

beforeEach(async () => {
  now = new Date('2026-11-29T00:00:00Z')
  tokens = undefined
  messages = () => ({ status: 200, body: '{"id":"a-1"}' })
  provider = await startProvider((asked) => {
    const behaviour = asked.path === '/oauth/token' ? (tokens ?? tokenOf(fetched().length)) : messages(asked)
    return typeof behaviour === 'function' ? behaviour(asked) : behaviour
  })
})
afterEach(() => provider.close())

const tokenOf = (count: number, life: unknown = 3600) => ({
  status: 200,
  body: JSON.stringify({ access_token: `token-${count}-secret`, expires_in: life }),
})

/** The time is that of a busy machine. */
function open(answerMs = 120_000) {
  const runtime = { ...testRuntime(), now: () => now }
  const kind = createSmsKind({ guard: localGuard })
  const entry = {
    provider: './heron.yaml',
    provider_file: file,
    client: 'me',
    password: 'word',
    base_url: provider.url,
  }
  const parts = { accountId: 'acct_a', connection: 'sms', publicUrl: undefined, answerMs, runtime, log: runtime.log }
  return kind.open(kind.settings.parse(entry), parts)
}
const message = {
  ...{ accountId: 'acct_a', id: 'req_01JD', leg: 1, connection: 'sms', phone: '+14155550100', attempt: 1 },
  ...{ content: { kind: 'verification', code: '482913', brandName: 'Acme' } as const, expiresAt: null },
}
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

it('fetches one token for twenty messages, and another when nine tenths of its life are over', async () => {
  const channel = open()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => channel.send(message)))
  expect(outcomes.every(({ kind }) => kind === 'sent')).toBe(true)
  expect(fetched()).toHaveLength(1)
  expect(fetched()[0]).toMatchObject({ method: 'POST', body: 'grant_type=client_credentials' })
  expect(fetched()[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:word').toString('base64')}`)
  later(3200)
  await channel.send(message)
  expect(fetched()).toHaveLength(1)
  later(41)
  await channel.send(message)
  expect(sent().at(-1)?.headers.authorization).toBe('Bearer token-2-secret')
  await channel.close?.()
})

it.each([undefined, -1, 0, 'soon', null, '1e999'])(
  'keeps a token for nine minutes when its life is %s',
  async (life) => {
    tokens = tokenOf(1, life)
    const channel = open()
    await channel.send(message)
    later(539)
    await channel.send(message)
    expect(fetched()).toHaveLength(1)
    later(24 * 3600)
    await channel.send(message)
    expect(fetched()).toHaveLength(2)
    await channel.close?.()
  },
)

it('fetches another token once when one is refused, and tries the message once more', async () => {
  const channel = open()
  await channel.send(message)
  messages = ({ headers }) => ({ status: headers.authorization === 'Bearer token-2-secret' ? 200 : 401 })
  expect(await channel.send(message)).toMatchObject({ kind: 'sent' })
  expect([fetched().length, sent().length]).toEqual([2, 3])
  messages = () => ({ status: 401, body: '{"error":"token-3-secret"}' })
  const refused = await channel.send(message)
  expect(refused).toMatchObject({ kind: 'down', reason: expect.stringContaining('refuses the credentials') })
  expect(JSON.stringify(refused)).not.toContain('token-3')
  expect([fetched().length, sent().length]).toEqual([3, 5])
  // A token that was fetched for this message is not old.
  expect(await channel.send(message)).toMatchObject({ kind: 'down' })
  expect([fetched().length, sent().length]).toEqual([4, 6])
  await channel.close?.()
})

it.each([
  ['an error', { status: 500, body: 'word' }, 'status 500'],
  ['a refusal', { status: 401, body: '{"error":"invalid_client word"}' }, 'status 401'],
  ['HTML', { status: 200, body: '<html>log in</html>' }, 'no token in its answer'],
  ['no token', { status: 200, body: '{"access_token":""}' }, 'no token in its answer'],
  ['a token with a line end', { status: 200, body: '{"access_token":"a\\r\\nX-B: b"}' }, 'no token in its answer'],
  ['a megabyte', { status: 200, body: `{"access_token":"x"}${' '.repeat(1_000_000)}` }, 'no token in its answer'],
  ['a redirect', { status: 302, headers: { Location: 'http://127.0.0.1/' } }, 'status 302'],
  ['no answer', 'reset', ''],
] as [string, Behaviour, string][])(
  'lets the connection rest when its token endpoint answers with %s',
  async (_what, behaviour, why) => {
    tokens = behaviour
    const channel = open()
    const outcome = await channel.send(message)
    expect(outcome).toMatchObject({
      kind: 'down',
      reason: expect.stringContaining(`no token from the provider: ${why}`),
    })
    expect(JSON.stringify(outcome)).not.toMatch(/word|482913/)
    expect(sent()).toEqual([])
    expect(await channel.check?.([])).toContainEqual({ level: 'bad', text: (outcome as { reason: string }).reason })
    tokens = undefined
    expect(await channel.send(message)).toMatchObject({ kind: 'sent' })
    await channel.close?.()
  },
)

it('waits for a slow token endpoint for three eighths of the time that a message has', async () => {
  tokens = 'hang'
  const channel = open(400)
  expect(await channel.send(message)).toMatchObject({ kind: 'down', reason: expect.stringContaining('in time') })
  expect(sent()).toEqual([])
  await channel.close?.()
})

it('goes only where a connection may lead, to its token endpoint too', () => {
  const kind = createSmsKind({
    guard: createAddressGuard({ allowHttp: false, allowLoopback: false, allowOwnNetworks: false }),
  })
  const entry = { provider: './heron.yaml', client: 'me', password: 'word' }
  const faultsOf = (place: string) => {
    const own = file.replace('https://auth.heron.example', place)
    return kind.settings.safeParse({ ...entry, provider_file: own }).error?.issues.map((issue) => issue.message) ?? []
  }
  expect(faultsOf('https://auth.heron.example')).toEqual([])
  for (const place of ['https://127.0.0.1', 'https://10.0.0.7', 'http://auth.heron.example', 'https://169.254.169.254'])
    expect(faultsOf(place), place).toEqual([expect.stringMatching(/^token\.url: /)])
  const own = file.replace('https://auth.heron.example', 'https://127.0.0.1')
  expect(kind.placesOf?.({ ...entry, provider_file: own })).toContainEqual({
    path: ['provider_file'],
    url: 'https://127.0.0.1',
  })
})

it('names each mistake with its line', () => {
  const faultsOf = (text: string) =>
    checkProviderFile(text).faults?.map((fault) => textOfFault(fault, 'heron.yaml')) ?? []
  expect(faultsOf(file)).toEqual([])
  const without = file.replace(/token:\n[\s\S]*?\nrequest:/, 'request:')
  expect(faultsOf(without)).toEqual([
    'heron.yaml:8: request.headers.Authorization: has token where there is none: say how it is fetched, beside request',
    'heron.yaml:18: probe.headers.Authorization: has token where there is none: say how it is fetched, beside request',
  ])
  expect(faultsOf(file.replace('client_credentials', '"{{to}}"'))).toEqual([
    'heron.yaml:9: token.body.grant_type: must have no placeholders but those of settings: there is no message',
  ])
  expect(faultsOf(file.replace('client_credentials', '"{{token}}"'))).toEqual([
    'heron.yaml:9: token.body.grant_type: has token where there is none: say how it is fetched, beside request',
  ])
  expect(faultsOf(file.replace('  value: /access_token\n', ''))).toEqual(['heron.yaml:6: token.value: is missing'])
})
