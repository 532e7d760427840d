/** Signatures of Standard Webhooks 1.0, with symmetric secrets: https://www.standardwebhooks.com */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = { made: 32, min: 24, max: 64 }
/** Seconds that a signature is good for, and that clocks may differ by. */
const toleranceSeconds = 300

/** @returns `whsec_` and 32 random bytes in base64 */
export function newSecret(): string {
  return prefix + randomBytes(secretBytes.made).toString('base64')
}

/** @returns the key, or what is wrong with the secret, as the end of a sentence that does not quote it */
export function parseSecret(secret: string): { key: Buffer } | { fault: string } {
  if (!secret.startsWith(prefix)) return { fault: `must begin with ${prefix}` }
  const text = secret.slice(prefix.length)
  const key = Buffer.from(text, 'base64')
  // Node reads what it can and passes over the rest.
  if (key.toString('base64') !== text) return { fault: `must be base64 after ${prefix}` }
  const { min, max } = secretBytes
  if (key.length < min || key.length > max) return { fault: `must hold ${min} to ${max} bytes` }
  return { key }
}

export interface SignedMessage {
  /** Of what is sent: the same at every attempt. Visible ASCII without a full stop. */
  id: string
  /** Seconds of Unix time, of the attempt. */
  timestamp: number
  body: string | Uint8Array
}

/**
 * @param secrets more than one while they are rotated
 * @returns the header `webhook-signature`: a signature for each secret, with a space between
 * @throws when a secret is not one that `parseSecret` takes
 */
export function signatureOf({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets.map((secret) => `v1,${computeHmac(secret, `${id}.${timestamp}.`, body)}`).join(' ')
}

/** A version and its signature; those of other versions are passed over. */
const signatureForm = /^(v\d+[a-z]*),([A-Za-z0-9+/]+={0,2})$/

/**
 * Whether one of the signatures was made with one of the secrets, in constant time, and no more than 300 seconds ago or ahead.
 *
 * @param headers names in lower case
 */
export function verifySignature(
  headers: Readonly<Record<string, string | undefined>>,
  body: string | Uint8Array,
  secrets: readonly string[],
  now: Date,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': list } = headers
  if (!id || !timestamp || !list || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const signatures = list.split(' ').map((text) => signatureForm.exec(text) ?? [])
  if (signatures.some(([whole]) => whole === undefined)) return false
  const given = signatures.flatMap(([, version, text = '']) => (version === 'v1' ? Buffer.from(text) : []))
  const made = secrets.map((secret) => Buffer.from(computeHmac(secret, `${id}.${timestamp}.`, body)))
  // As text: different ends of base64 can be the same bytes.
  return made.some((mine) => given.some((theirs) => mine.length === theirs.length && timingSafeEqual(mine, theirs)))
}

function computeHmac(secret: string, front: string, body: string | Uint8Array): string {
  const parsed = parseSecret(secret)
  if ('fault' in parsed) throw new Error(`a webhook secret ${parsed.fault}`)
  return createHmac('sha256', parsed.key).update(front).update(body).digest('base64')
}
