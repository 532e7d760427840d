/** The sandbox phones' memory. */
import { and, asc, eq, lte } from 'drizzle-orm'
import { sandboxMessage } from './schema.ts'
import { type Reader, type Tx, write } from './session.ts'

export type SandboxMessageRow = typeof sandboxMessage.$inferSelect

const insert = write<{ id: string }>(`
  insert into sandbox_message (account_id, id, phone, text, at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]::timestamptz[])
  on conflict do nothing returning id`)

/** @returns the ids of those that were not there already */
export async function insertSandboxMessages(tx: Tx, rows: readonly SandboxMessageRow[]): Promise<string[]> {
  const made = await tx.run(insert, [
    rows.map(({ accountId }) => accountId),
    rows.map(({ id }) => id),
    rows.map(({ phone }) => phone),
    rows.map(({ text }) => text),
    rows.map(({ at }) => at.toISOString()),
  ])
  return made.map(({ id }) => id)
}

/** What a phone has by `now`, oldest first. */
export function listSandboxMessages(reader: Reader, phone: string, now: Date): Promise<SandboxMessageRow[]> {
  return reader.db
    .select()
    .from(sandboxMessage)
    .where(and(eq(sandboxMessage.phone, phone), lte(sandboxMessage.at, now)))
    .orderBy(asc(sandboxMessage.at), asc(sandboxMessage.id))
}
