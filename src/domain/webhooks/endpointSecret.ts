/** The secrets of an endpoint: they are sealed, and when there is a new one, the old one signs too for a while. */
import { createCache } from '../../kit/cache.ts'
import { newSecret } from '../../outbound/signature.ts'
import type { Endpoint, EndpointKey } from '../../store/webhooks/endpoint.ts'
import { openSealed } from '../access/reseal.ts'
import type { Secrets } from '../access/secret.ts'

/** A secret that signs, as it is kept. */
export interface Signing {
  secret: string
  /** ISO 8601; null for the newest, which has no end yet. */
  endsAt: string | null
}

/** How long the old secret signs too. */
const overlapMs = 24 * 3600 * 1000
/** Each of them is a signature more in every request. */
const secretsMax = 5
/** Endpoints whose opened secrets a process remembers. */
const openedMax = 10_000

/** @returns a secret, and what is to be kept of it */
export function firstSecret(secrets: Secrets, key: EndpointKey): { secret: string; sealed: Buffer } {
  const secret = newSecret()
  return { secret, sealed: seal(secrets, key, [{ secret, endsAt: null }]) }
}

/** @returns a secret, what is to be kept of it and of those before it, and when the last of those ends */
export function nextSecret(secrets: Secrets, row: SealedSecrets, now: Date) {
  const secret = newSecret()
  const oldEndsAt = new Date(now.getTime() + overlapMs)
  const old = signingAt(secrets, row, now).map(({ secret, endsAt }) => ({
    secret,
    endsAt: endsAt ?? oldEndsAt.toISOString(),
  }))
  return { secret, oldEndsAt, sealed: seal(secrets, row, [{ secret, endsAt: null }, ...old].slice(0, secretsMax)) }
}

/** Those that sign now, the newest first; none when it was sealed under a secret that is not held. */
export type OpenSecrets = (row: SealedSecrets, now: Date) => string[]

/** @returns opens what is sealed of an endpoint once for all of its attempts, and again when it has changed */
export function createOpenSecrets(secrets: Secrets): OpenSecrets {
  const opened = createCache<{ sealed: Uint8Array; signing: Signing[] }>(openedMax)
  return (row, now) => {
    const name = contextOf(row)
    const known = opened.get(name)
    const isSame = known !== undefined && Buffer.compare(known.sealed, row.sealed) === 0
    const { signing } = isSame ? known : { signing: openSigning(secrets, row) }
    if (!isSame) opened.set(name, { sealed: row.sealed, signing })
    return goodAt(signing, now).map(({ secret }) => secret)
  }
}

/** The same, each with its end. */
export function signingAt(secrets: Secrets, row: SealedSecrets, now: Date): Signing[] {
  return goodAt(openSigning(secrets, row), now)
}

export type SealedSecrets = Pick<Endpoint, 'accountId' | 'id' | 'sealed'>

/** What the seal of an endpoint is bound to. */
export function contextOf({ accountId, id }: EndpointKey): string {
  return `endpoint/${accountId}/${id}`
}

function openSigning(secrets: Secrets, row: SealedSecrets): Signing[] {
  const plain = openSealed(secrets, row.sealed, contextOf(row))
  return plain === undefined ? [] : (JSON.parse(plain) as Signing[])
}

function goodAt(kept: readonly Signing[], now: Date): Signing[] {
  return kept.filter(({ endsAt }) => endsAt === null || new Date(endsAt) > now)
}

function seal(secrets: Secrets, key: EndpointKey, list: readonly Signing[]): Buffer {
  return secrets.seal(JSON.stringify(list), contextOf(key))
}
