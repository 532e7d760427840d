/** How accounts word their codes. */

import type { AccountSettings } from './access/account.ts'
import { accountId, batch } from './engine/batch.ts'
import { inPlaces } from './engine/order.ts'
import { toRows } from './engine/row.ts'
import { type Reader, read, type Tx, write } from './engine/session.ts'
import type { wording } from './schema/schema.ts'

type Row = typeof wording.$inferSelect
export type WordingRow = Pick<Row, 'locale' | 'domain' | 'texts'>

const g = batch<{ accountId: string }>('g', accountId)

const ofAccounts = read<WordingRow & { n: number }>(`
  select g.n::int as n, w.locale, w.domain, w.texts from ${g.numbered} join wording w on w.account_id = g.account_id`)

/** What the sends of an account go by where they say nothing. */
export type SendDefaults = WordingRow & AccountSettings

const defaultsOfAccounts = read<SendDefaults & { n: number }>(`
  select g.n::int as n, w.locale, w.domain, coalesce(w.texts, '{}'::jsonb) as texts, a.brand,
    a.cooldown_seconds as "cooldownSeconds"
  from ${g.numbered} join account a on a.id = g.account_id left join wording w on w.account_id = g.account_id`)

/** Of each account; undefined where there is no such account. */
export async function findSendDefaults(
  reader: Reader,
  accountIds: readonly string[],
): Promise<(SendDefaults | undefined)[]> {
  const keys = accountIds.map((one) => ({ accountId: one }))
  return inPlaces(keys, await reader.run(defaultsOfAccounts, g.valuesOf(keys)))
}

/** Of each account; undefined where it has none of its own. */
export async function findWordings(reader: Reader, accountIds: readonly string[]): Promise<(WordingRow | undefined)[]> {
  const keys = accountIds.map((one) => ({ accountId: one }))
  return inPlaces(keys, await reader.run(ofAccounts, g.valuesOf(keys)))
}

const wordings = toRows<Row>('wording', {
  accountId: 'text',
  locale: 'text',
  domain: 'text',
  texts: 'jsonb',
  updatedAt: 'timestamptz',
})

const put = write(`${wordings.insert}
  on conflict (account_id) do update set locale = excluded.locale, domain = excluded.domain, texts = excluded.texts,
    updated_at = excluded.updated_at`)

/** Whoever does so holds the account's row. */
export async function putWording(tx: Tx, row: Row): Promise<void> {
  await tx.run(put, wordings.valuesOf(row))
}
