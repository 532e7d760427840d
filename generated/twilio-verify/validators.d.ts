// Made from twilio-verify.yaml by `npm run generate`. Do not edit.
import type { ErrorObject } from 'ajv'

/** Fills in defaults. When it answers false, `errors` holds every fault until the next call. */
export interface RequestValidator {
  (request: { path?: unknown; query?: unknown; header?: unknown; requestBody?: unknown }): boolean
  errors?: ErrorObject[] | null
}
export declare const fetchService: RequestValidator
export declare const createVerification: RequestValidator
export declare const fetchVerification: RequestValidator
export declare const updateVerification: RequestValidator
export declare const createVerificationCheck: RequestValidator
