/** Fills the tables as a service does that has been used for a while: each phone got one message, which was delivered. */
import { encodeTime } from 'ulid'
import { phoneSql } from './phone.ts'

/** The id of the filled message of that index. */
export function filledId(index: number): string {
  return `${filledPrefix}${encodeTime(index, 16)}`
}

const filledPrefix = 'req_01KA000000'

/** SQL for the same digits as `encodeTime`. @param value an expression, a bigint below 2^50 */
export function encodedSql(value: string, length: number): string {
  const kept = Math.min(length, 10)
  const letters = Array.from(
    { length: kept },
    (_, place) =>
      `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((${value} >> ${(kept - 1 - place) * 5}) & 31)::int + 1, 1)`,
  )
  return `'${'0'.repeat(length - kept)}' || ${letters.join(' || ')}`
}

/** Statements for `count` messages, over the last 20 days. */
export function messagesSql(count: number): string {
  return `
    insert into message (account_id, id, mode, kind, phone, status, status_at, delivery_attempts, timeline,
      created_at, expires_at)
    select 'acct_default', '${filledPrefix}' || ${encodedSql('i', 16)}, 'live', 'verification',
      ${phoneSql('i')}, 'delivered', at + interval '1 second', 1,
      jsonb_build_array(jsonb_build_object('status', 'sent', 'at', at), jsonb_build_object('status', 'delivered', 'at', at)),
      at, at + interval '10 minutes'
    from generate_series(0::bigint, ${count - 1}) as i,
      lateral (select now() - interval '20 days' * (1 - i::float / ${count}) - interval '1 hour' as at) as t;`
}

/** So many people were verified yesterday that no send of today is too many for its country. */
export const goodDaySql = `
  insert into figure (account_id, mode, grain, at, kind, connection, country, created, sent, delivered, verified, failed, expired,
    latencies)
  select 'acct_default', mode, 'day', date_trunc('day', now(), 'UTC') - interval '1 day', 'verification', 'sandbox', 'DE', n, n, n, n, 0, 0, '{}'
  from unnest(array['live', 'test']) as mode, (values (100000000)) as v (n);`

/** Statements for the phones of those messages, in the order of their index, which is much faster. */
export function phonesSql(): string {
  return `
    insert into phone (account_id, mode, phone, sent_at, verification_id, attempts, attempts_max, expires_at)
    select account_id, mode, phone, array[created_at], id, 0, 5, expires_at from message
    order by phone;`
}
