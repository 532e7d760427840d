/** What an operation answers that has no handler yet: an example of the contract, outside production only. */
import type { IncomingMessage } from 'node:http'
import type { components } from '../../../generated/types.ts'
import { ownHeaders } from '../../contract/facts.ts'
import { Problem } from '../../kit/problem.ts'
import { type Answer, type AnswerHeaders, failure } from '../answer.ts'
import type { Binding } from './binding.ts'
import { sendable } from './headers.ts'
import type { Exchange } from './pipeline.ts'

export type ExampleBody = { readonly success: boolean; readonly data: object } | components['schemas']['ErrorResponse']

/**
 * The example that the caller prefers (`Prefer: code=409, example=idempotency_key_reused`, as RFC 7240 writes it), or else
 * the first one of the operation's success. A preference for what the contract does not have is ignored.
 */
export function mockAnswer(binding: Binding, exchange: Exchange): Answer {
  const { status, mock } = binding.api.mockResponseForOperation(binding.operationId, preferred(binding, exchange))
  const answer = exampleAnswer(status, mock as ExampleBody, exchange.traceId)
  return { ...answer, headers: { ...exampleHeaders(binding, status), ...answer.headers, 'X-Mock': 'true' } }
}

/** What the header `Prefer` asks for. An example that is named without a status is looked for in every one. */
export function preferred(binding: Binding, { request }: Exchange): { code?: number; example?: string } {
  const example = readPreference(request, 'example')
  const named = readPreference(request, 'code')
  const code = /^\d{3}$/.test(named ?? '') ? named : example && statusOf(binding, example)
  return { ...(code && { code: Number(code) }), ...(example && { example }) }
}

/** The value of one preference, as it is written; undefined where the header `Prefer` does not have it. */
export function readPreference({ headers }: IncomingMessage, name: string): string | undefined {
  const [, value] =
    new RegExp(`(?:^|[\\s,;])${name}\\s*=\\s*"?([^\\s,;"]+)`, 'i').exec(String(headers.prefer ?? '')) ?? []
  return value
}

type Responses = Record<
  string,
  {
    headers?: Record<string, { example?: string | number; schema: { example?: string | number } }>
    content?: { 'application/json'?: { examples?: object } }
  }
>

function statusOf(binding: Binding, example: string): string | undefined {
  return exampleNames(binding).find(([, names]) => names.includes(example))?.[0]
}

/** By status. */
export function exampleNames({ operation }: Binding): [status: string, names: string[]][] {
  return Object.entries(operation.responses as Responses).map(([status, { content }]) => [
    status,
    Object.keys(content?.['application/json']?.examples ?? {}),
  ])
}

/** An example as an answer. An error goes the way of every error, so that its headers are there and its trace id is true. */
export function exampleAnswer(status: number, example: ExampleBody, traceId: string): Answer {
  if (!isError(example)) return { status, body: example }
  const { code, message, details, retry_after: retryAfterSeconds } = example.data
  const extra = { message, ...(details && { details: [...details] }), ...(retryAfterSeconds && { retryAfterSeconds }) }
  return failure(new Problem(code, extra), traceId)
}

/** The declared headers of an answer, but for those that the service gives by itself. */
export function exampleHeaders({ operation }: Binding, status: number): AnswerHeaders {
  const own: readonly string[] = ownHeaders
  const { headers = {} } = (operation.responses as Responses)[status] ?? {}
  const examples = Object.entries(headers)
    .filter(([name]) => !own.includes(name))
    .map(([name, { example, schema }]) => [name, example ?? schema.example])
  return sendable(Object.fromEntries(examples))
}

function isError(example: ExampleBody): example is components['schemas']['ErrorResponse'] {
  return !example.success
}
