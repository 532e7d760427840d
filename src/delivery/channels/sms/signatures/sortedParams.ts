/** `sorted-params`: Vonage's SMS API. https://developer.vonage.com/en/getting-started/concepts/signing-messages */
import { createHash, createHmac, createSecretKey } from 'node:crypto'
import { z } from 'zod'
import { partsOf } from './address.ts'
import { isAnySame, isFresh } from './compared.ts'
import { parametersOf, sorted } from './parameters.ts'
import type { SchemeParts, SignedReport, Verify } from './signedReport.ts'

/** `md5hash` hashes the text and the secret; the others are HMACs. */
export const sortedParamsForm = z.strictObject({
  scheme: z.literal('sorted-params'),
  hash: z.enum(['md5hash', 'md5', 'sha1', 'sha256', 'sha512']),
  key: z.string(),
})

/** Seconds that a report may be old, or ahead of our clock. */
const toleranceSeconds = 300

/** A parameter that is ours. Vonage keeps it in the address, and may have signed it or not. */
const ourName = 'ref'

/** @param parts `key` is the signature secret of the account */
export function createSortedParams(
  { hash }: Pick<z.infer<typeof sortedParamsForm>, 'hash'>,
  { key, now }: Omit<SchemeParts, 'publicUrl'>,
): Verify {
  const digestOf = createDigest(hash, key)
  return (report) => {
    const pairs = pairsOf(report)
    const signed = pairs?.filter(([name]) => name !== 'sig')
    const [[, given] = [], second] = pairs?.filter(([name]) => name === 'sig') ?? []
    if (!signed || given === undefined || second || !isPlain(signed)) return false
    const timestamp = signed.find(([name]) => name === 'timestamp')?.[1]
    if (!isFresh(timestamp, { toleranceSeconds, now: now() })) return false
    const own = [signed, signed.filter(([name]) => name !== ourName)].map((some) => digestOf(textOf(some)))
    return isAnySame([given.toLowerCase()], own)
  }
}

type Pairs = [name: string, value: string][]

/** Of the body; where that is empty, of the query. Undefined for what has another form. */
function pairsOf({ target, headers, body }: SignedReport): Pairs | undefined {
  if (body.length === 0) return parametersOf(partsOf(target).query)
  return headers['content-type']?.includes('json') ? membersOf(body) : parametersOf(body)
}

const flatForm = z.record(z.string(), z.union([z.string(), z.number()]).transform(String))
const jsonBytesMax = 64 * 1024

function membersOf(body: Buffer): Pairs | undefined {
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

function textOf(pairs: Pairs): string {
  return sorted(pairs)
    .map(([name, values]) => `&${name}=${values.join('').replace(/[&=]/g, '_')}`)
    .join('')
}

function createDigest(method: z.infer<typeof sortedParamsForm>['hash'], key: string): (text: string) => string {
  if (method === 'md5hash') return (text) => createHash('md5').update(text).update(key).digest('hex')
  const secret = createSecretKey(Buffer.from(key))
  return (text) => createHmac(method, secret).update(text).digest('hex')
}
