/** Who may change the partitions of tables: their owner, and its members. */
import { type Reader, read } from '../engine/session.ts'
import { partitioned } from './partition.ts'

const ownership = read<{ isOwner: boolean }>(`
  select coalesce(bool_and(pg_has_role(relowner, 'usage')), false) as "isOwner"
  from pg_class where oid = any (select to_regclass(name) from unnest($1::text[]) as name)`)

/** Whether this database user may make partitions and drop them. */
export async function ownsTables(reader: Reader): Promise<boolean> {
  const [row] = await reader.run(ownership, [partitioned])
  return row?.isOwner ?? false
}
