/** Endpoints, and what is to be told to them, as rows for tests. */
import type { Sql } from 'postgres'
import type { Commit } from '../../src/store/engine/commit.ts'
import { type Endpoint, findEndpoints, insertEndpoint, type NewEndpointRow } from '../../src/store/webhooks/endpoint.ts'

export const start = new Date('2026-11-21T09:00:00.000Z')

/** That many seconds after the start. */
export function later(seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000)
}

/** Of the default account and enabled, if nothing else is said. Nothing opens its secrets. */
export async function giveEndpoint(commit: Commit, changes: Partial<NewEndpointRow> = {}): Promise<Endpoint> {
  const row: NewEndpointRow = {
    accountId: 'acct_default',
    id: `ep_${crypto.randomUUID()}`,
    mode: 'live',
    url: 'https://example.com/hooks',
    types: null,
    sealed: Buffer.from('sealed'),
    createdAt: start,
    ...changes,
  }
  await commit.transaction((tx) => insertEndpoint(tx, row))
  return endpointNow(commit, row)
}

export async function endpointNow({ reader }: Commit, { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>) {
  const [found = []] = await findEndpoints(reader, [accountId])
  return found.find((row) => row.id === id)!
}

export interface GivenDelivery {
  event: string
  type?: string
  state: 'due' | 'held' | 'delivered' | 'failed'
  at: Date
  dueAt?: Date
  attempts?: number
}

/** Events that an endpoint is told, each in its state. */
export async function giveDeliveries(
  sql: Sql,
  { accountId, id, mode }: Pick<Endpoint, 'accountId' | 'id' | 'mode'>,
  ...list: GivenDelivery[]
): Promise<void> {
  for (const { event, type = 'message.sent', state, at, dueAt, attempts = 1 } of list) {
    await sql`insert into event (account_id, id, mode, type, body, at)
      values (${accountId}, ${event}, ${mode}, ${type}, '{}', ${at}) on conflict do nothing`
    await sql`insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, attempts, at)
      values (${accountId}, ${event}, ${id}, ${state}, ${dueAt ?? (state === 'due' ? at : null)}, ${attempts}, ${at})`
  }
}

/** So many events are due for an endpoint, one for each second before the start; every other one is tried again later. */
export async function giveBacklog(
  sql: Sql,
  { accountId, id, mode }: Pick<Endpoint, 'accountId' | 'id' | 'mode'>,
  count: number,
): Promise<void> {
  await sql`
    with made as (
      select 'evt_' || lpad((n % 30)::text, 2, '0') || ${id}::text || n as event_id, n % 2 as retries,
        ${start}::timestamptz - make_interval(secs => n) as at
      from generate_series(1, ${count}::int) n
    ), told as (
      insert into event (account_id, id, mode, type, body, at)
      select ${accountId}, event_id, ${mode}, 'message.sent', '{}', at from made
    )
    insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, attempts, at)
    select ${accountId}, event_id, ${id}, 'due', at + make_interval(days => retries), retries, at from made`
}

let given = 0

/** So many events are due for each of them now, and were never tried. */
export async function giveEvents(
  sql: Sql,
  list: readonly Pick<Endpoint, 'accountId' | 'id' | 'mode'>[],
  count: number,
): Promise<void> {
  given += 1
  await sql`
    with made as (
      select e.account_id, e.endpoint_id, e.mode,
        'evt_01KA' || lpad((${given}::int * 100000 + row_number() over ())::text, 22, '0') as event_id
      from unnest(${list.map(({ accountId }) => accountId)}::text[], ${list.map(({ id }) => id)}::text[],
        ${list.map(({ mode }) => mode)}::text[]) as e (account_id, endpoint_id, mode), generate_series(1, ${count}::int) n
    ), told as (
      insert into event (account_id, id, mode, type, body, at)
      select account_id, event_id, mode, 'message.sent', '{"type":"message.sent"}', ${start} from made
    )
    insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, at)
    select account_id, event_id, endpoint_id, 'due', ${start}, ${start} from made`
}

/** What became of the events of an endpoint, in the order of their ids. */
export async function deliveryStates(sql: Sql, { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>) {
  const found = await sql<{ event: string; state: string; dueAt: Date | null; attempts: number }[]>`
    select event_id as event, state, due_at as "dueAt", attempts from event_delivery
    where account_id = ${accountId} and endpoint_id = ${id} order by event_id`
  return found.map(({ event, state, dueAt, attempts }) => [event, state, dueAt, attempts])
}
