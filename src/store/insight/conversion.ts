/** How many codes came back: on each day by where they went, and lately by how their numbers begin. */
import { type Reader, read } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'

interface Owner {
  accountId: string
  mode: Mode
}

export interface SentAndVerified {
  /** Codes that are checked or confirmed here, and that a channel took or that arrived by what came after. */
  sent: number
  /** Those of them that came back as a right code. */
  verified: number
}

export interface NamedCodes extends SentAndVerified {
  /** A country (ISO 3166-1 alpha-2, empty for none), or the id of a connection. */
  name: string
}

/** Of a message `m`: whether its code comes back here. One of an inlet does so where it was posted, and may be confirmed here. */
export const comesBack = `(m.key_id is not null or (m.timeline -> 0 ? 'inlet') is not true or m.verified_at is not null)`

const dailyBy = (column: 'country' | 'connection') =>
  read<NamedCodes>(`
  select f.${column} as name, sum(f.sent)::int as sent, sum(f.verified)::int as verified
  from figure f
  where f.account_id = $1 and f.mode = $2 and f.grain = 'day' and f.at >= $3::text::timestamptz
    and f.at < $4::text::timestamptz and f.kind = 'verification'
  group by f.${column}, f.at`)
const daily = { country: dailyBy('country'), connection: dailyBy('connection') }

/** The codes of each whole day (UTC), by where they went or by what carried them: one row for each of a day. */
export function findDailyCodes(
  reader: Reader,
  { accountId, mode }: Owner,
  { from, to, by }: { from: Date; to: Date; by: keyof typeof daily },
): Promise<NamedCodes[]> {
  return reader.run(daily[by], [accountId, mode, from.toISOString(), to.toISOString()])
}

export interface PrefixCodes extends SentAndVerified {
  /** Of the numbers, without their last four digits. */
  prefix: string
  /** ISO 3166-1 alpha-2; empty for numbers of no country. */
  country: string
}

/** Messages that the statement looks at: people wait for it. */
const looksMax = 3000

/** Materialized and limited by what is looked at: an account may send millions of notifications meanwhile. */
const lately = read<PrefixCodes>(`
  with looked as materialized (
    select m.mode, m.kind, m.phone, m.country, m.taken_at, m.verified_at, ${comesBack} as comes_back from message m
    where m.account_id = $1 and m.id > $2 and m.id < $3 order by m.id desc limit ${looksMax}
  )
  select left(l.phone, -4) as prefix, coalesce(l.country, '') as country, count(*)::int as sent,
    count(l.verified_at)::int as verified
  from looked l
  where l.mode = $4 and l.kind = 'verification' and l.comes_back and (l.taken_at is not null or l.verified_at is not null)
  group by 1, 2 having count(*) >= $5::int`)

/**
 * The latest codes between two ids of messages, by how their numbers begin.
 *
 * @param least of fewer codes than that, nothing is told
 */
export function findPrefixCodes(
  reader: Reader,
  { accountId, mode }: Owner,
  { afterId, belowId, least }: { afterId: string; belowId: string; least: number },
): Promise<PrefixCodes[]> {
  return reader.run(lately, [accountId, afterId, belowId, mode, least])
}
