/** What a connection to a simulated provider has to have in its settings. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { ProviderFile } from '../../delivery/channels/sms/providerFile.ts'

export interface Secrets {
  /** What the simulator knows of a setting: that it is the right one, or what it signs with. */
  secretOf: (setting: string) => string
  /** What a connection must have there, as far as the simulator looks at it. */
  expected: Readonly<Record<string, string>>
}

/** @param given by `<provider>.<setting>`, in place of the standard ones */
export function createSecrets(
  { provider, settings, report }: ProviderFile,
  given: Readonly<Record<string, string>>,
): Secrets {
  const signature = report?.signature
  const signing = signature && 'key' in signature ? settingIn(signature.key) : undefined
  const findSecret = (setting: string) => {
    const standard = `simulated-${setting.replaceAll('_', '-')}`
    const isWebhook = setting === signing && signature?.scheme === 'standard-webhooks'
    return given[`${provider}.${setting}`] ?? (isWebhook ? webhookSecretOf(standard) : standard)
  }
  const names = Object.entries(settings).flatMap(([name, { secret }]) => (secret ? [name] : []))
  const expected: Record<string, string> = Object.fromEntries(names.map((name) => [name, findSecret(name)]))
  if (signing !== undefined) {
    const secret = findSecret(signing)
    expected[signing] = signature?.scheme === 'ed25519' ? toPublicKey(secret) : secret
  }
  return { secretOf: findSecret, expected }
}

/** What PKCS #8 has before the 32 bytes of an Ed25519 key. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const rawBytes = 32

/** The same key at each start, so that a connection can name it in its file. */
export function toSigningKey(secret: string): KeyObject {
  const seed = createHash('sha256').update(secret).digest()
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
}

/** @returns the 32 raw bytes in base64 */
function toPublicKey(secret: string): string {
  const der = createPublicKey(toSigningKey(secret)).export({ format: 'der', type: 'spki' })
  return der.subarray(-rawBytes).toString('base64')
}

/** As Standard Webhooks write one: 32 bytes. */
function webhookSecretOf(secret: string): string {
  return `whsec_${createHash('sha256').update(secret).digest('base64')}`
}

/** The setting in `{{s.auth_token}}`. */
export function settingIn(key: string): string {
  return /^\{\{\s*s\.(\w+)\s*\}\}$/.exec(key)?.[1] ?? ''
}
