/** What is counted for the rules: beside the commits of what is counted, some at once. */
import { batch, type Columns } from '../engine/batch.ts'
import { areFound, inOrder } from '../engine/order.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'
import type { PhoneKey } from '../sending/limit.ts'
import { phoneColumns } from '../sending/verification.ts'

/** A counter of an account, for what its sends have in common. */
export interface CountOwner {
  accountId: string
  mode: Mode
  /** What is counted, and in slots of how many seconds. */
  counter: string
  /** A country or a keyed hash. */
  key: string
}

/** As the database has it. */
export function countKeyOf({ accountId, mode, counter, key }: CountOwner): string {
  return `${accountId}/${mode}/${counter}/${key}`
}

/** A counter of a key, as far back as it is asked for. */
export interface AskedCount {
  /** By `countKeyOf`. */
  countKey: string
  /** Milliseconds of Unix time. */
  since: number
}

export interface CountedSlot {
  /** By `countKeyOf`. */
  countKey: string
  /** Its beginning, in milliseconds of Unix time. */
  from: number
  sends: number
  unchecked: number
  verified: number
  countries: readonly string[]
  verifiedCountries: readonly string[]
  numbers: readonly string[]
}

/** What is to be added to a slot. */
export interface AddedSlot extends CountedSlot {
  /** From then on it says nothing, in milliseconds of Unix time. */
  endsAt: number
}

/** Of each slot, so many distinct countries and numbers are kept: the latest. */
const distinctKept = 64
/** Before this version, slots were kept in parts; they are read together. */
const part = 0

const listOf = (names: readonly string[]) => (names.length > 0 ? names.join(' ') : undefined)
const addedColumns: Columns<AddedSlot> = {
  key: ['text', (row) => row.countKey],
  // Seconds: a list of numbers is read faster than one of times.
  slot: ['float8', (row) => row.from / 1000],
  ends_at: ['float8', (row) => row.endsAt / 1000],
  sends: ['int', (row) => row.sends],
  unchecked: ['int', (row) => row.unchecked],
  verified: ['int', (row) => row.verified],
  countries: ['text', (row) => listOf(row.countries)],
  verified_countries: ['text', (row) => listOf(row.verifiedCountries)],
  numbers: ['text', (row) => listOf(row.numbers)],
}
const g = batch<AddedSlot>('g', addedColumns, { isShort: true })
const h = batch<AskedCount>(
  'h',
  { key: ['text', (row) => row.countKey], since: ['float8', (row) => row.since / 1000] },
  { first: g.next, isShort: true },
)

/** A name that is there already is not added again, so a few fewer may be kept than fit. The latest are at the end. */
const united = (
  column: string,
) => `case when excluded.${column} is null or excluded.${column} <@ c.${column} then c.${column}
      else (c.${column} || array(
        select one from unnest(excluded.${column}) as one where one <> all (coalesce(c.${column}, '{}'))
      ))[greatest(1, coalesce(cardinality(c.${column}), 0) + cardinality(excluded.${column}) - ${distinctKept - 1}):] end`
const sets = ['countries', 'verified_countries', 'numbers']
const textOf = (column: string) => `coalesce(array_to_string(c.${column}, ' '), '')`

type Sets = 'countries' | 'verifiedCountries' | 'numbers'
type Found = Omit<CountedSlot, 'countKey' | Sets> & Record<Sets, string> & { n: number }

/**
 * What it adds, it does not read: a statement sees the table as it was before. Rows are added in the order of the list, in which every
 * process locks them. `lateral` says what is looked up by what: a plan that was made while the table was known to be empty would else
 * read all of it for each list, until it is analyzed again.
 */
const add = write<Found>(`
  with added as (
    insert into protection_count as c (key, slot, part, sends, unchecked, verified, countries, verified_countries, numbers,
      ends_at)
    select g.key, to_timestamp(g.slot), ${part}, g.sends, g.unchecked, g.verified,
      ${sets.map((column) => `string_to_array(g.${column}, ' ')`).join(', ')}, to_timestamp(g.ends_at)
    from ${g.numbered}
    order by g.n
    on conflict (key, slot, part) do update set sends = c.sends + excluded.sends,
      unchecked = c.unchecked + excluded.unchecked, verified = c.verified + excluded.verified,
      ${sets.map((column) => `${column} = ${united(column)}`).join(', ')}
  )
  select h.n::int as n, c.* from ${h.numbered} cross join lateral (
    select ${milliseconds('c.slot')} as from, c.sends, c.unchecked, c.verified, ${textOf('countries')} as countries,
      ${textOf('verified_countries')} as "verifiedCountries", ${textOf('numbers')} as numbers
    from protection_count c where c.key = h.key and c.slot >= to_timestamp(h.since) order by c.slot offset 0) c`)

/**
 * Adds to slots, each of which is in the list once, and reads others. It is the last of its transaction.
 *
 * @returns what was counted before of what is asked for; a slot may be there several times, with a part of it each time
 */
export async function addCounts(
  tx: Tx,
  { added, asked }: { added: readonly AddedSlot[]; asked: readonly AskedCount[] },
): Promise<CountedSlot[]> {
  const rows = inOrder(added, ({ countKey, from }) => `${countKey} ${from}`)
  const found = await tx.runLast(add, [...g.valuesOf(rows), ...h.valuesOf(asked)])
  return found.map(({ n, countries, verifiedCountries, numbers, ...sums }) => ({
    ...{ countKey: asked[n - 1]!.countKey, ...sums },
    ...{ countries: words(countries), verifiedCountries: words(verifiedCountries), numbers: words(numbers) },
  }))
}

/** None for most: only some counters have any. */
const none: string[] = []

function words(text: string): string[] {
  return text === '' ? none : text.split(' ')
}

const phones = batch<PhoneKey>('g', phoneColumns, { isShort: true })
const verified = read<{ n: number }>(`
  select g.n::int as n from ${phones.numbered} cross join lateral (
    select from phone p where p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
      and (p.has_verified or p.verified_attempt is not null) offset 0) p`)

/** Whether a code was right on each phone, ever. */
export async function wereVerified(reader: Reader, keys: readonly PhoneKey[]): Promise<boolean[]> {
  return areFound(keys, await reader.run(verified, phones.valuesOf(keys)))
}

/** The verifications of a day and a country that are checked here. */
export interface CountryDay {
  country: string
  /** When the day begins (UTC), in milliseconds of Unix time. */
  from: number
  sends: number
  verified: number
}

const days = read<CountryDay>(`
  select f.country, ${milliseconds('f.at')} as from, sum(f.sent)::int as sends, sum(f.verified)::int as verified
  from figure f
  where f.account_id = $1 and f.mode = $2 and f.grain = 'day' and f.at >= $3::text::timestamptz and f.kind = 'verification'
  group by f.country, f.at`)

/** The verifications of each day and country that are checked here, as the charts count them. */
export function findCountryDays(
  reader: Reader,
  { accountId, mode, since }: { accountId: string; mode: Mode; since: Date },
): Promise<CountryDay[]> {
  return reader.run(days, [accountId, mode, since.toISOString()])
}
