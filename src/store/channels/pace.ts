/** The pace of a connection: when each of its messages may be handed over, over all processes together. */

import { batch, keyColumns } from '../engine/batch.ts'
import { inPlaces } from '../engine/order.ts'
import { milliseconds, type Tx, write } from '../engine/session.ts'
import { type ConnectionKey, held, isThis } from './connection.ts'

/**
 * Seconds by which the end of somebody's horizon may be behind that of others, because he had to wait, his clock is wrong, or
 * he does not look as far ahead.
 */
const behindSeconds = 60

export interface WantedSlots extends ConnectionKey {
  /** More than 0. */
  perSecond: number
  count: number
}

const slots = batch<WantedSlots>('d', {
  ...keyColumns,
  per_second: ['float8', (row) => row.perSecond],
  wanted: ['int', (row) => row.count],
})
const [at, horizon] = slots.more()

/**
 * The first slot that is free: the one after the last that was given out, or now. One that nobody can have been given was
 * given by a clock that has been set back since, and would keep the connection waiting for as long.
 */
const firstFree = `case
    when c.next_at <= ${at}::text::timestamptz + make_interval(secs => ${horizon}::float8 + ${behindSeconds} + 1 / d.per_second)
    then greatest(c.next_at, ${at}::text::timestamptz) else ${at}::text::timestamptz end as first`
const slotsLeft = `ceil(extract(epoch from ${at}::text::timestamptz + make_interval(secs => ${horizon}::float8) - g.first)
    * g.per_second)`

const reserve = write<{ n: number; granted: number; firstAt: number }>(`
  with ${held(slots, firstFree)}, granted as (
    select *, least(g.wanted, greatest(0, ${slotsLeft}))::int as count from g
  )
  update connection c set next_at = case when g.count > 0 then g.first + make_interval(secs => g.count / g.per_second)
    else c.next_at end
  from granted g where ${isThis}
  returning g.n::int as n, g.count as granted, ${milliseconds('g.first')} as "firstAt"`)

export interface Slots {
  /** How many of those that are wanted; 0 when the next one is beyond the horizon. */
  granted: number
  /** When the first of them is; each other is `1 / perSecond` seconds after the one before. With none, when the next is free. */
  firstAt: Date
}

/**
 * Gives out slots in which one message each may be handed over: over all processes together no more than `perSecond` in a
 * second. Slots that nobody wanted in time are gone; there is no burst to catch up.
 *
 * @param list no connection may be there twice
 * @param at the database's time
 * @param horizonMs how far ahead of `at` slots are given out; more than 0. Those of all who ask differ by some seconds at most
 * @returns for each; undefined when there is no such connection
 */
export async function reserveSlots(
  tx: Tx,
  list: readonly WantedSlots[],
  at: Date,
  horizonMs: number,
): Promise<(Slots | undefined)[]> {
  const reserved = await tx.run(reserve, [...slots.valuesOf(list), at.toISOString(), horizonMs / 1000])
  // Rounded up: nobody is to come before his time.
  const rows = reserved.map((row) => ({ ...row, firstAt: new Date(Math.ceil(row.firstAt)) }))
  return inPlaces(list, rows)
}
