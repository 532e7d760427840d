// Made from openapi.yaml by `npm run generate`. Do not edit.
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
  readonly sendVerification: Readonly<Record<number, ReplyValidator>>
  readonly checkVerification: Readonly<Record<number, ReplyValidator>>
  readonly checkVerificationByPhone: Readonly<Record<number, ReplyValidator>>
  readonly confirmVerification: Readonly<Record<number, ReplyValidator>>
  readonly cancelVerification: Readonly<Record<number, ReplyValidator>>
  readonly listMessages: Readonly<Record<number, ReplyValidator>>
  readonly getMessage: Readonly<Record<number, ReplyValidator>>
  readonly sendNotification: Readonly<Record<number, ReplyValidator>>
  readonly cancelNotification: Readonly<Record<number, ReplyValidator>>
  readonly previewNotification: Readonly<Record<number, ReplyValidator>>
  readonly listTemplates: Readonly<Record<number, ReplyValidator>>
  readonly getTemplate: Readonly<Record<number, ReplyValidator>>
  readonly putTemplate: Readonly<Record<number, ReplyValidator>>
  readonly deleteTemplate: Readonly<Record<number, ReplyValidator>>
  readonly addOptOut: Readonly<Record<number, ReplyValidator>>
  readonly removeOptOut: Readonly<Record<number, ReplyValidator>>
  readonly findOptOut: Readonly<Record<number, ReplyValidator>>
}
/** Of an error that answers no operation. */
export declare const errorResponse: ReplyValidator
