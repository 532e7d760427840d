/** Tokens that open something to whoever holds them: of them, only a hash is kept. */
import { hash, randomBytes } from 'node:crypto'

/** 32 random bytes, in base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** In base64. A token cannot be guessed: no salt, and no slow hash, would make it safer. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64')
}
