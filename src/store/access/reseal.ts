/** What rows hold sealed, whichever table they are in. */
import { batch, keyColumns } from '../engine/batch.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'

interface Key {
  accountId: string
  id: string
}

export interface SealedRow extends Key {
  sealed: Uint8Array
}

export interface SealedTable {
  /** Those that have something sealed, at most `count`, in the order of their keys from after `after`. */
  list: (reader: Reader, after: Key, count: number) => Promise<SealedRow[]>
  /** Replaces what is sealed where nobody else has done so meanwhile. @returns where it was replaced */
  replace: (tx: Tx, list: readonly (SealedRow & { anew: Uint8Array })[]) => Promise<Key[]>
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const g = batch<SealedRow & { anew: Uint8Array }>('g', {
  ...keyColumns,
  old: ['text', (row) => base64(row.sealed)],
  new: ['text', (row) => base64(row.anew)],
})

export function sealedIn(table: string, column: string): SealedTable {
  const page = read<SealedRow>(`
    select t.account_id as "accountId", t.id, t.${column} as sealed from ${table} t
    where (t.account_id, t.id) > ($1, $2) and t.${column} is not null order by t.account_id, t.id limit $3::int`)
  const replace = write<Key>(`
    update ${table} t set ${column} = decode(g.new, 'base64') from ${g.rows}
    where t.account_id = g.account_id and t.id = g.id and t.${column} = decode(g.old, 'base64')
    returning t.account_id as "accountId", t.id`)
  return {
    list: (reader, after, count) => reader.run(page, [after.accountId, after.id, count]),
    replace: (tx, list) => tx.run(replace, g.valuesOf(list)),
  }
}
