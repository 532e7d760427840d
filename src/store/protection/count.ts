/** What is counted for the rules: rows in parts, which a transaction adds to and a send reads together. */
import { accountId, batch, type Columns } from '../engine/batch.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'
import type { PhoneKey } from '../sending/limit.ts'

interface CountOwner {
  accountId: string
  mode: Mode
  /** What is counted, and in slots of how many seconds. */
  counter: string
  key: string
}

/** What is added to a slot. */
export interface AddedCount extends CountOwner {
  slot: Date
  endsAt: Date
  sends: number
  unchecked: number
  verified: number
  country: string | undefined
  verifiedCountry: string | undefined
  number: string | undefined
  /** Of the send. */
  phone: string
  messageId: string
}

/** Parts of a slot: those that count the same at one moment seldom take the same one. */
export const countPartDigits = 1
/** Of each slot, so many distinct countries and numbers are kept in a part: the latest. */
const distinctKept = 64

const owner: Columns<CountOwner> = {
  ...accountId,
  mode: ['text', (row) => row.mode],
  counter: ['text', (row) => row.counter],
  key: ['text', (row) => row.key],
}

const columns: Columns<AddedCount> = {
  ...owner,
  slot: ['timestamptz', (row) => row.slot],
  ends_at: ['timestamptz', (row) => row.endsAt],
  sends: ['int', (row) => row.sends],
  unchecked: ['int', (row) => row.unchecked],
  verified: ['int', (row) => row.verified],
  country: ['text', (row) => row.country],
  verified_country: ['text', (row) => row.verifiedCountry],
  number: ['text', (row) => row.number],
  phone: ['text', (row) => row.phone],
  message_id: ['text', (row) => row.messageId],
}
const g = batch<AddedCount>('g', columns, { isShort: true })
const ofMessages = batch<AddedCount>('g', columns, { ids: 'message_id' })

const setOf = (column: string) => `coalesce(array_agg(distinct ${column}) filter (where ${column} is not null), '{}')`
const united = (column: string) => `case when excluded.${column} <@ c.${column} then c.${column} else
      (c.${column} || excluded.${column})[greatest(1, cardinality(c.${column}) + cardinality(excluded.${column}) - ${distinctKept - 1}):]
    end`

const adding = (source: string, [part]: Iterable<string>) =>
  write(`
  insert into protection_count as c (account_id, mode, counter, key, slot, part, sends, unchecked, verified, countries,
    verified_countries, numbers, ends_at)
  select g.account_id, g.mode, g.counter, g.key, g.slot, ${part}::smallint, sum(g.sends), sum(g.unchecked), sum(g.verified),
    ${setOf('g.country')}, ${setOf('g.verified_country')}, ${setOf('g.number')}, max(g.ends_at)
  from ${source}
  group by g.account_id, g.mode, g.counter, g.key, g.slot
  order by g.account_id collate "C", g.mode collate "C", g.counter collate "C", g.key collate "C", g.slot
  on conflict (account_id, mode, counter, key, slot, part) do update set sends = c.sends + excluded.sends,
    unchecked = c.unchecked + excluded.unchecked, verified = c.verified + excluded.verified,
    countries = ${united('countries')}, verified_countries = ${united('verified_countries')},
    numbers = ${united('numbers')}`)

/** The phone says whether its send was made: limits may have forbidden it, and then it counts nothing. */
const sends = adding(
  `${g.rows} join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
    and p.verification_id = g.message_id`,
  g.more(),
)
/** Of a text, the phone keeps no id. */
const texts = adding(
  `${ofMessages.rows} join message m on m.account_id = g.account_id and m.id = g.message_id
    and ${ofMessages.inIdRange('m.id')}`,
  ofMessages.more(),
)
const verifications = adding(g.rows, g.more())

/** Counts those of the codes of this transaction that were made. Goes with the commit, behind them. */
export function addSends(tx: Tx, list: readonly AddedCount[], part: number): void {
  if (list.length > 0) tx.atCommit(sends, [...g.valuesOf(list), part])
}

/** The same for texts that another system wrote. */
export function addSentTexts(tx: Tx, list: readonly AddedCount[], part: number): void {
  if (list.length > 0) tx.atCommit(texts, [...ofMessages.valuesOf(list), part])
}

/** Counts codes that were right, at the times when they were sent. Goes with the commit. */
export function addVerified(tx: Tx, list: readonly AddedCount[], part: number): void {
  if (list.length > 0) tx.atCommit(verifications, [...g.valuesOf(list), part])
}

/** A counter of a key, as far back as it says something. */
export interface AskedCount extends CountOwner {
  since: Date
}

export interface FoundCount {
  /** The place of what it was asked for. */
  place: number
  /** Milliseconds of Unix time. */
  from: number
  sends: number
  unchecked: number
  verified: number
  countries: string[]
  verifiedCountries: string[]
  numbers: string[]
}

const asked = batch<AskedCount>('g', { ...owner, since: ['timestamptz', (row) => row.since] }, { isShort: true })
const phones = batch<PhoneKey>(
  'h',
  { ...accountId, mode: ['text', (row) => row.mode], phone: ['text', (row) => row.phone] },
  { first: asked.next, isShort: true },
)

const listOf = (column: string) => `coalesce(string_agg(array_to_string(c.${column}, ' '), ' '), '')`

const counted = read<{
  n: number
  from: number | null
  sends: number
  unchecked: number
  verified: number
  countries: string
  verifiedCountries: string
  numbers: string
}>(`
  select g.n::int as n, ${milliseconds('c.slot')} as from, sum(c.sends)::int as sends, sum(c.unchecked)::int as unchecked,
    sum(c.verified)::int as verified, ${listOf('countries')} as countries,
    ${listOf('verified_countries')} as "verifiedCountries", ${listOf('numbers')} as numbers
  from ${asked.numbered}
  join protection_count c on c.account_id = g.account_id and c.mode = g.mode and c.counter = g.counter and c.key = g.key
    and c.slot >= g.since
  group by g.n, c.slot
  union all
  select h.n::int, null, 0, 0, 0, '', '', ''
  from ${phones.numbered}
  join phone p on p.account_id = h.account_id and p.mode = h.mode and p.phone = h.phone
  where p.has_verified or p.verified_attempt is not null`)

/** What was counted, and whether a code was right on each phone, ever. */
export async function findCounts(
  reader: Reader,
  counts: readonly AskedCount[],
  keys: readonly PhoneKey[],
): Promise<{ counts: FoundCount[]; wereVerified: boolean[] }> {
  const rows = await reader.run(counted, [...asked.valuesOf(counts), ...phones.valuesOf(keys)])
  const wereVerified = keys.map(() => false)
  const found = rows.flatMap(({ n, from, countries, verifiedCountries, numbers, ...sums }): FoundCount[] => {
    if (from === null) {
      wereVerified[n - 1] = true
      return []
    }
    const sets = { countries: words(countries), verifiedCountries: words(verifiedCountries), numbers: words(numbers) }
    return [{ place: n - 1, from, ...sums, ...sets }]
  })
  return { counts: found, wereVerified }
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}

const days = read<{ country: string; from: number; sends: number; verified: number }>(`
  select f.country, ${milliseconds('f.at')} as from, sum(f.created)::int as sends, sum(f.verified)::int as verified
  from figure f
  where f.account_id = $1 and f.mode = $2 and f.grain = 'day' and f.at >= $3::text::timestamptz and f.kind = 'verification'
  group by f.country, f.at`)

/** The verifications of each day and country, as the charts count them. */
export function findCountryDays(
  reader: Reader,
  { accountId, mode, since }: { accountId: string; mode: Mode; since: Date },
) {
  return reader.run(days, [accountId, mode, since.toISOString()])
}
