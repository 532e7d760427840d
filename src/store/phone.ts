/**
 * The decisions about one phone that must hold under concurrency. Each is one statement on one row, whose lock puts them
 * in order; each takes a list, so that the requests of a moment can share it. No two members of a list may have the
 * same phone.
 */
import { type SQL, sql } from 'drizzle-orm'
import { rows, type Session } from './connect.ts'
import type { MessageStatus, Mode } from './schema.ts'

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

export interface NewVerification extends PhoneKey {
  id: string
  channel: string
  codeHmac: Buffer
  codeKeyId: string
  attemptsMax: number
  content: Buffer
  at: Date
  expiresAt: Date
}

export interface NewNotification extends PhoneKey {
  id: string
  channel: string
  content: Buffer
  at: Date
}

/**
 * Makes each verification the pending one of its phone, whatever was pending before, and its message. Where a rule
 * forbids a send to that phone, nothing is written for it.
 *
 * @returns the ids that were made
 */
export async function insertVerifications(tx: Session, list: NewVerification[], rules: Rule[]): Promise<string[]> {
  const drafts = list.map((row) => ({ ...draft(row, 'sent'), codeHmac: row.codeHmac.toString('base64') }))
  const made = await rows<{ id: string }>(
    tx,
    sql`with draft as (
      select * from jsonb_to_recordset(${JSON.stringify(drafts)}::text::jsonb) as d (
        "accountId" text, mode text, phone text, id text, channel text, "codeHmac" text, "codeKeyId" text,
        "attemptsMax" smallint, content text, at timestamptz, "expiresAt" timestamptz, timeline jsonb)
    ), reserved as (
      insert into phone as p (account_id, mode, phone, sent_at, verification_id, code_hmac, code_key_id, attempts_max,
        expires_at)
      select "accountId", mode, phone, array[at], id, decode("codeHmac", 'base64'), "codeKeyId", "attemptsMax",
        "expiresAt" from draft
      on conflict (account_id, mode, phone) do update set
        sent_at = (excluded.sent_at || p.sent_at)[1:${longest(rules)}],
        verification_id = excluded.verification_id,
        code_hmac = excluded.code_hmac,
        code_key_id = excluded.code_key_id,
        attempts = 0,
        attempts_max = excluded.attempts_max,
        verified_attempt = null,
        expires_at = excluded.expires_at
      where ${within(rules, sql`p.sent_at`, sql`excluded.sent_at[1]`)}
      returning account_id, verification_id
    )
    insert into message (account_id, id, mode, kind, phone, channel, status, status_at, content, timeline, created_at,
      expires_at)
    select d."accountId", d.id, d.mode, 'verification', d.phone, d.channel, 'sent', d.at, decode(d.content, 'base64'),
      d.timeline, d.at, d."expiresAt"
    from draft d join reserved r on r.account_id = d."accountId" and r.verification_id = d.id
    returning id`,
  )
  return made.map((row) => row.id)
}

/**
 * Makes the message of each notification, unless a rule forbids it for that phone.
 *
 * @returns the ids that were made
 */
export async function insertNotifications(tx: Session, list: NewNotification[], rules: Rule[]): Promise<string[]> {
  const drafts = list.map((row) => draft(row, 'queued'))
  const made = await rows<{ id: string }>(
    tx,
    sql`with draft as (
      select * from jsonb_to_recordset(${JSON.stringify(drafts)}::text::jsonb) as d (
        "accountId" text, mode text, phone text, id text, channel text, content text, at timestamptz, timeline jsonb)
    ), reserved as (
      insert into phone as p (account_id, mode, phone, notified_at)
      select "accountId", mode, phone, array[at] from draft
      on conflict (account_id, mode, phone) do update set
        notified_at = (excluded.notified_at || p.notified_at)[1:${longest(rules)}]
      where ${within(rules, sql`p.notified_at`, sql`excluded.notified_at[1]`)}
      returning account_id, mode, phone
    )
    insert into message (account_id, id, mode, kind, phone, channel, status, status_at, content, timeline, created_at)
    select d."accountId", d.id, d.mode, 'notification', d.phone, d.channel, 'queued', d.at,
      decode(d.content, 'base64'), d.timeline, d.at
    from draft d
    join reserved r on r.account_id = d."accountId" and r.mode = d.mode and r.phone = d.phone
    returning id`,
  )
  return made.map((row) => row.id)
}

export interface Attempt {
  id: string
  phone: string
  codeHmac: Uint8Array
  codeKeyId: string
  /** 1 for the first attempt. */
  number: number
  attemptsMax: number
}

/**
 * Counts one attempt on each verification that is pending, and one wrong code for its phone; the caller takes the latter
 * back with `settleRightAnswer`. What is not pending, or whose phone has too many wrong codes, is not counted and not
 * returned.
 */
export async function takeAttempts(
  tx: Session,
  list: { accountId: string; mode: Mode; id: string; at: Date }[],
  rules: Rule[],
): Promise<Attempt[]> {
  return rows<Attempt>(
    tx,
    sql`with guess as (
      select g.*, m.phone
      from jsonb_to_recordset(${JSON.stringify(list)}::text::jsonb) as g ("accountId" text, mode text, id text, at timestamptz)
      join message m on m.account_id = g."accountId" and m.id = g.id and m.mode = g.mode and m.kind = 'verification'
    )
    update phone p set
      attempts = p.attempts + 1,
      wrong_at = (array[g.at] || p.wrong_at)[1:${longest(rules)}]
    from guess g
    where p.account_id = g."accountId" and p.mode = g.mode and p.phone = g.phone and p.verification_id = g.id
      and p.verified_attempt is null and p.attempts < p.attempts_max and p.expires_at > g.at
      and ${within(rules, sql`p.wrong_at`, sql`g.at`)}
    returning g.id as id, p.phone as phone, p.code_hmac as "codeHmac", p.code_key_id as "codeKeyId",
      p.attempts as number, p.attempts_max as "attemptsMax"`,
  )
}

/**
 * Settles an attempt that was right: takes back its wrong code, and verifies if no other attempt did so first.
 *
 * @returns whether this attempt verified
 */
export async function settleRightAnswer(
  tx: Session,
  key: PhoneKey,
  id: string,
  attempt: number,
  at: Date,
): Promise<boolean> {
  const verified = await rows(
    tx,
    sql`with answer as (
      update phone set wrong_at = wrong_at[2:], verified_attempt = coalesce(verified_attempt, ${attempt}::smallint)
      where account_id = ${key.accountId} and mode = ${key.mode} and phone = ${key.phone} and verification_id = ${id}
      returning verified_attempt = ${attempt}::smallint as won
    )
    update message set verified_at = ${at.toISOString()}::timestamptz
    where account_id = ${key.accountId} and id = ${id} and (select won from answer)
    returning id`,
  )
  return verified.length > 0
}

export interface VerificationState {
  verified: boolean
  superseded: boolean
  expiresAt: Date
  attemptsLeft: number
  wrongAt: Date[]
}

/** Why an attempt could not be taken; undefined when there is no such verification. */
export async function findVerification(
  session: Session,
  accountId: string,
  mode: Mode,
  id: string,
): Promise<VerificationState | undefined> {
  const [found] = await rows<{
    verified: boolean
    superseded: boolean
    expires_at: string
    attempts_left: number
    wrong_at: unknown
  }>(
    session,
    sql`select
      m.verified_at is not null or (p.verification_id = m.id and p.verified_attempt is not null) as verified,
      p.verification_id <> m.id as superseded,
      m.expires_at,
      case when p.verification_id = m.id then p.attempts_max - p.attempts else 0 end as attempts_left,
      to_json(p.wrong_at) as wrong_at
    from message m join phone p on p.account_id = m.account_id and p.mode = m.mode and p.phone = m.phone
    where m.account_id = ${accountId} and m.id = ${id} and m.mode = ${mode} and m.kind = 'verification'`,
  )
  if (!found) return undefined
  return {
    verified: found.verified,
    superseded: found.superseded,
    expiresAt: new Date(found.expires_at),
    attemptsLeft: found.attempts_left,
    wrongAt: dates(found.wrong_at),
  }
}

/** When a phone was sent to and notified, newest first. */
export async function findSends(session: Session, key: PhoneKey): Promise<{ sentAt: Date[]; notifiedAt: Date[] }> {
  const [found] = await rows<{ sent_at: unknown; notified_at: unknown }>(
    session,
    sql`select to_json(sent_at) as sent_at, to_json(notified_at) as notified_at from phone
    where account_id = ${key.accountId} and mode = ${key.mode} and phone = ${key.phone}`,
  )
  return { sentAt: dates(found?.sent_at), notifiedAt: dates(found?.notified_at) }
}

/** True when every rule lets one more happen at `at`, after those in `times`. */
function within(rules: Rule[], times: SQL, at: SQL): SQL {
  return sql`not exists (
    select from jsonb_to_recordset(${JSON.stringify(rules)}::text::jsonb) as r (count int, seconds int)
    where ${times}[r.count] > ${at} - make_interval(secs => r.seconds))`
}

/** How many times a row has to remember; one, when no rule asks for any. */
function longest(rules: Rule[]): SQL {
  return sql`${Math.max(1, ...rules.map((rule) => rule.count))}::int`
}

/** A row as the JSON that the statement reads: bytes as base64, times as ISO 8601. */
function draft<Draft extends { content: Buffer; at: Date }>(row: Draft, status: MessageStatus): object {
  return { ...row, content: row.content.toString('base64'), timeline: [{ status, at: row.at }] }
}

function dates(value: unknown): Date[] {
  const list = typeof value === 'string' ? (JSON.parse(value) as string[]) : ((value ?? []) as string[])
  return list.map((time) => new Date(time))
}
