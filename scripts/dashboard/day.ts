/** Fills an account with the traffic of a simulated day, or of several: quickly, in SQL, as the service would have left it. */
import type { Mode } from '../../src/store/schema/schema.ts'

export interface Day {
  accountId: string
  mode?: Mode
  /** Messages that were made in all. */
  messages: number
  /** 1 when left out. */
  days?: number
  /** Its end: nothing is from after it. */
  until: Date
}

/** Runs one statement, of which nothing is asked, in the session of all others. */
export type Run = (statement: string) => Promise<unknown>

/** The connections that messages of a simulated day went through. */
export const connectionIds = { telegram: 'telegram', whatsapp: 'whatsapp-eu', sms: 'sms-gateway' } as const
/** The slugs that notifications were made from. */
export const templateSlugs = ['order_shipped', 'appointment', 'payment_failed', 'welcome'] as const

/** By traffic: code, calling code, and digits that make a number which can exist when seven more follow. */
const countries: readonly (readonly [code: string, prefix: string])[] = [
  ...([
    ['US', '+1415'],
    ['GB', '+44770'],
    ['DE', '+49151'],
    ['IN', '+91981'],
    ['BR', '+551198'],
    ['FR', '+3361'],
    ['ES', '+3461'],
  ] as const),
  ...([
    ['IT', '+39347'],
    ['NL', '+3161'],
    ['MX', '+52155'],
    ['PL', '+48501'],
    ['CH', '+4178'],
    ['AT', '+43664'],
    ['SE', '+4670'],
  ] as const),
  ...([
    ['AE', '+97150'],
    ['AU', '+6141'],
    ['CA', '+1416'],
    ['TR', '+90532'],
    ['PT', '+3519'],
    ['BE', '+3247'],
    ['DK', '+452'],
  ] as const),
  ...([
    ['NO', '+474'],
    ['FI', '+35840'],
    ['IE', '+35386'],
    ['CZ', '+42060'],
    ['JP', '+8190'],
    ['KR', '+8210'],
    ['SG', '+659'],
  ] as const),
  ...([
    ['ZA', '+2782'],
    ['NG', '+23480'],
    ['KE', '+25471'],
    ['EG', '+2010'],
    ['SA', '+96650'],
    ['IL', '+97252'],
    ['AR', '+54911'],
  ] as const),
  ...([
    ['CL', '+569'],
    ['CO', '+57300'],
    ['PE', '+519'],
    ['NZ', '+6421'],
    ['', '+883510'],
  ] as const),
]

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const list = (texts: readonly string[]) => `array[${texts.map(literal).join(', ')}]`
/** An id of the service: its time, and what is random in it. */
const idSql = (prefix: string, ms: string, seed: string) =>
  `'${prefix}' || ${Array.from({ length: 10 }, (_, place) => `substr('${alphabet}', (((${ms}) >> ${45 - place * 5}) & 31)::int + 1, 1)`).join(' || ')} || upper(substr(md5(${seed}), 1, 16))`

/** Fills `message` and `leg`. The same numbers give the same day. */
export async function fillMessages(
  run: Run,
  { accountId, mode = 'live', messages, days = 1, until }: Day,
): Promise<void> {
  const { telegram, whatsapp, sms } = connectionIds
  await run('select setseed(0.42)')
  await run(`
    create temporary table simulated as
    select n, at, kind, country, prefix || lpad(floor(random() * 1e7)::int::text, 7, '0') as phone, route, leg,
      route[leg] as connection, template, fate, luck, seconds, floor(extract(epoch from at) * 1000)::bigint as ms
    from (
      select *, case when kind = 'verification' then ${list([telegram, whatsapp, sms])} else ${list([whatsapp, sms])} end as route,
        case when kind = 'verification' then case when r2 < 0.58 then 1 when r2 < 0.93 then 2 else 3 end
          when r2 < 0.9 then 1 else 2 end as leg,
        case when kind = 'notification' then (${list(templateSlugs)})[1 + floor(r3 * r3 * ${templateSlugs.length})::int] end as template
      from (
        select n, places.country, places.prefix, r2, r3, luck,
          case when random() < 0.72 then 'verification' else 'notification' end as kind,
          -- When it is delivered: half of them sooner than two seconds, one of twenty later than ten.
          exp(0.55 + 1.05 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())) as seconds, random() as fate,
          -- More by day than by night, in the zone of UTC.
          ${literal(until.toISOString())}::timestamptz - ${days} * interval '1 day' * back as at
        from (
          select n, random() as r2, random() as r3, random() as luck, random() as where_to,
            -- The last of many days has more than the first.
            case when ${days} = 1 then spread - floor(spread) else power(spread - floor(spread), 1.2) end as back
          from (
            select n, u + 0.09 / ${days} * sin(2 * pi() * (u * ${days} + ${(until.getTime() / 86_400_000) % 1} - 0.15)) as spread
            from (select n, random() as u from generate_series(1, ${messages}) n) drawn
          ) warped
        ) rolled
        cross join lateral (
          select (${list(countries.map(([code]) => code))})[place] as country, (${list(countries.map(([, prefix]) => prefix))})[place] as prefix
          from (select 1 + floor(power(where_to, 2.4) * ${countries.length})::int as place) chosen
        ) places
      ) dated
    ) routed`)
  await run(insertMessages(accountId, mode, until))
  await run(`
    insert into leg (account_id, message_id, connection, provider_message_id)
    select account_id, id, route[leg], 'wamid.' || md5(id) from message
    where account_id = ${literal(accountId)} and mode = ${literal(mode)} and taken_at is not null
    on conflict do nothing`)
  await run('drop table simulated')
}

/** What became of each, as far as time has come. WhatsApp had a bad hour, some hours ago. */
function insertMessages(accountId: string, mode: Mode, until: Date): string {
  const { telegram, whatsapp, sms } = connectionIds
  const end = `${literal(until.toISOString())}::timestamptz`
  const iso = (at: string) => `to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const step = (status: string, at: string, more = '') =>
    `jsonb_build_object('status', ${status}, 'at', ${iso(at)}${more})`
  return `
    insert into message (account_id, id, mode, kind, phone, country, template, route, leg, status, status_at, error_code,
      delivery_attempts, taken_at, timeline, created_at, expires_at, verified_at)
    select ${literal(accountId)}, ${idSql('req_', 'ms', `'${mode} ' || n`)}, ${literal(mode)}, kind, phone, nullif(country, ''), template,
      route, leg, status, status_at, case when status = 'failed' then case when luck < 0.6 then 'not_on_channel'
        when luck < 0.85 then 'rejected_by_channel' else 'channel_unavailable' end end,
      1, taken_at,
      jsonb_build_array(${step(`case kind when 'verification' then 'sent' else 'queued' end`, 'at')})
        || case when leg > 1 then jsonb_build_array(${step("'sent'", "at + interval '1 second'", ", 'note', 'number not known there', 'connection', route[leg - 1]")}) else '[]' end
        || case when taken_at is not null then jsonb_build_array(${step("'sent'", 'taken_at', ", 'note', 'taken', 'connection', connection, 'taken', true")}) else '[]' end
        || case when status in ('delivered', 'read') then jsonb_build_array(${step("'delivered'", 'delivered_at', ", 'connection', connection")}) else '[]' end
        || case when status = 'read' then jsonb_build_array(${step("'read'", 'status_at', ", 'connection', connection")}) else '[]' end
        || case when status = 'failed' then jsonb_build_array(${step("'failed'", 'status_at', ", 'note', 'refused by the provider', 'connection', connection, 'providerCode', '131026'")}) else '[]' end
        || case when status = 'expired' then jsonb_build_array(${step("'expired'", 'status_at')}) else '[]' end,
      at, expires_at, case when verified_at <= ${end} then verified_at end
    from (
      select *, case
          when status in ('queued') then at when status = 'sent' then taken_at
          when status = 'failed' then at + interval '2 seconds' when status = 'expired' then expires_at
          when status = 'read' then least(delivered_at + seconds * 20 * interval '1 second', ${end}) else delivered_at
        end as status_at,
        case when kind = 'verification' and status in ('delivered', 'read')
          and luck < case connection when ${literal(whatsapp)} then 0.9 when ${literal(telegram)} then 0.84 else 0.71 end
            - case when country in ('NG', 'EG', 'IN') then 0.17 else 0 end
          then delivered_at + (6 + 40 * luck * luck) * interval '1 second' end as verified_at
      from (
        select *, at + wait as delivered_at, at + wait * 0.3 as taken_at,
          case when kind = 'verification' then at + interval '10 minutes' end as expires_at,
          case
            when at + wait * 0.3 > ${end} then case kind when 'verification' then 'sent' else 'queued' end
            when fate > 0.93 and connection = ${literal(whatsapp)} and is_bad then 'failed'
            when fate > case connection when ${literal(sms)} then 0.94 else 0.975 end - case when is_bad then 0.35 else 0 end
              and connection <> ${literal(telegram)} then 'failed'
            when fate < case connection when ${literal(sms)} then 0.06 else 0.02 end
              then case when kind = 'verification' and at + interval '10 minutes' <= ${end} then 'expired' else 'sent' end
            when at + wait > ${end} then 'sent'
            when connection = ${literal(whatsapp)} and fate < 0.62 and at + wait * 3 < ${end} then 'read'
            else 'delivered'
          end as status
        from (
          select *, ((leg - 1) * 18 + seconds * case connection when ${literal(telegram)} then 0.7 when ${literal(whatsapp)} then 1.1 else 3.2 end)
              * interval '1 second' as wait,
            connection = ${literal(whatsapp)} and at between ${end} - interval '7 hours' and ${end} - interval '6 hours' as is_bad
          from simulated
        ) timed
      ) fated
    ) told
    order by at`
}

/** Events of the latest messages for each endpoint of the account, with what came of bringing them. */
export async function fillDeliveries(run: Run, { accountId, mode = 'live' }: Day, events: number): Promise<void> {
  const account = literal(accountId)
  await run(`
    create temporary table told as
    select ${idSql('evt_', 'floor(extract(epoch from status_at) * 1000)::bigint', "'event ' || id")} as id, status_at as at, id as message_id,
      case when verified_at is not null then 'verification.verified' else 'message.' || status end as type, kind, status,
      route[leg] as connection, ('x' || substr(md5(id), 1, 4))::bit(16)::int / 65536.0 as fate
    from message where account_id = ${account} and mode = ${literal(mode)} and status not in ('queued', 'expired')
    order by created_at desc limit ${events}`)
  await run(`
    insert into event (account_id, id, mode, type, body, message_id, at)
    select ${account}, id, ${literal(mode)}, type,
      json_build_object('type', type, 'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data',
        json_build_object('request_id', message_id, 'kind', kind, 'status', status, 'mode', ${literal(mode)}, 'channel', connection))::text,
      message_id, at
    from told on conflict do nothing`)
  await run(`
    insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, attempts, at)
    select ${account}, t.id, e.id, case when e.disabled_at < t.at then 'held' when e.failures > 0 then 'due' when t.fate > 0.996 then 'failed' else 'delivered' end,
      case when e.disabled_at is null and e.failures > 0 then t.at + interval '1 day' end,
      case when e.disabled_at < t.at then 0 when e.failures > 0 then 4 when t.fate > 0.97 then 2 else 1 end, t.at
    from told t cross join endpoint e where e.account_id = ${account} and e.mode = ${literal(mode)} and (e.types is null or t.type = any (e.types))
    on conflict do nothing`)
  await run(`
    insert into event_attempt (account_id, event_id, endpoint_id, at, status, error, duration_ms, answer)
    select d.account_id, d.event_id, d.endpoint_id, d.at + power(try, 3) * interval '1 second',
      case when is_good then 200 when t.fate * 1000 % 2 < 1 then 503 end,
      case when is_good then null when t.fate * 1000 % 2 < 1 then 'answered with 503' else 'no answer within 10 seconds' end,
      case when is_good then 40 + floor(t.fate * 180) when t.fate * 1000 % 2 < 1 then 310 else 10000 end, case when is_good then 'ok' end
    from event_delivery d join told t on t.id = d.event_id
    cross join lateral generate_series(1, d.attempts::int) try
    cross join lateral (select d.state = 'delivered' and try = d.attempts as is_good) came
    where d.account_id = ${account} on conflict do nothing`)
  await run('drop table told')
}
