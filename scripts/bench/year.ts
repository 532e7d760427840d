/** Rows of years: messages of the last 30 days in their partitions, one partition a day, and the phones that they were sent to. */
import { encodeTime } from 'ulid'
import { leastUlid } from '../../src/kit/runtime.ts'
import type { Session } from './database.ts'
import { phoneSql } from './phone.ts'
import { encodedSql } from './rows.ts'

const dayMs = 24 * 3600 * 1000
/** Days that have messages, today with them. */
const days = 30
/** Days that have a partition ahead of them. */
const daysAhead = 3

export interface Years {
  messages: number
  phones: number
  /** Milliseconds of Unix time: the beginning of the first day. */
  from: number
}

export function planYears(messages: number, now: Date): Years {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  return { messages, phones: Math.ceil(messages * 0.3), from: today - (days - 1) * dayMs }
}

/** The id of the message of that index. */
export function yearsId({ messages, from }: Years, index: number): string {
  const perDay = Math.ceil(messages / days)
  const day = Math.floor(index / perDay)
  const at = from + day * dayMs + Math.floor(((index % perDay) * lastsMs(day)) / perDay)
  return `req_${encodeTime(at)}${encodeTime(index, 16)}`
}

/** Of the last day, its first minute alone: it may have begun just now. */
function lastsMs(day: number): number {
  return day === days - 1 ? 60_000 : dayMs
}

/** Fills a database that has only default partitions. @param say gets a line for each step */
export async function fillYears({ run }: Session, years: Years, say: (text: string) => void): Promise<void> {
  const perDay = Math.ceil(years.messages / days)
  for (let day = 0; day < days + daysAhead; day++) {
    const [at, next] = [years.from + day * dayMs, years.from + (day + 1) * dayMs]
    const suffix = new Date(at).toISOString().replace(/\D/g, '').slice(0, 12)
    for (const table of ['leg', 'sandbox_message', 'message', 'event_attempt', 'event_delivery', 'event']) {
      const prefix = table.startsWith('event') ? 'evt_' : 'req_'
      const bound = (ms: number) => `'${prefix}${leastUlid(new Date(ms))}'`
      const count = table === 'message' && day < days ? Math.min(perDay, years.messages - day * perDay) : 0
      // Its indexes are made when its rows are there, which is quicker by far.
      await run(`create table ${table}_${suffix} (like ${table}_default including defaults);
        ${count > 0 ? messagesSql(`${table}_${suffix}`, { first: day * perDay, count, perDay, at, ms: lastsMs(day) }) : ''}
        ${table === 'leg' ? `alter table leg_${suffix} add primary key (account_id, connection, provider_message_id);` : ''}
        alter table ${table} attach partition ${table}_${suffix} for values from (${bound(at)}) to (${bound(next)})`)
    }
    if (day % 10 === 9) say(`  ${day + 1} days are filled`)
  }
  await run(`
    insert into phone (account_id, mode, phone, sent_at, verification_id, attempts, attempts_max, expires_at)
    select 'acct_default', 'live', ${phoneSql('i')}, array[now() - interval '1 day' - i * interval '0.8 second'], null, 0, 5,
      now() - interval '1 day'
    from generate_series(0::bigint, ${years.phones - 1}) as i order by 3`)
  say('  the phones are filled')
  await run('vacuum analyze')
}

interface Day {
  first: number
  count: number
  perDay: number
  at: number
  ms: number
}

function messagesSql(table: string, { first, count, perDay, at, ms }: Day): string {
  const time = `(${at} + (i - ${first}) * ${ms} / ${perDay})`
  return `insert into ${table} (account_id, id, mode, kind, phone, country, status, status_at, delivery_attempts, taken_at,
      timeline, created_at, expires_at)
    select 'acct_default', 'req_' || ${encodedSql(time, 10)} || ${encodedSql('i', 16)}, 'live', 'verification',
      ${phoneSql(`(i % ${Math.ceil(perDay * days * 0.3)})`)}, 'US', 'delivered', at + interval '1 second', 1,
      at + interval '1 second',
      jsonb_build_array(jsonb_build_object('status', 'queued', 'at', at), jsonb_build_object('status', 'sent', 'at', at,
        'connection', 'sandbox', 'taken', true), jsonb_build_object('status', 'delivered', 'at', at, 'connection', 'sandbox')),
      at, at + interval '10 minutes'
    from generate_series(${first}::bigint, ${first + count - 1}) as i,
      lateral (select to_timestamp(${time} / 1000.0) as at) as t;`
}
