// Made from twilio-verify.yaml by `npm run generate`. Do not edit.
import type { ErrorObject } from 'ajv'

/**
 * Judges an answer as it is written, the names of its headers in lower case. Fields that the contract does not have are
 * faults. When it answers false, `errors` holds every fault until the next call.
 */
export interface ReplyValidator {
  (answer: { headers?: unknown; body?: unknown }): boolean
  errors?: ErrorObject[] | null
}
/** By operationId and status. */
export declare const replies: {
  readonly fetchService: Readonly<Record<number, ReplyValidator>>
  readonly createVerification: Readonly<Record<number, ReplyValidator>>
  readonly fetchVerification: Readonly<Record<number, ReplyValidator>>
  readonly updateVerification: Readonly<Record<number, ReplyValidator>>
  readonly createVerificationCheck: Readonly<Record<number, ReplyValidator>>
}
/** Of an error that answers no operation. */
export declare const errorResponse: ReplyValidator
