/** The text of an API key: how one is made, told from a typo, hashed, and hinted at. */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '../../store/schema/schema.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 bytes in base62 take 43 characters at most, a CRC-32 takes 6. */
const secretLength = 43
const checksumLength = 6
const hintLength = 4
const form = new RegExp(`^ww_(live|test)_[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** `ww_live_` or `ww_test_`, 32 random bytes in base62, and a checksum that finds a typo without a database. */
export function newKey(mode: Mode): string {
  const body = `ww_${mode}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)}`
  return body + checksumOf(body)
}

export function isWellFormed(key: string): boolean {
  return form.test(key) && checksumOf(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
}

function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), checksumLength)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text.padStart(length, '0')
}

/** In base64. */
export function hashOf(key: string): string {
  return hash('sha256', key, 'base64')
}

/** Its beginning: enough to know it by, and no more. */
export function hintOf(key: string): string {
  return key.slice(0, key.lastIndexOf('_') + 1 + hintLength)
}
