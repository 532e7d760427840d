/** What providers charge, summed up: counted from the messages beside the figures, and kept like these. */
import { accountId, batch } from '../engine/batch.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Mode, Price } from '../schema/schema.ts'
import type { Range } from './figure.ts'
import { beginningOf, replacing, replacingValues, type Slice, widths } from './replacing.ts'

/** What the provider of a connection charges, in one currency. */
export interface Spend extends Price {
  connection: string
  /** Those with a price. */
  messages: number
}

export interface CountrySpend extends Spend {
  /** ISO 3166-1 alpha-2; empty for numbers of no country. */
  country: string
}

/** The same of an account in a slice of time. */
export interface CountedSpend extends CountrySpend {
  accountId: string
  mode: Mode
  /** Milliseconds of Unix time. */
  at: number
}

const count = read<CountedSpend>(`
  select m.account_id as "accountId", m.mode, ${milliseconds(beginningOf('m.created_at', '$3::text::interval'))} as at,
    p.key as connection, coalesce(m.country, '') as country, p.value ->> 'currency' as currency,
    count(*)::int as messages, sum((p.value ->> 'amount')::numeric)::text as amount
  from message m cross join lateral jsonb_each(m.prices) as p (key, value)
  where m.created_at >= $1::text::timestamptz and m.created_at < $2::text::timestamptz and m.prices is not null
  group by 1, 2, 3, 4, 5, 6`)

/** Of the messages that were made in a slice. */
export function countSpend(reader: Reader, { grain, from, to }: Slice): Promise<CountedSpend[]> {
  return reader.run(count, [from.toISOString(), to.toISOString(), widths[grain]])
}

const g = batch<CountedSpend>('g', {
  ...accountId,
  mode: ['text', (row) => row.mode],
  at: ['timestamptz', (row) => new Date(row.at)],
  connection: ['text', (row) => row.connection],
  country: ['text', (row) => row.country],
  currency: ['text', (row) => row.currency],
  messages: ['int', (row) => row.messages],
  amount: ['numeric', (row) => row.amount],
})

const replace = write(
  replacing({
    table: 'spend',
    key: ['account_id', 'mode', 'at', 'connection', 'country', 'currency'],
    sums: [
      { name: 'messages', type: 'int' },
      { name: 'amount', type: 'numeric' },
    ],
    rows: g,
  }),
)

/** Makes the rows of a slice these, and the coarser ones the sums that follow from it. Whoever does so holds the progress. */
export async function replaceSpend(tx: Tx, slice: Slice, rows: readonly CountedSpend[]): Promise<void> {
  await tx.run(replace, [...g.valuesOf(rows), ...replacingValues(slice)])
}

const ofRange = read<Spend & { country: string | null }>(`
  select s.connection, s.country, s.currency, sum(s.messages)::int as messages, trim_scale(sum(s.amount))::text as amount
  from spend s where s.account_id = $1 and s.mode = $2 and s.grain = $3 and s.at >= $4::text::timestamptz
    and s.at < $5::text::timestamptz
  group by grouping sets ((s.connection, s.currency), (s.connection, s.country, s.currency))
  having sum(s.messages) > 0
  order by sum(s.messages) desc, s.connection, s.country, s.currency`)

export interface SpendSums {
  channels: Spend[]
  /** Of each connection and each country. */
  countries: CountrySpend[]
}

/** Each currency for itself, where most messages have a price first. */
export async function findSpend(
  reader: Reader,
  { accountId, mode }: { accountId: string; mode: Mode },
  { grain, from, to }: Range,
): Promise<SpendSums> {
  const found = await reader.run(ofRange, [accountId, mode, grain, from.toISOString(), to.toISOString()])
  return {
    channels: found.flatMap(({ country, ...sums }) => (country === null ? sums : [])),
    countries: found.flatMap(({ country, ...sums }) => (country === null ? [] : { ...sums, country })),
  }
}
