/**
 * Tables that PostgreSQL takes to be empty, and that have grown since: somebody had them analysed before they had rows, or a vacuum
 * came when the last row had been erased. Each connection plans a statement once, and one that was planned for an empty table
 * reads all of it. Autovacuum would find them too, up to a minute later; a busy one has a hundred thousand rows by then.
 */
import type { Commit } from './commit.ts'
import { ownTables } from './migrate.ts'
import { read, write } from './session.ts'

/** Pages that a table has grown by before it is looked at: to read so many is cheap. */
const pagesMin = 8

/**
 * Of Watchword and of its queue: what others have beside them may be large, or not to be read. Only its owner may have a table analysed
 * and, since PostgreSQL 17, a user with the right MAINTAIN.
 */
const outgrownTables = read<{ table: string }>(`
  select t.oid::regclass::text as "table"
  from pg_class t join pg_class root on root.oid = coalesce(pg_partition_root(t.oid), t.oid)
  where t.relkind = 'r' and t.reltuples = 0
    and (root.relnamespace = to_regnamespace('pgboss')
      or root.relnamespace = to_regnamespace('public') and root.relname = any ($1::text[]))
    and pg_relation_size(t.oid) > (t.relpages + ${pagesMin}) * current_setting('block_size')::int8
    and (pg_has_role(t.relowner, 'usage') or case when current_setting('server_version_num')::int >= 170000
      then has_table_privilege(t.oid, 'maintain') end)`)
let own: string[] | undefined

/** Has them analysed: all connections plan again then what they send next. Where another process does it just now, it is left out. */
export async function analyseOutgrown(commit: Pick<Commit, 'reader' | 'transaction'>): Promise<void> {
  own ??= ownTables()
  for (const { table } of await commit.reader.run(outgrownTables, [own])) {
    await commit.transaction((tx) => tx.run(write(`analyze (skip_locked) ${table}`, { isRare: true }), []))
  }
}
