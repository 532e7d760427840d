/** Limits for one phone: the rules as statements read them, and the times that they look at. */

import { inOrder } from '../engine/order.ts'
import { milliseconds } from '../engine/session.ts'
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

/**
 * SQL for the same of the sends of the phone `p`, where the cooldown is a rule for those alone that no auth system asked for: others
 * have a cooldown of their own there.
 */
export function withinSends(at: string, first: number): string {
  return within(`case when r.count = 1 then ${ownSends} else p.sent_at end`, at, first)
}

const ownSends = `array(select t from unnest(p.sent_at) with ordinality as u (t, i) where t <> all (p.posted_at) order by i)`

/**
 * SQL for `posted_at` of the phone `p` after a send at `at`, which an auth system asked for if `excluded.posted_at` has its time. Of two
 * sends at the same moment, only one of which was posted, both count as not posted: the cooldown holds.
 */
export function rememberPosted(at: string, first: number): string {
  return `case when excluded.posted_at = '{}' then array_remove(p.posted_at, excluded.sent_at[1])
    when ${at} = any (p.sent_at) then p.posted_at else ${remember(at, 'p.posted_at', first)} end`
}

/** SQL for the times with one more in front, as many as the rules look at. The parameters are those of `within`. */
export function remember(at: string, times: string, first: number): string {
  return `(array[${at}] || ${times})[1:greatest(1, (select max(count) from unnest($${first}::int[]) as r (count)))]`
}

export function rulesOf(rules: readonly Rule[]): [counts: number[], seconds: number[]] {
  return [rules.map(({ count }) => count), rules.map(({ seconds }) => seconds)]
}

export interface ForbiddenSend {
  id: string
  times: string
  own: string
}

/** When a phone was sent to, newest first. */
export interface SentTimes {
  all: Date[]
  /** Without those that auth systems asked for. */
  own: Date[]
}

/** SQL that is true for a row of the table `d` whose phone is in the table `sent`. */
export const isSent = 'sent.account_id = d.account_id and sent.mode = d.mode and sent.phone = d.phone'

/**
 * SQL for the rows of `d` that are not sent: each with the times of its phone, newest first. What another transaction sends at
 * this moment is not among them.
 */
export function forbidden(column: 'sent_at' | 'notified_at'): string {
  const own = column === 'sent_at' ? `coalesce(${writeTimes(ownSends)}, '')` : "''"
  return `select d.id, coalesce(${writeTimes(`p.${column}`)}, '') as times, ${own} as own
  from d
  left join phone p on p.account_id = d.account_id and p.mode = d.mode and p.phone = d.phone
  where not exists (select from sent where ${isSent})`
}

/** @returns the times by the ids of what was not sent */
export function timesById(rows: readonly ForbiddenSend[]): Map<string, SentTimes> {
  return new Map(rows.map(({ id, times, own }) => [id, { all: dates(times), own: dates(own) }]))
}

/** SQL for an array of times as one text that `dates` reads: drivers differ in how they give arrays. */
export function writeTimes(column: string): string {
  return `(select coalesce(string_agg((${milliseconds('t')})::text, ' ' order by i), '')
    from unnest(${column}) with ordinality as u (t, i))`
}

export function dates(text: string | undefined): Date[] {
  return text ? text.split(' ').map((ms) => new Date(Number(ms))) : []
}
