/** Events: what happened, who is to be told of it, and what came of trying. */

import { idRangeOf, inIdRange, isId, listed } from '../engine/idRange.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'

export interface NewEvent {
  accountId: string
  id: string
  mode: Mode
  type: string
  /** As it is sent, byte for byte. */
  body: string
  at: Date
  /** That it tells of; left out when it is about none. */
  messageId?: string | undefined
  /** The endpoint that is not told. */
  except?: string | undefined
}

const insert = write(`
  with told as (
    select g.account_id, g.id, g.mode, g.type, g.body, g.message_id, g.at::timestamptz as at, e.id as endpoint_id,
      e.disabled_at is not null as is_disabled
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
      as g (account_id, id, mode, type, body, at, except_id, message_id)
    join endpoint e on e.account_id = g.account_id and e.id > ''
    where e.mode = g.mode and (e.types is null or g.type = any (e.types)) and e.id is distinct from g.except_id
  ), kept as (
    insert into event (account_id, id, mode, type, body, message_id, at)
    select distinct account_id, id, mode, type, body, message_id, at from told
  )
  insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, at)
  select account_id, id, endpoint_id, case when is_disabled then 'held' else 'due' end,
    case when not is_disabled then at end, at
  from told`)

/** Writes events for the endpoints that want them; one that nobody wants is not kept. Goes with the commit. */
export function insertEvents(tx: Tx, list: readonly NewEvent[]): void {
  if (list.length === 0) return
  tx.atCommit(insert, [
    list.map(({ accountId }) => accountId),
    list.map(({ id }) => id),
    list.map(({ mode }) => mode),
    list.map(({ type }) => type),
    list.map(({ body }) => body),
    list.map(({ at }) => at.toISOString()),
    list.map(({ except }) => except ?? null),
    list.map(({ messageId }) => messageId ?? null),
  ])
}

export interface EventDeliveryKey {
  accountId: string
  eventId: string
  endpointId: string
}

/** How many events are due for an endpoint, counted up to a limit. */
export interface DueEndpoint {
  accountId: string
  endpointId: string
  due: number
  /** Whether its last answer came soon; null before it has answered any process. */
  pace: 'quick' | 'slow' | null
}

/** Where a look at the endpoints goes on. */
export type Place = Pick<DueEndpoint, 'accountId' | 'endpointId'>

/** An endpoint that events wait for. */
export interface WaitingEndpoint extends DueEndpoint {
  isDisabled: boolean
}

const waiting = read<WaitingEndpoint>(`
  with recursive waiting (account_id, endpoint_id, due_at, n) as (
    values ($1::text, $2::text, null::timestamptz, 0)
    union all
    select next.account_id, next.endpoint_id, next.due_at, w.n + 1
    from waiting w cross join lateral (
      select d.account_id, d.endpoint_id, d.due_at from event_delivery d
      where d.due_at is not null and (d.account_id, d.endpoint_id) > (w.account_id, w.endpoint_id)
      order by d.account_id, d.endpoint_id, d.due_at limit 1
    ) next
    where w.n < $5::int
  )
  select w.account_id as "accountId", w.endpoint_id as "endpointId", counted.due, e.pace,
    e.disabled_at is not null as "isDisabled"
  from waiting w
  left join endpoint e on e.account_id = w.account_id and e.id = w.endpoint_id
  cross join lateral (
    select count(*)::int as due from (
      select 1 from event_delivery d
      where w.due_at <= $3::text::timestamptz
        and d.account_id = w.account_id and d.endpoint_id = w.endpoint_id and d.due_at <= $3::text::timestamptz
      limit case when e.pace = 'quick' then $4::int else $6::int end
    ) found
  ) counted
  where w.n > 0 order by w.n`)

export interface Look {
  /** Undefined for the beginning. */
  after: Place | undefined
  now: Date
  /** How far the events of one are counted: of one that answers soon, and of any other. */
  dueMax: { ofQuick: number; ofOthers: number }
  /** Endpoints that are looked at. */
  endpointsMax: number
}

/**
 * Looks at the endpoints that events wait for, one step of an index for each, however many events that are.
 *
 * @returns also those for which nothing is due yet
 */
export function findWaiting(reader: Reader, { after, now, dueMax, endpointsMax }: Look): Promise<WaitingEndpoint[]> {
  const { accountId, endpointId } = after ?? { accountId: '', endpointId: '' }
  const { ofQuick, ofOthers } = dueMax
  return reader.run(waiting, [accountId, endpointId, now.toISOString(), ofQuick, endpointsMax, ofOthers])
}

/** An event that is to be brought to an endpoint, by whoever has claimed it. */
export interface EventDelivery extends EventDeliveryKey {
  body: string
  /** How often it was tried since it was made, or offered again. */
  attempts: number
  url: string
  /** The secrets of the endpoint. */
  sealed: Uint8Array
  /** Until when it is claimed. */
  leasedUntil: Date
}

const claim = write<Omit<EventDelivery, 'leasedUntil'>>(`
  with due as materialized (
    select d.account_id, d.event_id, d.endpoint_id
    from unnest($1::text[], $2::text[], $3::int[]) as w (account_id, endpoint_id, count)
    cross join lateral (
      select d.account_id, d.event_id, d.endpoint_id from event_delivery d
      where d.account_id = w.account_id and d.endpoint_id = w.endpoint_id and d.due_at <= $4::text::timestamptz
      order by d.due_at limit w.count for update skip locked
    ) d
  ), claimed as (
    update event_delivery d set
      state = case when e.id is null then 'failed' when e.disabled_at is not null then 'held' else 'due' end,
      due_at = case when e.disabled_at is null and e.id is not null then $5::text::timestamptz end
    from due c left join endpoint e on e.account_id = c.account_id and e.id = c.endpoint_id
    where d.account_id = c.account_id and ${isId('d.event_id', 'c.event_id')} and d.endpoint_id = c.endpoint_id
    returning d.account_id, d.event_id, d.endpoint_id, d.due_at, d.attempts, e.url, e.sealed
  )
  select c.account_id as "accountId", c.event_id as "eventId", c.endpoint_id as "endpointId", v.body, c.attempts, c.url,
    c.sealed
  from claimed c join event v on v.account_id = c.account_id and v.id = c.event_id
  where c.due_at is not null`)

/**
 * Takes what is due for endpoints, what has waited longest first. Who does not settle it until then has lost it to another.
 * What is due for an endpoint that is disabled or gone is put away.
 */
export async function claimEvents(
  tx: Tx,
  list: readonly (Place & { count: number })[],
  now: Date,
  leasedUntil: Date,
): Promise<EventDelivery[]> {
  const claimed = await tx.run(claim, [
    list.map(({ accountId }) => accountId),
    list.map(({ endpointId }) => endpointId),
    list.map(({ count }) => count),
    now.toISOString(),
    leasedUntil.toISOString(),
  ])
  return claimed.map((row) => ({ ...row, leasedUntil }))
}

/** What came of an attempt. */
export interface EventAttempt extends EventDeliveryKey {
  /** Of the claim. */
  leasedUntil: Date
  at: Date
  /** Of the answer; null when none came. */
  status: number | null
  /** Why it failed, in words of our own. */
  error: string | null
  durationMs: number
  /** The beginning of the answer's body. */
  answer: string | null
  state: 'delivered' | 'due' | 'failed'
  /** When it is tried again; null unless it is `due`. */
  dueAt: Date | null
}

// Of an event that was erased while it was sent, nothing is kept: nobody would erase it again.
const keep = write(`
  insert into event_attempt (account_id, event_id, endpoint_id, at, status, error, duration_ms, answer)
  select g.account_id, g.event_id, g.endpoint_id, g.at::timestamptz, g.status, g.error, g.duration_ms, g.answer
  from ${listed('unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::int[], $8::text[])')}
    as g (account_id, event_id, endpoint_id, at, status, error, duration_ms, answer)
  join event_delivery d on d.account_id = g.account_id and d.event_id = g.event_id and d.endpoint_id = g.endpoint_id
    and ${inIdRange('d.event_id', 9)}
  on conflict do nothing`)

const settle = write(`
  with held as (
    select g.account_id, g.event_id, g.endpoint_id, g.state, g.due_at::timestamptz as due_at
    from ${listed('unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])')}
      as g (account_id, event_id, endpoint_id, leased_until, state, due_at)
    join event_delivery d on d.account_id = g.account_id and ${isId('d.event_id', 'g.event_id')} and d.endpoint_id = g.endpoint_id
      and ${inIdRange('d.event_id', 7)}
    where d.due_at = g.leased_until::timestamptz or g.state = 'delivered'
    order by d.account_id collate "C", d.event_id collate "C", d.endpoint_id collate "C" for update of d
  )
  update event_delivery d set state = h.state, due_at = h.due_at, attempts = d.attempts + 1
  from held h where d.account_id = h.account_id and ${isId('d.event_id', 'h.event_id')} and d.endpoint_id = h.endpoint_id
    and ${inIdRange('d.event_id', 7)}`)

/**
 * Keeps attempts, and what follows of them for their events. One that somebody else has claimed meanwhile, or that is held
 * or offered again, stays as it is, unless it was delivered. Goes with the commit.
 */
export function settleAttempts(tx: Tx, list: readonly EventAttempt[]): void {
  if (list.length === 0) return
  const eventIds = list.map(({ eventId }) => eventId)
  const keys = [list.map(({ accountId }) => accountId), eventIds, list.map(({ endpointId }) => endpointId)]
  tx.atCommit(keep, [
    ...keys,
    list.map(({ at }) => at.toISOString()),
    list.map(({ status }) => status),
    list.map(({ error }) => error),
    list.map(({ durationMs }) => durationMs),
    list.map(({ answer }) => answer),
    ...idRangeOf(eventIds),
  ])
  tx.atCommit(settle, [
    ...keys,
    list.map(({ leasedUntil }) => leasedUntil.toISOString()),
    list.map(({ state }) => state),
    list.map(({ dueAt }) => dueAt?.toISOString() ?? null),
    ...idRangeOf(eventIds),
  ])
}
