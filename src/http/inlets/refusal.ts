/** What this door answers where the kind of an inlet has no answer of its own, in the envelope of the API. */
import type { Problem } from '../../kit/problem.ts'
import { failure, type TextAnswer } from '../answer.ts'

interface Refusal {
  status: number
  code: string
  message: string
  headers?: Record<string, string>
  retryAfterSeconds?: number
}

/** The contract's closed list has no codes for it: this door is no part of it. */
export const inletRefusals = {
  /** Also what is not of the form of an address: nobody is told which inlets there are. */
  signature: { status: 401, code: 'invalid_signature', message: 'The address or the signature is wrong.' },
  throttled: {
    status: 429,
    code: 'rate_limited',
    message: 'Too many requests with a wrong address or signature came from there. Check both and try again later.',
    retryAfterSeconds: 2,
  },
  method: { status: 405, code: 'method_not_allowed', message: 'This path takes POST.', headers: { Allow: 'POST' } },
  encoding: {
    status: 415,
    code: 'unsupported_media_type',
    message: 'Send the bytes as they were signed, not compressed.',
    headers: { 'Accept-Encoding': 'identity' },
  },
  too_large: { status: 413, code: 'body_too_large', message: 'The body has more than 1 MB.' },
  /** Nobody may be left to read it. */
  cut_off: { status: 400, code: 'invalid_request', message: 'The body is incomplete.' },
  busy: { status: 503, code: 'service_unavailable', message: 'Too many requests come in.', retryAfterSeconds: 1 },
  unreadable: {
    status: 400,
    code: 'invalid_request',
    message: 'The body is not of the form that this kind of inlet takes: see the page of that kind.',
  },
} satisfies Record<string, Refusal>

/** Why a post was refused before anything was sent. */
export type InletReason = keyof typeof inletRefusals

/** @param lacks what a proven post of another form lacks */
export function toInletRefusal(reason: InletReason, traceId: string, lacks?: string): TextAnswer {
  const { code, message: usual, ...refusal }: Refusal = inletRefusals[reason]
  const message = lacks === undefined ? usual : `The body lacks ${lacks}.`
  const { status, headers, retryAfterSeconds: seconds } = refusal
  const data = { code, message, ...(seconds !== undefined && { retry_after: seconds }), trace_id: traceId }
  const all = { ...headers, ...(seconds !== undefined && { 'Retry-After': String(seconds) }) }
  return { status, type: 'application/json', text: JSON.stringify({ success: false, data }), headers: all }
}

export function problemAnswer(problem: Problem, traceId: string): TextAnswer {
  const { status, body, headers } = failure(problem, traceId)
  return { status, type: 'application/json', text: JSON.stringify(body), headers }
}
