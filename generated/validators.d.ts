// Made from openapi.yaml by `npm run generate`. Do not edit.
import type { ErrorObject } from 'ajv'

/** Fills in defaults. When it answers false, `errors` holds every fault until the next call. */
export interface RequestValidator {
  (request: { path?: unknown; query?: unknown; header?: unknown; requestBody?: unknown }): boolean
  errors?: ErrorObject[] | null
}
export declare const sendVerification: RequestValidator
export declare const checkVerification: RequestValidator
export declare const checkVerificationByPhone: RequestValidator
export declare const confirmVerification: RequestValidator
export declare const cancelVerification: RequestValidator
export declare const listMessages: RequestValidator
export declare const getMessage: RequestValidator
export declare const sendNotification: RequestValidator
export declare const cancelNotification: RequestValidator
export declare const previewNotification: RequestValidator
export declare const listTemplates: RequestValidator
export declare const getTemplate: RequestValidator
export declare const putTemplate: RequestValidator
export declare const deleteTemplate: RequestValidator
export declare const addOptOut: RequestValidator
export declare const removeOptOut: RequestValidator
export declare const findOptOut: RequestValidator
