/** Events: what happened, who is to be told of it, and what came of trying. */

import { accountId, batch, type Columns, keyColumns } from '../engine/batch.ts'
import { isId } from '../engine/idRange.ts'
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

const made = batch<NewEvent>('g', {
  ...keyColumns,
  mode: ['text', (event) => event.mode],
  type: ['text', (event) => event.type],
  body: ['text', (event) => event.body],
  at: ['timestamptz', (event) => event.at],
  except_id: ['text', (event) => event.except],
  message_id: ['text', (event) => event.messageId],
})

const insert = write(`
  with told as (
    select g.account_id, g.id, g.mode, g.type, g.body, g.message_id, g.at, e.id as endpoint_id,
      e.disabled_at is not null as is_disabled
    from ${made.rows}
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
  if (list.length > 0) tx.atCommit(insert, made.valuesOf(list))
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
export type EndpointCursor = Pick<DueEndpoint, 'accountId' | 'endpointId'>

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

export interface EndpointLook {
  /** Undefined for the beginning. */
  after: EndpointCursor | undefined
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
export function findWaiting(
  reader: Reader,
  { after, now, dueMax, endpointsMax }: EndpointLook,
): Promise<WaitingEndpoint[]> {
  const { accountId, endpointId } = after ?? { accountId: '', endpointId: '' }
  const { ofQuick, ofOthers } = dueMax
  return reader.run(waiting, [accountId, endpointId, now.toISOString(), ofQuick, endpointsMax, ofOthers])
}

/** An event that is to be brought to an endpoint, by whoever has claimed it. */
export interface ClaimedEvent extends EventDeliveryKey {
  body: string
  /** How often it was tried since it was made, or offered again. */
  attempts: number
  url: string
  /** The secrets of the endpoint. */
  sealed: Uint8Array
  /** Until when it is claimed. */
  leasedUntil: Date
}

const wanted = batch<EndpointCursor & { count: number }>('w', {
  ...accountId,
  endpoint_id: ['text', (place) => place.endpointId],
  count: ['int', (place) => place.count],
})
const [now, lease] = wanted.more()

/** Seconds for which what is due is recent: nothing waits that long for an endpoint that is not behind. */
const recentSeconds = 10

/** The latest time that is not recent: what is offered again is due then, so that it takes nothing from what just happened. */
export function behindAt(now: Date): Date {
  return new Date(now.getTime() - recentSeconds * 1000)
}

const dueWhen = (condition: string) => `
      select d.account_id, d.event_id, d.endpoint_id from event_delivery d
      where d.account_id = w.account_id and d.endpoint_id = w.endpoint_id and ${condition}
      order by d.due_at limit w.count for update skip locked`
const isDue = `d.due_at <= ${now}::text::timestamptz`
const recent = `${now}::text::timestamptz - make_interval(secs => ${recentSeconds})`

const claim = (due: string) =>
  write<Omit<ClaimedEvent, 'leasedUntil'>>(`
  with due as materialized (
    select d.account_id, d.event_id, d.endpoint_id
    from ${wanted.rows}
    cross join lateral (${due}
    ) d
  ), claimed as (
    update event_delivery d set
      state = case when e.id is null then 'failed' when e.disabled_at is not null then 'held' else 'due' end,
      due_at = case when e.disabled_at is null and e.id is not null then ${lease}::text::timestamptz end
    from due c left join endpoint e on e.account_id = c.account_id and e.id = c.endpoint_id
    where d.account_id = c.account_id and ${isId('d.event_id', 'c.event_id')} and d.endpoint_id = c.endpoint_id
    returning d.account_id, d.event_id, d.endpoint_id, d.due_at, d.attempts, e.url, e.sealed
  )
  select c.account_id as "accountId", c.event_id as "eventId", c.endpoint_id as "endpointId", v.body, c.attempts, c.url,
    c.sealed
  from claimed c join event v on v.account_id = c.account_id and v.id = c.event_id
  where c.due_at is not null`)

const claims = {
  oldest: claim(dueWhen(isDue)),
  recent: claim(`
      select * from (${dueWhen(`d.due_at > ${recent} and ${isDue}`)}) recent
      union all
      select * from (${dueWhen(`d.due_at <= ${recent}`)}) older
      limit w.count`),
}

export interface EventClaim {
  now: Date
  /** Who does not settle it until then has lost it to another. */
  leasedUntil: Date
  /** What is taken first: what has waited longest, or the same of what became due in the last seconds. */
  first: keyof typeof claims
}

/** Takes what is due for endpoints. What is due for an endpoint that is disabled or gone is put away. */
export async function claimEvents(
  tx: Tx,
  list: readonly (EndpointCursor & { count: number })[],
  { now, leasedUntil, first }: EventClaim,
): Promise<ClaimedEvent[]> {
  const claimed = await tx.run(claims[first], [...wanted.valuesOf(list), now.toISOString(), leasedUntil.toISOString()])
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

const deliveryKey: Columns<EventDeliveryKey> = {
  ...accountId,
  event_id: ['text', (one) => one.eventId],
  endpoint_id: ['text', (one) => one.endpointId],
}
const kept = batch<EventAttempt>(
  'g',
  {
    ...deliveryKey,
    at: ['timestamptz', (one) => one.at],
    status: ['int', (one) => one.status],
    error: ['text', (one) => one.error],
    duration_ms: ['int', (one) => one.durationMs],
    answer: ['text', (one) => one.answer],
  },
  { ids: 'event_id' },
)

// Of an event that was erased while it was sent, nothing is kept: nobody would erase it again.
const keep = write(`
  insert into event_attempt (account_id, event_id, endpoint_id, at, status, error, duration_ms, answer)
  select g.account_id, g.event_id, g.endpoint_id, g.at, g.status, g.error, g.duration_ms, g.answer
  from ${kept.rows}
  join event_delivery d on d.account_id = g.account_id and d.event_id = g.event_id and d.endpoint_id = g.endpoint_id
    and ${kept.inIdRange('d.event_id')}
  on conflict do nothing`)

const settled = batch<EventAttempt>(
  'g',
  {
    ...deliveryKey,
    leased_until: ['timestamptz', (one) => one.leasedUntil],
    state: ['text', (one) => one.state],
    due_at: ['timestamptz', (one) => one.dueAt],
  },
  { ids: 'event_id' },
)

const settle = write(`
  with held as (
    select g.account_id, g.event_id, g.endpoint_id, g.state, g.due_at
    from ${settled.rows}
    join event_delivery d on d.account_id = g.account_id and ${isId('d.event_id', 'g.event_id')} and d.endpoint_id = g.endpoint_id
      and ${settled.inIdRange('d.event_id')}
    where d.due_at = g.leased_until or g.state = 'delivered'
    order by d.account_id collate "C", d.event_id collate "C", d.endpoint_id collate "C" for update of d
  )
  update event_delivery d set state = h.state, due_at = h.due_at, attempts = d.attempts + 1
  from held h where d.account_id = h.account_id and ${isId('d.event_id', 'h.event_id')} and d.endpoint_id = h.endpoint_id
    and ${settled.inIdRange('d.event_id')}`)

/**
 * Keeps attempts, and what follows of them for their events. One that somebody else has claimed meanwhile, or that is held
 * or offered again, stays as it is, unless it was delivered. Goes with the commit.
 */
export function settleAttempts(tx: Tx, list: readonly EventAttempt[]): void {
  if (list.length === 0) return
  tx.atCommit(keep, kept.valuesOf(list))
  tx.atCommit(settle, settled.valuesOf(list))
}
