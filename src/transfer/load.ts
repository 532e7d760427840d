/** Puts a copy into an empty database, and reads it back before anybody can see it. */

import type { Secrets } from '../domain/access/secret.ts'
import { Refusal } from '../kit/refusal.ts'
import { listLasting, listPassing } from '../store/access/keyring.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Reader, Tx } from '../store/engine/session.ts'
import {
  areQueuesPlain,
  emptyTables,
  findUsed,
  insertRows,
  lockAgainstWrites,
  readRows,
  takePartitions,
} from '../store/keeping/transfer.ts'
import { findEdition, listTables, type TableDefinition } from '../store/schema/table.ts'
import { type Copied, createTally, type OnRows, type Source, type Tally } from './source.ts'

export interface LoadParts {
  commit: Commit
  /** What it is called in a refusal. */
  name: string
  /** Those that the copy will be used with; undefined: whatever they are. */
  secrets: Secrets | undefined
  onRows: OnRows
}

/**
 * In one transaction: when it fails or the process ends, nothing of the copy is there.
 *
 * @throws Refusal when the database is in use, or the copy is not what was read, or the secrets do not fit it
 */
export async function load(source: Source, { commit, name, secrets, onRows }: LoadParts): Promise<Copied[]> {
  return commit.transaction((tx) => copyInto(tx, source, { name, secrets, onRows }), { isLong: true })
}

async function copyInto(
  tx: Tx,
  source: Source,
  { name, secrets, onRows }: Omit<LoadParts, 'commit'>,
): Promise<Copied[]> {
  const tables = await listTables(tx)
  await takeAlone(tx, tables, name)
  await requireUnused(tx, name)
  await emptyTables(tx, tables)
  const given = await copyRows(tx, source, tables, onRows)
  for (const { table, tally } of given) await requireSame(tx, table, tally)
  if (!(await areQueuesPlain(tx))) throw otherTables(source)
  await requireCopySecrets(tx, secrets)
  return given.map(({ table, tally }) => ({ table: table.name, rows: tally.rows }))
}

/** @throws Refusal when somebody has put something there; what migrations put there is nobody's */
export async function requireUnused(reader: Reader, name: string): Promise<void> {
  if (!(await findEdition(reader))) return
  const used = await findUsed(reader, await listTables(reader))
  if (used.length === 0) return
  const names = used.map((table) => table.replace('public.', '')).join(', ')
  throw new Refusal(`${name} is in use: there are rows in ${names}. Nothing was copied; give it an empty database.`)
}

async function takeAlone(tx: Tx, tables: readonly TableDefinition[], name: string): Promise<void> {
  try {
    await lockAgainstWrites(tx, tables)
  } catch (error) {
    if ((error as { code?: unknown }).code !== '55P03') throw error
    throw new Refusal(`${name} is in use: stop every process that uses it, then try again.`)
  }
}

async function copyRows(
  tx: Tx,
  source: Source,
  tables: readonly TableDefinition[],
  onRows: OnRows,
): Promise<{ table: TableDefinition; tally: Tally }[]> {
  const copied: { table: TableDefinition; tally: Tally }[] = []
  for await (const { table: given, batches } of source.tables()) {
    const table = tables.find((own) => own.name === given.name)
    if (!table || listColumns(table) !== listColumns(given)) throw otherTables(source)
    await takePartitions(tx, table, given)
    const tally = createTally()
    // Its columns may stand in another order here: they are read back in that of the source.
    copied.push({ table: given, tally })
    // While the database takes some rows, the next are read.
    let inserted: Promise<unknown> = Promise.resolve()
    for await (const rows of batches()) {
      await inserted
      tally.add(rows)
      onRows(table.name, tally.rows)
      inserted = insertRows(tx, given, rows)
      inserted.catch(() => {})
    }
    await inserted
  }
  if (copied.length !== tables.length) throw otherTables(source)
  return copied
}

function listColumns({ columns }: TableDefinition): string {
  return columns
    .map(({ name, type }) => `${name} ${type}`)
    .toSorted()
    .join()
}

function otherTables({ name }: Source): Refusal {
  return new Refusal(`${name} has other tables than this version of Watchword.`)
}

async function requireSame(tx: Tx, table: TableDefinition, given: Tally): Promise<void> {
  const read = createTally()
  for await (const rows of readRows(tx, table)) read.add(rows)
  if (given.rows === read.rows && given.digest === read.digest) return
  throw new Refusal(
    `${table.name} did not come out as it was read (${given.rows} rows, ${read.rows} there): nothing was copied.`,
  )
}

/** @throws Refusal when something that is still good was made under another secret */
export async function requireCopySecrets(reader: Reader, secrets: Secrets | undefined): Promise<void> {
  if (!secrets) return
  const sealed = [...(await listLasting(reader)), ...(await listPassing(reader))]
  const closed = sealed.filter(({ keyId }) => !secrets.holds(keyId))
  if (closed.length === 0) return
  const counts = new Map<string, number>()
  for (const { what, count } of closed) counts.set(what, (counts.get(what) ?? 0) + count)
  const parts = [...counts].map(([what, count]) => `${what} (${count})`).join(', ')
  throw new Refusal(
    `The secret that is set here does not open: ${parts}. Nothing was copied. Set the WATCHWORD_SECRET that the rows were ` +
      'made under; or give --without-secret to copy what will stay closed.',
  )
}
