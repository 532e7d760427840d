/** `hmac`: an HMAC in a header, over what a template names. Sinch's, and that of many smaller providers. */
import { createHmac, createSecretKey } from 'node:crypto'
import { z } from 'zod'
import { isSame } from './compared.ts'
import type { SchemeParts, Verify } from './signedReport.ts'
import { createSignedText, signedTextForm } from './signedText.ts'

export const hmacForm = z.strictObject({
  scheme: z.literal('hmac'),
  ...signedTextForm,
  hash: z.enum(['sha1', 'sha256', 'sha512']),
  encoding: z.enum(['hex', 'base64']),
  /** What stands before the signature in its header, like `sha256=`. */
  prefix: z.string().max(50).default(''),
  key: z.string(),
})

export function createHmacScheme(
  settings: z.infer<typeof hmacForm>,
  { key, now }: Omit<SchemeParts, 'publicUrl'>,
): Verify {
  const { header, hash, encoding, prefix } = settings
  const secret = createSecretKey(Buffer.from(key))
  const signedText = createSignedText(settings, now)
  return (report) => {
    const given = report.headers[header]
    if (!given?.startsWith(prefix)) return false
    const text = signedText(report)
    if (text === undefined) return false
    const signature = given.slice(prefix.length)
    const own = createHmac(hash, secret).update(text).digest(encoding)
    // Digits of hex are the same in any case.
    return isSame(encoding === 'hex' ? signature.toLowerCase() : signature, own)
  }
}
