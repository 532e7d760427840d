/** The tables that have rows for each message, phone, person or hour, with as many rows as a test wants. */
import type { TestDatabase } from './database.ts'

export const tables = [
  'message',
  'connection',
  'connection_turn',
  'connection_templates',
  'leg',
  'phone',
  'idempotency',
  'sandbox_message',
  'event',
  'event_delivery',
  'event_attempt',
  'api_key',
  'figure',
  'spend',
  'dashboard_user',
  'dashboard_session',
  'invitation',
  'sign_in',
  'audit',
  'protection',
  'protection_count',
  'protection_finding',
  'refused_phone',
  'opt_out',
  'message_reference',
  'scheduled',
  'resendable',
  'budget_day',
  'job',
  'job_common',
]

const parted = ['message', 'leg', 'sandbox_message', 'event', 'event_delivery', 'event_attempt']

/** Four parts of each table that is kept in parts, which get some nine of ten rows that `fill` makes; the default gets others. */
export async function part({ sql: beside }: TestDatabase): Promise<void> {
  for (const table of parted) {
    const prefix = table.startsWith('event') ? 'evt_' : 'req_'
    for (const [from, to] of ['12', '24', '46', '69']) {
      await beside.unsafe(`
        create table ${table}_${from} (like ${table}_default including defaults including indexes);
        alter table ${table} attach partition ${table}_${from} for values from ('${prefix}${from}') to ('${prefix}${to}')`)
    }
  }
}

/** All of one account, as in most installations, but for connections; nobody analyses the tables unless told to. */
export async function fill({ sql: beside }: TestDatabase, count: number): Promise<void> {
  const kept = await beside<{ name: string }[]>`select t.oid::regclass::text as name from pg_class t where relkind = 'r'
    and coalesce(pg_partition_root(oid), oid)::regclass::text = any (${[...tables, 'pgboss.job_common']}::text[])`
  for (const { name } of kept) await beside.unsafe(`alter table ${name} set (autovacuum_enabled = off)`)
  await beside.unsafe(`
    insert into phone (account_id, mode, phone, sent_at, verification_id, expires_at)
    select 'acct_default', 'live', '+1415' || n, array[now()], 'req_' || n, now() from generate_series(1, ${count}) n;
    insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at, expires_at)
    select 'acct_default', 'req_' || n, 'live', 'verification', '+1415' || n, 'sent', now(), '[]', now(), now()
    from generate_series(1, ${count}) n;
    insert into leg (account_id, message_id, connection, provider_message_id)
    select 'acct_default', 'req_' || n, 'wa', 'wamid.' || n from generate_series(1, ${count}) n;
    insert into account (id, name, name_key, created_at)
    select 'acct_' || n, 'a ' || n, 'a ' || n, now() from generate_series(1, ${count}) n;
    insert into connection (account_id, id, position, kind, settings, sealed, revision, updated_at)
    select 'acct_' || n, 'wa', 1, 'whatsapp', '{}', '', '', now() from generate_series(1, ${count}) n;
    insert into connection_templates (account_id, connection, revision, faults, categories)
    select 'acct_' || n, 'wa', '', '[]', '{}' from generate_series(1, ${count}) n;
    insert into connection_turn (account_id, connection, seq, at)
    select 'acct_default', 'sandbox', n, now() from generate_series(1, ${count}) n;
    insert into idempotency (account_id, mode, operation, key, fingerprint, fingerprint_key_id, created_at)
    select 'acct_default', 'live', 'sendVerification', 'key-' || n, '', '', now() from generate_series(1, ${count}) n;
    insert into sandbox_message (account_id, id, phone, text, at)
    select 'acct_default', 'req_' || n, '+1415' || n, '', now() from generate_series(1, ${count}) n;
    insert into event (account_id, id, mode, type, body, message_id, at) select 'acct_default', 'evt_' || n, 'live', 'message.sent', '{}', 'req_' || n, now() from generate_series(1, ${count}) n;
    insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, at)
    select 'acct_default', 'evt_' || n, 'ep_1', 'due', now(), now() from generate_series(1, ${count}) n;
    insert into event_attempt (account_id, event_id, endpoint_id, at, duration_ms)
    select 'acct_default', 'evt_' || n, 'ep_1', now(), 1 from generate_series(1, ${count}) n;
    insert into api_key (account_id, id, name, mode, scopes, hash, hint, created_at)
    select 'acct_default', 'key_' || n, '', 'live', '{}', sha256(n::text::bytea), '', now() from generate_series(1, ${count}) n;
    insert into figure (account_id, mode, grain, at, kind, connection, country, created, sent, delivered, verified, failed,
      expired, latencies)
    select 'acct_default', 'live', 'hour', now() - n * interval '1 hour', 'verification', 'wa', 'US', 1, 1, 1, 1, 0, 0,
      array_fill(0, array[16]) from generate_series(1, ${count}) n;
    insert into spend (account_id, mode, grain, at, connection, country, currency, messages, amount)
    select 'acct_default', 'live', 'hour', now() - n * interval '1 hour', 'wa', 'US', 'EUR', 1, 0.1 from generate_series(1, ${count}) n;
    insert into dashboard_user (account_id, id, name, email, email_key, role, totp_sealed, oidc_subject, created_at)
    select 'acct_default', 'usr_' || n, 'n ' || n, n || '@example.com', n || '@example.com', 'viewer', '', 'i ' || n, now()
    from generate_series(1, ${count}) n;
    insert into dashboard_session (account_id, id, user_id, hash, is_pending, created_at, seen_at, proved_at, address, agent)
    select 'acct_default', 'ses_' || n, 'usr_' || n, n, false, now(), now(), now(), '', '' from generate_series(1, ${count}) n;
    insert into invitation (account_id, id, hash, role, invited_by, created_at, expires_at) select 'acct_default', 'inv_' || n, n, 'viewer', '', now(), now() from generate_series(1, ${count}) n;
    insert into sign_in (email_hash, wrong_at, latest_at) select n, array[now()], now() from generate_series(1, ${count}) n;
    insert into audit (account_id, id, at, name, act, subject) select 'acct_default', 'adt_' || n, now(), '', 'user.joined', '' from generate_series(1, ${count}) n;
    insert into protection (account_id, rules, updated_at) select 'acct_' || n, '[]', now() from generate_series(1, ${count}) n;
    insert into protection_count (key, slot, part, sends, unchecked, verified, ends_at)
    select 'acct_default/live/ip:3600/k' || n, now(), 0, 1, 0, 0, now() from generate_series(1, ${count}) n;
    insert into protection_finding (account_id, mode, hour, rule, did, part, sends)
    select 'acct_default', 'live', now() - n * interval '1 hour', 'user-day', 'block', 0, 1 from generate_series(1, ${count}) n;
    insert into budget_day (account_id, mode, day, budget, messages, told)
    select 'acct_default', 'live', now() - n * interval '1 day', 'all', 1, 0 from generate_series(1, ${count}) n;
    insert into refused_phone (account_id, mode, phone, at) select 'acct_default', 'live', '+1415' || n, now() from generate_series(1, ${count}) n;
    insert into opt_out (account_id, mode, phone_hash, category, source, since, told_at, opted_in)
    select 'acct_default', 'live', 'hash-' || n, 'all', 'provider', now(), now(), case when n % 10 = 0 then 'all' end from generate_series(1, ${count}) n;
    insert into message_reference (account_id, reference, message_id, created_at)
    select 'acct_default', 'order-' || n, 'req_' || n, now() from generate_series(1, ${count}) n;
    insert into scheduled (account_id, id, send_at) select 'acct_default', 'req_' || n, now() + interval '1 day' from generate_series(1, ${count}) n;
    insert into resendable (account_id, id, content, failed_at) select 'acct_default', 'req_' || n, 'sealed', now() from generate_series(1, ${count}) n;
    insert into pgboss.job (name, data, policy) select 'deliver-sandbox', '{}', 'standard' from generate_series(1, ${count}) n;`)
}
