/** Rows that are hard to copy, in every table there is: a table or column that is added has them without a word here. */
import type { Commit } from '../../src/store/engine/commit.ts'
import { type Reader, read, type Tx, write } from '../../src/store/engine/session.ts'
import { listTables, type TableDefinition } from '../../src/store/schema/table.ts'

const text = `E'"\\\\"''\\t\\r\\n\\u2028\\u0001\\u007f𝒳é, {NULL} \\\\x00 [1] $1 -- '`
/** By the type, as SQL: what is hard to write, and what is hard to tell from nothing. */
const values: Record<string, [string, string]> = {
  text: [text, `''`],
  boolean: ['true', 'false'],
  smallint: [`'-32768'`, '0'],
  integer: ['2147483647', '0'],
  bigint: ['9007199254740993', `'-9223372036854775808'`],
  'double precision': ['5e-324', `'NaN'`],
  numeric: ['12345678901234567890.1234567890', `'NaN'`],
  bytea: [`decode('000127225c5cff0a0d7f80', 'hex')`, `''`],
  jsonb: [`'{"a": 1.10, "b": 12345678901234567890.123456789, "\\u2028": [null, "\\"", {}], "": -0.0}'`, `'null'`],
  'timestamp(3) with time zone': [`'0044-03-15 12:00:00.123+00 BC'`, `'infinity'`],
  'timestamp with time zone': [`'2026-11-22 09:00:00.123456+00'`, `'-infinity'`],
  'text[]': [`array[null, '', 'NULL', '{}', ',', '"', ${text}]`, `'{}'`],
  'integer[]': [`array[[1, null], [3, -4]]`, `'{}'`],
  'timestamp(3) with time zone[]': [`array['2026-11-22 09:00:00.001+00', null, 'infinity']::timestamptz[]`, `'{}'`],
}

/** Three in each table of ours: hard values, empty ones, and nothing wherever that may be. */
export async function insertHostileRows(commit: Commit): Promise<void> {
  await commit.transaction(async (tx) => {
    for (const table of await listTables(tx)) if (table.name.startsWith('public.')) await insertInto(tx, table)
  })
}

async function insertInto(tx: Tx, table: TableDefinition): Promise<void> {
  const required = await requiredIn(tx, table)
  const names = table.columns.map(({ name }) => name)
  for (const [row, which] of [
    ['hard', 0],
    ['empty', 1],
    ['null', 1],
  ] as const) {
    const cells = table.columns.map(({ name, type }) => {
      if (row === 'null' && !required.has(name)) return 'null'
      // The keys of the three differ, and refer to accounts that are there.
      if (name === 'account_id' || (table.name === 'public.account' && required.has(name) && type === 'text'))
        return `'acct_${row}'`
      if (type === 'text' && required.has(name)) return `'${row} ' || ${values.text![which]}`
      const known = values[type]
      if (!known) throw new Error(`No hard value is known for ${type}: add one.`)
      return `${known[which]}::${type}`
    })
    await tx.run(write(`insert into ${table.name} (${names.join(', ')}) values (${cells.join(', ')})`), [])
  }
}

async function requiredIn(reader: Reader, { name }: TableDefinition): Promise<Set<string>> {
  const rows = await reader.run(
    read<{ name: string }>(
      'select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnotnull and attnum > 0',
    ),
    [name],
  )
  return new Set(rows.map((row) => row.name))
}

/** All rows as PostgreSQL itself writes them, by table: made in another way than those of a copy. */
export async function rowsOf(reader: Reader): Promise<Record<string, string[]>> {
  const names = await reader.run(
    read<{
      name: string
    }>(`select oid::regclass::text as name from pg_class where not relispartition and relkind in ('r', 'p')
      and (relnamespace = 'public'::regnamespace or oid in ('pgboss.job'::regclass, 'pgboss.queue'::regclass))`),
    [],
  )
  const found = names.map(async ({ name }): Promise<[string, string[]]> => {
    const rows = await reader.run(read<{ row: string }>(`select t::text as row from ${name} t`), [])
    return [name, rows.map(({ row }) => row).toSorted()]
  })
  return Object.fromEntries((await Promise.all(found)).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
