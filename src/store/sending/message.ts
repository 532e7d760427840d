/** Messages: what is known of one, and how its status moves. Which status may follow which, it is told. */
import { batch, type Columns, keyColumns } from '../engine/batch.ts'
import { inOrder, inPlaces } from '../engine/order.ts'
import type { Condition } from '../engine/queue.ts'
import { dateOf, milliseconds, type Reader, read, type Tx, type Write, write } from '../engine/session.ts'
import type {
  DeliveryErrorCode,
  KeptFinding,
  KeptSignals,
  MessageStatus,
  Mode,
  Price,
  TimelineStep,
} from '../schema/schema.ts'
import { forbidden, isSent } from './limit.ts'

export interface MessageKey {
  accountId: string
  id: string
}

/** The order in which messages are locked, everywhere: two that lock several of the same can not wait for each other. */
export function inMessageOrder<Key extends MessageKey>(keys: readonly Key[]): Key[] {
  return inOrder(keys, ({ accountId, id }) => `${accountId} ${id}`)
}

/** SQL for: the message `m` is made from a template. Any other holds a code: its recipient waits for it, and it goes first. */
export const isFromTemplate = `m.kind = 'notification' and m.template is not null`

export interface NewMessage extends MessageKey {
  mode: Mode
  kind: 'verification' | 'notification'
  phone: string
  /** ISO 3166-1 alpha-2; left out for a number of no country. */
  country?: string | undefined
  /** The slug that a notification is made from. */
  template?: string
  /** Of that template. */
  templateVersion?: number
  /** The language of that template, BCP 47. */
  templateLocale?: string
  /** The caller's own name for a notification. */
  reference?: string | undefined
  /** The API key that it is sent with; null for what no key has sent. */
  keyId: string | null
  /** The connections that may carry it, in order: at least one. */
  route: readonly string[]
  status: MessageStatus
  /** Sealed. */
  content: Buffer
  at: Date
  expiresAt: Date | null
  /** When it is to go; left out for at once. */
  sendAt?: Date | undefined
  /** Endpoints are to be told how it ends; left out, they are not. */
  awaited?: boolean
  /** The `traceparent` of the request, where that is traced. */
  trace?: string | undefined
  /** The id of the inlet that it came through. */
  inlet?: string | undefined
  /** The message that this one sends again. */
  resendOf?: string | undefined
  /** Of who asked for it. */
  signals?: KeptSignals | undefined
  /** What the rules found; default: none. */
  findings?: readonly KeptFinding[]
}

/** What a message is made from. */
export const messageColumns: Columns<NewMessage> = {
  ...keyColumns,
  mode: ['text', (one) => one.mode],
  kind: ['text', (one) => one.kind],
  phone: ['text', (one) => one.phone],
  // The id of a connection has no space.
  route: ['text', (one) => one.route.join(' ')],
  status: ['text', (one) => one.status],
  content: ['text', (one) => one.content.toString('base64')],
  at: ['text', (one) => one.at],
  expires_at: ['text', (one) => one.expiresAt],
  send_at: ['text', (one) => one.sendAt],
  awaited: ['boolean', (one) => one.awaited ?? false],
  country: ['text', (one) => one.country],
  template: ['text', (one) => one.template],
  template_version: ['integer', (one) => one.templateVersion],
  template_locale: ['text', (one) => one.templateLocale],
  reference: ['text', (one) => one.reference],
  trace: ['text', (one) => one.trace],
  inlet: ['text', (one) => one.inlet],
  resend_of: ['text', (one) => one.resendOf],
  key_id: ['text', (one) => one.keyId],
  signals: ['text', (one) => one.signals && JSON.stringify(one.signals)],
  findings: ['text', (one) => (one.findings?.length ? JSON.stringify(one.findings) : undefined)],
}

/** SQL that inserts the messages of `source`, which has the table `d`; with what few have: where it came from, and a reference. */
export function insertFrom(source: string, hasExtras: boolean): string {
  const step = hasExtras
    ? "jsonb_strip_nulls(jsonb_build_object('status', d.status, 'at', d.at, 'trace', d.trace, 'inlet', d.inlet, 'resendOf', d.resend_of))"
    : "jsonb_build_object('status', d.status, 'at', d.at)"
  return `
  insert into message (account_id, id, mode, kind, phone, route, status, status_at, content, timeline, created_at,
    expires_at, awaited, country, template, template_version, template_locale, key_id, signals, findings${hasExtras ? ', reference, send_at' : ''})
  select d.account_id, d.id, d.mode, d.kind, d.phone, string_to_array(d.route, ' '), d.status, d.at::timestamptz,
    decode(d.content, 'base64'), jsonb_build_array(${step}), d.at::timestamptz, d.expires_at::timestamptz, d.awaited,
    d.country, d.template, d.template_version, d.template_locale, d.key_id, d.signals::jsonb, d.findings::jsonb${hasExtras ? ', d.reference, d.send_at::timestamptz' : ''}
  from ${source}`
}

/**
 * SQL for the end of a statement that has phones in its table `sent`: the messages of `d` to these are made, and of the others it
 * returns what `timesById` reads.
 */
export function makeSent(column: 'sent_at' | 'notified_at', hasExtras: boolean): string {
  return `made as (${insertFrom(`d join sent on ${isSent}`, hasExtras)}
  )${hasExtras && column === 'notified_at' ? `, named as (${nameFrom(`d join sent on ${isSent}`)})` : ''}
  ${forbidden(column)}`
}

/** SQL by which the messages of `source`, which has the table `d`, are found by their references. */
export function nameFrom(source: string): string {
  return `
    insert into message_reference (account_id, reference, message_id, created_at)
    select d.account_id, d.reference, d.id, d.at::timestamptz from ${source} where d.reference is not null`
}

/** A statement that inserts messages: a plain one for a list where none has what few have, and one for any other. */
export function byExtras<Row>(textOf: (hasExtras: boolean) => string): (list: readonly NewMessage[]) => Write<Row> {
  const [plain, whole] = [write<Row>(textOf(false)), write<Row>(textOf(true))]
  const hasExtras = ({ trace, inlet, reference }: NewMessage) => (trace ?? inlet ?? reference) !== undefined
  return (list) => (list.some(hasExtras) ? whole : plain)
}

const made = batch<NewMessage>('d', messageColumns)
const insert = byExtras((hasExtras) => insertFrom(made.rows, hasExtras))

/** Goes with the commit. */
export function insertMessages(tx: Tx, list: readonly NewMessage[]): void {
  if (list.length > 0) tx.atCommit(insert(list), made.valuesOf(list))
}

const some = batch<MessageKey>('g', keyColumns, { first: 2, ids: 'id' })

/** Whether any of the messages is there, for what goes with the same commit. */
export function areSome(keys: readonly MessageKey[]): Condition {
  return {
    text: `exists (
      select from ${some.rows} join message m on m.account_id = g.account_id and m.id = g.id and ${some.inIdRange('m.id')})`,
    values: some.valuesOf(keys),
  }
}

export interface MessageRow {
  id: string
  phone: string
  kind: 'verification' | 'notification'
  /** The slug that a notification is made from. */
  template: string | null
  /** Of that template; null where it was not kept. */
  templateVersion: number | null
  /** The language of that template that was chosen; null where it was not kept. */
  templateLocale: string | null
  status: MessageStatus
  statusAt: Date
  errorCode: DeliveryErrorCode | null
  expiresAt: Date | null
  verified: boolean
  createdAt: Date
  /** The connections that may carry it, in order. */
  route: string[]
  /** The place in `route` of the connection that is asked now or was asked last; 1 for the first. */
  leg: number
  timeline: TimelineStep[]
  /** What each provider charges, by the connection; null where none has said so. */
  prices: Record<string, Price> | null
  /** When a notification was to go; null for at once. */
  sendAt: Date | null
  /** The caller's own name for a notification; null for none. */
  reference: string | null
  /** What the rules found; null for nothing. */
  findings: KeptFinding[] | null
}

const asked = batch<MessageKey & { mode: Mode }>(
  'g',
  { ...keyColumns, mode: ['text', (key) => key.mode] },
  { ids: 'id' },
)

const messages = read<
  Omit<MessageRow, 'statusAt' | 'createdAt' | 'expiresAt' | 'sendAt' | 'route'> & {
    n: number
    statusAt: number
    createdAt: number
    expiresAt: number | null
    sendAt: number | null
    /** With spaces between them. */
    route: string
  }
>(`
  select g.n::int as n, m.id, m.phone, m.kind, m.template, m.template_version as "templateVersion", m.template_locale as "templateLocale", m.status, ${milliseconds('m.status_at')} as "statusAt",
    m.error_code as "errorCode", ${milliseconds('m.created_at')} as "createdAt", ${milliseconds('m.expires_at')} as "expiresAt",
    ${milliseconds('m.send_at')} as "sendAt", m.verified_at is not null as verified, m.reference, m.findings,
    array_to_string(m.route, ' ') as route, m.leg::int as leg, m.timeline, m.prices
  from ${asked.numbered}
  join message m on m.account_id = g.account_id and m.id = g.id and m.mode = g.mode and ${asked.inIdRange('m.id')}`)

/** Each message; undefined where the account has none in that mode. */
export async function findMessages(
  reader: Reader,
  keys: readonly (MessageKey & { mode: Mode })[],
): Promise<(MessageRow | undefined)[]> {
  const found = await reader.run(messages, asked.valuesOf(keys))
  const rows = found.map(({ statusAt, createdAt, expiresAt, sendAt, route, ...row }) => ({
    ...row,
    route: route.split(' '),
    statusAt: new Date(statusAt),
    createdAt: new Date(createdAt),
    expiresAt: dateOf(expiresAt),
    sendAt: dateOf(sendAt),
  }))
  return inPlaces(keys, rows)
}

const carriers = read<{ n: number; connection: string }>(`
  select g.n::int as n, coalesce((
    select step ->> 'connection' from jsonb_array_elements(m.timeline) with ordinality t (step, place)
    where step ? 'connection' and (step ->> 'status' in ('delivered', 'read') or step ? 'taken')
    order by step ->> 'status' in ('delivered', 'read') desc, place desc limit 1
  ), m.route[m.leg]) as connection
  from ${asked.numbered}
  join message m on m.account_id = g.account_id and m.id = g.id and m.mode = g.mode and ${asked.inIdRange('m.id')}`)

/** The connection that brought each message; where none says so, the last one that took it, or else the one that is asked now. */
export async function findCarriers(
  reader: Reader,
  keys: readonly (MessageKey & { mode: Mode })[],
): Promise<(string | undefined)[]> {
  return inPlaces(keys, await reader.run(carriers, asked.valuesOf(keys))).map((row) => row?.connection)
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
