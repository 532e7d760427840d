/** How a caller's `Idempotency-Key` stands in a database: for tests that look for the answer that was kept under it. */
import { createSecretKey } from 'node:crypto'
import { operationFacts } from '../../src/contract/document.ts'
import { computeHmac } from '../../src/domain/access/hmac.ts'
import { createSecrets } from '../../src/domain/access/secret.ts'
import type { TestDatabase } from './database.ts'

/** @returns for a key of the default account, how it is kept */
export async function keptKeys({ sql }: TestDatabase, secret: string, mode: 'live' | 'test') {
  const [row] = await sql<{ sealed: Uint8Array }[]>`select sealed from keyring`
  const lookup = createSecretKey(Buffer.from(createSecrets([secret]).open(row!.sealed, 'keyring'), 'base64'))
  return (path: string, key: string): string => {
    const operation = operationFacts.find((fact) => fact.path === path)!.operationId
    const name = JSON.stringify(['acct_default', mode, operation, key])
    return `hmac ${computeHmac(lookup, [name]).toString('base64url')}`
  }
}
