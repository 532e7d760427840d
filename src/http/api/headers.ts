/** The headers that handlers give with an answer. */
import type { Replay } from '../../domain/sending/idempotency.ts'
import type { Answer, AnswerHeaders } from '../answer.ts'
import type { GivenHeaders } from './handler.ts'

type KeptAnswer = Replay['answer']

/** Printable ASCII without a space at either end. RFC 9110 allows more, which clients read in different ways. */
const fieldValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/**
 * Those that are given. A line break would begin another header, so what is not a plain field value is refused.
 *
 * @throws Error that names the header, never with its value
 */
export function sendable(headers: GivenHeaders): AnswerHeaders {
  const given = Object.entries(headers).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
  for (const [name, value] of given)
    if (!fieldValue.test(String(value))) throw new Error(`the header ${name} is not printable ASCII`)
  return Object.fromEntries(given)
}

/** An answer as it is kept for a repeat: headers that a handler gave follow its JSON, which has no line break. */
export function toKept({ status, body, headers = {} }: Answer): KeptAnswer {
  const text = JSON.stringify(body)
  return { status, body: Object.keys(headers).length > 0 ? `${text}\n${JSON.stringify(headers)}` : text }
}

export function fromKept({ status, body: text }: KeptAnswer): Answer {
  const [body = '', headers = '{}'] = text.split('\n')
  return { status, body: JSON.parse(body), headers: JSON.parse(headers) }
}
