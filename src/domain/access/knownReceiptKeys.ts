/** The pairs that sign receipts, as this process knows them: a minute late at most, and a pair is there an hour before it signs. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { createRemembered } from '../../kit/remembered.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { listReceiptKeys, type ReceiptKeyRow } from '../../store/access/receiptKey.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { isPublished, privateJwkOf, signingOf } from './receiptKey.ts'
import type { Secrets } from './secret.ts'

export interface ReceiptSigner {
  kid: string
  privateKey: KeyObject
}

export interface KnownReceiptKeys {
  /** A JWK set as JSON, of the pairs that have signed in the last day, sign, or will. */
  published: (mode: Mode) => Promise<string>
  /** @returns undefined where this process has none that it can open */
  signer: (mode: Mode) => Promise<ReceiptSigner | undefined>
}

interface Known {
  rows: readonly ReceiptKeyRow[]
  /** By their ids, those that our secrets open. */
  privateKeys: ReadonlyMap<string, KeyObject>
}

/** Milliseconds. */
const freshMs = 30_000
const staleMs = 60_000
/** They are all of the installation: there is one list. */
const all = 'all'

export function createKnownReceiptKeys(parts: {
  commit: Pick<Commit, 'reader'>
  secrets: Secrets
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
}): KnownReceiptKeys {
  const { commit, secrets, runtime } = parts
  const known = createRemembered<ReceiptKeyRow[], Known>({
    now: runtime.elapsedMs,
    ...{ keysMax: 1, freshMs, staleMs },
    read: () => listReceiptKeys(commit.reader),
    keep: (rows) => ({ rows, privateKeys: new Map(rows.flatMap((row) => opened(row, secrets))) }),
  })
  const find = async (): Promise<Known> => (await known.get(all)) as Known
  return {
    published: async (mode) => {
      // Without the database, who verifies receipts goes on with the keys from before.
      const { rows } = await find().catch((error: unknown) => known.last(all) ?? Promise.reject(error))
      const now = runtime.now()
      const shown = rows.filter((row) => row.mode === mode && isPublished(row, rows, now))
      return `{"keys":[${shown.map(({ publicJwk }) => publicJwk).join()}]}`
    },
    signer: async (mode) => {
      const { rows, privateKeys } = await find()
      const row = signingOf(mode, rows, runtime.now(), ({ kid }) => privateKeys.has(kid))
      return row && { kid: row.kid, privateKey: privateKeys.get(row.kid) as KeyObject }
    },
  }
}

function opened(row: ReceiptKeyRow, secrets: Secrets): [string, KeyObject][] {
  const jwk = privateJwkOf(secrets, row)
  return jwk === undefined ? [] : [[row.kid, createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' })]]
}
