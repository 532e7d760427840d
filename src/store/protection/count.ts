/** What is counted for the rules: rows in parts, which sends that come together read together. */
import { batch } from '../engine/batch.ts'
import { milliseconds, type Reader, read } from '../engine/session.ts'
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

/** A counter of a key, as far back as somebody asks. */
export interface AskedCount {
  /** By `countKeyOf`. */
  countKey: string
  /** Milliseconds of Unix time. */
  since: number
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

const asked = batch<AskedCount>(
  'g',
  {
    key: ['text', (row) => row.countKey],
    // Seconds: a list of numbers is read faster than one of times.
    since: ['float8', (row) => row.since / 1000],
  },
  { isShort: true },
)
const phones = batch<PhoneKey>('h', phoneColumns, { first: asked.next, isShort: true })

const listOf = (column: string) => `coalesce(string_agg(array_to_string(c.${column}, ' '), ' '), '')`

type Sets = 'countries' | 'verifiedCountries' | 'numbers'
/** A slot; without `from`, a phone on which a code was right. */
type Counted = Omit<FoundCount, 'place' | 'from' | Sets> & Record<Sets, string> & { n: number; from: number | null }

/** Looked up by `lateral` for the reason that `made.ts` gives. */
const counted = read<Counted>(`
  select g.n::int as n, c.* from ${asked.numbered} cross join lateral (
    select ${milliseconds('c.slot')} as from, sum(c.sends)::int as sends, sum(c.unchecked)::int as unchecked,
      sum(c.verified)::int as verified, ${listOf('countries')} as countries,
      ${listOf('verified_countries')} as "verifiedCountries", ${listOf('numbers')} as numbers
    from protection_count c where c.key = g.key and c.slot >= to_timestamp(g.since) group by c.slot) c
  union all
  select h.n::int, null, 0, 0, 0, '', '', ''
  from ${phones.numbered} cross join lateral (
    select from phone p where p.account_id = h.account_id and p.mode = h.mode and p.phone = h.phone
      and (p.has_verified or p.verified_attempt is not null) offset 0) p`)

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

/** None for most: only some counters have any. */
const none: string[] = []

function words(text: string): string[] {
  return text === '' ? none : text.split(' ').filter((word) => word !== '')
}

/** The verifications of a day and a country. */
export interface CountryDay {
  country: string
  /** When the day begins (UTC), in milliseconds of Unix time. */
  from: number
  sends: number
  verified: number
}

const days = read<CountryDay>(`
  select f.country, ${milliseconds('f.at')} as from, sum(f.created)::int as sends, sum(f.verified)::int as verified
  from figure f
  where f.account_id = $1 and f.mode = $2 and f.grain = 'day' and f.at >= $3::text::timestamptz and f.kind = 'verification'
  group by f.country, f.at`)

/** The verifications of each day and country, as the charts count them. */
export function findCountryDays(
  reader: Reader,
  { accountId, mode, since }: { accountId: string; mode: Mode; since: Date },
): Promise<CountryDay[]> {
  return reader.run(days, [accountId, mode, since.toISOString()])
}
