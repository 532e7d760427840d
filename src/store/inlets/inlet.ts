/** Inlets of accounts: where other systems post what is to be sent, and what came of the last posts. */
import { sealedIn } from '../access/reseal.ts'
import { batch } from '../engine/batch.ts'
import { type Raw, toRows } from '../engine/row.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { inlet, KeptPost } from '../schema/inletSchema.ts'

export type { KeptPost }

export interface InletKey {
  accountId: string
  id: string
}

export type InletRow = typeof inlet.$inferSelect

const inlets = toRows<InletRow>('inlet', {
  accountId: 'text',
  id: 'text',
  kind: 'text',
  mode: 'text',
  settings: 'jsonb',
  sealed: 'bytea',
  updatedAt: 'timestamptz',
  posts: 'jsonb',
})

const accounts = batch<string>('g', { account_id: ['text', (id) => id] })

const ofAccounts = read<Raw<InletRow> & { n: number }>(`
  select g.n::int as n, ${inlets.columns('i')} from ${accounts.numbered}
  join inlet i on i.account_id = g.account_id
  order by g.n, i.id`)

/** The inlets of each account, in the order of their ids. */
export async function findInlets(reader: Reader, accountIds: readonly string[]): Promise<InletRow[][]> {
  const found = Map.groupBy(await reader.run(ofAccounts, accounts.valuesOf(accountIds)), ({ n }) => n)
  return accountIds.map((_id, index) => (found.get(index + 1) ?? []).map(({ n: _n, ...row }) => inlets.rowOf(row)))
}

const having = read<{ accountId: string }>(`
  select distinct account_id as "accountId" from inlet where (account_id, id) > ('', '') limit $1::int`)

/** The accounts that have inlets, at most so many. */
export async function listAccountsWithInlets(reader: Reader, count: number): Promise<string[]> {
  return (await reader.run(having, [count])).map(({ accountId }) => accountId)
}

const dropOthers = write('delete from inlet where account_id = $1 and id <> all ($2::text[])')

const upsert = write(`${inlets.insert}
  on conflict (account_id, id) do update set mode = excluded.mode, settings = excluded.settings, sealed = excluded.sealed,
    updated_at = excluded.updated_at, posts = case when inlet.kind = excluded.kind then inlet.posts else excluded.posts end,
    kind = excluded.kind`)

/**
 * Makes the list of an account what it is to be. Whoever does so holds the account's row.
 *
 * @param ids those of the whole list; all others go
 * @param changed those of the list that are new or have changed; of these, the posts stay unless the kind is another
 */
export async function replaceInlets(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  changed: readonly InletRow[],
): Promise<void> {
  await tx.run(dropOthers, [accountId, ids])
  for (const row of changed) await tx.run(upsert, inlets.valuesOf(row))
}

const posts = write<{ posts: KeptPost[] }>('select posts from inlet where account_id = $1 and id = $2 for update')
const keep = write('update inlet set posts = $3::text::jsonb where account_id = $1 and id = $2')

/** @param merge what is to be kept, of what is kept; nothing is written where the inlet is gone */
export async function keepPosts(
  tx: Tx,
  { accountId, id }: InletKey,
  merge: (kept: readonly KeptPost[]) => KeptPost[],
): Promise<void> {
  const [found] = await tx.run(posts, [accountId, id])
  if (found) await tx.run(keep, [accountId, id, JSON.stringify(merge(found.posts))])
}

/** Their secrets. */
export const sealedInlets = sealedIn('inlet', 'sealed')
