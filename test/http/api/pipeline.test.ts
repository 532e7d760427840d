/** The way of a request: each step can end it, and none lets it pass by mistake. */
import { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { bindContract } from '../../../src/http/api/binding.ts'
import type { ResponseGuard } from '../../../src/http/api/guard.ts'
import type { Handlers } from '../../../src/http/api/handler.ts'
import { operations } from '../../../src/http/api/operations/index.ts'
import { createPipeline, type PipelineParts } from '../../../src/http/api/pipeline.ts'
import { ownWire } from '../../../src/http/api/wire.ts'
import { Problem } from '../../../src/kit/problem.ts'

const caller = { accountId: 'a', keyId: 'k', mode: 'test' as const, scopes: ['messages:read'] }
const path = '/v1/messages/req_00000000000000000000000000'
const state = {
  ...{ id: 'req_00000000000000000000000000', kind: 'verification', status: 'sent', at: new Date(0), errorCode: null },
  ...{ createdAt: new Date(0), recipient: 'rcp_5d41402abc4b2a76b971', connection: 'wa-eu', template: null },
  ...{ reference: null, sendAt: null, expiresAt: null, findings: null, attempts: [], prices: [] },
}

interface Given extends Partial<PipelineParts> {
  authenticate?: () => unknown
  handlers?: Handlers
}

/** A pipeline in which all is well, but for what is given. */
async function pipelineOf({ authenticate = () => caller, handlers = operations, ...parts }: Given = {}) {
  const get = vi.fn(async () => state)
  const answer = createPipeline({
    wire: ownWire,
    findRoute: await bindContract({ wire: ownWire, handlers, authenticate: authenticate as never }),
    throttle: async () => {},
    services: { messages: { get } } as never,
    unhandled: () => expect.unreachable(),
    guard: undefined,
    ...parts,
  })
  const call = (url = path, { method = 'GET', headers = {}, body = '' } = {}) =>
    answer({ request: Object.assign(Readable.from([Buffer.from(body)]), { method, url, headers }) } as never)
  return { get, call }
}

describe('a request', () => {
  it('that is good reaches its handler, and is answered in the words of the contract', async () => {
    const { get, call } = await pipelineOf()
    const at = state.at.toISOString()
    const data = {
      ...{ id: state.id, kind: 'verification', status: 'sent', timestamp: at, created_at: at },
      ...{ recipient: state.recipient, channel: 'wa-eu', attempts: [] },
    }
    expect(await call()).toEqual({ status: 200, body: { success: true, data } })
    expect(get).toHaveBeenCalledExactlyOnceWith(caller, state.id)
  })

  it('may name its target in either form, with whatever in its query', async () => {
    const { call } = await pipelineOf()
    for (const target of [`${path}?x=/v1/verify/send`, `http://elsewhere${path}`, `HTTPS://x:1${path}?`]) {
      expect(await call(target)).toMatchObject({ status: 200 })
    }
  })

  it('whose target is no URL is told so, and not that there is no such path', async () => {
    const { call } = await pipelineOf()
    for (const target of ['http://[', `http://[${path}`, 'https://']) {
      await expect(call(target)).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })

  it('is refused when its key is not good, with the reason that was given', async () => {
    const { get, call } = await pipelineOf({
      authenticate: () => {
        throw new Problem('revoked_api_key')
      },
    })
    await expect(call()).rejects.toMatchObject({ code: 'revoked_api_key' })
    expect(get).not.toHaveBeenCalled()
  })

  it('fails when its key cannot be looked up: not as a failed login, but as what failed', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    const { get, call } = await pipelineOf({ authenticate: () => Promise.reject(away) })
    await expect(call()).rejects.toBe(away)
    expect(get).not.toHaveBeenCalled()
  })

  it.each([undefined, null, Promise.resolve(undefined)])('fails when its key is nobody’s: %s', async (nobody) => {
    const { get, call } = await pipelineOf({ authenticate: () => nobody })
    await expect(call()).rejects.toThrow()
    expect(get).not.toHaveBeenCalled()
  })

  it('is refused when its key has sent too many', async () => {
    const { get, call } = await pipelineOf({ throttle: () => Promise.reject(new Problem('rate_limited')) })
    await expect(call()).rejects.toMatchObject({ code: 'rate_limited' })
    expect(get).not.toHaveBeenCalled()
  })

  it('is refused when its key lacks the scope', async () => {
    const { get, call } = await pipelineOf({ authenticate: () => ({ ...caller, scopes: ['verify:write'] }) })
    await expect(call()).rejects.toMatchObject({ code: 'insufficient_scope' })
    expect(get).not.toHaveBeenCalled()
  })

  it('is refused when it breaks the schema', async () => {
    const { get, call } = await pipelineOf()
    await expect(call('/v1/messages/req_')).rejects.toMatchObject({ code: 'invalid_request' })
    expect(get).not.toHaveBeenCalled()
  })

  it('is refused when its route or its method is unknown', async () => {
    const { call } = await pipelineOf()
    await expect(call('/v1/nothing')).rejects.toMatchObject({ code: 'route_not_found' })
    await expect(call('/v1/verify/send')).rejects.toMatchObject({ code: 'method_not_allowed', allow: ['POST'] })
  })

  it('with every fault is told of the first: route, key, rate, scope, media type, body, schema', async () => {
    const headers = { 'content-type': 'text/plain' }
    const open = { ...caller, scopes: ['verify:write'] }
    const faults: [Given, string, { headers?: object; body?: string }?][] = [
      [{ authenticate: () => Promise.reject(new Problem('invalid_api_key')) }, 'invalid_api_key'],
      [{ throttle: () => Promise.reject(new Problem('rate_limited')) }, 'rate_limited'],
      [{ authenticate: () => caller }, 'insufficient_scope'],
      [{ authenticate: () => open }, 'unsupported_media_type'],
      [{ authenticate: () => open }, 'invalid_json', { headers: { 'content-type': 'application/json' } }],
      [
        { authenticate: () => open },
        'invalid_request',
        { headers: { 'content-type': 'application/json' }, body: '{}' },
      ],
    ]
    for (const [given, code, better] of faults) {
      const { call } = await pipelineOf(given)
      const request = { method: 'POST', headers, body: '{', ...better }
      await expect(call('/v1/verify/send', request), code).rejects.toMatchObject({ code })
      await expect(call('/v1/verify/sent', request)).rejects.toMatchObject({ code: 'route_not_found' })
    }
  })

  it('for an operation without a handler still needs a key, and must fit the contract', async () => {
    const mock = { status: 200, body: { success: true, data: {} } }
    const handlers = withoutGetMessage()
    const { call } = await pipelineOf({ handlers, unhandled: () => mock })
    expect(await call()).toBe(mock)
    await expect(call('/v1/messages/req_')).rejects.toMatchObject({ code: 'invalid_request' })
    const closed = await pipelineOf({
      handlers,
      unhandled: () => mock,
      authenticate: () => Promise.reject(new Problem('missing_api_key')),
    })
    await expect(closed.call()).rejects.toMatchObject({ code: 'missing_api_key' })
  })
})

describe('an answer', () => {
  it('is judged by the guard, whatever comes of the request', async () => {
    const guard = vi.fn<ResponseGuard>((answer) => answer)
    const { get, call } = await pipelineOf({ guard })
    await call()
    get.mockResolvedValueOnce(new Problem('message_not_found') as never)
    await call()
    expect(guard.mock.calls.map(([{ status }]) => status)).toEqual([200, 404])
    for (const [, { operationId }] of guard.mock.calls) expect(operationId).toBe('getMessage')
  })
})

function withoutGetMessage(): Handlers {
  const { getMessage: _without, ...rest } = operations
  return rest
}
