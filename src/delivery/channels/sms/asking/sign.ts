/** A hash of the request itself, for gateways that ask for one: each scheme is one entry, and there is no other code. */
import { createHash, createHmac } from 'node:crypto'
import { textOfFilled, UnfitValue } from '../filters.ts'
import type { ProviderFile } from '../schema.ts'
import { createFill, type MessageValues, type SettingValues } from '../template.ts'

export type SignForm = NonNullable<ProviderFile['request']['sign']>

/** With an `hmac`, the key is one; without, what is secret stands in the text itself. */
const hashes: Readonly<Record<SignForm['scheme'], { hash: string; isKeyed: boolean }>> = {
  'hmac-sha256': { hash: 'sha256', isKeyed: true },
  sha256: { hash: 'sha256', isKeyed: false },
  sha1: { hash: 'sha1', isKeyed: false },
  md5: { hash: 'md5', isKeyed: false },
}

export function isKeyed({ scheme }: Pick<SignForm, 'scheme'>): boolean {
  return hashes[scheme].isKeyed
}

/** @returns makes the signature of a message @throws UnfitValue where a part of what is signed is missing */
export function compileSign(
  { scheme, over, key = '', encode }: SignForm,
  { settings, declared }: { settings: SettingValues; declared: ReadonlySet<string> },
): (values: MessageValues) => string {
  const [overOf, keyOf] = [over, key].map((text) => {
    const fill = createFill(text, settings, declared)
    return (values: MessageValues) => {
      const filled = fill(values)
      if (filled === undefined) throw new UnfitValue('a part of what is signed is missing')
      return textOfFilled(filled)
    }
  }) as [(values: MessageValues) => string, (values: MessageValues) => string]
  const { hash } = hashes[scheme]
  return (values) => {
    const digest = isKeyed({ scheme }) ? createHmac(hash, keyOf(values)) : createHash(hash)
    return digest.update(overOf(values)).digest(encode)
  }
}
