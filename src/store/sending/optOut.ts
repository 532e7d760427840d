/** Opt-outs: phones that an account may send no more notifications to, by any connection. */
import { accountId, batch, type Columns } from '../engine/batch.ts'
import { inOrder, inPlaces } from '../engine/order.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { optOut } from '../schema/requestSchema.ts'

export type OptOutRow = typeof optOut.$inferSelect
export type OptOutKey = Pick<OptOutRow, 'accountId' | 'mode' | 'phoneHash'>

export const optOutKeyColumns: Columns<OptOutKey> = {
  ...accountId,
  mode: ['text', (key) => key.mode],
  phone_hash: ['text', (key) => key.phoneHash],
}

const o = batch<OptOutRow>('o', {
  ...optOutKeyColumns,
  category: ['text', (row) => row.category],
  source: ['text', (row) => row.source],
  since: ['text', (row) => row.since],
})

function rankOf({ accountId, mode, phoneHash }: OptOutKey): string {
  return `${accountId} ${mode} ${phoneHash}`
}

const add = write<RecordedOptOut & OptOutKey>(`
  insert into opt_out as known (account_id, mode, phone_hash, category, source, since)
  select o.account_id, o.mode, o.phone_hash, o.category, o.source, o.since::timestamptz from ${o.rows}
  on conflict (account_id, mode, phone_hash) do update set since = known.since
  returning known.account_id as "accountId", known.mode, known.phone_hash as "phoneHash", known.source, known.since,
    known.xmax = 0 as "isNew"`)

/** Of a phone that has opted out: who told first, and when. */
export type KnownOptOut = Pick<OptOutRow, 'source' | 'since'>

export interface RecordedOptOut extends KnownOptOut {
  /** It had not opted out before. */
  isNew: boolean
}

/**
 * At once; two transactions that write the same phones do so in one order. No two may be of one phone.
 *
 * @returns for each what is known now, which is the first opt-out of its phone
 */
export async function recordOptOuts(tx: Tx, list: readonly OptOutRow[]): Promise<RecordedOptOut[]> {
  const rows = inOrder(list, rankOf)
  const recorded = await tx.run(add, o.valuesOf(rows))
  const known = new Map(recorded.map(({ source, since, isNew, ...key }) => [rankOf(key), { source, since, isNew }]))
  return list.map((row) => known.get(rankOf(row))!)
}

const g = batch<OptOutKey>('g', optOutKeyColumns, { isShort: true })

/** SQL that joins what is known of the phone of the row `g`. By `exists`, a plan could begin with all opt-outs. */
export const joinOptOut =
  'left join opt_out o on o.account_id = g.account_id and o.mode = g.mode and o.phone_hash = g.phone_hash'

const known = read<{ n: number; source: OptOutRow['source'] | null; since: Date }>(`
  select g.n::int as n, o.source, o.since from ${g.numbered} ${joinOptOut}`)

/** Of the phone of each; undefined where it has not opted out. */
export async function findOptOuts(reader: Reader, keys: readonly OptOutKey[]): Promise<(KnownOptOut | undefined)[]> {
  return inPlaces(keys, await reader.run(known, g.valuesOf(keys))).map((row) =>
    row && row.source !== null ? { source: row.source, since: row.since } : undefined,
  )
}

const drop = write<OptOutKey>(`
  delete from opt_out o using ${g.rows}
  where o.account_id = g.account_id and o.mode = g.mode and o.phone_hash = g.phone_hash
  returning o.account_id as "accountId", o.mode, o.phone_hash as "phoneHash"`)

/** @returns for each whether it was there */
export async function deleteOptOuts(tx: Tx, keys: readonly OptOutKey[]): Promise<boolean[]> {
  const gone = new Set((await tx.run(drop, g.valuesOf(inOrder(keys, rankOf)))).map(rankOf))
  return keys.map((key) => gone.has(rankOf(key)))
}
