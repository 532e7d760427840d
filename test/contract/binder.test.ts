/** Each hook of openapi-backend that would let a request pass if it were not set, and the response guard. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type BinderOptions, bindContract, type Exchange } from '../../src/contract/binder.ts'
import { contract } from '../../src/contract/document.ts'
import { mockAnswer } from '../../src/contract/mock.ts'
import { operations } from '../../src/operations/index.ts'
import { Problem } from '../../src/problem.ts'
import { startServer, type TestServer } from '../support/server.ts'

const caller = { accountId: 'a', keyId: 'k', mode: 'test' as const, scopes: ['messages:read'] }
const path = '/v1/messages/req_00000000000000000000000000'
const options: BinderOptions = {
  session: {} as never,
  admission: { authenticate: async () => caller, throttle: async () => {} },
  idempotency: {} as never,
  gate: (work) => work(),
}

describe('the binder fails closed', () => {
  const bind = async (authenticate: () => Promise<typeof caller>) => {
    const handler = vi.fn(async () => ({
      status: 200 as const,
      data: { id: '', status: 'sent' as const, timestamp: '' },
    }))
    const contract = await bindContract({ ...operations, getMessage: handler }, {} as never, {
      ...options,
      admission: { authenticate, throttle: async () => {} },
    })
    const call = (url = path, headers: object = { authorization: 'Bearer x' }) =>
      contract({ request: { method: 'GET', url, headers }, traceId: '' } as Exchange)
    return { handler, call }
  }

  it('lets a good request through', async () => {
    const { handler, call } = await bind(async () => caller)
    expect(await call()).toMatchObject({ status: 200 })
    expect(handler).toHaveBeenCalledOnce()
  })

  it('when the key is not good, with the reason that was given', async () => {
    const { handler, call } = await bind(async () => {
      throw new Problem('revoked_api_key')
    })
    await expect(call()).rejects.toMatchObject({ code: 'revoked_api_key' })
    expect(handler).not.toHaveBeenCalled()
  })

  it('when the key cannot be looked up: not as a failed login, but as what failed', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    const { handler, call } = await bind(async () => {
      throw away
    })
    await expect(call()).rejects.toBe(away)
    expect(handler).not.toHaveBeenCalled()
  })

  it('when authentication gives nobody', async () => {
    const { handler, call } = await bind(async () => undefined as never)
    await expect(call()).rejects.toThrow()
    expect(handler).not.toHaveBeenCalled()
  })

  it('when the scope is missing', async () => {
    const { handler, call } = await bind(async () => ({ ...caller, scopes: ['verify:write'] }))
    await expect(call()).rejects.toMatchObject({ code: 'insufficient_scope' })
    expect(handler).not.toHaveBeenCalled()
  })

  it('when the request breaks the schema', async () => {
    const { handler, call } = await bind(async () => caller)
    await expect(call('/v1/messages/req_')).rejects.toMatchObject({ code: 'invalid_request' })
    expect(handler).not.toHaveBeenCalled()
  })

  it('when the route or the method is unknown', async () => {
    const { call } = await bind(async () => caller)
    await expect(call('/v1/nothing')).rejects.toMatchObject({ code: 'route_not_found' })
    await expect(call('/v1/verify/send')).rejects.toMatchObject({ code: 'method_not_allowed', allow: ['POST'] })
  })

  it('when an operation of the contract has no handler: the process does not start', async () => {
    const { getMessage: _without, ...rest } = operations
    await expect(bindContract(rest, {} as never, options)).rejects.toThrow('getMessage')
  })
})

describe('an operation without a handler', () => {
  const call = async (prefer?: string, { url = path, authorization = 'Bearer x' } = {}) => {
    const { getMessage: _without, ...rest } = operations
    const contract = await bindContract(rest, {} as never, { ...options, unhandled: mockAnswer })
    const request = { method: 'GET', url, headers: { authorization, prefer } }
    return contract({ request, traceId } as unknown as Exchange)
  }
  const traceId = '0'.repeat(32)
  const examples = contract.paths['/v1/messages/{id}'].get.responses['200'].content['application/json'].examples

  it('answers the first example of its success, and says that it is a mock', async () => {
    expect(await call()).toEqual({ status: 200, body: examples.delivered.value, headers: { 'X-Mock': 'true' } })
  })

  it.each(['example=failed', 'code=200, example=failed', 'code=200; example="failed"'])(
    'answers the example that is preferred: %s',
    async (prefer) => {
      expect(await call(prefer)).toMatchObject({ status: 200, body: examples.failed.value })
    },
  )

  it('answers an error with the headers and the trace id that it has', async () => {
    expect(await call('code=429, example=rate_limited')).toEqual({
      status: 429,
      body: {
        success: false,
        data: expect.objectContaining({ code: 'rate_limited', retry_after: 1, trace_id: traceId }),
      },
      headers: { 'Retry-After': '1', 'X-Mock': 'true' },
    })
  })

  it('bears a preference for what the contract does not have', async () => {
    expect(await call('code=418, example=teapot, respond-async')).toMatchObject({ status: 200 })
  })

  it('still asks for a key, and for a request that fits the contract', async () => {
    await expect(call(undefined, { authorization: '' })).rejects.toMatchObject({ code: 'missing_api_key' })
    await expect(call(undefined, { url: '/v1/messages/1' })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('a service without a handler for an operation', () => {
  const { getMessage } = operations
  beforeAll(() => {
    Reflect.deleteProperty(operations, 'getMessage')
  })
  afterAll(() => {
    operations.getMessage = getMessage
  })

  it('does not start in production', async () => {
    await expect(startServer({ config: { production: true } })).rejects.toThrow('no handler for getMessage')
  })

  it('answers it from its examples elsewhere, and says so in the log and in the answer', async () => {
    const server = await startServer()
    const answer = await server.test.get(path)
    expect(answer).toMatchObject({ status: 200, data: { status: 'delivered' } })
    expect(answer.headers.get('x-mock')).toBe('true')
    expect(server.runtime.lines.join()).toContain('no handler: answered from the examples of the contract')
    await server.close()
  })
})

describe('the response guard', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  it.each([
    ['a field that the contract does not have', { surplus: 'x' }],
    ['a value that the contract does not have', { status: 'lost' }],
    ['a missing field', { timestamp: undefined }],
  ])('turns an answer with %s into a 500, and says so in the log', async (_what, change) => {
    const get = vi.spyOn(operations, 'getMessage').mockImplementation(
      async () =>
        ({
          status: 200,
          data: {
            id: 'req_00000000000000000000000000',
            status: 'sent',
            timestamp: '2026-11-21T09:00:00.000Z',
            ...change,
          },
        }) as never,
    )
    const answer = await server.test.get('/v1/messages/req_00000000000000000000000000')
    get.mockRestore()
    expect(answer).toMatchObject({ status: 500, data: { code: 'internal_error' } })
    expect(server.runtime.lines.join()).toContain('an answer breaks the contract')
  })
})
