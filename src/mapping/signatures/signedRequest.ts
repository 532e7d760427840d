/** What every scheme is opened with, and what it judges. */
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Signature } from './signatureForm.ts'

/** What a provider file says for one scheme. */
export type SettingsOf<Scheme extends Signature['scheme']> = Extract<Signature, { scheme: Scheme }>

/** A request as it came to one of the doors for other systems. */
export interface SignedRequest {
  method: string
  /** The path and the query of the request, not decoded. */
  target: string
  /** Names in lower case. One that came more than once has all of its values, with commas between. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** Whether a request is from who has the key. Compares in constant time, and answers whatever the request holds. */
export type Verify = (report: SignedRequest) => boolean

export interface SchemeParts {
  /** Two while one is replaced: both are good. */
  keys: readonly string[]
  /** Where the world reaches the API, without a slash at the end. A scheme that signs the address takes nothing without it. */
  publicUrl: string | undefined
  now: () => Date
}

/** Made once: a hash with a key that Node has to read each time takes several times as long. */
export function signingKeysOf({ keys }: Pick<SchemeParts, 'keys'>): KeyObject[] {
  return keys.map((key) => createSecretKey(Buffer.from(key)))
}
