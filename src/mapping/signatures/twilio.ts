/** `twilio`: HMAC-SHA-1 over the address and the form. https://www.twilio.com/docs/usage/security#validating-requests */
import { createHmac, hash } from 'node:crypto'
import { parseFormParameters, sorted } from '../parameters.ts'
import { listAddresses, splitTarget } from './address.ts'
import { isAnySame, isSame } from './compared.ts'
import { type SchemeParts, type SignedRequest, signingKeysOf, type Verify } from './signedRequest.ts'

/** @param parts the keys are auth tokens of the account */
export function createTwilio({ keys, publicUrl }: Omit<SchemeParts, 'now'>): Verify {
  const secrets = signingKeysOf({ keys })
  return (report) => {
    const given = report.headers['x-twilio-signature']
    const form = toForm(report)
    if (given === undefined || form === undefined) return false
    const own = listAddresses(publicUrl, report.target).flatMap((address) =>
      secrets.map((secret) => createHmac('sha1', secret).update(address).update(form).digest('base64')),
    )
    return isAnySame([given], own)
  }
}

/** What is signed behind the address. A body that is no form has its hash in the address. */
function toForm({ target, body }: SignedRequest): string | undefined {
  const bodyHash = new URLSearchParams(splitTarget(target).query).get('bodySHA256')
  if (bodyHash !== null) return isSame(bodyHash.toLowerCase(), hash('sha256', body)) ? '' : undefined
  const pairs = parseFormParameters(body.toString())
  // Twilio signs a value once that a name has twice.
  return (
    pairs &&
    sorted(pairs)
      .flatMap(([name, values]) => [...new Set(values)].map((value) => name + value))
      .join('')
  )
}
