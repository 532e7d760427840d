/** An operation of the contract that has no handler yet is answered from its examples, outside production. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../src/contract/document.ts'
import { bindContract } from '../../../src/http/api/binding.ts'
import { mockAnswer } from '../../../src/http/api/mock.ts'
import { operations } from '../../../src/http/api/operations/index.ts'
import { ownWire } from '../../../src/http/api/wire.ts'
import { startServer } from '../../support/server.ts'

const path = '/v1/messages/req_00000000000000000000000000'
const traceId = '0'.repeat(32)

const findRoute = await bindContract({ wire: ownWire, handlers: {}, authenticate: () => expect.unreachable() })

describe('an operation without a handler', () => {
  const { binding } = findRoute('GET', path)
  const answer = (prefer?: string) =>
    mockAnswer(binding, { request: { method: 'GET', url: path, headers: { prefer } }, traceId } as never)
  const examples = contract.paths['/v1/messages/{id}'].get.responses['200'].content['application/json'].examples

  it('answers the first example of its success, and says that it is a mock', () => {
    expect(answer()).toEqual({ status: 200, body: examples.delivered.value, headers: { 'X-Mock': 'true' } })
  })

  it.each(['example=failed', 'code=200, example=failed', 'code=200; example="failed"'])(
    'answers the example that is preferred: %s',
    (prefer) => {
      expect(answer(prefer)).toMatchObject({ status: 200, body: examples.failed.value })
    },
  )

  it('answers an error with the headers and the trace id that it has', () => {
    expect(answer('code=429, example=rate_limited')).toEqual({
      status: 429,
      body: {
        success: false,
        data: expect.objectContaining({ code: 'rate_limited', retry_after: 1, trace_id: traceId }),
      },
      headers: { 'Retry-After': 1, 'X-Mock': 'true' },
    })
  })

  it('bears a preference for what the contract does not have', () => {
    expect(answer('code=418, example=teapot, respond-async')).toMatchObject({ status: 200 })
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

  it('still asks for a key, and for a request that fits the contract', async () => {
    const server = await startServer()
    expect(await server.as(undefined).get(path)).toMatchObject({ status: 401, data: { code: 'missing_api_key' } })
    expect(await server.test.get('/v1/messages/1')).toMatchObject({ status: 400, data: { code: 'invalid_request' } })
    await server.close()
  })
})
