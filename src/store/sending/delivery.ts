/** Deliveries: the messages that a connection is to be asked to carry, and the hand-overs that a provider took. */
import { accountId, batch, type Columns, keyColumns } from '../engine/batch.ts'
import { inIdRange, isId } from '../engine/idRange.ts'
import { areFound, inPlaces } from '../engine/order.ts'
import { dateOf, milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { MessageStatus, Mode } from '../schema/schema.ts'
import { inMessageOrder, isFromTemplate, type MessageKey } from './message.ts'
import { isSuperseded } from './superseded.ts'

/** A message on one leg of its route. */
export interface LegKey extends MessageKey {
  /** The place of its connection in the route; 1 for the first. */
  leg: number
}

/** A message as a job has it. */
export interface DeliveryKey extends LegKey {
  /**
   * How often the connection had been asked when the job was made: a message that was asked for since is with another job. Those
   * of an earlier version do not say it, and have the message in any case.
   */
  attempts?: number
}

/** A message that waits for a connection. */
export interface Delivery extends LegKey {
  mode: Mode
  kind: 'verification' | 'notification'
  phone: string
  /** It is made from a template, and so holds no code: who opted out does not get it. */
  isFromTemplate: boolean
  /** The slug of its template; null for what has none. */
  template: string | null
  /** The connection of this leg. */
  connection: string
  /** Those of the legs after it. */
  others: readonly string[]
  /** Whether there are none. */
  isLast: boolean
  status: MessageStatus
  /** Sealed; empty when it is superseded. */
  content: Uint8Array
  /** A newer code replaced it before a connection took it: it is to end, and nobody is asked to carry it. */
  isSuperseded: boolean
  /** How often this connection was asked before. */
  attempts: number
  /** How often it may have left, without an answer that says so; of a code, by the last connection of its route. */
  unsure: number
  createdAt: Date
  expiresAt: Date | null
  /** The code that this one replaced when it was sent, while that waits; given before the first connection is asked. */
  replaces: (DeliveryKey & { mode: Mode; connection: string }) | undefined
}

type Raw = Omit<Delivery, 'isLast' | 'others' | 'expiresAt' | 'createdAt' | 'replaces'> & {
  n: number
  /** With spaces between them. */
  others: string
  expiresAt: number | null
  createdAt: number
  replacedId: string | null
  replacedLeg: number
  replacedAttempts: number
  replacedConnection: string
}

// The jobs of an earlier version have no leg: it knew one only.
const legColumns: Columns<LegKey> = { ...keyColumns, leg: ['int', (key) => key.leg ?? 1] }

const wanted = batch<DeliveryKey>('g', { ...legColumns, attempts: ['int', (key) => key.attempts] }, { ids: 'id' })

const deliveries = read<Raw>(`
  select g.n::int as n, m.account_id as "accountId", m.id, m.leg::int as leg, m.mode, m.kind, m.phone,
    ${isFromTemplate} as "isFromTemplate", m.template, m.route[m.leg] as connection,
    array_to_string(m.route[m.leg + 1:], ' ') as others, m.status, coalesce(m.content, '') as content, m.content is null as "isSuperseded",
    m.delivery_attempts as attempts, m.unsure,
    ${milliseconds('m.created_at')} as "createdAt", ${milliseconds('m.expires_at')} as "expiresAt", r.id as "replacedId",
    r.leg::int as "replacedLeg", r.delivery_attempts as "replacedAttempts", r.route[r.leg] as "replacedConnection"
  from ${wanted.numbered}
  join message m on m.account_id = g.account_id and m.id = g.id and ${wanted.inIdRange('m.id')}
  left join phone p on m.kind = 'verification' and m.leg = 1 and m.delivery_attempts = 0
    and p.account_id = m.account_id and p.mode = m.mode and p.phone = m.phone and p.verification_id = m.id
  left join message r on r.account_id = p.account_id and r.id = p.superseded_id and ${inIdRange('r.id', wanted.next)}
    and ${isSuperseded('r')}
  where m.leg = g.leg and m.delivery_attempts = coalesce(g.attempts, m.delivery_attempts)
    and (m.content is not null and m.status in ('queued', 'sent')
        and not m.timeline @> jsonb_build_array(jsonb_build_object('connection', m.route[m.leg], 'taken', true))
      or ${isSuperseded('m')})`)

/**
 * Each message that still waits on that leg, and for that job; undefined for others. What its connection took waits no more,
 * though its content is kept for the next one. A code that was replaced waits to be told so.
 *
 * @param pendingSince the least id that a code can have which is replaced by one of these; left out, `replaces` is too
 */
export async function findDeliveries(
  reader: Reader,
  keys: readonly DeliveryKey[],
  pendingSince?: string,
): Promise<(Delivery | undefined)[]> {
  const values = wanted.valuesOf(keys)
  const greatest = values.at(-1)
  const found = await reader.run(deliveries, [...values, pendingSince ?? greatest, greatest])
  return inPlaces(keys, found.map(toDelivery))
}

function toDelivery(row: Raw): Delivery & { n: number } {
  const { others, createdAt, expiresAt, replacedId, replacedLeg, replacedAttempts, replacedConnection, ...rest } = row
  const { accountId, mode } = row
  const replaced = { leg: replacedLeg, attempts: replacedAttempts, connection: replacedConnection }
  return {
    ...rest,
    others: others.split(' ').filter(Boolean),
    isLast: others === '',
    createdAt: new Date(createdAt),
    expiresAt: dateOf(expiresAt),
    replaces: replacedId === null ? undefined : { accountId, id: replacedId, mode, ...replaced },
  }
}

const legs = batch<LegKey>('g', legColumns, { ids: 'id' })

const attempts = read<{ n: number; attempts: number }>(`
  select g.n::int as n, m.delivery_attempts as attempts
  from ${legs.numbered}
  join message m on m.account_id = g.account_id and m.id = g.id and ${legs.inIdRange('m.id')}
  where m.leg = g.leg and m.content is not null and m.status in ('queued', 'sent')`)

/**
 * For each that was found before, how often its connection was asked; undefined where it waits no more: its code was right
 * since, or superseded, or its phone forgotten.
 */
export async function findAttempts(reader: Reader, list: readonly LegKey[]): Promise<(number | undefined)[]> {
  return inPlaces(list, await reader.run(attempts, legs.valuesOf(list))).map((row) => row?.attempts)
}

/** A message, and a connection that may have taken it. */
export type UntakenKey = MessageKey & { connection: string }

const connectionColumn: Columns<{ connection: string }> = { connection: ['text', (leg) => leg.connection] }
const asked = batch<UntakenKey>('g', { ...keyColumns, ...connectionColumn }, { ids: 'id' })

const untaken = read<{ n: number }>(`
  select g.n::int as n
  from ${asked.numbered}
  join message m on m.account_id = g.account_id and m.id = g.id and ${asked.inIdRange('m.id')}
  where array_position(m.route, g.connection) <= m.leg and (m.kind = 'notification' or m.leg = cardinality(m.route))
    and m.content is not null and m.status in ('queued', 'sent')
    and not m.timeline @> jsonb_build_array(jsonb_build_object('connection', g.connection, 'taken', true))`)

/**
 * For each, whether the message still waits, and nobody knows that this connection, which had its turn, took it. Not of a code
 * that has another connection left: that one goes on by the answer, or the want of one, alone.
 */
export async function findUntaken(reader: Reader, list: readonly UntakenKey[]): Promise<boolean[]> {
  return areFound(list, await reader.run(untaken, asked.valuesOf(list)))
}

const counting = batch<LegKey & { unsure: number }>(
  'g',
  { ...legColumns, unsure: ['int', (key) => key.unsure] },
  { ids: 'id' },
)

const unsure = write<{ n: number }>(`
  update message m set unsure = m.unsure + 1
  from ${counting.numbered}
  where m.account_id = g.account_id and ${isId('m.id', 'g.id')} and m.leg = g.leg and m.unsure = g.unsure and m.content is not null
    and m.status in ('queued', 'sent') and ${counting.inIdRange('m.id')}
  returning g.n::int as n`)

/**
 * Counts, before it is tried, that each may leave: what becomes of the try may never be known. A delivery may be there
 * twice, or with another worker by now: one of them counts.
 *
 * @returns for each, whether it was counted; it is not where its message has gone on since it was found
 */
export async function markUnsure(
  tx: Tx,
  list: readonly Pick<Delivery, 'accountId' | 'id' | 'leg' | 'unsure'>[],
): Promise<boolean[]> {
  const rows = inMessageOrder(
    list.map(({ accountId, id, leg, unsure }, index) => ({ accountId, id, leg, unsure, index })),
  )
  const counted = await tx.run(unsure, counting.valuesOf(rows))
  const done = new Set(counted.map(({ n }) => rows[n - 1]?.index))
  return list.map((_delivery, index) => done.has(index))
}

/** A hand-over that a provider took, by the id that it gave. */
export interface TakenLeg extends MessageKey {
  connection: string
  providerMessageId: string
}

const providerColumn: Columns<{ providerMessageId: string }> = {
  provider_message_id: ['text', (leg) => leg.providerMessageId],
}

const kept = batch<TakenLeg>('g', { ...keyColumns, ...connectionColumn, ...providerColumn }, { ids: 'id' })

/** Ids of one message by one connection. A text in many parts can have one for each; a provider could name a new one in every report. */
export const takenIdsMax = 20

const taken = write(`
  insert into leg (account_id, message_id, connection, provider_message_id)
  select g.* from ${kept.rows}
  join message m on m.account_id = g.account_id and m.id = g.id and ${kept.inIdRange('m.id')}
  cross join lateral (
    select count(*) as n from (
      select 1 from leg l
      where l.account_id = g.account_id and l.message_id = g.id and ${kept.inIdRange('l.message_id')}
        and l.connection = g.connection limit ${takenIdsMax}
    ) known
  ) had
  where had.n < ${takenIdsMax}
  on conflict do nothing`)

/**
 * Goes with the commit, at most one of each message, whose row the transaction holds. Of a message that was erased meanwhile,
 * nothing is kept.
 */
export function keepTakenLegs(tx: Tx, list: readonly TakenLeg[]): void {
  if (list.length > 0) tx.atCommit(taken, kept.valuesOf(list))
}

const given = batch<Omit<TakenLeg, 'id'>>('g', { ...accountId, ...connectionColumn, ...providerColumn })

const named = read<{ n: number; id: string }>(`
  select g.n::int as n, l.message_id as id
  from ${given.numbered}
  join leg l on l.account_id = g.account_id and l.connection = g.connection
    and l.provider_message_id = g.provider_message_id
  order by l.message_id`)

/**
 * The message that each provider's id is about, the newest where it gave the id again; undefined where there is none yet, or
 * none any more.
 */
export async function findTakenLegs(
  reader: Reader,
  keys: readonly Omit<TakenLeg, 'id'>[],
): Promise<(string | undefined)[]> {
  return inPlaces(keys, await reader.run(named, given.valuesOf(keys))).map((row) => row?.id)
}

const messages = batch<MessageKey>('g', keyColumns, { ids: 'id' })

const ofMessage = read<TakenLeg>(`
  select l.account_id as "accountId", l.message_id as id, l.connection, l.provider_message_id as "providerMessageId"
  from ${messages.rows}
  join leg l on l.account_id = g.account_id and l.message_id = g.id and ${messages.inIdRange('l.message_id')}`)

/** The hand-overs of each message that a provider took under an id of its own. */
export function findLegsOf(reader: Reader, keys: readonly MessageKey[]): Promise<TakenLeg[]> {
  return reader.run(ofMessage, messages.valuesOf(keys))
}
