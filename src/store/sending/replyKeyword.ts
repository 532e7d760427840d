/** The keywords of replies that accounts have of their own. */
import { accountId, batch } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { toRows } from '../engine/row.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { replyKeywords } from '../schema/requestSchema.ts'

type Row = typeof replyKeywords.$inferSelect

const g = batch<{ accountId: string }>('g', accountId)

const ofAccounts = read<Pick<Row, 'keywords'> & { n: number }>(`
  select g.n::int as n, k.keywords from ${g.numbered} join reply_keywords k on k.account_id = g.account_id`)

/** Of each account; undefined where it has none of its own. */
export async function findReplyKeywords(
  reader: Reader,
  accountIds: readonly string[],
): Promise<(Row['keywords'] | undefined)[]> {
  const keys = accountIds.map((one) => ({ accountId: one }))
  return inPlaces(keys, await reader.run(ofAccounts, g.valuesOf(keys))).map((row) => row?.keywords)
}

const rows = toRows<Row>('reply_keywords', { accountId: 'text', keywords: 'jsonb', updatedAt: 'timestamptz' })

const put = write(`${rows.insert}
  on conflict (account_id) do update set keywords = excluded.keywords, updated_at = excluded.updated_at`)

/** By a transaction that holds the account's row. */
export async function putReplyKeywords(tx: Tx, row: Row): Promise<void> {
  await tx.run(put, rows.valuesOf(row))
}
