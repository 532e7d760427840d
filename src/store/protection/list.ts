/** The lists of rules that accounts have. */
import { accountId, batch } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { toRows } from '../engine/row.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { protection } from '../schema/protectionSchema.ts'

type Row = typeof protection.$inferSelect
export type ProtectionRow = Pick<Row, 'rules' | 'fail' | 'budgets'> & {
  /** When it was applied, in milliseconds of Unix time. */
  appliedAt: number
}

const g = batch<{ accountId: string }>('g', accountId)

const ofAccounts = read<ProtectionRow & { n: number }>(`
  select g.n::int as n, p.rules, p.fail, p.budgets, ${milliseconds('p.updated_at')} as "appliedAt"
  from ${g.numbered} join protection p on p.account_id = g.account_id`)

/** Of each account; undefined where it has none of its own. */
export async function findProtections(
  reader: Reader,
  accountIds: readonly string[],
): Promise<(ProtectionRow | undefined)[]> {
  const keys = accountIds.map((one) => ({ accountId: one }))
  return inPlaces(keys, await reader.run(ofAccounts, g.valuesOf(keys)))
}

const protections = toRows<Row>('protection', {
  accountId: 'text',
  rules: 'jsonb',
  fail: 'text',
  budgets: 'jsonb',
  updatedAt: 'timestamptz',
})

const put = write(`${protections.insert}
  on conflict (account_id) do update set rules = excluded.rules, fail = excluded.fail, budgets = excluded.budgets,
    updated_at = excluded.updated_at`)

/** Whoever does so holds the account's row. */
export async function putProtection(tx: Tx, row: Row): Promise<void> {
  await tx.run(put, protections.valuesOf(row))
}

const remove = write('delete from protection where account_id = $1')

/** Whoever does so holds the account's row. */
export async function removeProtection(tx: Tx, account: string): Promise<void> {
  await tx.run(remove, [account])
}
