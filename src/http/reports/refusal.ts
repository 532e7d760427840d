/**
 * What this door answers to what it does not take. The contract's closed list has no codes for it: its callers are providers,
 * which look at the status alone, and the sentence is for the person who sets one up.
 */
import type { TextAnswer } from '../answer.ts'

interface Refusal {
  status: number
  error: string
  headers?: Record<string, string>
}

/** Seconds; providers have times of their own. */
const soon = { 'Retry-After': '1' }

export const refusals = {
  /** Also what is not of the form of an address. */
  unknown: { status: 404, error: 'There is no such connection.' },
  method: { status: 405, error: 'This path takes GET, HEAD, POST.', headers: { Allow: 'GET, HEAD, POST' } },
  encoding: {
    status: 415,
    error: 'Send the bytes as they were signed, not compressed.',
    headers: { 'Accept-Encoding': 'identity' },
  },
  too_large: { status: 413, error: 'The body has more than 3 MB.' },
  /** Not as one that is not understood: whoever sends it has to send less at once, or its messages are never told of. */
  too_many: { status: 413, error: 'The report tells of more than 5,000 messages, or has too many members.' },
  /** Nobody may be left to read it. */
  cut_off: { status: 400, error: 'The body is incomplete.' },
  busy: { status: 503, error: 'Too many reports are coming in.', headers: soon },
  signature: { status: 401, error: 'The signature is wrong.' },
  handshake: { status: 403, error: 'There is no such handshake.' },
  /** A provider repeats for days what is not answered 200, and would not write it better. The log and the metric have it. */
  unreadable: { status: 200, error: 'The connection does not know this form.' },
  unavailable: { status: 503, error: 'Not available for a moment.', headers: soon },
  failed: { status: 500, error: 'A fault of the service.' },
} satisfies Record<string, Refusal>

/** Why a report was not taken. */
export type Reason = keyof typeof refusals

export function toReportRefusal(reason: Reason): TextAnswer {
  const { status, error, headers }: Refusal = refusals[reason]
  return { status, type: 'application/json', text: JSON.stringify({ error }), headers }
}
