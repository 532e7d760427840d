/** The channel to any gateway over HTTP, with a real one. */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Channel, Outcome, Outgoing } from '../../../src/delivery/channel.ts'
import { createHttpKind, type HttpSettings } from '../../../src/delivery/channels/http/http.ts'
import { UnreadableReport } from '../../../src/delivery/report.ts'
import { secretNames } from '../../../src/domain/channels/connectionField.ts'
import type { Content } from '../../../src/domain/sending/content.ts'
import { schemaWords } from '../../../src/kit/reading/wrongType.ts'
import { createAddressGuard } from '../../../src/outbound/address.ts'
import { newSecret, signatureOf } from '../../../src/outbound/signature.ts'
import { freePort } from '../../support/port.ts'
import { type Provider, startProvider, troubles } from '../../support/provider.ts'
import { testRuntime } from '../../support/runtime.ts'

const [secret, next] = [newSecret(), newSecret()]
const guard = createAddressGuard({ allowLoopback: true })
const limits = { connectMs: 20_000, totalMs: 25_000, connectionsMax: 4, answerBytesMax: 65_536 }
const kind = createHttpKind({ guard, limits })
const hurried = createHttpKind({ guard, limits: { ...limits, totalMs: 1500 } })
// The reference has no clock but the machine's.
const runtime = testRuntime(new Date().toISOString())
const parts = { accountId: 'acct_default', connection: 'sms', publicUrl: undefined, runtime, log: runtime.log }

const verification: Content = { kind: 'verification', code: '482913', brandName: 'Acme' }
const outgoing = (changes: Partial<Outgoing> = {}): Outgoing => ({
  ...{ accountId: 'acct_default', id: 'req_01JD', leg: 2, connection: 'sms', phone: '+14155552671', attempt: 1 },
  ...{ content: verification, expiresAt: new Date('2036-11-21T09:10:00Z') },
  ...changes,
})

const open: Channel[] = []
function newChannel(settings: Partial<HttpSettings> = {}, of = kind): Channel {
  const channel = of.open({ url: `${gateway.url}/send`, secret: [secret], ...settings }, parts)
  open.push(channel)
  return channel
}

let gateway: Provider

beforeAll(async () => {
  gateway = await startProvider({ status: 200 })
})
beforeEach(() => {
  gateway.asked.length = 0
  gateway.behave({ status: 200 })
})
afterAll(async () => {
  await Promise.all(open.map((channel) => channel.close?.()))
  await gateway.close()
})

describe('a message', () => {
  const send = async (changes?: Partial<Outgoing>) => {
    expect(await newChannel().send(outgoing(changes))).toMatchObject({ kind: 'sent' })
    return gateway.asked.at(-1)!
  }

  it('goes out with its code, and the sentence to show', async () => {
    const asked = await send()
    expect(asked).toMatchObject({ method: 'POST', path: '/send', headers: { 'content-type': 'application/json' } })
    expect(asked.body).toBe(
      '{"id":"req_01JD","account":"acct_default","kind":"verification","phone":"+14155552671",' +
        '"text":"Your Acme code is 482913","code":"482913","expires_at":"2036-11-21T09:10:00.000Z"}',
    )
    const plain = await send({ content: { kind: 'verification', code: '046813' } })
    expect(JSON.parse(plain.body)).toMatchObject({ text: 'Your code is 046813', code: '046813' })
  })

  it('goes out as a notification with its template, variables and text', async () => {
    const filled = { template: 'shipped', variables: { name: 'Zoë' }, text: 'Hi Zoë', channels: {} }
    const content: Content = { kind: 'notification', ...filled }
    const asked = await send({ content, expiresAt: null })
    expect(asked.body).toBe(
      '{"id":"req_01JD","account":"acct_default","kind":"notification","phone":"+14155552671",' +
        '"template":"shipped","variables":{"name":"Zoë"},"text":"Hi Zoë"}',
    )
  })

  it('goes out with its end where it is a text with a code that another system wrote', async () => {
    const content: Content = { kind: 'notification', variables: {}, text: 'It is 0M53RF', channels: {} }
    expect(JSON.parse((await send({ content })).body)).toMatchObject({
      ...{ kind: 'notification', text: 'It is 0M53RF', expires_at: '2036-11-21T09:10:00.000Z' },
    })
  })

  it('is signed, under a name that is the same at every attempt of a leg', async () => {
    const [first, again, other] = [await send(), await send({ attempt: 2 }), await send({ leg: 3 })]
    for (const { body, headers } of [first, again, other]) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
      expect(() => new Webhook(next).verify(body, headers as Record<string, string>)).toThrow()
    }
    const ids = [first, again, other].map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual(['req_01JD/2', 'req_01JD/2', 'req_01JD/3'])
  })

  it('is signed under both secrets while one is rotated', async () => {
    await newChannel({ secret: [next, secret] }).send(outgoing())
    const { body, headers } = gateway.asked[0]!
    for (const one of [next, secret]) new Webhook(one).verify(body, headers as Record<string, string>)
  })
})

describe('what a gateway answers', () => {
  const rejected = { kind: 'failed', code: 'rejected_by_channel' } as const
  const absent = { kind: 'failed', code: 'not_on_channel' } as const

  it.each<[number, Outcome]>([
    [200, { kind: 'sent', segments: 1 }],
    [202, { kind: 'sent', segments: 1 }],
    [204, { kind: 'sent', segments: 1 }],
    [400, { ...rejected, reason: '400 (refused)', providerCode: '400' }],
    [404, { ...absent, reason: '404 (not known there)', providerCode: '404' }],
    [410, { ...absent, reason: '410 (not there any more)', providerCode: '410' }],
    [422, { ...rejected, reason: '422 (refused)', providerCode: '422' }],
    [401, { kind: 'down', reason: '401 (signature refused)', providerCode: '401' }],
    [403, { kind: 'down', reason: '403 (not permitted)', providerCode: '403' }],
    [429, { kind: 'retry', reason: '429 (too many)', providerCode: '429', afterSeconds: 7 }],
    [503, { kind: 'retry', reason: '503 (not available)', providerCode: '503', afterSeconds: 7 }],
    ...[301, 307, 402, 405, 408, 409, 418, 500, 502, 504, 599].map((status): [number, Outcome] => [
      status,
      { kind: 'unknown', reason: `${status} (no answer that is known)`, providerCode: String(status) },
    ]),
  ])('with status %i is %j', async (status, outcome) => {
    gateway.behave({ status, headers: { 'Retry-After': '7', Location: `${gateway.url}/else` }, body: '{"a":1}' })
    expect(await newChannel().send(outgoing())).toEqual(outcome)
    expect(gateway.asked).toHaveLength(1)
  })

  it('without Retry-After leaves the time of the next attempt to us', async () => {
    gateway.behave({ status: 429 })
    expect(await newChannel().send(outgoing())).toEqual({
      ...{ kind: 'retry', reason: '429 (too many)', providerCode: '429' },
    })
  })

  it('with a Retry-After that is a date is waited for by the clock of the service', async () => {
    const other = testRuntime('2036-11-21T09:00:00.000Z')
    const channel = kind.open({ url: gateway.url, secret: [secret] }, { ...parts, runtime: other })
    open.push(channel)
    gateway.behave({ status: 503, headers: { 'Retry-After': 'Fri, 21 Nov 2036 09:00:30 GMT' } })
    expect(await channel.send(outgoing())).toMatchObject({ kind: 'retry', afterSeconds: 30 })
  })

  it.each([
    ['{"provider_message_id":"SM-1"}', 'SM-1'],
    [`{"provider_message_id":"${'x'.repeat(255)}"}`, 'x'.repeat(255)],
    [`{"provider_message_id":"${'x'.repeat(256)}"}`, undefined],
    ['{"provider_message_id":"two words"}', undefined],
    ['{"provider_message_id":"\\u0000"}', undefined],
    ['{"provider_message_id":7}', undefined],
    ['{"provider_message_id":""}', undefined],
    ['null', undefined],
    ['OK', undefined],
    ['', undefined],
    [`{"provider_message_id":"SM-1","more":"${'x'.repeat(70_000)}"}`, undefined],
  ])('with success is one, whatever its body is, and may hold an id: %.40s', async (body, providerMessageId) => {
    gateway.behave({ status: 200, body })
    const sent = { kind: 'sent', segments: 1, ...(providerMessageId !== undefined && { providerMessageId }) }
    expect(await newChannel().send(outgoing())).toEqual(sent)
  })

  it('is not waited for when nobody is there: the message was not sent, and may be sent again', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    expect(await newChannel({ url }).send(outgoing())).toEqual({ kind: 'retry', reason: 'connection refused' })
    const forbidden = newChannel({ url: 'https://169.254.169.254/' })
    expect(await forbidden.send(outgoing())).toEqual({ kind: 'retry', reason: 'this address is not allowed' })
  })

  // A flood is cut, and an answer; one that is gone may be so before anything is sent, or after.
  it.each(troubles.filter((trouble) => trouble !== 'flood' && trouble !== 'gone'))(
    'is not known when it meets: %s',
    async (trouble) => {
      gateway.behave(trouble)
      const outcome = await newChannel({}, hurried).send(outgoing())
      expect(outcome).toMatchObject({
        kind: 'unknown',
        reason: expect.stringMatching(/^(connection broken|no answer)/),
      })
    },
  )
})

describe("a gateway's report", () => {
  const at = '2036-11-21T09:00:00.000Z'
  const now = () => runtime.now()
  const report = (body: string, by = secret, shiftSeconds = 0) => {
    const timestamp = Math.floor(now().getTime() / 1000) + shiftSeconds
    const signature = signatureOf({ id: 'r1', timestamp, body }, [by])
    const headers = { 'webhook-id': 'r1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
    return { headers, body: Buffer.from(body) }
  }
  const parse = (body: unknown) => [...newChannel().parse(Buffer.from(JSON.stringify(body)))]
  const message = { accountId: 'acct_default', id: 'req_01JD' }

  it('is its own when it was signed with a secret of the connection, now', () => {
    const rotating = newChannel({ secret: [next, secret] })
    expect(newChannel().verify(report('{}'))).toBe(true)
    expect([rotating.verify(report('{}')), rotating.verify(report('{}', next))]).toEqual([true, true])
    const signature = new Webhook(secret).sign('r1', now(), '{}')
    const { headers, body } = report('{}')
    expect(newChannel().verify({ headers: { ...headers, 'webhook-signature': signature }, body })).toBe(true)
    for (const other of [report('{}', next), report('{}', secret, -302), report('{}', secret, 302)]) {
      expect(newChannel().verify(other)).toBe(false)
    }
    expect(newChannel().verify({ ...report('{}'), body: Buffer.from('[]') })).toBe(false)
    expect(newChannel().verify({ headers: {}, body: Buffer.from('{}') })).toBe(false)
  })

  it('tells of one message, or of many', () => {
    const past = new Date(now().getTime() - 60_000)
    const [one, other] = [
      { id: 'req_01JD', status: 'delivered', at: past.toISOString() },
      { id: 'req_01JE', status: 'read', at: past.toISOString() },
    ]
    const delivered = { message, status: 'delivered', at: past }
    expect(parse(one)).toEqual([delivered])
    expect(parse([one, other])).toEqual([
      delivered,
      { message: { accountId: 'acct_default', id: 'req_01JE' }, status: 'read', at: past },
    ])
    expect(parse([])).toEqual([])
    expect(parse(Array(1000).fill(one))).toHaveLength(1000)
  })

  it('tells why it failed, by a word of its own, and no sentence and no phone', () => {
    const failed = { message, status: 'failed', errorCode: 'rejected_by_channel', reason: 'reported as failed' }
    const of = (error: unknown) => parse({ id: 'req_01JD', status: 'failed', at, error })[0]
    expect(of('UNDELIV')).toEqual({ ...failed, at: expect.any(Date), providerCode: 'UNDELIV' })
    const phones = ['no-route:+14155550100', '14155550100', '+1(415)555-0100', '1-415-555-0100']
    for (const error of [undefined, null, '', 'code 482913 not taken', 'x'.repeat(101), 'é', '\0', ...phones]) {
      expect(of(error), String(error)).toEqual({ ...failed, at: expect.any(Date) })
    }
  })

  it.each([undefined, null, '', 'yesterday', '2099-01-01T00:00:00Z', '1999-01-01T00:00:00Z', '9'.repeat(60)])(
    'is of now when its time cannot be: %s',
    (given) => {
      expect(parse({ id: 'req_01JD', status: 'read', at: given })).toEqual([{ message, status: 'read', at: now() }])
    },
  )

  it.each([
    ...['null', '1', '"x"', '{', '', '\0', '{}', '[[]]', '[null]', '{"id":"req_01JD"}', '{"status":"read"}'],
    ...['{"id":"req_01JD","status":"sent"}', '{"id":"","status":"read"}', '{"id":"a\\u0000","status":"read"}'],
    ...[`{"id":"${'x'.repeat(65)}","status":"read"}`, '{"id":1,"status":"read"}', '['.repeat(100_000)],
    ...[`{"id":"req_01JD","status":"read","at":"${'x'.repeat(65)}"}`, '{"id":"req_01JD","status":"read","at":1}'],
    `{"id":"req_01JD","status":"failed","error":"${'x'.repeat(1001)}"}`,
  ])('is unreadable when it is of another form: %.60s', (text) => {
    expect(() => [...newChannel().parse(Buffer.from(text))]).toThrow(UnreadableReport)
  })
})

describe('the settings', () => {
  const read = (settings: unknown, of: z.ZodType<HttpSettings> = kind.settings) => {
    const { success, data, error } = of.safeParse(settings, { error: schemaWords })
    return success ? data : error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  }
  const url = 'https://sms.example/send'

  it('are a URL, and one secret or two', () => {
    expect(read({ url, secret })).toEqual({ url, secret: [secret] })
    expect(read({ url, secret: [next, secret] })).toEqual({ url, secret: [next, secret] })
    expect(read(read({ url, secret }))).toEqual({ url, secret: [secret] })
    expect(secretNames(kind.fields({}))).toEqual(['secret'])
  })

  it('may lead into the own networks of an operator who allows that, and never to what a cloud tells', () => {
    const own = createHttpKind({ guard: createAddressGuard({ allowOwnNetworks: true }) }).settings
    expect(read({ url: 'https://10.0.0.7/', secret }, own)).toMatchObject({ url: 'https://10.0.0.7/' })
    expect(read({ url: 'https://10.0.0.7/', secret })).toEqual(['url: this address is not allowed'])
    expect(read({ url: 'https://169.254.169.254/', secret }, own)).toEqual(['url: this address is not allowed'])
  })

  it.each<[string, object, string[]]>([
    ['no URL', { secret }, ['url: is missing']],
    ['plain HTTP', { url: 'http://sms.example/', secret }, ['url: the URL must begin with https://']],
    [
      'a password in the URL',
      { url: 'https://me:geheim@sms.example/', secret },
      ['url: the URL must not hold a user name or password'],
    ],
    ['no secret', { url }, ['secret: must be a secret, or a list of two']],
    ['an empty list of secrets', { url, secret: [] }, ['secret: must be a secret, or a list of two']],
    ['three secrets', { url, secret: [secret, next, secret] }, ['secret: must be a secret, or a list of two']],
    ['a word as secret', { url, secret: 'geheim' }, ['secret: must begin with whsec_']],
    ['a word among secrets', { url, secret: [secret, 'geheim'] }, ['secret.1: must begin with whsec_']],
    ['something unknown', { url, secret, per_second: 3 }, [': has a member that is not known: per_second']],
  ])('name what is wrong, and quote no value: %s', (_title, settings, faults) => {
    expect(read(settings)).toEqual(faults)
  })

  it('let every message be carried', () => {
    expect(kind.carries({ kind: 'verification', digits: 10 })).toBe(true)
    expect(kind.carries({ kind: 'notification', template: undefined })).toBe(true)
  })
})
