/** An answer, and the one place that writes it. */
import type { Response } from 'express'
import type { components } from '../../generated/types.ts'
import type { Problem } from '../problem.ts'

export interface Answer {
  status: number
  body: { readonly success: boolean; readonly data: object }
  headers?: Record<string, string>
}

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
  const headers: Record<string, string> = {}
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds)
  if (allow) headers.Allow = allow.join(', ')
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer'
  return { status, body, headers }
}

/** Goes through `response.json`, because that is where the response guard listens. */
export function writeAnswer(response: Response, { status, body, headers }: Answer): void {
  response.status(status)
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  response.locals.body = body
  response.json(body)
}

/** Express's own `json` adds a charset and an ETag, which the contract does not have. */
export function writeJson(this: Response, body: unknown): Response {
  const text = JSON.stringify(body)
  this.setHeader('Content-Type', 'application/json')
  this.setHeader('Content-Length', Buffer.byteLength(text))
  this.setHeader('Cache-Control', 'no-store')
  this.setHeader('X-Content-Type-Options', 'nosniff')
  return this.end(text)
}
