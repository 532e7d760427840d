/** The caller chooses by which kinds of channels a message may go, and in which order. */
import { describe, expect, it } from 'vitest'
import type { ErrorData } from '../support/client.ts'
import { createRoutes, failed, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()

interface Operation {
  path: string
  /** What it needs besides the phone. */
  given: object
}

const notification: Operation = { path: '/v1/notifications/send', given: { template: 'hello' } }
const code: Operation = { path: '/v1/verify/send', given: {} }

async function account({ path, given }: Operation, ...list: Parameters<typeof routes.accountWith>) {
  const { accountId, live } = await routes.accountWith(...list)
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  const post = (more: object, headers = {}) =>
    live.post<ErrorData & { request_id: string }>(path, { phone: newPhone(), ...given, ...more }, headers)
  return { live, post }
}

const both = (operation: Operation) => account(operation, wa(), tg(), wa({ id: 'wa-us' }))

describe.each([
  ['a notification', notification],
  ['a code', code],
])('%s', (_name, operation) => {
  it('goes by the kinds that the request names, in their order, and by no others', async () => {
    const { live, post } = await both(operation)
    routes.answers = { tg: () => failed('gone'), 'wa-eu': () => failed('gone') }
    const { data } = await post({ channels: ['telegram', 'whatsapp'] })
    await routes.server.work()
    expect(routes.connections()).toEqual(['tg', 'wa-eu', 'wa-us'])
    const told = (await live.get<{ attempts: { kind: string; status: string }[] }>(`/v1/messages/${data.request_id}`))
      .data
    expect(told.attempts.map(({ kind, status }) => [kind, status])).toEqual([
      ['telegram', 'failed'],
      ['whatsapp', 'failed'],
      ['whatsapp', 'sent'],
    ])
    routes.asked = []
    const alone = await post({ channels: ['telegram'] })
    await routes.server.work()
    expect(routes.connections()).toEqual(['tg'])
    expect(await live.status(alone.data.request_id)).toBe('failed')
  })

  it('passes over a kind that the account does not have, or not for this country', async () => {
    const { post } = await account(operation, wa({ countries: ['DE'] }), tg())
    expect(await post({ channels: ['sms', 'whatsapp', 'telegram'] })).toMatchObject({ status: 200 })
    await routes.server.work()
    expect(routes.connections()).toEqual(['tg'])
  })

  it('is refused in words for each kind, when none can carry it', async () => {
    const { post } = await account(operation, wa({ countries: ['DE'] }), tg())
    const refused = await post({ channels: ['sms', 'whatsapp'] })
    expect(refused).toMatchObject({
      status: 403,
      data: {
        code: 'no_channel',
        message: 'None of the kinds in channels can carry this message; details says why.',
        details: [
          { field: '/channels/0', code: 'unknown', message: 'is a kind of channel that this account does not have' },
          {
            field: '/channels/1',
            code: 'unknown',
            message: 'is a kind of channel that does not send to this country, or carries messages of test keys alone',
          },
        ],
      },
    })
  })

  it.each([
    ['an unknown kind', ['whatsapp', 'pigeon'], '/channels/1'],
    ['a member of every object', ['__proto__'], '/channels/0'],
    ['the name of a channel', ['wa-eu'], '/channels/0'],
    ['the same kind twice', ['sms', 'sms'], '/channels'],
    ['an empty list', [], '/channels'],
    ['1,000 kinds', Array.from({ length: 1000 }, (_one, index) => `k${index}`), '/channels'],
    ['a text', 'sms', '/channels'],
    ['a number', [1], '/channels/0'],
  ])('%s is refused with its place, and nothing is made', async (_name, channels, field) => {
    const { live, post } = await both(operation)
    const refused = await post({ channels })
    expect(refused).toMatchObject({ status: 400, data: { code: 'invalid_request' } })
    expect(refused.data.details?.map((detail) => detail.field)).toContain(field)
    expect(refused.data.details!.length).toBeLessThanOrEqual(50)
    expect((await live.get<{ messages: object[] }>('/v1/messages')).data.messages).toEqual([])
  })
})

it('a scheduled one keeps its channels until it goes, and a repeat with others is no repeat', async () => {
  const { post } = await both(notification)
  const sendAt = new Date(routes.server.runtime.now().getTime() + 3600_000).toISOString()
  const [key, phone] = [{ 'Idempotency-Key': 'a-reminder' }, newPhone()]
  const first = await post({ phone, channels: ['telegram'], send_at: sendAt }, key)
  expect(await post({ phone, channels: ['telegram'], send_at: sendAt }, key)).toMatchObject({ data: first.data })
  expect(await post({ phone, channels: ['whatsapp'], send_at: sendAt }, key)).toMatchObject({
    status: 409,
    data: { code: 'idempotency_key_reused' },
  })
  await routes.server.advance(3600)
  // The first sends what is due, the second carries it.
  await routes.server.work()
  await routes.server.work()
  expect(routes.connections()).toEqual(['tg'])
})

it.each([
  ['a notification', { ...notification, given: { template: 'welcome', variables: { name: 'Ada' } } }],
  ['a code', code],
])('with a test key the sandbox carries %s, whatever is named', async (_name, { path, given }) => {
  const body = { phone: '+14155550100', ...given, channels: ['sms'] }
  const { data } = await routes.server.test.post<{ request_id: string }>(path, body)
  await routes.server.work()
  expect(await routes.server.test.status(data.request_id)).toBe('delivered')
})
