/** The response guard holds every answer against the contract, outside production. */
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundle, listOperations } from '../../../scripts/contract/redocly.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { type Answer, failure, success } from '../../../src/http/answer.ts'
import { createResponseGuard } from '../../../src/http/api/guard.ts'
import { type ExampleBody, exampleAnswer } from '../../../src/http/api/mock.ts'
import { operations } from '../../../src/http/api/operations/index.ts'
import { ownWire } from '../../../src/http/api/wire.ts'
import { Problem } from '../../../src/kit/problem.ts'
import { testRuntime } from '../../support/runtime.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const request = {} as IncomingMessage
const { log, lines } = testRuntime()
const guard = await createResponseGuard({ wire: ownWire, log })

/** What the guard makes of an answer, and what it says of it. */
function judge(answer: Answer, operationId?: OperationId) {
  lines.length = 0
  const written = guard(answer, { request, operationId, traceId })
  return { written, logged: lines.map((line) => JSON.parse(line) as { faults: string[] }) }
}

const examples = listOperations(await bundle({ dereferenced: true })).flatMap(({ operationId, responses }) =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content['application/json']!.examples).map(([name, { value }]) => ({
      name: `${operationId} ${status} ${name}`,
      operationId: operationId as OperationId,
      // With the headers that the service adds to it.
      answer: {
        ...exampleAnswer(Number(status), value as ExampleBody, traceId),
        status: Number(status),
        body: value as ExampleBody,
      },
    })),
  ),
)

const message = {
  ...{ id: 'req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6', kind: 'verification', status: 'delivered' },
  ...{ timestamp: '2026-11-21T09:30:02.118Z', created_at: '2026-11-21T09:30:00.000Z' },
  ...{ recipient: 'rcp_5d41402abc4b2a76b971', channel: 'wa-eu', attempts: [] },
}
const deliveryError = { code: 'not_on_channel', message: 'The phone number has no account.' }
const checked = {
  result: 'not_verified',
  verified: false,
  timestamp: message.timestamp,
  reason: 'incorrect_code',
  attempts_remaining: 4,
}
const detail = { field: '/phone', code: 'missing', message: 'is required' } as const
const internalError = failure(new Problem('internal_error'), traceId)

describe('an answer that the contract describes', () => {
  it.each(examples)('goes out as it is: $name', ({ operationId, answer }) => {
    const { written, logged } = judge(answer, operationId)
    expect(logged).toEqual([])
    expect(written).toBe(answer)
  })

  it.each<[string, Answer, OperationId | undefined]>([
    [
      'with a member that JSON leaves out',
      success(200, { ...message, error: undefined, surplus: undefined }),
      'getMessage',
    ],
    ['with a date that JSON turns into text', success(200, { ...message, timestamp: new Date(0) }), 'getMessage'],
    ['with a header of the mock', { ...success(200, message), headers: { 'X-Mock': 'true' } }, 'getMessage'],
    [
      'that is a kept one',
      { ...success(200, checked), headers: { 'Idempotent-Replayed': 'true' } },
      'checkVerification',
    ],
    ['to no operation', failure(new Problem('method_not_allowed', { allow: ['GET'] }), traceId), undefined],
  ])('goes out as it is: one %s', (_what, answer, operationId) => {
    const { written, logged } = judge(answer, operationId)
    expect(logged).toEqual([])
    expect(written).toBe(answer)
  })
})

describe('an answer that breaks the contract becomes internal_error, and one line in the log says where', () => {
  it.each<[string, Answer, string]>([
    [
      'a field that the contract does not have',
      success(200, { ...message, 'a/b': 1 }),
      '/body/data/a~1b: is not described',
    ],
    [
      'a surplus field in a part of it',
      success(200, { ...message, status: 'failed', error: { ...deliveryError, at: '' } }),
      '/body/data/error/at: is not described',
    ],
    [
      'a surplus field beside its data',
      { status: 200, body: { success: true, data: message, meta: {} } as never },
      '/body/meta: is not described',
    ],
    [
      'a value that the contract does not have',
      success(200, { ...message, status: 'lost' }),
      '/body/data/status: must be equal to one of the allowed values',
    ],
    [
      'a value of another form',
      success(200, { ...message, timestamp: 'yesterday' }),
      '/body/data/timestamp: must match format "date-time"',
    ],
    [
      'a missing field',
      success(200, { ...message, timestamp: undefined }),
      "/body/data: must have required property 'timestamp'",
    ],
    ['null in the place of a field', success(200, { ...message, id: null }), '/body/data/id: must be string'],
    ['an error with a status of success', { ...internalError, status: 200 }, '/body/data/code: is not described'],
    ['a status that is not documented', success(201, message), 'the status is not documented'],
    ['a status of another operation', failure(new Problem('body_too_large'), traceId), 'the status is not documented'],
    ['what is no JSON', success(200, { ...message, id: 1n }), 'it cannot be written as JSON'],
  ])('when it has %s', (_what, answer, fault) => {
    const { written, logged } = judge(answer, 'getMessage')
    expect(written).toEqual(internalError)
    expect(logged).toEqual([
      expect.objectContaining({
        msg: 'an answer breaks the contract',
        trace_id: traceId,
        operation: 'getMessage',
        faults: expect.arrayContaining([fault]),
      }),
    ])
  })

  it.each<[string, Answer, string]>([
    ['a surplus field', errorWith({ hint: '' }), '/body/data/hint: is not described'],
    [
      'a surplus field in a detail',
      errorWith({ details: [{ ...detail, at: 1 }] }),
      '/body/data/details/0/at: is not described',
    ],
    [
      'a code that is not in the list',
      errorWith({ code: 'odd' }),
      '/body/data/code: must be equal to one of the allowed values',
    ],
    [
      'another trace id than one of ours',
      errorWith({ trace_id: '' }),
      '/body/data/trace_id: must match pattern "^[0-9a-f]{32}$"',
    ],
  ])('when it is an error with %s', (_what, answer, fault) => {
    for (const operationId of ['getMessage', undefined] as const) {
      const { written, logged } = judge(answer, operationId)
      expect(written).toEqual(internalError)
      expect(logged).toMatchObject([{ operation: operationId ?? 'none', faults: [fault] }])
    }
  })

  it.each<[string, Answer, string]>([
    ['429 without Retry-After', failure(new Problem('rate_limited'), traceId), 'retry-after'],
    ['503 without Retry-After', failure(new Problem('service_unavailable'), traceId), 'retry-after'],
    [
      '401 without WWW-Authenticate',
      { ...failure(new Problem('missing_api_key'), traceId), headers: {} },
      'www-authenticate',
    ],
  ])('when it is a %s', (_what, answer, header) => {
    const { written, logged } = judge(answer, 'getMessage')
    expect(written).toEqual(internalError)
    expect(logged[0]?.faults).toContain(`/headers: must have required property '${header}'`)
  })

  it('when it asks to come again at once', () => {
    const { logged } = judge(failure(new Problem('rate_limited', { retryAfterSeconds: 0 }), traceId), 'getMessage')
    expect(logged[0]?.faults).toContain('/headers/retry-after: must be >= 1')
  })

  it('when a success answers no operation', () => {
    const { written, logged } = judge(success(200, message))
    expect(written).toEqual(internalError)
    expect(logged).toHaveLength(1)
  })

  it('when its code is one that the contract gives to another operation only', () => {
    const { written, logged } = judge(failure(new Problem('country_not_allowed'), traceId), 'getMessage')
    expect(written).toEqual(internalError)
    expect(logged[0]?.faults).toContain('/body/data/code: must be equal to one of the allowed values')
  })

  it('when it says success in an error', () => {
    const problem = failure(new Problem('message_not_found'), traceId)
    const { written } = judge({ ...problem, body: { ...problem.body, success: true } }, 'getMessage')
    expect(written).toEqual(internalError)
  })

  it('when it has the fields of one result and the verdict of another', () => {
    const { written } = judge(success(200, { ...checked, verified: true }), 'checkVerification')
    expect(written).toEqual(internalError)
  })

  it('when a field is added anywhere in any of the examples', () => {
    const widened = examples.flatMap(({ name, operationId, answer }) =>
      listPlaces(answer.body).map((place) => ({ name, operationId, place, answer: withSurplus(answer, place) })),
    )
    expect(widened.length).toBeGreaterThan(2 * examples.length)
    const passed = widened.filter(({ answer, operationId }) => judge(answer, operationId).written === answer)
    expect(passed.map(({ name, place }) => `${name} ${place}`)).toEqual([])
  })

  it('and no value of it is in the log: it may be a code', () => {
    judge(success(200, { ...message, id: '493817', status: '493817', code: '493817' }), 'getMessage')
    expect(lines.join()).toContain('/body/data/code')
    expect(lines.join()).not.toContain('493817')
  })
})

describe('a service outside of production', () => {
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
    const id = await server.test.send(newPhone())
    const reply = vi
      .spyOn(operations.getMessage, 'reply')
      .mockReturnValue({ status: 200, data: { ...message, ...change } } as never)
    const answer = await server.test.get(`/v1/messages/${id}`)
    reply.mockRestore()
    expect(answer).toMatchObject({ status: 500, data: { code: 'internal_error' } })
    expect(server.runtime.lines.join()).toContain('an answer breaks the contract')
  })

  it('keeps no such answer under an Idempotency-Key', async () => {
    const reply = vi
      .spyOn(operations.sendVerification, 'reply')
      .mockReturnValue({ status: 200, data: { surplus: 'x' } } as never)
    const body = { phone: newPhone() }
    const send = () => server.test.post('/v1/verify/send', body, { 'Idempotency-Key': 'broken' })
    expect((await send()).status).toBe(500)
    reply.mockRestore()
    const again = await send()
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
  })
})

/** An error of getMessage that its `code` and details fit, with a change that makes it wrong. */
function errorWith(change: object): Answer {
  const { status, body } = failure(new Problem('invalid_request', { details: [detail] }), traceId)
  return { status, body: { ...body, data: { ...(body as { data: object }).data, ...change } } }
}

/** Of every object in a value, the names that lead to it. */
function listPlaces(value: unknown, place: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, child]) => listPlaces(child, [...place, name]))
  return Array.isArray(value) ? inside : [place, ...inside]
}

function withSurplus(answer: Answer, place: string[]): Answer {
  const changed = structuredClone(answer)
  const target = place.reduce<object>((at, name) => (at as Record<string, object>)[name]!, changed.body)
  Object.assign(target, { surplus: 1 })
  return changed
}
