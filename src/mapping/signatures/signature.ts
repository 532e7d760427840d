/** How providers sign their reports: a closed list of schemes, a file each. A provider file names one, and says where its parts are. */
import { createEd25519, faultOfPublicKey } from './ed25519.ts'
import { createHmacScheme } from './hmac.ts'
import { createJwt } from './jwt.ts'
import { createJwtBody } from './jwtBody.ts'
import { createPlivo } from './plivo.ts'
import type { Signature } from './signatureForm.ts'
import type { SchemeParts, Verify } from './signedRequest.ts'
import { createSortedParams } from './sortedParams.ts'
import { createStandardWebhooks, faultOfSecret } from './standardWebhooks.ts'
import { createTwilio } from './twilio.ts'
import { createUrlToken } from './urlToken.ts'

export { createHmacScheme } from './hmac.ts'
export { hmacForm, requireSignedTime, type Signature, signatureForm } from './signatureForm.ts'
export type { SignedRequest, Verify } from './signedRequest.ts'
export { readSignedTime } from './signedText.ts'
export { createStandardWebhooks, standardTimeOf } from './standardWebhooks.ts'

export interface VerifierParts extends SchemeParts {
  signature: Signature
  /** The last part of the path of the connection's address. Every scheme asks for it. */
  token: string
}

/** @returns what is wrong with a key of reports, as the end of a sentence that does not quote it */
export function faultOfKey(scheme: Signature['scheme'], key: string): string | undefined {
  if (key === '') return 'must not be empty'
  if (scheme === 'standard-webhooks') return faultOfSecret(key)
  return scheme === 'ed25519' ? faultOfPublicKey(key) : undefined
}

/**
 * The token is compared first, so a stranger costs no more than that. Without a key only `url-token` takes reports.
 *
 * @throws when `faultOfKey` refuses a key
 */
export function createVerifier({ signature, token, ...parts }: VerifierParts): Verify {
  const hasToken = createUrlToken(token)
  if (signature.scheme === 'url-token') return hasToken
  for (const key of parts.keys) {
    const fault = faultOfKey(signature.scheme, key)
    if (fault !== undefined) throw new Error(`a key of reports ${fault}`)
  }
  const isSigned = openScheme(signature, parts)
  return (report) => hasToken(report) && isSigned(report)
}

function openScheme(signature: Exclude<Signature, { scheme: 'url-token' }>, parts: SchemeParts): Verify {
  switch (signature.scheme) {
    case 'standard-webhooks':
      return createStandardWebhooks(parts)
    case 'twilio':
      return createTwilio(parts)
    case 'sorted-params':
      return createSortedParams(signature, parts)
    case 'plivo-v3':
      return createPlivo(parts)
    case 'hmac':
      return createHmacScheme(signature, parts)
    case 'ed25519':
      return createEd25519(signature, parts)
    case 'jwt':
      return createJwt(signature, parts)
    case 'jwt-body':
      return createJwtBody(signature, parts)
  }
}
