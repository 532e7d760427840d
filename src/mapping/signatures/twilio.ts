/** `twilio`: HMAC-SHA-1 over the address and the form. https://www.twilio.com/docs/usage/security#validating-requests */
import { createHmac, hash } from 'node:crypto'
import { formParametersOf, sorted } from '../parameters.ts'
import { addressesOf, targetPartsOf } from './address.ts'
import { isAnySame, isSame } from './compared.ts'
import { type SchemeParts, type SignedRequest, signingKeysOf, type Verify } from './signedRequest.ts'

/** @param parts the keys are auth tokens of the account */
export function createTwilio({ keys, publicUrl }: Omit<SchemeParts, 'now'>): Verify {
  const secrets = signingKeysOf({ keys })
  return (report) => {
    const given = report.headers['x-twilio-signature']
    const form = formOf(report)
    if (given === undefined || form === undefined) return false
    const own = addressesOf(publicUrl, report.target).flatMap((address) =>
      secrets.map((secret) => createHmac('sha1', secret).update(address).update(form).digest('base64')),
    )
    return isAnySame([given], own)
  }
}

/** What is signed behind the address. A body that is no form has its hash in the address. */
function formOf({ target, body }: SignedRequest): string | undefined {
  const bodyHash = new URLSearchParams(targetPartsOf(target).query).get('bodySHA256')
  if (bodyHash !== null) return isSame(bodyHash.toLowerCase(), hash('sha256', body)) ? '' : undefined
  const pairs = formParametersOf(body.toString())
  // Twilio signs a value once that a name has twice.
  return (
    pairs &&
    sorted(pairs)
      .flatMap(([name, values]) => [...new Set(values)].map((value) => name + value))
      .join('')
  )
}
