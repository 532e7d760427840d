/** `ed25519`: a public key's signature in a header. https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { SchemeParts, SettingsOf, Verify } from './signedRequest.ts'
import { createSignedText } from './signedText.ts'

/** Bytes of a public key and of a signature, RFC 8032. */
const [keyBytes, signatureBytes] = [32, 64]

/** @returns what is wrong with a public key, as the end of a sentence */
export function faultOfPublicKey(key: string): string | undefined {
  return toBytes(key, keyBytes) ? undefined : `must be ${keyBytes} bytes in base64`
}

export function createEd25519(settings: SettingsOf<'ed25519'>, parts: SchemeParts): Verify {
  const publicKeys = parts.keys.map(toPublicKey)
  const signedText = createSignedText(settings, parts)
  return (report) => {
    const signature = toBytes(report.headers[settings.header] ?? '', signatureBytes)
    if (signature === undefined) return false
    return signedText(report).some((text) => publicKeys.some((key) => verify(null, text, key, signature)))
  }
}

function toPublicKey(key: string): KeyObject {
  const x = Buffer.from(key, 'base64').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

/** Node reads what it can of base64 and passes over the rest; here all of it counts. */
function toBytes(base64: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === length && bytes.toString('base64') === base64 ? bytes : undefined
}
