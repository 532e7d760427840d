/** The contract is bound to the handlers at start, and a service that would leave a door open does not start. */
import { describe, expect, it } from 'vitest'
import { contract, operationFacts } from '../../../src/contract/document.ts'
import { bindContract } from '../../../src/http/api/binding.ts'
import type { Handlers } from '../../../src/http/api/handler.ts'
import { operations } from '../../../src/http/api/operations/index.ts'
import { ownWire } from '../../../src/http/api/wire.ts'

const id = 'req_00000000000000000000000000'
const authenticate = () => ({ accountId: 'a', keyId: 'k', mode: 'test' as const, scopes: [] })
const bind = (handlers: Handlers = operations) => bindContract({ wire: ownWire, handlers, authenticate })

/** Does it while the contract says something else of reading a message. */
async function whileGetMessage(change: object, work: () => Promise<unknown>): Promise<void> {
  const path: Record<string, object> = contract.paths['/v1/messages/{id}']
  const before = path.get!
  path.get = { ...before, ...change }
  try {
    await work()
  } finally {
    path.get = before
  }
}

describe('the service does not start', () => {
  it.each([
    ['no kind of security', []],
    ['a choice that lets everybody in', [{ bearerAuth: [] }, {}]],
    ['a choice of two', [{ bearerAuth: [] }, { cookieAuth: [] }]],
    ['two at once', [{ bearerAuth: [], cookieAuth: [] }]],
    ['one that it does not have', [{ cookieAuth: [] }]],
    ['one without a name', [{}]],
  ])('when an operation asks for %s', async (_what, security) => {
    await whileGetMessage({ security }, async () => {
      await expect(bind()).rejects.toThrow('getMessage must ask for exactly one kind of security')
    })
  })

  it('when an operation names no scope', async () => {
    const facts = operationFacts.find(({ operationId }) => operationId === 'getMessage')!
    const { requiredScope } = facts
    facts.requiredScope = undefined as never
    await expect(bind()).rejects.toThrow('getMessage names no scope')
    facts.requiredScope = requiredScope
  })

  it('when an operation has no validator', async () => {
    const operationId = 'strangeOperation' as 'getMessage'
    operationFacts.push({
      operationId,
      method: 'get',
      path: '/',
      requiredScope: 'messages:read',
      takesBody: false,
      bodyBytesMax: undefined,
      fields: [],
      parameterTypes: {},
      constantHeaders: {},
    })
    await whileGetMessage({ operationId }, async () => {
      await expect(bind({})).rejects.toThrow('generated/ has no validator for strangeOperation')
    })
    operationFacts.pop()
  })

  it('when a handler belongs to no operation of the contract', async () => {
    const surplus = { ...operations, strangeOperation: operations.getMessage }
    await expect(bind(surplus)).rejects.toThrow('strangeOperation')
  })
})

describe('a request is for the operation', () => {
  it('whose path and method it has, with the values of its parameters decoded', async () => {
    const findRoute = await bind()
    const { binding, path } = findRoute('GET', '/v1/messages/a%20%2Fb')
    expect([binding.operationId, path]).toEqual(['getMessage', { id: 'a /b' }])
    expect(findRoute('POST', '/v1/verify/send').binding.operationId).toBe('sendVerification')
    expect(findRoute('post', '/v1/verify/check').binding.operationId).toBe('checkVerification')
  })

  it('whose path is written out, before one that has a parameter in its place', async () => {
    const paths: Record<string, object> = contract.paths
    paths['/v1/messages/latest'] = { get: paths['/v1/messages/{id}']!['get' as never] }
    const findRoute = await bind()
    Reflect.deleteProperty(paths, '/v1/messages/latest')
    expect(findRoute('GET', '/v1/messages/latest').path).toEqual({})
    expect(findRoute('GET', `/v1/messages/${id}`).path).toEqual({ id })
  })

  it('of no other path, however much it looks like one', async () => {
    const findRoute = await bind()
    const others = ['/', '/v1/message', '/v1/messages/', '/v1/messages/a/b', '/v1/verify/send/', '/V1/verify/send']
    for (const path of [...others, '/v1.verify/send', '/v1/messages/a\nb/']) {
      expect(() => findRoute('GET', path)).toThrow(expect.objectContaining({ code: 'route_not_found' }))
    }
  })

  it('of no other method: the methods of the path are told', async () => {
    const findRoute = await bind()
    expect(() => findRoute('GET', '/v1/verify/send')).toThrow(
      expect.objectContaining({ code: 'method_not_allowed', allow: ['POST'] }),
    )
  })

  it('of none, when the path is no UTF-8', async () => {
    const findRoute = await bind()
    expect(() => findRoute('GET', '/v1/messages/%ff')).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})
