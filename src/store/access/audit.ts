/** Who did what. Rows are added, never changed, and erased after their days. */
import { and, desc, eq, gt, lt } from 'drizzle-orm'
import type { Reader, Tx } from '../engine/session.ts'
import { audit } from '../schema/userSchema.ts'

export type AuditRow = typeof audit.$inferSelect

export async function insertAudit(tx: Tx, row: AuditRow): Promise<void> {
  await tx.db.insert(audit).values(row)
}

/** The latest first. @param before an id; those that were written before it, or all */
export async function listAudit(
  reader: Reader,
  accountId: string,
  { before, count }: { before: string | undefined; count: number },
): Promise<AuditRow[]> {
  return reader.db
    .select()
    .from(audit)
    .where(and(eq(audit.accountId, accountId), before === undefined ? gt(audit.id, '') : lt(audit.id, before)))
    .orderBy(desc(audit.id))
    .limit(count)
}
