/** What waits longest: jobs of the queues, and events for endpoints. */
import { accountId, batch } from '../engine/batch.ts'
import { type Reader, read } from '../engine/session.ts'
import type { EndpointKey } from '../webhooks/endpoint.ts'

const q = batch<string>('q', { name: ['text', (name) => name] })

/** Of each priority by itself, urgent or not: a code that is sent at once stands before notifications that wait for an hour. */
const jobs = read<{ name: string; seconds: number }>(`
  select q.name, longest.seconds
  from ${q.rows}
  cross join lateral (
    select max(extract(epoch from now() - j.start_after))::float8 as seconds
    from unnest(array[0, 1]) as p(priority)
    cross join lateral (
      select start_after from pgboss.job
      where name = q.name and priority = p.priority and state < 'active' and not blocked and start_after <= now()
      order by created_on limit 1
    ) j
  ) longest
  where longest.seconds is not null`)

/** For how many seconds the next job of each queue has been due, urgent or not; queues of which none is due are left out. */
export function findWaitingJobs(
  reader: Reader,
  queues: readonly string[],
): Promise<{ name: string; seconds: number }[]> {
  return reader.run(jobs, q.valuesOf(queues))
}

const g = batch<EndpointKey>('g', { ...accountId, endpoint_id: ['text', (row) => row.id] })
const [now] = g.more()

const events = read<{ endpointId: string; seconds: number }>(`
  select g.endpoint_id as "endpointId", extract(epoch from ${now}::text::timestamptz - d.due_at)::float8 as seconds
  from ${g.rows}
  cross join lateral (
    select due_at from event_delivery
    where account_id = g.account_id and endpoint_id = g.endpoint_id and due_at <= ${now}::text::timestamptz
    order by due_at limit 1
  ) d`)

/** For how many seconds an event has been due for each endpoint; those for which none is due are left out. */
export function findWaitingEvents(
  reader: Reader,
  endpoints: readonly EndpointKey[],
  now: Date,
): Promise<{ endpointId: string; seconds: number }[]> {
  return reader.run(events, [...g.valuesOf(endpoints), now.toISOString()])
}
