/** `hmac`: an HMAC in a header, over what a template names. Sinch's, and that of many smaller providers. */
import { createHmac } from 'node:crypto'
import { isAnySame } from './compared.ts'
import { headerMembers } from './headerMembers.ts'
import { type SchemeParts, type SettingsOf, signingKeysOf, type Verify } from './signedRequest.ts'
import { createSignedText } from './signedText.ts'

export function createHmacScheme(settings: Omit<SettingsOf<'hmac'>, 'key'>, parts: SchemeParts): Verify {
  const { header, member, hash, encoding, prefix = '' } = settings
  const secrets = signingKeysOf(parts)
  const signedText = createSignedText(settings, parts)
  return (report) => {
    const whole = report.headers[header] ?? ''
    const given = member === undefined ? [whole] : headerMembers(whole, member)
    const signatures = given.filter((text) => text.startsWith(prefix)).map((text) => text.slice(prefix.length))
    if (signatures.length === 0) return false
    const own = signedText(report).flatMap((text) =>
      secrets.map((secret) => createHmac(hash, secret).update(text).digest(encoding)),
    )
    // Digits of hex are the same in any case.
    return isAnySame(encoding === 'hex' ? signatures.map((text) => text.toLowerCase()) : signatures, own)
  }
}
