// Made from openapi.yaml by `npm run generate`. Do not edit.
import type { ErrorObject } from 'ajv'

/**
 * Judges an event as it is sent, the names of its headers in lower case; without headers, what is to be sent. Fields
 * that the contract does not have are faults. When it answers false, `errors` holds the faults until the next call.
 */
export interface EventValidator {
  (event: { headers?: unknown; body: unknown }): boolean
  errors?: ErrorObject[] | null
}
/** By type. */
export declare const events: {
  readonly 'verification.verified': EventValidator
  readonly 'verification.failed': EventValidator
  readonly 'verification.expired': EventValidator
  readonly 'verification.blocked': EventValidator
  readonly 'budget.reached': EventValidator
  readonly 'message.sent': EventValidator
  readonly 'message.delivered': EventValidator
  readonly 'message.read': EventValidator
  readonly 'message.failed': EventValidator
  readonly 'phone.opted_out': EventValidator
  readonly 'phone.opted_in': EventValidator
  readonly 'template.unusable': EventValidator
  readonly 'endpoint.disabled': EventValidator
}
