/** Reads what Telegram's Gateway is asked, as strictly as it does. */
import { z } from 'zod'

/** E.164. The plus sign may be left out. */
const phoneForm = /^\+?[1-9]\d{6,14}$/
const codeForm = /^\d{4,8}$/
const ttlRange = { min: 30, max: 3600 }
const payloadBytesMax = 128
const usernameForm = /^@?[A-Za-z]\w{3,31}$/
const local = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/

const phoneNumber = z.string('PHONE_NUMBER_INVALID').regex(phoneForm, 'PHONE_NUMBER_INVALID')
const requestId = z.string('REQUEST_ID_INVALID').regex(/^\d{1,32}$/, 'REQUEST_ID_INVALID')
const code = z.string('CODE_INVALID').regex(codeForm, 'CODE_INVALID')

export const ability = z.object({ phone_number: phoneNumber })

/** The messages are the errors of Telegram. */
export const sending = z
  .object({
    phone_number: phoneNumber,
    request_id: requestId.optional(),
    code: code.optional(),
    code_length: z.int('CODE_LENGTH_INVALID').min(4, 'CODE_LENGTH_INVALID').max(8, 'CODE_LENGTH_INVALID').optional(),
    ttl: z.int('TTL_INVALID').min(ttlRange.min, 'TTL_INVALID').max(ttlRange.max, 'TTL_INVALID').optional(),
    payload: z
      .string('PAYLOAD_INVALID')
      .refine((text) => Buffer.byteLength(text) <= payloadBytesMax, 'PAYLOAD_INVALID')
      .optional(),
    callback_url: z
      .string('CALLBACK_URL_INVALID')
      .max(256, 'CALLBACK_URL_INVALID')
      // Telegram itself asks for https; on this machine there is none.
      .refine((url) => URL.canParse(url) && (url.startsWith('https://') || local.test(url)), 'CALLBACK_URL_INVALID')
      .optional(),
    sender_username: z.string('SENDER_INVALID').regex(usernameForm, 'SENDER_INVALID').optional(),
  })
  .refine(({ code, code_length }) => code !== undefined || code_length !== undefined, 'CODE_INVALID')

export const statusCheck = z.object({ request_id: requestId, code: code.optional() })

export const revocation = z.object({ request_id: requestId })

/** Its own form, with the plus sign. */
export function phoneOf(text: string): string {
  return text.replace(/^\+?/, '+')
}
