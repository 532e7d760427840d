/** How providers sign their reports: a closed list of schemes, a file each. A provider file names one, and says where its parts are. */
import { z } from 'zod'
import { createEd25519, ed25519Form, faultOfPublicKey } from './ed25519.ts'
import { createHmacScheme, hmacForm } from './hmac.ts'
import { createJwtBody, jwtBodyForm } from './jwtBody.ts'
import { createPlivo, plivoForm } from './plivo.ts'
import type { SchemeParts, Verify } from './signedReport.ts'
import { createSortedParams, sortedParamsForm } from './sortedParams.ts'
import { createStandardWebhooks, faultOfSecret, standardWebhooksForm } from './standardWebhooks.ts'
import { createTwilio, twilioForm } from './twilio.ts'
import { createUrlToken, urlTokenForm } from './urlToken.ts'

export type { SignedReport, Verify } from './signedReport.ts'

/** What `signature` may be in a provider file. `key` is a text with placeholders for the connection's settings. */
export const signatureForm = z
  .discriminatedUnion('scheme', [
    standardWebhooksForm,
    twilioForm,
    sortedParamsForm,
    plivoForm,
    hmacForm,
    ed25519Form,
    jwtBodyForm,
    urlTokenForm,
  ])
  .superRefine((signature, context) => {
    if (!('timestamp' in signature) || signature.timestamp === undefined) return
    // A time that is not signed can be any time.
    if (signature.over.toLowerCase().includes(`{header:${signature.timestamp}}`)) return
    context.addIssue({ code: 'custom', path: ['over'], message: 'must hold the header that `timestamp` names' })
  })

export type Signature = z.infer<typeof signatureForm>

export interface VerifierParts extends Omit<SchemeParts, 'key'> {
  signature: Signature
  /** The filled `key` of the signature. Without it only `url-token` takes reports. */
  key: string | undefined
  /** The last part of the path of the connection's address. Every scheme asks for it. */
  token: string
}

/** @returns what is wrong with a filled key, as the end of a sentence that does not quote it */
export function faultOfKey(scheme: Signature['scheme'], key: string): string | undefined {
  if (key === '') return 'must not be empty'
  if (scheme === 'standard-webhooks') return faultOfSecret(key)
  return scheme === 'ed25519' ? faultOfPublicKey(key) : undefined
}

/**
 * The token is compared first, so a stranger costs no more than that.
 *
 * @throws when `faultOfKey` refuses the key
 */
export function createVerifier({ signature, key, token, ...parts }: VerifierParts): Verify {
  const hasToken = createUrlToken(token)
  if (signature.scheme === 'url-token') return hasToken
  if (key === undefined) return () => false
  const fault = faultOfKey(signature.scheme, key)
  if (fault !== undefined) throw new Error(`a key of reports ${fault}`)
  const isSigned = openScheme(signature, { ...parts, key })
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
    case 'jwt-body':
      return createJwtBody(signature, parts)
  }
}
