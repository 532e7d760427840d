/** Limits for one phone: the rules as statements read them, and the times that they look at. */

import { inOrder, inPlaces } from '../engine/order.ts'
import { milliseconds, type Reader, read } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'

/** At most `count` within `seconds`. */
export interface Rule {
  count: number
  seconds: number
}

export interface PhoneKey {
  accountId: string
  mode: Mode
  phone: string
}

/** The order in which phones are locked, everywhere: two that lock several of the same can not wait for each other. */
export function inPhoneOrder<Key extends PhoneKey>(keys: readonly Key[]): Key[] {
  return inOrder(keys, ({ accountId, mode, phone }) => `${accountId} ${mode} ${phone}`)
}

/**
 * Seconds that a time may be ahead: a request may overtake another one. What is further ahead was written by a clock that has
 * been set back since, and counts for nothing; or a phone would be refused until then.
 */
export const aheadMaxSeconds = 60

/**
 * SQL that is true when every rule lets one more happen at `at`, after those in `times`, which are newest first.
 *
 * @param first the number of the first of the two parameters that `rulesOf` gives
 */
export function within(times: string, at: string, first: number): string {
  return `not exists (select from unnest($${first}::int[], $${first + 1}::int[]) as r (count, seconds)
    where (${times})[r.count] > ${at} - make_interval(secs => r.seconds)
      and (${times})[r.count] <= ${at} + make_interval(secs => ${aheadMaxSeconds}))`
}

/** SQL for the times with one more in front, as many as the rules look at. The parameters are those of `within`. */
export function remember(at: string, times: string, first: number): string {
  return `(array[${at}] || ${times})[1:greatest(1, (select max(count) from unnest($${first}::int[]) as r (count)))]`
}

export function rulesOf(rules: readonly Rule[]): [counts: number[], seconds: number[]] {
  return [rules.map(({ count }) => count), rules.map(({ seconds }) => seconds)]
}

const sends = read<{ n: number; sentAt: string; notifiedAt: string }>(`
  select g.n::int as n, ${timesOf('p.sent_at')} as "sentAt", ${timesOf('p.notified_at')} as "notifiedAt"
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as g (account_id, mode, phone, n)
  join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone`)

/** When each phone was sent to and notified, newest first. */
export async function findSends(
  reader: Reader,
  keys: readonly PhoneKey[],
): Promise<{ sentAt: Date[]; notifiedAt: Date[] }[]> {
  const found = await reader.run(sends, [
    keys.map(({ accountId }) => accountId),
    keys.map(({ mode }) => mode),
    keys.map(({ phone }) => phone),
  ])
  return inPlaces(keys, found).map((row) => ({ sentAt: dates(row?.sentAt), notifiedAt: dates(row?.notifiedAt) }))
}

/** SQL for an array of times as one text that `dates` reads: drivers differ in how they give arrays. */
export function timesOf(column: string): string {
  return `(select coalesce(string_agg((${milliseconds('t')})::text, ' ' order by i), '')
    from unnest(${column}) with ordinality as u (t, i))`
}

export function dates(text: string | undefined): Date[] {
  return text ? text.split(' ').map((ms) => new Date(Number(ms))) : []
}
