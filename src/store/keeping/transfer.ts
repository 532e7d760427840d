/**
 * Rows as they go from one database to another: each a line of JSON with the text of every column, which both read alike. All of
 * it is asked in transactions that are long.
 */

import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { TableDefinition } from '../schema/table.ts'
import { writeGrants } from './partition.ts'

/** Rows that are in memory at once; a round trip is worth it. */
const rowsMax = 1000

const fetchRows = read<{ row: string }>(`fetch ${rowsMax} from copied`)
const closeRows = write('close copied')

/** All rows of a table, in no order. One table at a time. */
export async function* readRows(tx: Tx, { name, columns }: TableDefinition): AsyncGenerator<string[]> {
  const texts = columns.map((column) => `${column.name}::text`)
  const select = `select json_build_array(${texts.join(', ')})::text as row from ${name}`
  await tx.run(write(`declare copied no scroll cursor for ${select}`), [])
  try {
    for (let next = tx.run(fetchRows, []); ; ) {
      const rows = await next
      if (rows.length === 0) return
      // Read while these are worked on.
      next = tx.run(fetchRows, [])
      next.catch(() => {})
      yield rows.map(({ row }) => row)
    }
  } finally {
    // In a transaction that has failed it fails too, and there is nothing left to close.
    await tx.run(closeRows, []).catch(() => {})
  }
}

export async function insertRows(tx: Tx, { name, columns }: TableDefinition, rows: readonly string[]): Promise<void> {
  const names = columns.map((column) => column.name)
  const values = columns.map(({ type }, at) => `(line ->> ${at})::${type}`)
  await tx.run(
    write(`insert into ${name} (${names.join(', ')})
      select ${values.join(', ')} from jsonb_array_elements($1::text::jsonb) as lines (line)`),
    [`[${rows.join(',')}]`],
  )
}

/** The rows that a database has from its migrations, and from processes that nobody has used yet. */
const seeds: Record<string, string> = {
  'public.account': `id = 'acct_default'`,
  'public.template': `account_id = 'acct_default' and slug = 'welcome'`,
  'public.connection': `account_id = 'acct_default' and kind = 'sandbox'`,
  'public.counting': 'true',
  'public.keyring': 'true',
}

/** @returns the tables that hold what somebody has put there */
export async function findUsed(reader: Reader, tables: readonly TableDefinition[]): Promise<string[]> {
  const used: string[] = []
  for (const { name } of tables.filter((table) => table.name.startsWith('public.'))) {
    const isUsed = `select exists (select from ${name} where not (${seeds[name] ?? 'false'})) as "isUsed"`
    const [found] = await reader.run(read<{ isUsed: boolean }>(isUsed), [])
    if (found?.isUsed) used.push(name)
  }
  return used
}

const lockPatience = write(`select set_config('lock_timeout', '5s', true)`)

/** Keeps everybody else from writing until the transaction ends. @throws what the driver throws when somebody writes */
export async function lockAgainstWrites(tx: Tx, tables: readonly TableDefinition[]): Promise<void> {
  await tx.run(lockPatience, [])
  await tx.run(write(`lock table ${tables.map(({ name }) => name).join(', ')} in exclusive mode`), [])
}

/** @param tables in the order of `listTables` */
export async function emptyTables(tx: Tx, tables: readonly TableDefinition[]): Promise<void> {
  for (const { name } of tables.toReversed()) await tx.run(write(`delete from ${name}`), [])
}

/** pg-boss has these names in its SQL as they stand. */
const strangeQueues = read<{ name: string }>(`
  select name from pgboss.queue
  where name !~ '^[\\w.-]+$' or table_name !~ '^[a-z0-9_]+$' or not exists (
    select from pg_class t where t.relnamespace = 'pgboss'::regnamespace and t.relname = table_name)`)

/** @returns whether the queues are of those that pg-boss makes, each with a table that is there */
export async function areQueuesPlain(reader: Reader): Promise<boolean> {
  return (await reader.run(strangeQueues, [])).length === 0
}

const defaultPartition = read<{ name: string }>(`
  select part.oid::regclass::text as name from pg_inherits join pg_class part on part.oid = inhrelid
  where inhparent = to_regclass($1) and pg_get_expr(relpartbound, part.oid) = 'DEFAULT'`)
const isMissing = read<{ isMissing: boolean }>('select to_regclass($1) is null as "isMissing"')

/**
 * Gives an empty table the partitions of a copy: like its default one, if any, whose keys it may not have itself. Those of its own
 * that the copy does not have go, where they hold a range: it may overlap one of the copy's.
 */
export async function takePartitions(tx: Tx, own: TableDefinition, { partitions }: TableDefinition): Promise<void> {
  for (const { name, definition } of own.partitions.toReversed()) {
    const isGiven = partitions.some((given) => given.name === name && given.definition === definition)
    if (isGiven || !/ for values from /i.test(definition)) continue
    await tx.run(write(`drop table ${name}`), [])
  }
  for (const { name, definition } of partitions) {
    const [row] = await tx.run(isMissing, [name])
    if (!row?.isMissing) continue
    const [, parent, bound] = /^partition of (.+) (for values (?:(?! partition by ).)+)$/i.exec(definition) ?? []
    const [like] = parent ? await tx.run(defaultPartition, [parent]) : []
    const statements = like
      ? [
          `create table ${name} (like ${like.name} including defaults including indexes)`,
          writeGrants(like.name, name),
          `alter table ${parent} attach partition ${name} ${bound}`,
        ]
      : [`create table ${name} ${definition}`]
    for (const statement of statements) await tx.run(write(statement), [])
  }
}
