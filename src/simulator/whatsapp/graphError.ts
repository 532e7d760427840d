/** An error as the Graph API tells it. */
import { randomBytes } from 'node:crypto'
import type { Reply } from '../reply.ts'

const titles: Record<string, string> = {
  0: 'AuthException',
  4: 'Application request limit reached',
  100: 'Invalid parameter',
  190: 'Invalid OAuth access token - Cannot parse access token',
  80007: 'Rate limit issues',
  130429: 'Rate limit hit',
  130472: "User's number is part of an experiment",
  131000: 'Something went wrong',
  131005: 'Access denied',
  131008: 'Required parameter is missing',
  131009: 'Parameter value is not valid',
  131016: 'Service unavailable',
  131021: 'Recipient cannot be sender',
  131026: 'Message undeliverable',
  131030: 'Recipient phone number not in allowed list',
  131031: 'Account has been locked',
  131042: 'Business eligibility payment issue',
  131047: 'Re-engagement message',
  131048: 'Spam rate limit hit',
  131049: 'This message was not delivered to maintain healthy ecosystem engagement.',
  131051: 'Unsupported message type',
  131056: '(Business Account, Consumer Account) pair rate limit hit',
  131057: 'Account in maintenance mode',
  132000: 'Number of parameters does not match the expected number of params',
  132001: 'Template name does not exist in the translation',
  132012: 'Parameter format does not match format in the created template',
  132015: 'Template is paused',
  132016: 'Template is disabled',
  132018: "There's an issue with the parameters in your template",
}

/** Of HTTP; 400 for all others. */
const statuses: Record<string, number> = {
  0: 401,
  190: 401,
  3: 500,
  10: 403,
  1: 500,
  2: 503,
  80007: 429,
  130429: 429,
  131000: 500,
  131005: 403,
  131016: 500,
  131031: 403,
  131057: 500,
  132001: 404,
}

export function titleOf(code: string): string {
  return titles[code] ?? 'Unknown error'
}

/** @param status of HTTP, in place of the code's own */
export function graphError(code: string, details = titleOf(code), status = statuses[code] ?? 400): Reply {
  return {
    status,
    ...(status === 401 && {
      headers: { 'WWW-Authenticate': `OAuth "Facebook Platform" "invalid_token" "${titleOf(code)}"` },
    }),
    value: {
      error: {
        message: `(#${code}) ${titleOf(code)}`,
        type: 'OAuthException',
        code: Number(code),
        error_subcode: code === '100' ? 33 : 0,
        error_data: { messaging_product: 'whatsapp', details },
        is_transient: code === '1' || code === '2',
        fbtrace_id: `A${randomBytes(12).toString('base64url')}`,
      },
    },
  }
}
