/** How posts are proven: the schemes that a kind can name, opened with the secrets of an inlet. */
import { hash } from 'node:crypto'
import { isAnySame } from '../mapping/signatures/compared.ts'
import {
  createHmacScheme,
  createStandardWebhooks,
  faultOfKey,
  readSignedTime,
  type SignedRequest,
  standardTimeOf,
  type Verify,
} from '../mapping/signatures/signature.ts'
import type { KindFile } from './kindSchema.ts'

type Scheme = KindFile['auth'][number]

export interface ProofParts {
  /** Two while one is replaced: both are good. */
  secrets: readonly string[]
  publicUrl: string | undefined
  now: () => Date
}

/** Characters of a secret that somebody makes up: less is guessed. */
const secretMin = 16
const secretMax = 500
/**
 * Supabase joins several keys in one secret. The service reads the whole body once for each key, so without a bound, an owner
 * could make each post cost as much as he likes.
 */
const joined = { charactersMax: 1000, keysMax: 4 }

/** @returns what is wrong with a secret for any of the schemes, as the end of a sentence that does not quote it */
export function faultOfInletSecret({ auth }: Pick<KindFile, 'auth'>, secret: string): string | undefined {
  const faults = auth.map(({ scheme }) => schemeFault(scheme, secret))
  return faults.includes(undefined) ? undefined : faults[0]
}

/** Whether any of the schemes finds the post good, under any of the secrets. Never throws. */
export function createProof({ auth }: Pick<KindFile, 'auth'>, parts: ProofParts): Verify {
  const schemes = auth.flatMap((scheme) => {
    const secrets = parts.secrets.filter((secret) => schemeFault(scheme.scheme, secret) === undefined)
    return secrets.length > 0 ? [openScheme(scheme, { ...parts, secrets })] : []
  })
  return (post) => schemes.map((verify) => verify(post)).includes(true)
}

/** @returns when a proven post was signed; undefined where its kind signs no time, or has several schemes: any may have proven it */
export function createSignedAt({ auth }: Pick<KindFile, 'auth'>): (post: SignedRequest) => Date | undefined {
  const [scheme] = auth.length === 1 ? auth : []
  return ({ headers }) => {
    const seconds = scheme && readSignedSeconds(scheme, headers)
    return seconds === undefined ? undefined : new Date(Number(seconds) * 1000)
  }
}

function readSignedSeconds(scheme: Scheme, headers: SignedRequest['headers']): string | undefined {
  switch (scheme.scheme) {
    case 'standard-webhooks':
      return standardTimeOf(headers)
    case 'hmac':
      return readSignedTime(scheme, headers)
    case 'bearer':
    case 'basic':
      return undefined
  }
}

function schemeFault(scheme: Scheme['scheme'], secret: string): string | undefined {
  if (scheme === 'standard-webhooks') {
    if (secret.length > joined.charactersMax) return `must have at most ${joined.charactersMax} characters`
    if (keysIn(secret).length > joined.keysMax) return `must have at most ${joined.keysMax} keys`
    const faults = keysIn(secret).map((key) => faultOfKey(scheme, key))
    return faults.find((fault) => fault !== undefined)
  }
  if (!/^[\x20-\x7e]*$/.test(secret)) return 'must be visible ASCII characters'
  if (secret.length < secretMin || secret.length > secretMax) return `must have ${secretMin} to ${secretMax} characters`
  return scheme === 'basic' && !secret.includes(':') ? 'must be user:password' : undefined
}

function openScheme(scheme: Scheme, { secrets, publicUrl, now }: ProofParts): Verify {
  switch (scheme.scheme) {
    case 'standard-webhooks':
      return createSpacedSignatures(createStandardWebhooks({ keys: secrets.flatMap(keysIn), now }))
    case 'hmac':
      return createHmacScheme(scheme, { keys: secrets, publicUrl, now })
    case 'bearer':
      return createBearer(scheme, secrets)
    case 'basic': {
      const texts = secrets.map((secret) => Buffer.from(secret).toString('base64'))
      return createBearer({ header: 'authorization', prefix: 'Basic ' }, texts)
    }
  }
}

/** The specification has a space between signatures; Supabase has a comma too. */
function createSpacedSignatures(verify: Verify): Verify {
  return ({ headers, ...post }) => {
    const { 'webhook-signature': list = '' } = headers
    return verify({ ...post, headers: { ...headers, 'webhook-signature': list.replaceAll(', ', ' ') } })
  }
}

/** As Supabase shows them: `v1,whsec_…`, and several joined by `|`. */
function keysIn(secret: string): string[] {
  return secret.split('|').map((one) => one.trim().replace(/^v1,/, ''))
}

/** Compared as hashes, so that the time tells nothing of the length either. */
function createBearer({ header, prefix }: { header: string; prefix: string }, secrets: readonly string[]): Verify {
  const own = secrets.map((secret) => hash('sha256', secret))
  return ({ headers }) => {
    const given = headers[header] ?? ''
    const isThere = given.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase()
    return isAnySame([hash('sha256', isThere ? given.slice(prefix.length).trim() : '')], own)
  }
}
