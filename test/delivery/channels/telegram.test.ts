/** The kind `telegram`, before a server that answers as Telegram's Gateway does. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Channel, ChannelParts, Outgoing } from '../../../src/delivery/channel.ts'
import { createGateway } from '../../../src/delivery/channels/telegram/gateway.ts'
import { sendByTelegram } from '../../../src/delivery/channels/telegram/send.ts'
import { createTelegramKind } from '../../../src/delivery/channels/telegram/telegram.ts'
import type { Client } from '../../../src/outbound/client.ts'
import { localGuard } from '../../support/guard.ts'
import {
  type Answer,
  type Behaviour,
  isHanging,
  type Provider,
  startProvider,
  type Trouble,
} from '../../support/provider.ts'
import { testRuntime } from '../../support/runtime.ts'

const telegram = createTelegramKind({ guard: localGuard })

const token = 'AAH_test_token'
const [phone, code] = ['+391234567890', '048213']
const runtime = testRuntime()
const balances: number[] = []
const publicUrl = 'https://codes.example'
let provider: Provider
let channel: Channel

function open(settings: object = {}, parts: Partial<ChannelParts> = {}): Channel {
  const one = telegram.open(telegram.settings.parse({ access_token: token, base_url: provider.url, ...settings }), {
    accountId: 'acct_default',
    connection: 'tg',
    publicUrl,
    runtime,
    log: runtime.log,
    onBalance: (amount) => balances.push(amount),
    ...parts,
  })
  opened.push(one)
  return one
}

const opened: Channel[] = []
const channelFor = (trouble: Trouble) => (isHanging(trouble) ? open({}, { answerMs: 1000 }) : channel)
beforeAll(async () => {
  provider = await startProvider('gone')
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.asked.length = 0
  balances.length = 0
  channel = open()
})
// The next test has connections of its own: one that the provider closes could still be taken for open.
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close!()))
})

const outgoing: Outgoing = {
  accountId: 'acct_default',
  id: 'req_01JD',
  leg: 2,
  connection: 'tg',
  phone,
  content: { kind: 'verification', code, brandName: 'Acme' },
  attempt: 1,
  expiresAt: new Date(runtime.now().getTime() + 600_000),
}

const status = { request_id: '6155', phone_number: phone.slice(1), request_cost: 0.01 }
const price = { amount: '0.01', currency: 'USD' }
const able = ok({ ...status, remaining_balance: 12.3 })
const taken = ok({
  ...status,
  request_cost: 0,
  remaining_balance: 0,
  delivery_status: { status: 'sent', updated_at: 1 },
})

function ok(result: unknown): Answer {
  return { status: 200, body: JSON.stringify({ ok: true, result }) }
}

function refuse(error: string): Answer {
  return { status: 200, body: JSON.stringify({ ok: false, error }) }
}

function answered({ status, body }: Answer) {
  return { kind: 'answered', status, body: Buffer.from(body ?? ''), truncated: false } as const
}

/** Troubles are the same for every call, as a server has them. */
function behave(answers: Record<string, Answer>): void {
  provider.behave(({ path }) => answers[path.slice(1)] ?? { status: 404 })
}

function asked() {
  return provider.asked.map(({ path, body }) => [path, JSON.parse(body) as unknown])
}

it('a notification on its way goes on to the next connection when its own becomes one to Telegram', async () => {
  const content = { kind: 'notification' as const, template: 'hello', text: 'Hello', variables: {}, channels: {} }
  expect(await channel.send({ ...outgoing, content, expiresAt: null })).toMatchObject({
    kind: 'failed',
    isUnasked: true,
  })
  expect(provider.asked).toEqual([])
})

describe('a code', () => {
  it('is sent after Telegram was asked whether it can be, in that one request', async () => {
    behave({ checkSendAbility: able, sendVerificationMessage: taken })
    expect(await channel.send(outgoing)).toEqual({ kind: 'sent', providerMessageId: '6155', price })
    expect(asked()).toEqual([
      ['/checkSendAbility', { phone_number: phone }],
      [
        '/sendVerificationMessage',
        {
          phone_number: phone,
          request_id: '6155',
          code,
          ttl: 600,
          payload: 'acct_default/req_01JD/2',
          callback_url: 'https://codes.example/providers/acct_default/tg',
        },
      ],
    ])
    for (const { method, headers } of provider.asked) {
      expect(method).toBe('POST')
      expect(headers).toMatchObject({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
      expect(headers['user-agent']).toMatch(/^watchword\/\d+\.\d+\.\d+$/)
    }
  })

  it('costs what the call says that costs: what is no price of a message, is none', async () => {
    for (const cost of [undefined, 0, -0.01, '0.01', 1e9, {}]) {
      const free = ok({ ...status, request_cost: cost })
      behave({ checkSendAbility: free, sendVerificationMessage: taken })
      expect(await channel.send(outgoing)).toEqual({ kind: 'sent', providerMessageId: '6155' })
    }
  })

  it('comes from the channel that is configured', async () => {
    behave({ checkSendAbility: able, sendVerificationMessage: taken })
    const named = open({ sender_username: 'acme' })
    await named.send(outgoing)
    expect(asked()[1]).toEqual(['/sendVerificationMessage', expect.objectContaining({ sender_username: 'acme' })])
  })

  it.each([undefined, 'http://codes.example'])(
    'is asked about later where the service is reached at %s',
    async (url) => {
      behave({ checkSendAbility: able, sendVerificationMessage: taken })
      const unseen = open({}, { publicUrl: url })
      expect(await unseen.send(outgoing)).toEqual({
        kind: 'sent',
        providerMessageId: '6155',
        askAfterSeconds: [5, 15, 30, 60],
        price,
      })
      expect(asked()[1]![1]).not.toHaveProperty('callback_url')
    },
  )

  it.each([
    [599.9, 599],
    [30, 30],
    [29, 30],
    [0.1, 30],
    [3600, 3600],
    [4000, 3600],
  ])('that lasts for %f seconds may take Telegram %i seconds', async (seconds, ttl) => {
    behave({ checkSendAbility: able, sendVerificationMessage: taken })
    await channel.send({ ...outgoing, expiresAt: new Date(runtime.now().getTime() + seconds * 1000) })
    expect(asked()[1]![1]).toMatchObject({ ttl })
  })

  it('that ran out while Telegram was asked is not sent', async () => {
    behave({ checkSendAbility: able, sendVerificationMessage: taken })
    expect(await channel.send({ ...outgoing, expiresAt: runtime.now() })).toMatchObject({ kind: 'retry' })
    expect(asked()).toHaveLength(1)
  })

  it('goes without a payload when that would be longer than Telegram takes', async () => {
    behave({ checkSendAbility: able, sendVerificationMessage: taken })
    for (const letters of [113, 114])
      await channel.send({ ...outgoing, accountId: 'a'.repeat(letters), id: 'req_01JD_abc' })
    const [, first, , second] = asked()
    expect((first![1] as { payload: string }).payload).toHaveLength(128)
    expect(second![1]).not.toHaveProperty('payload')
  })

  it('is asked for anew when it is sent once more, and names itself as before', async () => {
    behave({ checkSendAbility: able, sendVerificationMessage: taken })
    for (const attempt of [1, 2]) await channel.send({ ...outgoing, attempt })
    const [one, two, three, four] = asked()
    expect([three, four]).toEqual([one, two])
  })
})

describe('the balance', () => {
  it('is that of the call that costs: the other one says 0', async () => {
    behave({ checkSendAbility: able, sendVerificationMessage: taken })
    await channel.send(outgoing)
    expect(balances).toEqual([12.3])
  })

  it.each([undefined, null, '12.3', {}])('is left alone when Telegram says: %j', async (remaining_balance) => {
    behave({ checkSendAbility: ok({ ...status, remaining_balance }), sendVerificationMessage: taken })
    expect(await channel.send(outgoing)).toMatchObject({ kind: 'sent' })
    expect(balances).toEqual([])
  })
})

const odd: [string, Answer][] = [
  ['a page', { status: 200, body: '<html>' }],
  ['nothing', { status: 200 }],
  ['null', { status: 200, body: 'null' }],
  ['ok, and no more', { status: 200, body: '{"ok":true}' }],
  ['an ok that is a word', { status: 200, body: `{"ok":"true","result":{"request_id":"6155"}}` }],
  ['an id that the store does not take', ok({ request_id: 'a b' })],
  ['a refusal without a word', { status: 200, body: '{"ok":false}' }],
  ['no such page', { status: 404, body: 'not found' }],
  ['that it fails, whatever else', { ...refuse('PHONE_NUMBER_INVALID'), status: 500 }],
  [
    'more than is read',
    { status: 200, body: JSON.stringify({ ok: true, result: { request_id: '6155', pad: 'x'.repeat(70_000) } }) },
  ],
]

describe('the first call', () => {
  it.each([
    ['PHONE_NUMBER_NOT_AVAILABLE', { kind: 'failed', code: 'not_on_channel' }],
    ['ACCESS_TOKEN_INVALID', { kind: 'down' }],
    ['FLOOD_WAIT_30', { kind: 'retry', afterSeconds: 30 }],
    ['INTERNAL_ERROR', { kind: 'retry' }],
    ['SOMETHING_ELSE', { kind: 'failed', code: 'rejected_by_channel' }],
  ])('that answers %s ends it: nothing is sent', async (error, outcome) => {
    behave({ checkSendAbility: refuse(error), sendVerificationMessage: taken })
    expect(await channel.send(outgoing)).toMatchObject(outcome)
    expect(asked()).toHaveLength(1)
  })

  it.each(odd)('that answers %s is repeated later: nothing was sent', async (_title, answer) => {
    behave({ checkSendAbility: answer, sendVerificationMessage: taken })
    expect(await channel.send(outgoing)).toMatchObject({ kind: 'retry' })
    expect(asked()).toHaveLength(1)
  })

  it.each(['gone', 'hang', 'reset', 'hang in the body', 'reset in the body'] satisfies Trouble[])(
    'that meets "%s" is repeated later: nothing was sent',
    async (trouble) => {
      provider.behave(trouble)
      expect(await channelFor(trouble).send(outgoing)).toMatchObject({ kind: 'retry' })
    },
  )

  it('that is refused for being one of too many waits as long as it is told', async () => {
    behave({ checkSendAbility: { status: 429, headers: { 'Retry-After': '7' }, body: 'slow down' } })
    expect(await channel.send(outgoing)).toMatchObject({ kind: 'retry', afterSeconds: 7 })
  })
})

describe('the second call', () => {
  /** The first call is answered, and then Telegram behaves so. */
  const then = (behaviour: Behaviour) =>
    provider.behave(({ path }) => {
      if (path === '/checkSendAbility') queueMicrotask(() => provider.behave(behaviour))
      return able
    })

  it.each([
    ['PHONE_NUMBER_NOT_AVAILABLE', { kind: 'failed', code: 'not_on_channel' }],
    ['BALANCE_NOT_ENOUGH', { kind: 'down' }],
    ['FLOOD_WAIT_30', { kind: 'retry', afterSeconds: 30 }],
    ['INTERNAL_ERROR', { kind: 'unknown' }],
    ['MESSAGE_ALREADY_SENT', { kind: 'unknown' }],
    ['SOMETHING_ELSE', { kind: 'failed', code: 'rejected_by_channel' }],
  ])('that answers %s', async (error, outcome) => {
    then(refuse(error))
    expect(await channel.send(outgoing)).toMatchObject(outcome)
    expect(asked()).toHaveLength(2)
  })

  it.each(odd)('that answers %s may have sent it', async (_title, answer) => {
    then(answer)
    expect(await channel.send(outgoing)).toMatchObject({ kind: 'unknown' })
    expect(asked()).toHaveLength(2)
  })

  it.each(['hang', 'reset', 'hang in the body', 'reset in the body', 'flood'] satisfies Trouble[])(
    'that meets "%s" may have sent it',
    async (trouble) => {
      then(trouble)
      expect(await channelFor(trouble).send(outgoing)).toMatchObject({ kind: 'unknown' })
    },
  )

  it('that does not leave is made again later', async () => {
    // A port that is given up between two calls could be taken by others.
    const answers = [answered(able), { kind: 'unsent', reason: 'connection refused' } as const]
    const client: Client = { ask: async () => answers.shift()!, close: async () => {} }
    const gateway = createGateway({ client, baseUrl: provider.url, token })
    const outcome = await sendByTelegram(outgoing, {
      gateway,
      runtime,
      reportsUrl: undefined,
      senderUsername: undefined,
    })
    expect(outcome).toEqual({ kind: 'retry', reason: 'connection refused' })
  })
})

describe('what became of a message', () => {
  const delivered = { ...status, delivery_status: { status: 'delivered', updated_at: runtime.now().getTime() / 1000 } }

  it('is asked for by the id of Telegram', async () => {
    behave({ checkVerificationStatus: ok({ ...delivered, payload: 'acct_default/req_01JD/2' }) })
    expect(await channel.ask!('6155')).toEqual({
      message: { accountId: 'acct_default', id: 'req_01JD' },
      providerMessageId: '6155',
      status: 'delivered',
      at: runtime.now(),
      price,
    })
    expect(asked()).toEqual([['/checkVerificationStatus', { request_id: '6155' }]])
  })

  it.each([
    ...odd,
    ['that it was sent', ok({ ...delivered, delivery_status: { status: 'sent', updated_at: 1 } })],
    ['about another one', ok({ ...delivered, request_id: '6156' })],
    ['REQUEST_ID_INVALID', refuse('REQUEST_ID_INVALID')],
  ] as [string, Answer][])('is open when the answer is: %s', async (_title, answer) => {
    behave({ checkVerificationStatus: answer })
    expect(await channel.ask!('6155')).toBe(undefined)
  })

  it('is open when there is no answer', async () => {
    provider.behave('reset')
    expect(await channel.ask!('6155')).toBe(undefined)
  })
})

describe('a right code', () => {
  it('is told to Telegram, whatever it answers', async () => {
    for (const answer of [ok(status), ...odd.map(([, one]) => one), refuse('CODE_INVALID')]) {
      behave({ checkVerificationStatus: answer })
      await channel.confirm!('6155', code)
    }
    provider.behave('gone')
    await channel.confirm!('6155', code)
    expect(asked()[0]).toEqual(['/checkVerificationStatus', { request_id: '6155', code }])
  })
})

it('a code is sent at once, however many questions about others Telegram does not answer', async () => {
  provider.behave(({ path }) => {
    if (path === '/checkVerificationStatus') return 'hang'
    return path === '/checkSendAbility' ? able : taken
  })
  let ended = 0
  const asking = Array.from({ length: 40 }, (_, n) => [channel.ask!(`${n}`), channel.confirm!(`${n}`, code)]).flat()
  const all = Promise.all(asking.map((one) => one.then(() => ended++)))
  expect(await channel.send(outgoing)).toMatchObject({ kind: 'sent' })
  expect(ended).toBe(0)
  await channel.close!()
  await all
})
