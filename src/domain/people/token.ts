/** Tokens that open something to whoever holds them: of them, only a hash is kept. */
import { hash, randomBytes } from 'node:crypto'

/** 32 bytes in base64url; of the last character, two bits are none of theirs. */
const form = /^[\w-]{42}[AEIMQUYcgkosw048]$/

/** 32 random bytes, in base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is not of the form of one, opens nothing: nobody has to ask the database. */
export function isToken(text: string): boolean {
  return form.test(text)
}

/** In base64. A token cannot be guessed: no salt, and no slow hash, would make it safer. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64')
}
