/** How long messages took from their request until a provider has taken them. */
import { setTimeout } from 'node:timers/promises'
import type { Session } from './database.ts'

const lookMs = 200

/**
 * @param messages SQL for those that are looked at: a table with its condition
 * @throws Error when not all of them are taken in time
 */
export async function takenTimes(
  database: Session,
  messages: string,
  withinMs: number,
): Promise<{ p50Ms: number; p99Ms: number }> {
  for (const until = performance.now() + withinMs; ; await setTimeout(lookMs)) {
    const [row] = await database.run(`select count(*)::int as open from ${messages} and taken_at is null`)
    if (row?.open === 0) break
    if (performance.now() > until) throw new Error(`${row?.open} messages were not handed over.`)
  }
  const [times] = await database.run(`
  select percentile_cont(0.5) within group (order by ms) as p50, percentile_cont(0.99) within group (order by ms) as p99
  from (select extract(epoch from taken_at - created_at)::float8 * 1000 as ms from ${messages}) as t`)
  return { p50Ms: times?.p50 as number, p99Ms: times?.p99 as number }
}
