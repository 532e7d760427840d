/** An answer, and the one place that writes it. */
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { components } from '../../generated/types.ts'
import type { Problem } from '../kit/problem.ts'

export interface Answer {
  status: number
  body: object
  headers?: AnswerHeaders
}

/** By name. A number is written as its digits. */
export type AnswerHeaders = Readonly<Record<string, string | number>>

export function success(status: number, data: object): Answer {
  return { status, body: { success: true, data } }
}

export function failure(problem: Problem, traceId: string): Answer {
  const { code, status, message, details, retryAfterSeconds, allow } = problem
  const body: components['schemas']['ErrorResponse'] = {
    success: false,
    data: {
      code,
      message,
      ...(details && { details }),
      ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
      trace_id: traceId,
    },
  }
  const headers: Record<string, string | number> = {}
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = retryAfterSeconds
  if (allow) headers.Allow = allow.join(', ')
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer'
  return { status, body, headers }
}

/** What an answer says beside itself. */
interface Written {
  traceId: string
  /** Tells the client to close the connection. */
  last: boolean
}

export function writeAnswer(response: ServerResponse, { status, body, headers }: Answer, written: Written): void {
  writeText(response, { status, type: 'application/json', text: JSON.stringify(body), headers }, written)
}

/** An answer of any type. */
export interface TextAnswer {
  status: number
  type: string
  text: string
  headers?: AnswerHeaders | undefined
}

/** Head and body go out in one write. */
export function writeText(
  response: ServerResponse,
  { status, type, text, headers }: TextAnswer,
  { traceId, last }: Written,
): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Trace-Id': traceId,
    ...headers,
    ...(last && { Connection: 'close' }),
  })
  response.end(text)
}

/** A refusal as the bytes of HTTP, for where there is no response to write to; it ends the connection. */
export function rawRefusal(problem: Problem, traceId: string): string {
  const { status, body, headers } = failure(problem, traceId)
  return rawJson(status, body, { 'X-Trace-Id': traceId, ...headers })
}

/** An answer as the bytes of HTTP, the last on its connection. */
export function rawJson(status: number, value: object, headers: AnswerHeaders = {}): string {
  const body = JSON.stringify(value)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, text]) => `${name}: ${text}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
