/** Opt-outs: phones that an account may send no more notifications to, by any connection. */
import { accountId, batch, type Columns } from '../engine/batch.ts'
import { inOrder, inPlaces } from '../engine/order.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { OptOutCategory, optOut } from '../schema/requestSchema.ts'

export type OptOutRow = Omit<typeof optOut.$inferSelect, 'toldAt' | 'optedIn'>
export type OptOutKey = Pick<OptOutRow, 'accountId' | 'mode' | 'phoneHash'>

export const optOutKeyColumns: Columns<OptOutKey> = {
  ...accountId,
  mode: ['text', (key) => key.mode],
  phone_hash: ['text', (key) => key.phoneHash],
}

/** An opt-out that is taken back: whatever it stops, or only where it stops that. */
export type OptOutRemoval = Omit<OptOutRow, 'category'> & { category?: OptOutCategory | undefined }

const rowColumns: Columns<OptOutRemoval> = {
  ...optOutKeyColumns,
  category: ['text', (row) => row.category],
  source: ['text', (row) => row.source],
  since: ['text', (row) => row.since],
  recipient: ['text', (row) => row.recipient],
}
const o = batch<OptOutRow>('o', rowColumns)

function rankOf({ accountId, mode, phoneHash }: OptOutKey): string {
  return `${accountId} ${mode} ${phoneHash}`
}

const saidAt = 'coalesce(known.told_at, known.since)'
/**
 * What it is told of later than it was said: that may be from before what is known. Of all else, what is said now counts. A reply is
 * compared with an opt-in that was no reply by two clocks: where that of a phone or a time zone is wrong, a STOP is not lost.
 */
const isOld = `excluded.source in ('provider', 'reply') and excluded.since < ${saidAt} -
  case when excluded.source = 'reply' and known.source not in ('provider', 'reply') then interval '1 day' else interval '0' end`
/** The opt-out is one that was not known: after an opt-in, or of more. An old one counts where the opt-in was to less. */
const isNews = `case when known.opted_in is null then known.category = 'marketing' and excluded.category <> 'marketing'
  else not (${isOld}) or known.opted_in = 'marketing' and excluded.category <> 'marketing' end`

const add = write<OptOutKey & { since: Date }>(`
  insert into opt_out as known (account_id, mode, phone_hash, category, source, since, recipient)
  select o.account_id, o.mode, o.phone_hash, o.category, o.source, o.since::timestamptz, o.recipient from ${o.rows}
  on conflict (account_id, mode, phone_hash) do update set
    told_at = case when known.opted_in is null then greatest(${saidAt}, excluded.since) else excluded.since end,
    category = case when ${isNews} then excluded.category else known.category end,
    source = case when ${isNews} then excluded.source else known.source end,
    since = case when ${isNews} then excluded.since else known.since end,
    recipient = excluded.recipient, opted_in = null
    where ${isNews}
      or known.opted_in is null and known.category = excluded.category and excluded.since > ${saidAt}
  returning known.account_id as "accountId", known.mode, known.phone_hash as "phoneHash", known.since`)

/** Of a phone that has opted out: of what, who told that first, and when. */
export type KnownOptOut = Pick<OptOutRow, 'category' | 'source' | 'since'>

export interface RecordedOptOut extends KnownOptOut {
  /** It had not opted out before, or of less. */
  isNew: boolean
}

/** Of one statement: so few that ten thousand lines of an import run into no time limit of a statement. */
const statementRows = 1000

/**
 * At once; two transactions that write the same phones do so in one order. No two may be of one phone.
 *
 * @returns for each what is known now, which is the first opt-out of its phone from all that it has opted out of
 */
export async function recordOptOuts(tx: Tx, list: readonly OptOutRow[]): Promise<RecordedOptOut[]> {
  const written = new Map<string, { since: Date }>()
  const rows = inOrder(list, rankOf)
  for (let from = 0; from < rows.length; from += statementRows) {
    for (const row of await tx.run(add, o.valuesOf(rows.slice(from, from + statementRows))))
      written.set(rankOf(row), row)
  }
  // What was said again later, keeps its time.
  const isAdded = (row: OptOutRow) => written.get(rankOf(row))?.since.getTime() === row.since.getTime()
  const others = list.filter((row) => !isAdded(row))
  // Their rows are locked by now: what is read is there until the commit.
  const before = others.length > 0 ? await findOptOuts(tx, others) : []
  const known = new Map(others.map((row, place) => [rankOf(row), before[place]]))
  return list.map((row) => {
    const { category, source, since } = known.get(rankOf(row)) ?? row
    return { category, source, since, isNew: isAdded(row) }
  })
}

const g = batch<OptOutKey>('g', optOutKeyColumns, { isShort: true })

/** SQL that joins what is known of the phone of the row `g`. By `exists`, a plan could begin with all opt-outs. */
export const joinOptOut = `left join opt_out o on o.account_id = g.account_id and o.mode = g.mode
  and o.phone_hash = g.phone_hash and o.opted_in is null`

/** SQL: whether the opt-out `o` stops the template `t`. One that is gone could have been marketing. */
export const stopsTemplate = `(o.account_id is not null and (o.category <> 'marketing' or t.category is distinct from 'utility'))`

const known = read<{ n: number; category: OptOutCategory; source: OptOutRow['source'] | null; since: Date }>(`
  select g.n::int as n, o.category, o.source, o.since from ${g.numbered} ${joinOptOut}`)

/** Of the phone of each; undefined where it has not opted out. */
export async function findOptOuts(reader: Reader, keys: readonly OptOutKey[]): Promise<(KnownOptOut | undefined)[]> {
  return inPlaces(keys, await reader.run(known, g.valuesOf(keys))).map((row) =>
    row && row.source !== null ? { category: row.category, source: row.source, since: row.since } : undefined,
  )
}

/** A phone, and the template of what is sent to it. */
export type TemplateRecipient = OptOutKey & { template: string | null }

const r = batch<TemplateRecipient>(
  'g',
  { ...optOutKeyColumns, template: ['text', (key) => key.template] },
  { isShort: true },
)

const stopped = read<{ n: number; isStopped: boolean }>(`
  select g.n::int as n, ${stopsTemplate} as "isStopped" from ${r.numbered} ${joinOptOut}
  left join template t on t.account_id = g.account_id and t.slug = g.template`)

/** Whether the phone of each has opted out of what its template says. */
export async function areOptedOut(reader: Reader, recipients: readonly TemplateRecipient[]): Promise<boolean[]> {
  return inPlaces(recipients, await reader.run(stopped, r.valuesOf(recipients))).map((row) => row?.isStopped ?? false)
}

/** An opt-out in a list, and its place there. */
export type ListedOptOut = KnownOptOut & Pick<OptOutRow, 'phoneHash' | 'recipient'>

/** The place after which a page begins. */
export type OptOutPlace = Pick<ListedOptOut, 'since' | 'phoneHash'>

const page = read<ListedOptOut>(`
  select category, source, since, recipient, phone_hash as "phoneHash" from opt_out
  where account_id = $1 and mode = $2 and (since, phone_hash) < ($3::text::timestamptz, $4) and opted_in is null
  order by since desc, phone_hash desc limit $5::int`)

/** Those of an account, the latest first. */
export function listOptOuts(
  reader: Reader,
  { accountId, mode }: Pick<OptOutKey, 'accountId' | 'mode'>,
  { after, count }: { after: OptOutPlace | undefined; count: number },
): Promise<ListedOptOut[]> {
  const [since, hash] = after ? [after.since.toISOString(), after.phoneHash] : ['infinity', '']
  return reader.run(page, [accountId, mode, since, hash, count])
}

// By the index of the list: whatever is known of the table, no plan reads those of other accounts.
const counts = read<{ source: OptOutRow['source']; category: OptOutCategory; count: number }>(`
  select source, category, count(*)::int as count
  from (
    select source, category from opt_out
    where account_id = $1 and mode = $2 and (since, phone_hash) < ('infinity'::timestamptz, '')
      and opted_in is null
    order by since desc, phone_hash desc limit $3::int
  ) o
  group by source, category order by count desc, source, category`)

/** How many there are by source and category. @param countMax of more, the latest are counted */
export function countOptOuts(
  reader: Reader,
  { accountId, mode }: Pick<OptOutKey, 'accountId' | 'mode'>,
  countMax: number,
): Promise<{ source: OptOutRow['source']; category: OptOutCategory; count: number }[]> {
  return reader.run(counts, [accountId, mode, countMax])
}

const d = batch<OptOutRemoval>('g', rowColumns)

/** That it opted in is kept, also of a phone that had not opted out: what was said before may still come. */
const remember = write(`
  insert into opt_out as known (account_id, mode, phone_hash, category, source, since, recipient, told_at, opted_in)
  select g.account_id, g.mode, g.phone_hash, coalesce(g.category, 'all'), g.source, g.since::timestamptz, g.recipient,
    g.since::timestamptz, coalesce(g.category, 'all') from ${d.rows}
  on conflict (account_id, mode, phone_hash) do update
    set told_at = excluded.told_at, opted_in = excluded.opted_in, source = excluded.source
    where excluded.told_at > known.told_at and (known.opted_in = excluded.opted_in or known.opted_in = 'marketing')`)

const end = write<OptOutKey & { category: OptOutCategory }>(`
  update opt_out known set opted_in = coalesce(g.category, 'all'), source = g.source,
    told_at = greatest(${saidAt}, g.since::timestamptz)
  from ${d.rows}
  where known.account_id = g.account_id and known.mode = g.mode and known.phone_hash = g.phone_hash
    and known.opted_in is null and known.category = coalesce(g.category, known.category)
    and (g.source not in ('provider', 'reply') or g.since::timestamptz >= ${saidAt})
  returning known.account_id as "accountId", known.mode, known.phone_hash as "phoneHash", known.category`)

/**
 * Unless it has opted out since. Two transactions that write the same phones do so in one order: the first statement locks their
 * rows, so that the second one finds them as they are.
 *
 * @returns for each what it had stopped; undefined where nothing was taken back
 */
export async function endOptOuts(tx: Tx, list: readonly OptOutRemoval[]): Promise<(OptOutCategory | undefined)[]> {
  const values = d.valuesOf(inOrder(list, rankOf))
  await tx.run(remember, values)
  const gone = await tx.run(end, values)
  const categories = new Map(gone.map((row) => [rankOf(row), row.category]))
  return list.map((key) => categories.get(rankOf(key)))
}
