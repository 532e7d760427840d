/** What is known of an account's templates at the provider of a connection. */
import { read, type Tx, write } from '../engine/session.ts'
import type { connectionTemplates } from '../schema/connectionSchema.ts'
import type { ConnectionRevision } from './connection.ts'

export type KnownTemplates = Pick<typeof connectionTemplates.$inferSelect, 'faults' | 'categories'>

const lock = write<{ id: string }>(`
  select c.id from connection c where c.account_id = $1 and c.id = $2 and c.revision = $3 for no key update of c`)

const known = read<KnownTemplates>(`
  select t.faults, t.categories from connection_templates t
  where t.account_id = $1 and t.connection = $2 and t.revision = $3`)

/** Locks a connection until the commit. @returns undefined where its settings have changed, or it is gone */
export async function lockTemplates(
  tx: Tx,
  { accountId, id, revision }: ConnectionRevision,
): Promise<KnownTemplates | undefined> {
  const asked = [accountId, id, revision]
  // Its own statement: the other one reads what was committed before the lock.
  if ((await tx.run(lock, asked)).length === 0) return undefined
  return (await tx.run(known, asked))[0] ?? { faults: [], categories: {} }
}

const keep = write(`
  insert into connection_templates (account_id, connection, revision, faults, categories)
  values ($1, $2, $3, $4::text::jsonb, $5::text::jsonb)
  on conflict (account_id, connection) do update
    set revision = excluded.revision, faults = excluded.faults, categories = excluded.categories`)

/** Of a connection that is locked. */
export async function keepTemplates(
  tx: Tx,
  { accountId, id, revision }: ConnectionRevision,
  { faults, categories }: KnownTemplates,
): Promise<void> {
  await tx.run(keep, [accountId, id, revision, JSON.stringify(faults), JSON.stringify(categories)])
}
