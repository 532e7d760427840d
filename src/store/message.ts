/** Messages: what is known of one, and how its status moves. Which status may follow which, it is told. */
import { sql } from 'drizzle-orm'
import { rows, type Session } from './connect.ts'
import type { DeliveryErrorCode, MessageStatus, Mode } from './schema.ts'

export interface MessageRow {
  id: string
  kind: 'verification' | 'notification'
  status: MessageStatus
  statusAt: Date
  errorCode: DeliveryErrorCode | null
  expiresAt: Date | null
  verified: boolean
}

export async function findMessage(
  session: Session,
  accountId: string,
  mode: Mode,
  id: string,
): Promise<MessageRow | undefined> {
  const [found] = await rows<
    Omit<MessageRow, 'statusAt' | 'expiresAt'> & { statusAt: string; expiresAt: string | null }
  >(
    session,
    sql`select id, kind, status, status_at as "statusAt", error_code as "errorCode", expires_at as "expiresAt",
      verified_at is not null as verified
    from message where account_id = ${accountId} and id = ${id} and mode = ${mode}`,
  )
  return (
    found && {
      ...found,
      statusAt: new Date(found.statusAt),
      expiresAt: found.expiresAt ? new Date(found.expiresAt) : null,
    }
  )
}

export interface MessageKey {
  accountId: string
  id: string
}

/** A message that waits for a channel. */
export interface Delivery extends MessageKey {
  mode: Mode
  kind: 'verification' | 'notification'
  phone: string
  channel: string
  status: MessageStatus
  /** Sealed. */
  content: Uint8Array
  /** Whether its code has done its work, however it came to the user. */
  verified: boolean
  /** How often a channel was asked before. */
  attempts: number
  expiresAt: Date | null
}

/** Those of the messages that still wait to be handed over. */
export async function findDeliveries(session: Session, keys: MessageKey[]): Promise<Delivery[]> {
  const found = await rows<Omit<Delivery, 'expiresAt'> & { expiresAt: string | null }>(
    session,
    sql`select m.account_id as "accountId", m.id, m.mode, m.kind, m.phone, m.channel, m.status, m.content,
      m.verified_at is not null as verified, m.delivery_attempts as attempts, m.expires_at as "expiresAt"
    from (
      select distinct "accountId", id
      from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb) as k ("accountId" text, id text)
    ) k
    join message m on m.account_id = k."accountId" and m.id = k.id
    where m.content is not null`,
  )
  return found.map((row) => ({ ...row, expiresAt: row.expiresAt ? new Date(row.expiresAt) : null }))
}

/** Something that happened to a message. */
export interface Change extends MessageKey {
  status: MessageStatus
  /** The statuses that `status` may follow; from any other, the message keeps its own. */
  follows: readonly MessageStatus[]
  at: Date
  errorCode?: DeliveryErrorCode
  /** For the timeline, beside the status. */
  note?: string
  /** A channel was asked to send. */
  attempted?: boolean
  /** The content is not needed any more. */
  erase?: boolean
  providerMessageId?: string
}

/**
 * Applies changes, each to a message of its own, which are locked in one order. A step that the timeline has already (same
 * status, same note) is not written twice.
 */
export async function applyChanges(tx: Session, changes: Change[]): Promise<void> {
  if (changes.length === 0) return
  const list = changes.map(({ note, attempted, erase, ...change }) => ({
    ...change,
    attempts: attempted ? 1 : 0,
    erase: erase ?? false,
    step: { status: change.status, at: change.at, ...(note === undefined ? {} : { note }) },
    seen: [{ status: change.status, ...(note === undefined ? {} : { note }) }],
  }))
  await tx.execute(sql`with c as (
      select * from jsonb_to_recordset(${JSON.stringify(list)}::text::jsonb) as c (
        "accountId" text, id text, status text, follows text[], at timestamptz, "errorCode" text, attempts smallint,
        erase boolean, "providerMessageId" text, step jsonb, seen jsonb)
    ), locked as (
      select m.account_id, m.id from message m join c on m.account_id = c."accountId" and m.id = c.id
      order by m.account_id collate "C", m.id collate "C" for update of m
    )
    update message m set
      status = case when m.status = any (c.follows) then c.status else m.status end,
      status_at = case when m.status = any (c.follows) then c.at else m.status_at end,
      error_code = case when m.status = any (c.follows) then c."errorCode" else m.error_code end,
      content = case when c.erase then null else m.content end,
      delivery_attempts = m.delivery_attempts + c.attempts,
      provider_message_id = coalesce(c."providerMessageId", m.provider_message_id),
      timeline = case when m.timeline @> c.seen then m.timeline else m.timeline || c.step end
    from c join locked l on l.account_id = c."accountId" and l.id = c.id
    where m.account_id = l.account_id and m.id = l.id`)
}

/** The order in which messages are locked, everywhere: two that lock several of the same can not wait for each other. */
export function inLockOrder<Key extends MessageKey>(keys: readonly Key[]): Key[] {
  const rank = ({ accountId, id }: MessageKey) => `${accountId} ${id}`
  return keys.toSorted((one, other) => (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0))
}

/**
 * Ends verifications whose code ran out at or before `now` and was neither delivered nor used, at most `count` of them.
 *
 * @returns how many
 */
export async function expireOverdue(session: Session, now: Date, count: number): Promise<number> {
  const ended = await rows(
    session,
    sql`update message m set status = 'expired', status_at = m.expires_at, content = null,
      timeline = m.timeline || jsonb_build_object('status', 'expired', 'at',
        to_char(m.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from (
      select account_id, id from message
      where kind = 'verification' and status = 'sent' and verified_at is null and expires_at <= ${now.toISOString()}::timestamptz
      order by expires_at limit ${count} for update skip locked
    ) due
    where m.account_id = due.account_id and m.id = due.id
    returning m.id`,
  )
  return ended.length
}
