/** What an operation answers that has no handler yet: an example of the contract, outside production only. */
import type { Context } from 'openapi-backend'
import type { components } from '../../generated/types.ts'
import { Problem } from '../problem.ts'
import { type Answer, failure } from './answer.ts'
import type { Exchange } from './binder.ts'

export type Example = Answer['body'] | components['schemas']['ErrorResponse']

/**
 * The example that the caller prefers (`Prefer: code=409, example=idempotency_key_reused`, as RFC 7240 writes it), or else
 * the first one of the operation's success. A preference for what the contract does not have is ignored.
 */
export function mockAnswer({ api, operation, request }: Context, { traceId }: Exchange): Answer {
  const preferred = preferences(String(request.headers.prefer ?? ''))
  const { status, mock } = api.mockResponseForOperation(operation.operationId!, preferred)
  const answer = exampleAnswer(status, mock as Example, traceId)
  return { ...answer, headers: { ...answer.headers, 'X-Mock': 'true' } }
}

/** An example as an answer. An error goes the way of every error, so that its headers are there and its trace id is true. */
export function exampleAnswer(status: number, example: Example, traceId: string): Answer {
  if (!isError(example)) return { status, body: example }
  const { code, message, details, retry_after: retryAfterSeconds } = example.data
  const extra = { message, ...(details && { details: [...details] }), ...(retryAfterSeconds && { retryAfterSeconds }) }
  return failure(new Problem(code, extra), traceId)
}

function isError(example: Example): example is components['schemas']['ErrorResponse'] {
  return !example.success
}

function preferences(header: string): { code?: number; example?: string } {
  const [, code] = /(?:^|[\s,;])code="?(\d{3})/i.exec(header) ?? []
  const [, example] = /(?:^|[\s,;])example="?([^\s,;"]+)/i.exec(header) ?? []
  return { ...(code && { code: Number(code) }), ...(example && { example }) }
}
