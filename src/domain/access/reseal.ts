/** What rows hold sealed: opened, and sealed again when the service has another secret. */
import type { SealedRow, SealedTable } from '../../store/access/reseal.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Secrets } from './secret.ts'

type Key = Omit<SealedRow, 'sealed'>

/** Where a kind of rows is, and what their seals are bound to. */
export interface SealedRows extends SealedTable {
  contextOf: (key: Key) => string
}

export interface Resealed {
  resealed: number
  /** Those that none of our secrets opens. */
  unreadable: Key[]
}

/** Sealed values that one transaction replaces. */
const resealedMax = 100

/** Seals again what is sealed under another than the first secret. */
export async function reseal(commit: Commit, secrets: Secrets, rows: SealedRows): Promise<Resealed> {
  const unreadable: Key[] = []
  let resealed = 0
  for (let after: Key | undefined = { accountId: '', id: '' }; after; ) {
    const page: SealedRow[] = await rows.list(commit.reader, after, resealedMax)
    const list = page.flatMap((row) => {
      if (secrets.isCurrent(row.sealed)) return []
      const plain = openSealed(secrets, row.sealed, rows.contextOf(row))
      if (plain !== undefined) return { ...row, anew: secrets.seal(plain, rows.contextOf(row)) }
      unreadable.push({ accountId: row.accountId, id: row.id })
      return []
    })
    if (list.length > 0) resealed += (await commit.transaction((tx) => rows.replace(tx, list))).length
    after = page.length < resealedMax ? undefined : page.at(-1)
  }
  return { resealed, unreadable }
}

/** @returns undefined when none of our secrets opens it */
export function openSealed(secrets: Secrets, sealed: Uint8Array, context: string): string | undefined {
  try {
    return secrets.open(sealed, context)
  } catch {
    return undefined
  }
}
