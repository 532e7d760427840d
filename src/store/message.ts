/** Messages: what is known of one, and how its status moves. Which status may follow which, it is told. */
import { inOrder } from './order.ts'
import type { DeliveryErrorCode, MessageStatus, Mode } from './schema.ts'
import { milliseconds, type Reader, read, type Tx, write } from './session.ts'

export interface MessageKey {
  accountId: string
  id: string
}

/** The order in which messages are locked, everywhere: two that lock several of the same can not wait for each other. */
export function inMessageOrder<Key extends MessageKey>(keys: readonly Key[]): Key[] {
  return inOrder(keys, ({ accountId, id }) => `${accountId} ${id}`)
}

export interface NewMessage extends MessageKey {
  mode: Mode
  kind: 'verification' | 'notification'
  phone: string
  /** ISO 3166-1 alpha-2; left out for a number of no country. */
  country?: string | undefined
  /** The slug that a notification is made from. */
  template?: string
  /** The connections that may carry it, in order: at least one. */
  route: readonly string[]
  status: MessageStatus
  /** Sealed. */
  content: Buffer
  at: Date
  expiresAt: Date | null
  /** Endpoints are to be told how it ends; left out, they are not. */
  awaited?: boolean
  /** The `traceparent` of the request, where that is traced. */
  trace?: string | undefined
}

const insert = write(textOfInsert("jsonb_build_object('status', status, 'at', at)"))
/** The last parameter is used by this one alone. */
const insertTraced = write(
  textOfInsert("jsonb_strip_nulls(jsonb_build_object('status', status, 'at', at, 'trace', trace))"),
)

function textOfInsert(step: string): string {
  return `
  insert into message (account_id, id, mode, kind, phone, route, status, status_at, content, timeline, created_at,
    expires_at, awaited, country, template)
  select account_id, id, mode, kind, phone, string_to_array(route, ' '), status, at::timestamptz, decode(content, 'base64'),
    jsonb_build_array(${step}), at::timestamptz, expires_at::timestamptz, awaited,
    country, template
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::boolean[], $12::text[], $13::text[], $14::text[]) as d (account_id, id, mode, kind, phone, route, status,
    content, at, expires_at, awaited, country, template, trace)`
}

/** Goes with the commit. */
export function insertMessages(tx: Tx, list: readonly NewMessage[]): void {
  if (list.length === 0) return
  const isTraced = list.some(({ trace }) => trace !== undefined)
  tx.atCommit(isTraced ? insertTraced : insert, [
    list.map(({ accountId }) => accountId),
    list.map(({ id }) => id),
    list.map(({ mode }) => mode),
    list.map(({ kind }) => kind),
    list.map(({ phone }) => phone),
    // The id of a connection has no space.
    list.map(({ route }) => route.join(' ')),
    list.map(({ status }) => status),
    list.map(({ content }) => content.toString('base64')),
    list.map(({ at }) => at.toISOString()),
    list.map(({ expiresAt }) => expiresAt?.toISOString() ?? null),
    list.map(({ awaited }) => awaited ?? false),
    list.map(({ country }) => country ?? null),
    list.map(({ template }) => template ?? null),
    list.map(({ trace }) => trace ?? null),
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

const overdue = write<{ accountId: string; id: string; expiresAt: number }>(`
  select account_id as "accountId", id, ${milliseconds('expires_at')} as "expiresAt" from message
  where kind = 'verification' and (status = 'sent' or awaited) and verified_at is null
    and expires_at <= $1::text::timestamptz
  order by expires_at limit $2::int for update skip locked`)

/**
 * Takes hold of verifications whose code ran out at or before `now` and was not used, at most `count`: those that were not
 * delivered either, and those whose end is awaited.
 */
export async function lockOverdue(tx: Tx, now: Date, count: number): Promise<(MessageKey & { expiresAt: Date })[]> {
  const due = await tx.run(overdue, [now.toISOString(), count])
  return due.map((row) => ({ ...row, expiresAt: new Date(row.expiresAt) }))
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}
