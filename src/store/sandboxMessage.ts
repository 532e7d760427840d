/** The sandbox phones' memory. */
import { and, asc, eq, lte } from 'drizzle-orm'
import type { Session } from './connect.ts'
import { sandboxMessage } from './schema.ts'

export type SandboxMessageRow = typeof sandboxMessage.$inferSelect

/** @returns false when that message was there already */
export async function insertSandboxMessage(session: Session, row: SandboxMessageRow): Promise<boolean> {
  const made = await session
    .insert(sandboxMessage)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: sandboxMessage.id })
  return made.length > 0
}

/** What a phone has by `now`, oldest first. */
export function listSandboxMessages(session: Session, phone: string, now: Date): Promise<SandboxMessageRow[]> {
  return session
    .select()
    .from(sandboxMessage)
    .where(and(eq(sandboxMessage.phone, phone), lte(sandboxMessage.at, now)))
    .orderBy(asc(sandboxMessage.at), asc(sandboxMessage.id))
}
