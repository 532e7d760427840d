/** `sorted-params`: Vonage's SMS API. https://developer.vonage.com/en/getting-started/concepts/signing-messages */
import { createHash, createHmac, createSecretKey } from 'node:crypto'
import { z } from 'zod'
import { ownParameters, parseFormParameters, sorted } from '../parameters.ts'
import { splitTarget } from './address.ts'
import { isAnySame, isFresh } from './compared.ts'
import type { SchemeParts, SettingsOf, SignedRequest, Verify } from './signedRequest.ts'

/** Vonage keeps them in the address, and may have signed them or not. */
const ourNames: readonly string[] = Object.values(ownParameters)

/** @param parts the keys are signature secrets of the account */
export function createSortedParams(
  { hash, tolerance: toleranceSeconds }: SettingsOf<'sorted-params'>,
  { keys, now }: Omit<SchemeParts, 'publicUrl'>,
): Verify {
  const digests = keys.map((key) => createDigest(hash, key))
  return (report) => {
    const pairs = readPairs(report)
    const signed = pairs?.filter(([name]) => name !== 'sig')
    const [[, given] = [], second] = pairs?.filter(([name]) => name === 'sig') ?? []
    if (!signed || given === undefined || second || !isPlain(signed)) return false
    const timestamp = signed.find(([name]) => name === 'timestamp')?.[1]
    if (!isFresh(timestamp, { toleranceSeconds, now: now() })) return false
    const texts = [signed, signed.filter(([name]) => !ourNames.includes(name))].map(formatText)
    const own = texts.flatMap((text) => digests.map((digestOf) => digestOf(text)))
    return isAnySame([given.toLowerCase()], own)
  }
}

type Pairs = [name: string, value: string][]

/** Of the body; where that is empty, of the query. Undefined for what has another form. */
function readPairs({ target, headers, body }: SignedRequest): Pairs | undefined {
  if (body.length === 0) return parseFormParameters(splitTarget(target).query)
  return headers['content-type']?.includes('json') ? readMembers(body) : parseFormParameters(body.toString())
}

const flatForm = z.record(z.string(), z.union([z.string(), z.number()]).transform(String))
const jsonBytesMax = 64 * 1024

function readMembers(body: Buffer): Pairs | undefined {
  if (body.length > jsonBytesMax) return undefined
  try {
    return Object.entries(flatForm.parse(JSON.parse(body.toString())))
  } catch {
    return undefined
  }
}

/** The text that is signed must have one reading: no name twice, and none that holds what stands between two of them. */
function isPlain(pairs: Pairs): boolean {
  const names = pairs.map(([name]) => name)
  return new Set(names).size === names.length && !names.some((name) => /[&=]/.test(name))
}

function formatText(pairs: Pairs): string {
  return sorted(pairs)
    .map(([name, values]) => `&${name}=${values.join('').replace(/[&=]/g, '_')}`)
    .join('')
}

/** `md5hash` is a hash of the text and the secret; the others are HMACs. */
function createDigest(method: SettingsOf<'sorted-params'>['hash'], key: string): (text: string) => string {
  if (method === 'md5hash') return (text) => createHash('md5').update(text).update(key).digest('hex')
  const secret = createSecretKey(Buffer.from(key))
  return (text) => createHmac(method, secret).update(text).digest('hex')
}
