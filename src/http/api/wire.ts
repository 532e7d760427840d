/** A contract as a door speaks it: what it says, what was generated from it, and how bodies and answers are written. */
import type { IncomingMessage } from 'node:http'
import type { ReplyValidator } from '../../../generated/replies.js'
import * as validators from '../../../generated/validators.js'
import { contract, operationFacts } from '../../contract/document.ts'
import type { ConstantHeaders, ContractDocument, OperationFacts } from '../../contract/facts.ts'
import type { Caller } from '../../domain/access/authentication.ts'
import type { Problem } from '../../kit/problem.ts'
import { type Answer, failure, success } from '../answer.ts'
import { jsonMedia, type Media } from './body.ts'

export interface Wire {
  document: ContractDocument
  facts: readonly OperationFacts[]
  /** By operationId. */
  validators: Readonly<Record<string, validators.RequestValidator>>
  /** Loaded by who judges answers, so that production does not. */
  loadReplies: () => Promise<ReplyValidators>
  /** The name of its kind of security. */
  scheme: string
  media: Media
  /** Whether answers name phones: what is kept for a repeat is encrypted then. */
  keepsSealed: boolean
  /** What has to be so of a caller whose key is good. @throws Problem */
  admit?: (request: IncomingMessage, caller: Caller) => void
  success: (status: number, data: object, asked: AnsweredRequest) => Answer
  failure: (problem: Problem, asked: AnsweredRequest) => Answer
  /** The code of the refusal that an answer is; undefined for a success. */
  refusalIn: (body: Answer['body']) => string | undefined
}

/** What an answer depends on beside its outcome. */
export interface AnsweredRequest {
  request: IncomingMessage
  traceId: string
  /** Of the operation that is asked for; undefined until that is known. */
  constantHeaders?: ConstantHeaders
}

export interface ReplyValidators {
  /** By operationId and status. */
  replies: Readonly<Record<string, Readonly<Record<number, ReplyValidator>>>>
  errorResponse: ReplyValidator
}

/** This service's own contract. */
export const ownWire: Wire = {
  document: contract as ContractDocument,
  facts: operationFacts,
  validators,
  loadReplies: () => import('../../../generated/replies.js'),
  scheme: 'bearerAuth',
  media: jsonMedia,
  keepsSealed: false,
  success,
  failure: (problem, { traceId }) => failure(problem, traceId),
  refusalIn: (body) => {
    const { success: succeeded, data } = body as { success: boolean; data: { code?: string } }
    return succeeded ? undefined : data.code
  },
}
