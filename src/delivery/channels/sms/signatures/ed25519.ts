/** `ed25519`: a public key's signature in a header. https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks */
import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import type { SchemeParts, Verify } from './signedReport.ts'
import { createSignedText, headerName, signedTextForm } from './signedText.ts'

export const ed25519Form = z.strictObject({
  scheme: z.literal('ed25519'),
  ...signedTextForm,
  /** Not optional here: a signature without a time is good for ever. */
  timestamp: headerName,
  key: z.string(),
})

/** Bytes of a public key and of a signature, RFC 8032. */
const [keyBytes, signatureBytes] = [32, 64]

/** @returns what is wrong with a public key, as the end of a sentence */
export function faultOfPublicKey(key: string): string | undefined {
  return bytesOf(key, keyBytes) ? undefined : `must be ${keyBytes} bytes in base64`
}

export function createEd25519(
  settings: z.infer<typeof ed25519Form>,
  { key, now }: Omit<SchemeParts, 'publicUrl'>,
): Verify {
  const x = Buffer.from(key, 'base64').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signedText = createSignedText(settings, now)
  return (report) => {
    const signature = bytesOf(report.headers[settings.header] ?? '', signatureBytes)
    const text = signature && signedText(report)
    return signature !== undefined && text !== undefined && verify(null, text, publicKey, signature)
  }
}

/** Node reads what it can of base64 and passes over the rest; here all of it counts. */
function bytesOf(base64: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === length && bytes.toString('base64') === base64 ? bytes : undefined
}
