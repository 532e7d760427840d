/** Who did what. Rows are added, never changed, and erased after their days. */
import { type Raw, toRows } from '../engine/row.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { audit } from '../schema/userSchema.ts'

export type AuditRow = typeof audit.$inferSelect

const audits = toRows<AuditRow>('audit', {
  accountId: 'text',
  id: 'text',
  at: 'timestamptz',
  userId: 'text',
  name: 'text',
  act: 'text',
  subject: 'text',
  detail: 'jsonb',
  address: 'text',
})

const insert = write(audits.insert)

export async function insertAudit(tx: Tx, row: AuditRow): Promise<void> {
  await tx.run(insert, audits.valuesOf(row))
}

const page = (isBefore: string) =>
  read<Raw<AuditRow>>(`
    select ${audits.columns('a')} from audit a where a.account_id = $1 and a.id ${isBefore} $2 order by a.id desc limit $3::int`)
const [latest, earlier] = [page('>'), page('<')]

/** The latest first. @param before an id; those that were written before it, or all */
export async function listAudit(
  reader: Reader,
  accountId: string,
  { before, count }: { before: string | undefined; count: number },
): Promise<AuditRow[]> {
  const found = await reader.run(before === undefined ? latest : earlier, [accountId, before ?? '', count])
  return found.map(audits.rowOf)
}

const subjectsOf = read<{ accountId: string; subject: string }>(`
  select account_id as "accountId", subject from audit where at >= $1::text::timestamptz and act = $2 order by at`)

/** What an act was done to since then, in every account. */
export function listSubjects(
  reader: Reader,
  act: string,
  since: Date,
): Promise<{ accountId: string; subject: string }[]> {
  return reader.run(subjectsOf, [since.toISOString(), act])
}

const countOf = read<{ count: number }>(
  'select count(*)::int as count from audit where account_id = $1 and id > $2 and act = $3',
)

/** How often an act was done in an account. @param since an id; those that were written after it count */
export async function countAudit(
  reader: Reader,
  { accountId, act, since }: { accountId: string; act: string; since: string },
): Promise<number> {
  const [found] = await reader.run(countOf, [accountId, since, act])
  return found?.count ?? 0
}
