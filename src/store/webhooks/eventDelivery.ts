/** What an endpoint was told, and is to be told again. Of its rows, those who change many of them hold the endpoint's. */
import { batch } from '../engine/batch.ts'
import { isId } from '../engine/idRange.ts'
import { dateOf, milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { eventDelivery } from '../schema/eventSchema.ts'
import type { EndpointKey } from './endpoint.ts'

export type DeliveryState = (typeof eventDelivery.$inferSelect)['state']

/** An attempt to bring an event to an endpoint. */
export interface DeliveryAttempt {
  at: Date
  /** Of the answer; null when none came. */
  status: number | null
  /** Why it failed. */
  error: string | null
  durationMs: number
  /** The beginning of the answer's body. */
  answer: string | null
}

export interface EventDelivery {
  eventId: string
  type: string
  /** Of the event. */
  at: Date
  state: DeliveryState
  /** When it is tried next; null when it is not to be tried. */
  dueAt: Date | null
  /** The latest of them, the oldest first; those too from before it was offered again. */
  attempts: DeliveryAttempt[]
}

type Raw = Pick<EventDelivery, 'eventId' | 'type' | 'state'> & { at: number; dueAt: number | null } & Omit<
    DeliveryAttempt,
    'at' | 'durationMs'
  > & { attemptedAt: number | null; durationMs: number | null }

const listAttempts = (row: string) => `
  left join lateral (
    select at, status, error, duration_ms, answer from event_attempt
    where account_id = ${row}.account_id and event_id = ${row}.event_id and endpoint_id = ${row}.endpoint_id and at <= 'infinity'
    order by at desc limit $4::int
  ) a on true`

const latest = read<Raw>(`
  with page as materialized (
    select account_id, event_id, endpoint_id, at, state, due_at from event_delivery
    where account_id = $1 and endpoint_id = $2 and at <= 'infinity' order by at desc, event_id desc limit $3::int
  )
  select p.event_id as "eventId", e.type, ${milliseconds('p.at')} as at, p.state, ${milliseconds('p.due_at')} as "dueAt",
    ${milliseconds('a.at')} as "attemptedAt", a.status, a.error, a.duration_ms as "durationMs", a.answer
  from page p join event e on e.account_id = p.account_id and e.id = p.event_id ${listAttempts('p')}
  order by p.at desc, p.event_id desc, a.at`)

/** What an endpoint was told of the latest events, the latest first. @param max how many of them, and of the attempts of each */
export async function listDeliveries(
  reader: Reader,
  { accountId, id }: EndpointKey,
  max: { count: number; attempts: number },
): Promise<EventDelivery[]> {
  const rows = await reader.run(latest, [accountId, id, max.count, max.attempts])
  const found = Map.groupBy(rows, ({ eventId }) => eventId)
  return [...found.values()].map(toDelivery)
}

const one = read<Raw & { body: string; tried: number }>(`
  select d.event_id as "eventId", e.type, e.body, ${milliseconds('d.at')} as at, d.state,
    ${milliseconds('d.due_at')} as "dueAt", d.attempts as tried, ${milliseconds('a.at')} as "attemptedAt", a.status, a.error,
    a.duration_ms as "durationMs", a.answer
  from event_delivery d join event e on e.account_id = d.account_id and e.id = d.event_id ${listAttempts('d')}
  where d.account_id = $1 and d.event_id = $3 and d.endpoint_id = $2 order by a.at`)

export interface WholeDelivery extends EventDelivery {
  /** As it is sent, byte for byte. */
  body: string
  /** Attempts since it was made, or offered again. */
  tried: number
}

/** What an endpoint was told of one event, by so many attempts; undefined when it was not to be told of it. */
export async function findDelivery(
  reader: Reader,
  { accountId, id }: EndpointKey,
  { eventId, attempts }: { eventId: string; attempts: number },
): Promise<WholeDelivery | undefined> {
  const rows = await reader.run(one, [accountId, id, eventId, attempts])
  return rows[0] && { ...toDelivery(rows), body: rows[0].body, tried: rows[0].tried }
}

function toDelivery(rows: readonly Raw[]): EventDelivery {
  const [{ eventId, type, at, state, dueAt }] = rows as [Raw]
  return { eventId, type, at: new Date(at), state, dueAt: dateOf(dueAt), attempts: rows.flatMap(toAttempt) }
}

function toAttempt({ attemptedAt, status, error, durationMs, answer }: Raw): DeliveryAttempt[] {
  if (attemptedAt === null || durationMs === null) return []
  return [{ at: new Date(attemptedAt), status, error, durationMs, answer }]
}

const heldSince = read<{ count: number; since: number | null }>(`
  select count(*)::int as count, ${milliseconds('min(at)')} as since from (
    select at from event_delivery
    where account_id = $1 and endpoint_id = $2 and at <= 'infinity' and state = 'held' and state <> 'due'
    order by at limit $3::int
  ) held`)

/**
 * How many events are held for an endpoint, and when the first of them was; undefined when none are.
 *
 * @param max how far they are counted: those of days take longer than a statement may
 */
export async function countHeld(
  reader: Reader,
  { accountId, id }: EndpointKey,
  max: number,
): Promise<{ count: number; since: Date } | undefined> {
  const [row] = await reader.run(heldSince, [accountId, id, max])
  return row?.since == null ? undefined : { count: row.count, since: new Date(row.since) }
}

const replayOne = write<{ isChanged: boolean }>(`
  with told as (
    select from event_delivery where account_id = $1 and event_id = $3 and endpoint_id = $2
  ), changed as (
    update event_delivery d set state = 'due', due_at = $4::text::timestamptz, attempts = 0
    where d.account_id = $1 and d.event_id = $3 and d.endpoint_id = $2 and d.state <> 'due'
    returning 1
  )
  select exists (select from changed) as "isChanged" from told`)

/**
 * Makes an event due again now at an endpoint that is enabled, with all of its attempts before it.
 *
 * @returns how many were not due before; undefined when the endpoint was not to be told of it
 */
export async function replayEvent(
  tx: Tx,
  { accountId, id }: EndpointKey,
  { eventId, now }: { eventId: string; now: Date },
): Promise<0 | 1 | undefined> {
  const [row] = await tx.run(replayOne, [accountId, id, eventId, now.toISOString()])
  return row && (row.isChanged ? 1 : 0)
}

/** Where a page of events ended. */
export interface DeliveryCursor {
  at: Date
  eventId: string
}

const replayPage = write<{ count: number; at: number; eventId: string }>(`
  with page as materialized (
    select account_id, event_id, endpoint_id, at from event_delivery
    where account_id = $1 and endpoint_id = $2 and at >= $3::text::timestamptz and at <= $5::text::timestamptz
      and (at, event_id) > ($3::text::timestamptz, $4)
    order by at, event_id limit $6::int
  ), changed as (
    update event_delivery d set state = 'due', attempts = 0,
      due_at = date_trunc('milliseconds', $8::text::timestamptz + ($9::text::timestamptz - $8::text::timestamptz) * (p.n::float8 / $6::int))
    from (select *, row_number() over (order by at, event_id) as n from page) p
    where d.account_id = p.account_id and ${isId('d.event_id', 'p.event_id')} and d.endpoint_id = p.endpoint_id and d.state <> 'due'
      and (d.state <> 'delivered' or not $7::bool)
    returning 1
  )
  select (select count(*)::int from changed) as count, ${milliseconds('at')} as at, event_id as "eventId"
  from page order by page.at desc, event_id desc limit 1`)

export interface ReplayedPage {
  /** Where the page before it ended; an empty id is before all of that moment. */
  after: DeliveryCursor
  /** What happened later is left alone. */
  until: Date
  count: number
  /** So is what was delivered. */
  isMissedOnly: boolean
  /** When they are due, one after the other. */
  due: { from: Date; until: Date }
}

/**
 * Makes a page of events due again at an endpoint that is enabled, each with all of its attempts before it, in the order in
 * which they happened.
 *
 * @returns how many were not due before, and where the page ended; undefined when there are no more
 */
export async function replayEvents(
  tx: Tx,
  { accountId, id }: EndpointKey,
  { after, until, count, isMissedOnly, due }: ReplayedPage,
): Promise<{ replayed: number; last: DeliveryCursor } | undefined> {
  const [row] = await tx.run(replayPage, [
    ...[accountId, id, after.at.toISOString(), after.eventId, until.toISOString()],
    ...[count, isMissedOnly, due.from.toISOString(), due.until.toISOString()],
  ])
  return row && { replayed: row.count, last: { at: new Date(row.at), eventId: row.eventId } }
}

export interface OwnEvent {
  id: string
  type: string
  body: string
}

const own = batch<OwnEvent>('g', {
  id: ['text', (event) => event.id],
  type: ['text', (event) => event.type],
  body: ['text', (event) => event.body],
})
const [account, endpoint, at, mode] = own.more()

const insert = write(`
  with made as (
    select * from ${own.rows}
  ), kept as (
    insert into event (account_id, id, mode, type, body, at)
    select ${account}, id, ${mode}, type, body, ${at}::text::timestamptz from made
  )
  insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, at)
  select ${account}, id, ${endpoint}, 'due', ${at}::text::timestamptz, ${at}::text::timestamptz from made`)

/** Writes events that this endpoint alone is told. Goes with the commit. */
export function insertEventsFor(
  tx: Tx,
  { accountId, id, mode }: EndpointKey & { mode: string },
  at: Date,
  list: readonly OwnEvent[],
): void {
  tx.atCommit(insert, [...own.valuesOf(list), accountId, id, at.toISOString(), mode])
}

const erase = write(`
  with gone as (
    delete from event_delivery d using (
      select account_id, event_id, endpoint_id from event_delivery
      where account_id = $1 and endpoint_id = $2 and at <= 'infinity' order by at limit $3::int for update
    ) old
    where d.account_id = old.account_id and ${isId('d.event_id', 'old.event_id')} and d.endpoint_id = old.endpoint_id
    returning d.account_id, d.event_id, d.endpoint_id
  ), attempts as (
    delete from event_attempt a using gone g
    where a.account_id = g.account_id and ${isId('a.event_id', 'g.event_id')} and a.endpoint_id = g.endpoint_id and a.at <= 'infinity'
  )
  select 1 from gone`)

/** Erases what an endpoint was told and was to be told. @returns how much, at most `count` */
export async function eraseDeliveries(tx: Tx, { accountId, id }: EndpointKey, count: number): Promise<number> {
  return (await tx.run(erase, [accountId, id, count])).length
}
