/** Messages of an account, the latest first. Ids sort by time, so a page is a step along the primary key. */

import { dateOf, milliseconds, type Reader, read } from '../engine/session.ts'
import type { DeliveryErrorCode, KeptFinding, MessageStatus, Mode, Price } from '../schema/schema.ts'
import { isFromTemplate } from './message.ts'

export interface FoundMessage {
  id: string
  mode: Mode
  kind: 'verification' | 'notification'
  phone: string
  /** ISO 3166-1 alpha-2; null for a number of no country, and where it was not kept. */
  country: string | null
  template: string | null
  /** Of that template; null where it was not kept. */
  templateVersion: number | null
  /** The language of that template that was chosen; null where it was not kept. */
  templateLocale: string | null
  /** The caller's own name for a notification; null for none. */
  reference: string | null
  /** The API key that it was sent with; null where that was not kept. */
  keyId: string | null
  /** The connection that is asked now, or was asked last. */
  connection: string
  status: MessageStatus
  statusAt: Date
  errorCode: DeliveryErrorCode | null
  createdAt: Date
  expiresAt: Date | null
  /** When a notification was to go; null for at once. */
  sendAt: Date | null
  verified: boolean
  /** What the rules found; null for nothing. */
  findings: KeptFinding[] | null
  /** What the provider of `connection` charges; null where it has not said so. */
  price: Price | null
}

/** What is undefined is not asked for. */
export interface MessageFilters {
  phone?: string | undefined
  /** As it is shown: that of an overdue verification is `expired`. */
  status?: MessageStatus | undefined
  kind?: 'verification' | 'notification' | undefined
  mode?: Mode | undefined
  /** The id of the connection that was asked last. */
  channel?: string | undefined
  template?: string | undefined
  reference?: string | undefined
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined
  /** Made then or later. */
  from?: Date | undefined
  /** Made before. */
  to?: Date | undefined
}

export interface SearchWindow {
  accountId: string
  filters: MessageFilters
  now: Date
  /** The statuses that `expired` may follow. */
  expiring: readonly MessageStatus[]
  /** Ids from here on, and below there: an empty window has none. */
  fromId: string
  belowId: string
  /** From which end of the window. */
  direction: 'older' | 'newer'
  /** Messages that are found at most. */
  limit: number
  /** Messages that are looked at for them. */
  looksMax: number
}

export interface Looked {
  /** In the direction of the look. */
  messages: FoundMessage[]
  /** How many were looked at. */
  looks: number
  /** The last of those, in the direction; undefined when there were none. */
  last: { id: string; createdAt: Date } | undefined
}

const columns = `m.id, m.mode, m.kind, m.phone, m.country, m.template, m.template_version as "templateVersion",
  m.template_locale as "templateLocale", m.reference, m.key_id as "keyId", m.route[m.leg] as connection, m.status,
  ${milliseconds('m.status_at')} as "statusAt", m.error_code as "errorCode", ${milliseconds('m.created_at')} as "createdAt",
  ${milliseconds('m.expires_at')} as "expiresAt", ${milliseconds('m.send_at')} as "sendAt", m.verified_at is not null as verified, m.findings,
  m.prices -> m.route[m.leg] as price`

/** Its code ran out, or its time before a connection took it, and that is not written down yet. */
const isOverdue = `m.verified_at is null and (m.status = 'queued' or not (${isFromTemplate})) and m.status = any (string_to_array($6, ' '))
  and m.expires_at <= $5::text::timestamptz`

const fits = `($7::text is null or m.phone = $7) and ($8::text is null or m.kind = $8) and ($9::text is null or m.mode = $9)
  and ($10::text is null or case when ${isOverdue} then 'expired' else m.status end = $10)
  and ($11::text is null or m.route[m.leg] = $11) and ($12::text is null or m.template = $12)
  and ($13::text is null or m.country = $13) and ($14::text is null or m.created_at >= $14::text::timestamptz)
  and ($15::text is null or m.created_at < $15::text::timestamptz) and ($16::text is null or m.reference = $16)`

type Raw = { looks: number; lastId: string | null; lastAt: number | null } & Omit<
  FoundMessage,
  'id' | 'statusAt' | 'createdAt' | 'expiresAt' | 'sendAt'
> & {
    id: string | null
    statusAt: number
    createdAt: number
    expiresAt: number | null
    sendAt: number | null
  }

/** One of `f`: limited, so that no plan reads those of the account instead. */
const one = `select ${columns} from message m where m.account_id = $1 and m.id = f.id and ${fits} limit 1`

const last = { asc: 'max', desc: 'min' }

/** @param looked SQL for messages of a window, so many from one end of it */
const along = (order: 'asc' | 'desc', looked: (order: 'asc' | 'desc') => string) =>
  read<Raw>(`
  with looked as materialized (
    ${looked(order)}
  ), found as materialized (
    select id from looked where fits order by id ${order} limit $4::int
  )
  select l.*, m.* from (
    select count(*)::int as looks, ${last[order]}(id) as "lastId", ${milliseconds(`${last[order]}(created_at)`)} as "lastAt"
    from looked
  ) l left join lateral (
    select m.* from found f cross join lateral (${one}) m
  ) m on true
  order by m.id ${order}`)

/** Of all of the account. */
const ofAll = (order: 'asc' | 'desc') => `
    select m.id, m.created_at, ${fits} as fits from message m where m.account_id = $1 and m.id >= $2 and m.id < $3
    order by m.id ${order} limit $17::int`

/** Of those that have the reference; what was erased meanwhile has no message. */
const ofReference = (order: 'asc' | 'desc') => `
    select f.id, f.created_at, m.fits is true as fits from (
      select r.message_id as id, r.created_at from message_reference r
      where r.account_id = $1 and r.reference = $16 and r.message_id >= $2 and r.message_id < $3
      order by r.message_id ${order} limit $17::int
    ) f left join lateral (select ${fits} as fits from message m where m.account_id = $1 and m.id = f.id limit 1) m on true`

/** Looks at so many of a window, of which the narrowest part is kept, and reads those that fit. */
const looks = { older: along('desc', ofAll), newer: along('asc', ofAll) }
const namedLooks = { older: along('desc', ofReference), newer: along('asc', ofReference) }

/** Looks at a window of an account's messages from one end. */
export async function lookAlong(reader: Reader, look: SearchWindow): Promise<Looked> {
  const statements = look.filters.reference === undefined ? looks : namedLooks
  return countLooked(await reader.run(statements[look.direction], [...listValues(look), look.looksMax]))
}

/** All of a phone, in the order in which they come, if they are fewer than may be looked at; then those that fit. */
const ofPhone = (order: 'asc' | 'desc') =>
  read<Raw>(`
  with looked as materialized (
    select m.id from message m where m.phone = $7 and m.account_id || '' = $1
    limit $17::int
  )
  select l.*, m.* from (
    select count(*)::int as looks, null as "lastId", null as "lastAt" from looked
  ) l left join lateral (
    select m.* from looked f cross join lateral (${one}) m
    where l.looks < $17::int and f.id >= $2 and f.id < $3
    order by m.id ${order} limit $4::int
  ) m on true
  order by m.id ${order}`)

const phoneLooks = { older: ofPhone('desc'), newer: ofPhone('asc') }

/**
 * Looks at all messages of the phone that is asked for. Those of other accounts are not even counted: nobody can tell by the
 * pages whether there are any.
 *
 * @returns none when as many were looked at as may be: there may be more
 */
export async function lookAtPhone(
  reader: Reader,
  look: SearchWindow & { filters: { phone: string } },
): Promise<Looked> {
  return countLooked(await reader.run(phoneLooks[look.direction], [...listValues(look), look.looksMax]))
}

function listValues({ accountId, filters, now, expiring, fromId, belowId, limit }: SearchWindow): unknown[] {
  const { phone, status, kind, mode, channel, template, reference, country, from, to } = filters
  return [
    ...[accountId, fromId, belowId, limit, now.toISOString(), expiring.join(' ')],
    ...[phone, kind, mode, status, channel, template, country].map((value) => value ?? null),
    ...[from, to].map((moment) => moment?.toISOString() ?? null),
    reference ?? null,
  ]
}

function countLooked(rows: Raw[]): Looked {
  const [{ looks, lastId, lastAt }] = rows as [Raw]
  const last = lastId === null || lastAt === null ? undefined : { id: lastId, createdAt: new Date(lastAt) }
  return { messages: rows.flatMap(toFoundMessages), looks, last }
}

function toFoundMessages({ looks: _looks, lastId: _lastId, lastAt: _lastAt, ...row }: Raw): FoundMessage[] {
  const { id, statusAt, createdAt, expiresAt, sendAt } = row
  if (id === null) return []
  const times = { statusAt: new Date(statusAt), createdAt: new Date(createdAt) }
  return [{ ...row, ...times, id, expiresAt: dateOf(expiresAt), sendAt: dateOf(sendAt) }]
}
