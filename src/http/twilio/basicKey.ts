/** Who may ask: by an API key as the password of an account SID. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Authentication, Caller } from '../../domain/access/authentication.ts'
import { accountSidOf } from '../../domain/twilioSid.ts'
import { Problem } from '../../kit/problem.ts'
import type { Authenticate } from '../api/admission.ts'

/**
 * A browser sends passwords that it remembers for pages of other sites too, and names the site. Where the way is not encrypted, it
 * leaves out `Sec-Fetch-Site`, as older ones always do: then `Origin` tells of a page. Programs on servers name none.
 */
export function byBasicKey(authenticate: Authentication['authenticate']): Authenticate {
  return async ({ headers, socket }) => {
    const { key } = pairIn(headers.authorization)
    if (key === undefined || isOfOtherSite(headers)) throw missing
    return authenticate(key, socket.remoteAddress)
  }
}

function isOfOtherSite({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders): boolean {
  if (site === undefined) return origin !== undefined
  return site !== 'none' && site !== 'same-origin'
}

/** Always the same, and made once: a crowd that sends no keys is to cost as little as it can. */
const missing = new Problem('missing_api_key')

function pairIn(authorization = ''): { user?: string | undefined; key?: string | undefined } {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  const pair = Buffer.from(encoded, 'base64').toString('latin1')
  const colon = pair.indexOf(':')
  // What a shell or a file put around them belongs to neither: `echo "$SID:$KEY" | base64` has a line end.
  const key = pair.slice(colon + 1).trim()
  return colon === -1 || key === '' ? {} : { user: pair.slice(0, colon).trim(), key }
}

/**
 * The user is the SID of the key's account. `SK` and 32 hexadecimal digits stand for any account, as with Twilio's own keys: the
 * password says which. Asked once the key is counted, so that nobody tries without end.
 *
 * @throws Problem `invalid_api_key`
 */
export function requireOwnSid({ headers }: IncomingMessage, { accountId }: Caller): void {
  const { user = '' } = pairIn(headers.authorization)
  if (/^SK[0-9a-f]{32}$/i.test(user) || user === accountSidOf(accountId)) return
  throw new Problem('invalid_api_key', { message: 'This API key belongs to another account than the account SID.' })
}
