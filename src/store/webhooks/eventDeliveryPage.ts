/** What an endpoint was told, page by page: by the place of the last row, however many there are. */
import { accountId, batch } from '../engine/batch.ts'
import { milliseconds, type Reader, read } from '../engine/session.ts'
import type { EndpointKey } from './endpoint.ts'
import type { DeliveryAttempt, DeliveryCursor, DeliveryState } from './eventDelivery.ts'

export interface DeliveryLine {
  eventId: string
  type: string
  /** Of the event. */
  at: Date
  state: DeliveryState
  /** When it is tried next; null when it is not to be tried. */
  dueAt: Date | null
  /** Attempts since it was made, or offered again. */
  tried: number
  /** The last one of all; undefined before the first. */
  last: Omit<DeliveryAttempt, 'answer'> | undefined
}

interface Raw {
  eventId: string
  type: string
  at: number
  state: DeliveryState
  dueAt: number | null
  tried: number
  attemptedAt: number | null
  status: number | null
  error: string | null
  durationMs: number | null
}

/** @param page of `event_delivery`, in the order that `order` says */
function formatLines(page: string, order: string) {
  return read<Raw>(`
    with page as materialized (
      select account_id, event_id, endpoint_id, at, state, due_at, attempts from event_delivery
      where account_id = $1 and endpoint_id = $2 and ${page} limit $5::int
    )
    select p.event_id as "eventId", e.type, ${milliseconds('p.at')} as at, p.state, ${milliseconds('p.due_at')} as "dueAt",
      p.attempts as tried, ${milliseconds('a.at')} as "attemptedAt", a.status, a.error, a.duration_ms as "durationMs"
    from page p join event e on e.account_id = p.account_id and e.id = p.event_id
    left join lateral (
      select at, status, error, duration_ms from event_attempt
      where account_id = p.account_id and event_id = p.event_id and endpoint_id = p.endpoint_id and at <= 'infinity'
      order by at desc limit 1
    ) a on true
    order by ${order}`)
}

const isAfter = '(at, event_id) < ($3::text::timestamptz, $4)'
const all = formatLines(
  `at <= $3::text::timestamptz and ${isAfter} order by at desc, event_id desc`,
  'p.at desc, p.event_id desc',
)
const over = formatLines(
  `state = $6 and state <> 'due' and at <= $3::text::timestamptz and ${isAfter} order by at desc, event_id desc`,
  'p.at desc, p.event_id desc',
)
const due = formatLines(
  'due_at >= $3::text::timestamptz and (due_at, event_id) > ($3::text::timestamptz, $4) order by due_at, event_id',
  'p.due_at, p.event_id',
)

export interface DeliveryPage {
  /** All, when undefined. */
  state: DeliveryState | undefined
  /** Where the page before it ended; undefined for the first. */
  after: DeliveryCursor | undefined
  count: number
}

/** The latest event first; of those that are due the one that is tried next. */
export async function pageDeliveries(
  reader: Reader,
  { accountId, id }: EndpointKey,
  { state, after, count }: DeliveryPage,
): Promise<DeliveryLine[]> {
  const first = state === 'due' ? '-infinity' : 'infinity'
  const values = [accountId, id, after?.at.toISOString() ?? first, after?.eventId ?? '', count]
  if (state === undefined) return (await reader.run(all, values)).map(formatLine)
  if (state === 'due') return (await reader.run(due, values)).map(formatLine)
  return (await reader.run(over, [...values, state])).map(formatLine)
}

/** Where the page ends that has this line last. */
export function cursorOf({ at, dueAt, eventId }: DeliveryLine, state: DeliveryState | undefined): DeliveryCursor {
  return { at: state === 'due' && dueAt ? dueAt : at, eventId }
}

function formatLine({ attemptedAt, status, error, durationMs, at, dueAt, ...row }: Raw): DeliveryLine {
  return {
    ...row,
    at: new Date(at),
    dueAt: dueAt === null ? null : new Date(dueAt),
    last: attemptedAt === null ? undefined : { at: new Date(attemptedAt), status, error, durationMs: durationMs ?? 0 },
  }
}

/** How many events of an endpoint are in a state, each counted up to a limit. */
export type StateCounts = Record<Exclude<DeliveryState, 'delivered'>, number>

const g = batch<EndpointKey>('g', { ...accountId, endpoint_id: ['text', (row) => row.id] })
const [most] = g.more()

const overIn = (state: 'held' | 'failed') => `
  cross join lateral (
    select count(*)::int as n from (
      select 1 from event_delivery d where d.account_id = g.account_id and d.endpoint_id = g.endpoint_id
        and d.state = '${state}' and d.state <> 'due' and d.at <= 'infinity' limit ${most}::int
    ) found
  ) ${state}`

const counts = read<StateCounts>(`
  select due.n as due, held.n as held, failed.n as failed
  from ${g.numbered}
  cross join lateral (
    select count(*)::int as n from (
      select 1 from event_delivery d
      where d.account_id = g.account_id and d.endpoint_id = g.endpoint_id and d.due_at > '-infinity' limit ${most}::int
    ) found
  ) due ${overIn('held')} ${overIn('failed')}
  order by g.n`)

/** @param max how far each is counted */
export async function countStates(reader: Reader, list: readonly EndpointKey[], max: number): Promise<StateCounts[]> {
  return list.length === 0 ? [] : reader.run(counts, [...g.valuesOf(list), max])
}
