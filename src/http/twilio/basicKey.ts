/** Who may ask: by an API key as the password of an account SID. */
import type { Authentication, Caller } from '../../domain/access/authentication.ts'
import { accountSidOf } from '../../domain/access/twilioSid.ts'
import { Problem } from '../../kit/problem.ts'
import type { Authenticate } from '../api/admission.ts'

/**
 * The user is the SID of the key's account. `SK` and 32 hexadecimal digits stand for any account, as with Twilio's own keys: the
 * password says which.
 */
export function byBasicKey(authenticate: Authentication['authenticate']): Authenticate {
  return async ({ headers: { authorization }, socket }) => {
    const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '') ?? []
    const [, user, key] = /^([^:]*):(.+)$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? []
    if (user === undefined || key === undefined) throw missing
    const caller = await authenticate(key, socket.remoteAddress)
    if (!isUserOf(user, caller)) throw new Problem('invalid_api_key', { message: otherAccount })
    return caller
  }
}

/** Always the same, and made once: a crowd that sends no keys is to cost as little as it can. */
const missing = new Problem('missing_api_key')

const otherAccount = 'This API key belongs to another account than the account SID.'

function isUserOf(user: string, { accountId }: Caller): boolean {
  return /^SK[0-9a-f]{32}$/i.test(user) || user === accountSidOf(accountId)
}
