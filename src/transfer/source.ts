/** Where a copy comes from: an open database, or a file that one was written to. */
import { hash } from 'node:crypto'
import { Refusal } from '../kit/refusal.ts'
import { migrationHashes } from '../store/engine/migrate.ts'
import type { Reader, Tx } from '../store/engine/session.ts'
import { readRows } from '../store/keeping/transfer.ts'
import { type Edition, findEdition, listTables, type TableDefinition } from '../store/schema/table.ts'

export interface Source {
  edition: Edition
  /** What it is called in a refusal: `The backup x`. */
  name: string
  /** All tables, those that others refer to first; the rows of each are to be read before the next. */
  tables: () => AsyncIterable<{ table: TableDefinition; batches: () => AsyncIterable<string[]> }>
}

/** Of a table that was copied. */
export interface Copied {
  table: string
  rows: number
}

export type OnRows = (table: string, rows: number) => void

/** How many rows a table has, and which, whatever their order: the sum of their digests. */
export interface Tally {
  readonly rows: number
  /** Hexadecimal. */
  readonly digest: string
  add: (rows: readonly string[]) => void
}

const digestBits = 256

export function createTally(): Tally {
  let rows = 0
  let sum = 0n
  return {
    get rows() {
      return rows
    },
    get digest() {
      return sum.toString(16).padStart(digestBits / 4, '0')
    },
    add: (added) => {
      rows += added.length
      for (const row of added) sum = BigInt.asUintN(digestBits, sum + BigInt(`0x${hash('sha256', row)}`))
    },
  }
}

/**
 * One moment of a database, for as long as the transaction is open.
 *
 * @param tx one that is still, and long
 * @throws Refusal when the database is not at this version
 */
export async function databaseSource(tx: Tx, name: string): Promise<Source> {
  const edition = await requireEdition(tx, name)
  const tables = await listTables(tx)
  return {
    edition,
    name,
    tables: async function* () {
      for (const table of tables) yield { table, batches: () => readRows(tx, table) }
    },
  }
}

/** @throws Refusal when the database is not at this version */
export async function requireEdition(reader: Reader, name: string): Promise<Edition> {
  const edition = await findEdition(reader)
  if (!edition) throw new Refusal(`${name} has no tables of Watchword, or was never started.`)
  const own = migrationHashes()
  if (edition.migrations.join() === own.join()) return edition
  const isNewer = edition.migrations.length > own.length
  throw new Refusal(
    `${name} is of ${isNewer ? 'a newer' : 'another'} version of Watchword: use this command in the version that last ` +
      'served it.',
  )
}
