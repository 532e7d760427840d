/** Holds an answer to the contract: its status, its body, its headers. */
import { errorResponse, type ReplyValidator, replies } from '../../generated/replies.js'
import { contract } from '../../src/contract/document.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { documentedAnswers } from '../contract/documented.ts'
import { headerValues, undocumentedHeaders } from '../contract/headers.ts'

export interface Answer {
  /** Undefined when it answers no operation. */
  operationId: OperationId | undefined
  status: number
  headers: Headers
  /** Byte for byte, read as UTF-8. */
  text: string
  /** Empty when the body is not of the form that every answer has. */
  data: Data
}

export type Data = Record<string, unknown>

/** Every fault of an answer, in words that hold nothing of what was sent. */
export type Judge = (answer: Answer) => string[]

/** Whose `trace_id` is that of the request that was answered first. */
const ofKeptAnswers = 'idempotent-replayed'

/** What proxies add as they come: they tell of themselves, and nothing of what is answered. */
const proxyHeaders = ['age', 'alt-svc', 'server', 'strict-transport-security', 'via', 'x-request-id']

/** @param allowedHeaders that a proxy in front of the deployment adds */
export function createJudge(allowedHeaders: readonly string[]): Judge {
  const headersBy = new Map(
    documentedAnswers().map(({ operationId, status, response }) => [`${operationId} ${status}`, response.headers]),
  )
  return (answer) => {
    const { operationId, status, headers } = answer
    const validate = findValidator(answer)
    if (!validate) return [`the status ${status} is not documented for ${operationId ?? 'a path that does not exist'}`]
    // Of an error that answers no operation, the contract has no list.
    const declared = headersBy.get(`${operationId} ${status}`)
    const documented = declared ? Object.keys(declared) : ['x-trace-id', 'allow', 'retry-after']
    const surplus = undocumentedHeaders(headers.keys(), [...documented, ...proxyHeaders, ...allowedHeaders])
    return [
      ...surplus.map((name) => `the header ${name} is not documented`),
      ...bodyFaults(answer, validate, headerValues(headers, declared ?? {})),
      ...envelopeFaults(answer),
    ]
  }
}

function findValidator({ operationId, status }: Answer): ReplyValidator | undefined {
  if (operationId && replies[operationId][status]) return replies[operationId][status]
  return [404, 405].includes(status) && !operationId ? errorResponse : undefined
}

function bodyFaults({ headers, text }: Answer, validate: ReplyValidator, values: Record<string, unknown>): string[] {
  const type = headers.get('content-type')
  if (type !== 'application/json') return [`its type is ${type ?? 'not told'}, not application/json`]
  const body = parsed(text)
  if (body === undefined) return ['its body is not JSON']
  if (validate({ headers: values, body })) return []
  // Of the parts of a choice, each says why it is not the one.
  return [
    ...new Set(
      (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
        const name = params.additionalProperty === undefined ? '' : `: ${params.additionalProperty}`
        return `${instancePath || 'the answer'} ${message}${name}`
      }),
    ),
  ]
}

const statuses: Record<string, number> = contract.components.schemas.ErrorCode['x-statuses']

/** What schemas do not say. */
function envelopeFaults({ status, headers, text, data }: Answer): string[] {
  const faults: string[] = []
  const { success } = (parsed(text) ?? {}) as { success?: unknown }
  if (success !== status < 400) faults.push(`success is ${success === true} at the status ${status}`)
  if (status < 400) return faults
  const { code, trace_id, retry_after } = data
  if (typeof code === 'string' && Object.hasOwn(statuses, code) && statuses[code] !== status)
    faults.push(`${code} belongs to the status ${statuses[code]}, not ${status}`)
  if (!headers.has(ofKeptAnswers) && trace_id !== headers.get('x-trace-id'))
    faults.push('trace_id is not that of the header X-Trace-Id')
  const seconds = headers.get('retry-after')
  if ((seconds ?? undefined) !== (retry_after === undefined ? undefined : String(retry_after)))
    faults.push('retry_after is not that of the header Retry-After')
  if (status === 401 && headers.get('www-authenticate') !== 'Bearer') faults.push('WWW-Authenticate is not Bearer')
  if (status === 405 && !headers.has('allow')) faults.push('there is no header Allow')
  return faults
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an answer holds, if it has the form of one. */
export function parseData(text: string): Data {
  const body = parsed(text)
  const { data } = (typeof body === 'object' && body !== null ? body : {}) as { data?: unknown }
  return typeof data === 'object' && data !== null ? (data as Data) : {}
}
