/**
 * A text with a word in it that each who asks brings, plain and in gzip, out of pieces that all answers share. The word comes
 * of `Host`, and anybody can make up as many as he likes: so none costs a compression, or a copy of the text, or a place in
 * a cache. What stands around it is compressed once, piece by piece, and the word goes between them as it is: RFC 1951
 * allows blocks that are not compressed.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'

export interface Filled {
  /** Bytes of the whole. */
  length: number
  /** One after the other, they are the whole. */
  pieces: () => readonly Buffer[]
}

export interface Pieces {
  plain: (word: string) => Filled
  /** @param word at most 65,535 bytes */
  gzip: (word: string) => Filled
}

/** RFC 1952: compressed as well as it goes, at no certain time, by no certain system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 0xff])
const tailBytes = 10
/** Words of which the tail is kept: it takes the checksum of the whole. */
const tailsMax = 16

/** @param parts between two of them stands the word */
export function createPieces(parts: readonly string[]): Pieces {
  const plain = parts.map((part) => Buffer.from(part))
  const plainBytes = lengthOf(plain)
  // Each ends with a whole byte, and is not the last.
  const packed = plain.map((part) => deflateRawSync(part, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }))
  const packedBytes = lengthOf(packed)
  const gaps = parts.length - 1
  const tails = new LRUCache<string, Buffer, Buffer>({
    max: tailsMax,
    memoMethod: (_word, _old, { context: bytes }) =>
      writeTail(checksum(between(plain, bytes)), plainBytes + gaps * bytes.length),
  })

  return {
    plain: (word) => {
      const bytes = Buffer.from(word)
      return { length: plainBytes + gaps * bytes.length, pieces: () => between(plain, bytes) }
    },
    gzip: (word) => {
      const bytes = Buffer.from(word)
      const block = storedBlock(bytes)
      return {
        length: head.length + packedBytes + gaps * block.length + tailBytes,
        pieces: () => [head, ...between(packed, block), tails.memo(word, { context: bytes })],
      }
    },
  }
}

function lengthOf(list: readonly Buffer[]): number {
  return list.reduce((sum, { length }) => sum + length, 0)
}

function between(list: readonly Buffer[], word: Buffer): Buffer[] {
  return list.flatMap((part, index) => (index === 0 ? [part] : [word, part]))
}

/** Its bytes as they are, after how many they are and the same number turned around. */
function storedBlock(bytes: Buffer): Buffer {
  const block = Buffer.alloc(5 + bytes.length)
  block.writeUInt16LE(bytes.length, 1)
  block.writeUInt16LE(bytes.length ^ 0xffff, 3)
  block.set(bytes, 5)
  return block
}

function checksum(list: readonly Buffer[]): number {
  return list.reduce((sum, part) => crc32(part, sum), 0)
}

/** An empty block that is the last, and what the whole is checked by. */
function writeTail(sum: number, length: number): Buffer {
  const bytes = Buffer.alloc(tailBytes)
  bytes.writeUInt16LE(3, 0)
  bytes.writeUInt32LE(sum, 2)
  bytes.writeUInt32LE(length, 6)
  return bytes
}
