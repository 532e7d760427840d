/** `hmac`: an HMAC in a header, over what a template names. Sinch's, and that of many smaller providers. */
import { createHmac } from 'node:crypto'
import { isAnySame } from './compared.ts'
import { type SchemeParts, type SettingsOf, signingKeysOf, type Verify } from './signedRequest.ts'
import { createSignedText } from './signedText.ts'

export function createHmacScheme(settings: SettingsOf<'hmac'>, parts: SchemeParts): Verify {
  const { header, hash, encoding, prefix = '' } = settings
  const secrets = signingKeysOf(parts)
  const signedText = createSignedText(settings, parts)
  return (report) => {
    const given = report.headers[header]
    if (!given?.startsWith(prefix)) return false
    const signature = given.slice(prefix.length)
    const own = signedText(report).flatMap((text) =>
      secrets.map((secret) => createHmac(hash, secret).update(text).digest(encoding)),
    )
    // Digits of hex are the same in any case.
    return isAnySame([encoding === 'hex' ? signature.toLowerCase() : signature], own)
  }
}
