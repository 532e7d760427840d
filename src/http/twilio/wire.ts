/** The wire of Twilio Verify: forms come in, plain JSON goes out, and an error has Twilio's number. */
import * as validators from '../../../generated/twilio-verify/validators.js'
import type { ContractDocument } from '../../contract/facts.ts'
import { errorNumbers, otherStatuses, twilioContract, twilioFacts } from '../../contract/twilioDocument.ts'
import { type ErrorDetail, messageOf, type Problem, statusOfCode } from '../../kit/problem.ts'
import type { Answer } from '../answer.ts'
import type { AddressOf } from '../api/address.ts'
import type { Wire } from '../api/wire.ts'
import { requireOwnSid } from './basicKey.ts'
import { formMedia } from './form.ts'

/** @param addressOf where the caller has found this service: answers have addresses in them */
export function createTwilioWire(addressOf: AddressOf): Wire {
  return {
    document: twilioContract as ContractDocument,
    facts: twilioFacts,
    validators,
    loadReplies: () => import('../../../generated/twilio-verify/replies.js'),
    scheme: 'basicAuth',
    media: formMedia,
    keepsSealed: true,
    admit: requireOwnSid,
    success: (status, data, { request }) => ({ status, body: withAddress(data, addressOf(request)) }),
    failure: (problem, { request }) => toFailure(problem, addressOf(request)),
    refusalIn: (body) => ('more_info' in body ? String(body.more_info).split('#')[1] : undefined),
  }
}

/** A handler writes the path alone. */
function withAddress(data: object, address: string): object {
  return 'url' in data ? { ...data, url: `${address}${data.url}` } : data
}

function toFailure(problem: Problem, address: string): Answer {
  const { code, retryAfterSeconds, allow } = problem
  const number = errorNumbers.get(code) ?? platformNumbers + statusOfCode(code)
  const status = otherStatuses.get(number) ?? problem.status
  const headers: Record<string, string | number> = {}
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = retryAfterSeconds
  if (allow) headers.Allow = allow.join(', ')
  if (status === 401) headers['WWW-Authenticate'] = 'Basic realm="Watchword"'
  const body = { code: number, message: formatSentence(problem), more_info: `${address}/docs/errors#${code}`, status }
  return { status, body, headers }
}

/** Twilio's errors that belong to no product: 20404 is a 404. */
const platformNumbers = 20_000

function formatSentence({ code, message, details }: Problem): string {
  // Other refusals name fields of our own contract.
  if (code === 'invalid_request' && details && details.length > 0)
    return `Invalid parameter: ${details.map(findFault).join('; ')}.`
  // Twilio's libraries show nothing but this sentence.
  if (message === messageOf('invalid_phone') && details?.[0])
    return `${message.slice(0, -1)}: it ${details[0].message}.`
  // What both contracts say in general, each says in its own words.
  return message === messageOf(code) ? (ownSentences.get(code) ?? message) : message
}

function findFault({ field, message }: ErrorDetail): string {
  const name = field.replace(/^(\/|[a-z]+:)/, '')
  // A caller's own name may be anything, also a code: libraries put this sentence into logs.
  return `${/^[A-Za-z-]{1,40}$/.test(name) ? name : 'A field'} ${message}`
}

/** The sentence that this contract's examples give to each code. */
const ownSentences = new Map(
  Object.values(twilioContract.components.responses).flatMap(({ content }) =>
    Object.entries<{ value: { message: string } }>(content['application/json'].examples).map(
      ([code, { value }]) => [code, value.message] as const,
    ),
  ),
)
