/** Keyed hashes: what a send makes several of. */
import { createHmac, hash, type KeyObject } from 'node:crypto'

export type HashedPart = string | Uint8Array

/** Bytes of a block of SHA-256. */
const blockBytes = 64
/** Longer texts are seldom, and go the usual way. */
const textBytesMax = 1024
const longestCharacter = 3

/** HMAC-SHA-256 of the parts. */
export function computeHmac(key: KeyObject, parts: readonly HashedPart[]): Buffer {
  // Each part with its length in bytes before it: no two lists of parts run into each other.
  const isText = (part: HashedPart) => typeof part === 'string'
  if (parts.every(isText)) return hmacOfText(key, parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''))
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part)
  return hmac.digest()
}

/**
 * By two calls of `hash`, as RFC 2104 defines HMAC: `createHmac` creates a stream first, and takes three times as long.
 */
function hmacOfText(key: KeyObject, text: string): Buffer {
  if (text.length * longestCharacter > textBytesMax) return createHmac('sha256', key).update(text).digest()
  const { inner, outer } = findPads(key)
  const end = blockBytes + inner.write(text, blockBytes)
  outer.write(hash('sha256', inner.subarray(0, end), 'binary'), blockBytes, 'binary')
  return Buffer.from(hash('sha256', outer, 'binary'), 'binary')
}

/** Each begins with a block of the key; behind it is room for what is hashed. */
interface Pads {
  inner: Buffer
  outer: Buffer
}

const pads = new WeakMap<KeyObject, Pads>()

function findPads(key: KeyObject): Pads {
  const known = pads.get(key)
  if (known) return known
  const bytes = key.export()
  const isLong = bytes.length > blockBytes
  const block = isLong ? hash('sha256', bytes, 'buffer') : bytes
  // Memory of its own: what Node takes from its pool, shares an `ArrayBuffer` with others.
  const padWith = (mask: number, roomBytes: number) => {
    const pad = Buffer.alloc(blockBytes + roomBytes)
    for (let at = 0; at < blockBytes; at++) pad[at] = (block[at] ?? 0) ^ mask
    return pad
  }
  const made = { inner: padWith(0x36, textBytesMax), outer: padWith(0x5c, 32) }
  pads.set(key, made)
  return made
}
