/** Messages: what is known of one, and how its status moves. Which status may follow which, it is told. */
import type { DeliveryErrorCode, MessageStatus, Mode } from './schema.ts'
import { milliseconds, type Reader, read, type Tx, write } from './session.ts'

export interface MessageKey {
  accountId: string
  id: string
}

/** The order in which messages are locked, everywhere: two that lock several of the same can not wait for each other. */
export function inMessageOrder<Key extends MessageKey>(keys: readonly Key[]): Key[] {
  const rank = ({ accountId, id }: MessageKey) => `${accountId} ${id}`
  return keys.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
}

export interface NewMessage extends MessageKey {
  mode: Mode
  kind: 'verification' | 'notification'
  phone: string
  channel: string
  status: MessageStatus
  /** Sealed. */
  content: Buffer
  at: Date
  expiresAt: Date | null
}

const insert = write(`
  insert into message (account_id, id, mode, kind, phone, channel, status, status_at, content, timeline, created_at,
    expires_at)
  select account_id, id, mode, kind, phone, channel, status, at::timestamptz, decode(content, 'base64'),
    jsonb_build_array(jsonb_build_object('status', status, 'at', at)), at::timestamptz, expires_at::timestamptz
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[]) as d (account_id, id, mode, kind, phone, channel, status, content, at, expires_at)`)

/** Goes with the commit. */
export function insertMessages(tx: Tx, list: readonly NewMessage[]): void {
  if (list.length === 0) return
  tx.atCommit(insert, [
    list.map(({ accountId }) => accountId),
    list.map(({ id }) => id),
    list.map(({ mode }) => mode),
    list.map(({ kind }) => kind),
    list.map(({ phone }) => phone),
    list.map(({ channel }) => channel),
    list.map(({ status }) => status),
    list.map(({ content }) => content.toString('base64')),
    list.map(({ at }) => at.toISOString()),
    list.map(({ expiresAt }) => expiresAt?.toISOString() ?? null),
  ])
}

export interface MessageRow {
  id: string
  kind: 'verification' | 'notification'
  status: MessageStatus
  statusAt: Date
  errorCode: DeliveryErrorCode | null
  expiresAt: Date | null
  verified: boolean
}

const messages = read<
  Omit<MessageRow, 'statusAt' | 'expiresAt'> & { n: number; statusAt: number; expiresAt: number | null }
>(`
  select g.n::int as n, m.id, m.kind, m.status, ${milliseconds('m.status_at')} as "statusAt",
    m.error_code as "errorCode", ${milliseconds('m.expires_at')} as "expiresAt", m.verified_at is not null as verified
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as g (account_id, mode, id, n)
  join message m on m.account_id = g.account_id and m.id = g.id and m.mode = g.mode`)

/** Each message; undefined where the account has none in that mode. */
export async function findMessages(
  reader: Reader,
  keys: readonly (MessageKey & { mode: Mode })[],
): Promise<(MessageRow | undefined)[]> {
  const found = await reader.run(messages, [
    keys.map(({ accountId }) => accountId),
    keys.map(({ mode }) => mode),
    keys.map(({ id }) => id),
  ])
  const byPlace = new Map(
    found.map(({ n, statusAt, expiresAt, ...row }) => [
      n,
      { ...row, statusAt: new Date(statusAt), expiresAt: dateOf(expiresAt) },
    ]),
  )
  return keys.map((_key, index) => byPlace.get(index + 1))
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

const deliveries = read<Omit<Delivery, 'expiresAt'> & { expiresAt: number | null }>(`
  select m.account_id as "accountId", m.id, m.mode, m.kind, m.phone, m.channel, m.status, m.content,
    m.verified_at is not null as verified, m.delivery_attempts as attempts, ${milliseconds('m.expires_at')} as "expiresAt"
  from unnest($1::text[], $2::text[]) as g (account_id, id)
  join message m on m.account_id = g.account_id and m.id = g.id
  where m.content is not null`)

/** Those of the messages that still wait to be handed over. No key may be there twice. */
export async function findDeliveries(reader: Reader, keys: readonly MessageKey[]): Promise<Delivery[]> {
  const found = await reader.run(deliveries, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)])
  return found.map((row) => ({ ...row, expiresAt: dateOf(row.expiresAt) }))
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

/** A message whose status has moved. */
export interface Moved extends MessageKey {
  mode: Mode
  kind: 'verification' | 'notification'
  from: MessageStatus
  to: MessageStatus
}

const change = write<Omit<Moved, 'to'> & { to: MessageStatus }>(`
  with locked as (
    select c.*, m.status as old, case when m.status = any (string_to_array(c.follows, ' ')) then c.status else m.status end
      as new
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::boolean[],
      $10::text[]) as c (account_id, id, status, follows, at, error_code, note, attempts, erase, provider_message_id)
    join message m on m.account_id = c.account_id and m.id = c.id
    order by m.account_id collate "C", m.id collate "C" for update of m
  )
  update message m set
    status = l.new,
    status_at = case when l.new <> l.old then l.at::timestamptz else m.status_at end,
    error_code = case when l.new <> l.old then l.error_code else m.error_code end,
    content = case when l.erase then null else m.content end,
    delivery_attempts = m.delivery_attempts + l.attempts,
    provider_message_id = coalesce(l.provider_message_id, m.provider_message_id),
    timeline = case when m.timeline @> jsonb_build_array(${stepOf("'status', l.status")}) then m.timeline
      else m.timeline || ${stepOf("'status', l.status, 'at', l.at")} end
  from locked l where m.account_id = l.account_id and m.id = l.id
  returning m.account_id as "accountId", m.id, m.mode, m.kind, l.old as from, l.new as to`)

/** A step of the timeline, with its note if there is one. */
function stepOf(members: string): string {
  return `jsonb_strip_nulls(jsonb_build_object(${members}, 'note', l.note))`
}

/**
 * Applies changes, each to a message of its own, which are locked in one order. A step that the timeline has already (same
 * status, same note) is not written twice. For `domain/message.move` alone.
 *
 * @returns the messages whose status has moved
 */
export async function applyChanges(tx: Tx, changes: readonly Change[]): Promise<Moved[]> {
  if (changes.length === 0) return []
  const changed = await tx.run(change, [
    changes.map(({ accountId }) => accountId),
    changes.map(({ id }) => id),
    changes.map(({ status }) => status),
    changes.map(({ follows }) => follows.join(' ')),
    changes.map(({ at }) => at.toISOString()),
    changes.map(({ errorCode }) => errorCode ?? null),
    changes.map(({ note }) => note ?? null),
    changes.map(({ attempted }) => (attempted ? 1 : 0)),
    changes.map(({ erase }) => erase ?? false),
    changes.map(({ providerMessageId }) => providerMessageId ?? null),
  ])
  return changed.filter(({ from, to }) => from !== to)
}

const overdue = write<{ accountId: string; id: string; expiresAt: number }>(`
  select account_id as "accountId", id, ${milliseconds('expires_at')} as "expiresAt" from message
  where kind = 'verification' and status = 'sent' and verified_at is null and expires_at <= $1::text::timestamptz
  order by expires_at limit $2::int for update skip locked`)

/** Takes hold of verifications whose code ran out at or before `now`, neither delivered nor used, at most `count`. */
export async function lockOverdue(tx: Tx, now: Date, count: number): Promise<(MessageKey & { expiresAt: Date })[]> {
  const due = await tx.run(overdue, [now.toISOString(), count])
  return due.map((row) => ({ ...row, expiresAt: new Date(row.expiresAt) }))
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}
