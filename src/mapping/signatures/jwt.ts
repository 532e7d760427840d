/**
 * `jwt`: a token for the address that the report came to, which says nothing of its body. httpSMS:
 * https://docs.httpsms.com/webhooks/introduction
 */
import { listAddresses } from './address.ts'
import { isAnySame } from './compared.ts'
import { isInTime, openToken } from './jwtBody.ts'
import { type SchemeParts, type SettingsOf, signingKeysOf, type Verify } from './signedRequest.ts'

export function createJwt({ header, prefix = '', issuer, tolerance }: SettingsOf<'jwt'>, parts: SchemeParts): Verify {
  const secrets = signingKeysOf(parts)
  return ({ headers, target }) => {
    const value = headers[header]
    const claims = value?.startsWith(prefix) ? openToken(value.slice(prefix.length), secrets) : undefined
    if (!claims || claims.aud === undefined || (issuer !== undefined && claims.iss !== issuer)) return false
    if (!isInTime(claims, { tolerance, nowSeconds: parts.now().getTime() / 1000 })) return false
    return isAnySame([claims.aud], listAddresses(parts.publicUrl, target))
  }
}
