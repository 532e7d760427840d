/** The tables of a copy, with what PostgreSQL's catalogue says of them: one that is added to the schema needs no word here. */
import { ownTables } from '../engine/migrate.ts'
import { type Reader, read } from '../engine/session.ts'

/** Names are quoted where SQL needs it, and begin with the schema. */
export interface TableDefinition {
  name: string
  columns: { name: string; type: string }[]
  /** Whose rows its own refer to. */
  parents: string[]
  /** Of a table that is kept in partitions: each with what SQL says behind its name, outer ones first. */
  partitions: { name: string; definition: string }[]
}

/** What pg-boss notes about its own work in one database, and nobody needs in another. */
const queueNotes = ['version', 'bam', 'warning', 'queue_stats']

const toName = (oid: string) =>
  `(select format('%I.%I', nspname, relname) from pg_class join pg_namespace spaces on spaces.oid = relnamespace
    where pg_class.oid = ${oid})`

const tables = read<TableDefinition>(`select ${toName('tables.oid')} as name,
  (select json_agg(json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, atttypmod))
      order by attname)
    from pg_attribute where attrelid = tables.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
  (select coalesce(json_agg(distinct ${toName('coalesce(pg_partition_root(confrelid), confrelid)')}), '[]')
    from pg_constraint where contype = 'f' and confrelid <> tables.oid
      and (conrelid = tables.oid or conrelid in (select relid from pg_partition_tree(tables.oid)))) as parents,
  (select coalesce(json_agg(json_build_object('name', ${toName('parts.relid')}, 'definition',
      concat_ws(' ', 'partition of', ${toName('parts.parentrelid')}, pg_get_expr(part.relpartbound, part.oid),
        case part.relkind when 'p' then 'partition by ' || pg_get_partkeydef(part.oid) end)) order by level), '[]')
    from pg_partition_tree(tables.oid) parts join pg_class part on part.oid = parts.relid where level > 0) as partitions
  from pg_class tables join pg_namespace schemas on schemas.oid = relnamespace
  where relkind in ('r', 'p') and not relispartition
    and (nspname = 'public' and relname = any ($1) or nspname = 'pgboss' and relname <> all ($2))
  order by name`)

/** Those of Watchword and of its queue, and none of others beside them; those that others refer to come before these. */
export async function listTables(reader: Reader): Promise<TableDefinition[]> {
  const found = await reader.run(tables, [ownTables(), queueNotes])
  const ordered: TableDefinition[] = []
  while (ordered.length < found.length) {
    const isThere = (name: string) => ordered.some((table) => table.name === name)
    const next = found.find(({ name, parents }) => !isThere(name) && parents.every(isThere))
    if (!next) throw new Error('tables refer to each other in a circle')
    ordered.push(next)
  }
  return ordered
}

const migrationsTable = read<{ isThere: boolean }>(
  `select to_regclass('drizzle.__drizzle_migrations') is not null and to_regclass('pgboss.version') is not null as "isThere"`,
)
const migrations = read<{ hash: string }>('select hash from drizzle.__drizzle_migrations order by created_at')
const queueVersion = read<{ version: number }>('select version from pgboss.version')

/** What a database was brought to: the hashes of its migrations, and the version of the queue's tables. */
export interface Edition {
  migrations: string[]
  queue: number
}

/** @returns undefined for a database in which the tables are not, or not all */
export async function findEdition(reader: Reader): Promise<Edition | undefined> {
  const [found] = await reader.run(migrationsTable, [])
  if (!found?.isThere) return undefined
  const done = await reader.run(migrations, [])
  const [queue] = await reader.run(queueVersion, [])
  return queue && { migrations: done.map(({ hash }) => hash), queue: queue.version }
}
