/**
 * The response guard: outside production, an answer that the contract does not describe becomes a 500 and a line in the
 * log.
 */
import type { ErrorObject } from 'ajv'
import type { ReplyValidator } from '../../../generated/replies.js'
import { escapePointer, Problem } from '../../kit/problem.ts'
import type { Log } from '../../kit/runtime.ts'
import type { Answer, AnswerHeaders } from '../answer.ts'
import type { AnsweredRequest, Wire } from './wire.ts'

interface Answered extends AnsweredRequest {
  /** Undefined when the request was for no operation: then only an error can answer it. */
  operationId?: string | undefined
}

interface GuardParts {
  wire: Pick<Wire, 'loadReplies' | 'failure'>
  log: Log
}

/** The answer that is to be written: the one that is given, or `internal_error` in its place. It throws nothing. */
export type ResponseGuard = (answer: Answer, exchange: Answered) => Answer

export async function createResponseGuard({ wire, log }: GuardParts): Promise<ResponseGuard> {
  const { errorResponse, replies } = await wire.loadReplies()
  return (answer, exchange) => {
    const { operationId, traceId } = exchange
    const { status } = answer
    const validate = operationId ? replies[operationId]?.[status] : errorResponse
    const constants = exchange.constantHeaders?.[status]
    const faults = validate
      ? findFaults(validate, { ...constants, ...answer.headers }, answer.body, traceId)
      : ['the status is not documented']
    if (faults.length === 0) return answer
    log.error({ trace_id: traceId, operation: operationId ?? 'none', status, faults }, 'an answer breaks the contract')
    return wire.failure(new Problem('internal_error'), exchange)
  }
}

/** Where and what is wrong, never with a value: it may be a code or a phone. */
function findFaults(validate: ReplyValidator, headers: AnswerHeaders, body: object, traceId: string): string[] {
  const written = { 'X-Trace-Id': traceId, ...headers }
  const lowerCase = Object.entries(written).map(([name, value]) => [name.toLowerCase(), value])
  const answer = asWritten({ headers: Object.fromEntries(lowerCase), body })
  if (answer === undefined) return ['it cannot be written as JSON']
  return validate(answer) ? [] : [...new Set(validate.errors?.map(findFault))]
}

/** What a client would read: JSON leaves out a member that is undefined, and turns a date into text. */
function asWritten(answer: object): object | undefined {
  try {
    return JSON.parse(JSON.stringify(answer))
  } catch {
    return undefined
  }
}

function findFault({ instancePath, keyword, params, message }: ErrorObject): string {
  if (keyword !== 'additionalProperties') return `${instancePath}: ${message}`
  return `${instancePath}/${escapePointer(params.additionalProperty)}: is not described`
}
