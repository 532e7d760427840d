/** What the default partitions take of the disk: they are never dropped, so that is given back when they are empty. */

import { type Reader, read, type Tx, write } from '../engine/session.ts'
import { alter, type Partitioned, takeAlone } from './partition.ts'

/** Milliseconds that each step of emptying one may take, while everybody waits. */
const emptyMs = 250

const totalSize = read<{ bytes: number }>('select pg_total_relation_size(to_regclass($1))::float8 as bytes')

/** Bytes on the disk of a default partition, with its indexes. */
export async function sizeOfDefault(reader: Reader, table: Partitioned): Promise<number> {
  const [row] = await reader.run(totalSize, [`${table}_default`])
  return row?.bytes ?? 0
}

const brief = write(`select set_config('statement_timeout', '${emptyMs}', true)`)

/** Whether a default partition has no row. @throws what `isHeld` knows, when that is not seen in a moment */
export async function isDefaultEmpty(tx: Tx, table: Partitioned): Promise<boolean> {
  await tx.run(brief, [])
  const [row] = await tx.run(
    read<{ isEmpty: boolean }>(`select not exists (select from ${table}_default) as "isEmpty"`),
    [],
  )
  return row?.isEmpty ?? false
}

/** Gives all that a default partition has on the disk back, if it has no row. @returns whether it did */
export async function emptyDefault(tx: Tx, table: Partitioned): Promise<boolean> {
  await takeAlone(tx)
  await alter(tx, `lock table only "${table}_default" in access exclusive mode`)
  // Asked again: somebody may have written before the lock was there.
  if (!(await isDefaultEmpty(tx, table))) return false
  await alter(tx, `truncate only "${table}_default"`)
  return true
}
