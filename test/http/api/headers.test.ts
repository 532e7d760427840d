/** Headers that the contract declares for an answer: given by a handler, or by the service where they have one value. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundle, type Contract, type Response } from '../../../scripts/contract/redocly.ts'
import { makeReplies } from '../../../scripts/contract/replies.ts'
import { operationFacts } from '../../../src/contract/document.ts'
import { type ContractDocument, listFacts } from '../../../src/contract/facts.ts'
import type { Sent } from '../../../src/domain/sending/verification.ts'
import { operations } from '../../../src/http/api/operations/index.ts'
import type { ReplyValidators } from '../../../src/http/api/wire.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

const facts = operationFacts.find(({ operationId }) => operationId === 'sendVerification')!
const { constantHeaders } = facts
const deprecated = { Deprecation: '@1767139200', Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' }

let server: TestServer
beforeAll(async () => {
  facts.constantHeaders = { ...constantHeaders, 200: deprecated, 400: deprecated }
  server = await startServer()
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  facts.constantHeaders = constantHeaders
  await server.close()
})

/** Has the handler of a send give headers. */
function give(headers: object | ((sent: Sent) => object)): void {
  const { reply } = operations.sendVerification
  vi.spyOn(operations.sendVerification, 'reply').mockImplementation(
    (sent) => ({ ...reply(sent), headers: typeof headers === 'function' ? headers(sent) : headers }) as never,
  )
}

function send(headers?: Record<string, string>, body: object = { phone: newPhone() }) {
  return server.test.post('/v1/verify/send', body, headers)
}

describe('a declared header', () => {
  it('is sent as the handler gives it, a number as its digits, and not where it gives none', async () => {
    give({ Location: '/v1/messages/1', 'X-Left': 3, ETag: undefined })
    const { status, headers } = await send()
    expect([status, headers.get('location'), headers.get('x-left')]).toEqual([200, '/v1/messages/1', '3'])
    expect(headers.has('etag')).toBe(false)
  })

  it('comes with the repeat of a request too, as it was given first', async () => {
    give(({ id }) => ({ Location: `/v1/messages/${id}`, 'X-Left': 3 }))
    const body = { phone: newPhone() }
    const [first, again] = [
      await send({ 'Idempotency-Key': 'one' }, body),
      await send({ 'Idempotency-Key': 'one' }, body),
    ]
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(first.headers.get('location')).toMatch(/^\/v1\/messages\/req_/)
    for (const name of ['location', 'x-left']) expect(again.headers.get(name)).toBe(first.headers.get(name))
    expect(again.text).toBe(first.text)
  })

  it.each(['a\r\nSet-Cookie: a=b', 'a\nb', 'ä', 'a\0', ' a', ''])(
    'that could begin another one is never sent, nor kept under an Idempotency-Key: %j',
    async (value) => {
      const key = { 'Idempotency-Key': Buffer.from(`injected ${value}`).toString('hex') }
      const body = { phone: newPhone() }
      give({ Location: value })
      expect((await send(key, body)).status).toBe(500)
      vi.restoreAllMocks()
      const again = await send(key, body)
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    },
  )

  it('with one possible value is sent without a handler giving it, with a refusal too', async () => {
    const answers = [await send(), await send({}, {})]
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
    for (const { headers } of answers)
      for (const [name, value] of Object.entries(deprecated)) expect(headers.get(name)).toBe(value)
    const other = await server.test.get('/v1/messages/1')
    expect([other.status, other.headers.has('deprecation')]).toEqual([400, false])
  })
})

describe('the contract', () => {
  const header = (schema: object, required = true) => ({ required, schema: schema as Record<string, unknown> })

  async function contractWith(headers: Response['headers'], dereferenced = false): Promise<Contract> {
    const contract = await bundle({ dereferenced })
    Object.assign(contract.paths['/v1/verify/send']!.post!.responses['200']!.headers!, headers)
    return contract
  }

  it('says which headers have one value: those that are required, with an enum of one', async () => {
    const contract = await contractWith({
      Deprecation: header({ type: 'string', enum: ['@1767139200'] }),
      Location: header({ type: 'string' }),
      'X-Kind': header({ type: 'string', enum: ['a', 'b'] }),
      'X-Maybe': header({ type: 'string', enum: ['a'] }, false),
    })
    const [own] = listFacts(contract as unknown as ContractDocument).filter(
      ({ operationId }) => operationId === 'sendVerification',
    )
    expect(own!.constantHeaders[200]).toEqual({ Deprecation: '@1767139200' })
  })

  it('judges each header before it is sent: one that is missing, of another type, or out of bounds', async () => {
    const contract = await contractWith(
      {
        Location: header({ type: 'string', pattern: '^/v1/' }),
        'X-Left': header({ type: 'integer', maximum: 5 }, false),
      },
      true,
    )
    const { js } = await makeReplies(contract, 'for a test')
    const { replies } = (await import(`data:text/javascript,${encodeURIComponent(js)}`)) as ReplyValidators
    const { examples } = contract.paths['/v1/verify/send']!.post!.responses['200']!.content['application/json']!
    const judge = (headers: object) =>
      replies.sendVerification![200]!({
        headers: { 'x-trace-id': '4bf92f3577b34da6a3ce929d0e0e4736', ...headers },
        body: examples.sent!.value,
      })
    expect(judge({ location: '/v1/a' })).toBe(true)
    expect(judge({ location: '/v1/a', 'x-left': 5 })).toBe(true)
    for (const headers of [
      {},
      { location: '/v2/a' },
      ...[6, '5', 1.5].map((left) => ({ location: '/v1/a', 'x-left': left })),
    ])
      expect(judge(headers), JSON.stringify(headers)).toBe(false)
  })
})
