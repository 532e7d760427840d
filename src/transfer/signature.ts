/**
 * Who wrote a backup: an HMAC under the service's secret of every byte before it. It is a gzip of its own at the end of the file,
 * always of the same length, so that it is found and checked before anything is unpacked.
 */
import { timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Secrets } from '../domain/access/secret.ts'

/** What signs is the first of them, what verifies is any. */
export type Signers = Pick<Secrets, 'begin' | 'keyIds'>

/** What a file says of itself. */
export interface CopySignature {
  /** Of the key that signed. */
  keyId: string
  hmac: Buffer
}

/** The bytes of a file that are the copy, and what signs them; undefined when nothing does. */
export interface SignedFile {
  bytes: number
  signature: CopySignature | undefined
}

/** @returns adds its signature to the end of what is written */
export function signing(secrets: Signers): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    const { hmac, keyId } = secrets.begin('backup')!
    for await (const chunk of chunks) {
      hmac.update(chunk)
      yield chunk
    }
    yield tailOf({ keyId, hmac: hmac.digest() })
  }
}

/** Its length is that of every other. */
function tailOf({ keyId, hmac }: CopySignature): Buffer {
  return gzipSync(`${JSON.stringify({ signedBy: keyId, hmac: hmac.toString('hex') })}\n`, { level: 0 })
}

const tailBytes = tailOf({ keyId: '0'.repeat(8), hmac: Buffer.alloc(32) }).length
const tailForm = /^\{"signedBy":"([0-9a-f]{8})","hmac":"([0-9a-f]{64})"\}\n$/

/** @throws what the system says of a file that cannot be read */
export async function findSignature(file: string): Promise<SignedFile> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const tail = Buffer.alloc(tailBytes)
    await handle.read(tail, 0, tailBytes, Math.max(size - tailBytes, 0))
    const [, keyId, hmac] = tailForm.exec(formatText(tail)) ?? []
    if (keyId === undefined || hmac === undefined) return { bytes: size, signature: undefined }
    return { bytes: size - tailBytes, signature: { keyId, hmac: Buffer.from(hmac, 'hex') } }
  } finally {
    await handle.close()
  }
}

function formatText(tail: Buffer): string {
  try {
    return gunzipSync(tail, { maxOutputLength: tailBytes }).toString('latin1')
  } catch {
    return ''
  }
}

/** What is fed all bytes of a copy, and tells whether they are those that were signed, in constant time. */
export interface Verifier {
  update: (chunk: Buffer) => void
  isGood: () => boolean
}

/** @returns undefined when the key that signed is not held */
export function createCopyVerifier(
  { keyId, hmac: given }: CopySignature,
  secrets: Signers | undefined,
): Verifier | undefined {
  const begun = secrets?.begin('backup', keyId)
  return (
    begun && {
      update: (chunk) => void begun.hmac.update(chunk),
      isGood: () => timingSafeEqual(begun.hmac.digest(), given),
    }
  )
}

/** Reads all of it once, and unpacks nothing. */
export async function isAsSigned(file: string, bytes: number, verifier: Verifier): Promise<boolean> {
  if (bytes > 0) {
    await pipeline(createReadStream(file, { end: bytes - 1 }), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) verifier.update(chunk)
    })
  }
  return verifier.isGood()
}
