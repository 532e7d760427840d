/** Endpoints of accounts: where each is told what happened, and which of them are disabled. */
import { and, asc, count, eq, sql } from 'drizzle-orm'
import { isId } from '../engine/idRange.ts'
import { dateOf, milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import { endpoint } from '../schema/eventSchema.ts'
import { account, type Mode } from '../schema/schema.ts'

export interface EndpointKey {
  accountId: string
  id: string
}

export type Endpoint = typeof endpoint.$inferSelect

type Moments = 'createdAt' | 'disabledAt' | 'failingSince'
type Raw = Omit<Endpoint, 'types' | Moments> & { n: number; types: string | null } & Record<Moments, number | null>

const ofAccounts = read<Raw>(`
  select g.n::int as n, e.account_id as "accountId", e.id, e.mode, e.url, array_to_string(e.types, ' ') as types, e.sealed,
    ${milliseconds('e.created_at')} as "createdAt", ${milliseconds('e.disabled_at')} as "disabledAt",
    e.disabled_reason as "disabledReason", ${milliseconds('e.failing_since')} as "failingSince", e.failures, e.pace
  from unnest($1::text[]) with ordinality as g (account_id, n)
  join endpoint e on e.account_id = g.account_id and e.id > ''
  order by g.n, e.id`)

/** The endpoints of each account, disabled ones too, the oldest first. */
export async function findEndpoints(reader: Reader, accountIds: readonly string[]): Promise<Endpoint[][]> {
  const found = Map.groupBy(await reader.run(ofAccounts, [accountIds]), ({ n }) => n)
  return accountIds.map((_id, index) => (found.get(index + 1) ?? []).map(endpointOf))
}

function endpointOf({ n: _n, types, createdAt, disabledAt, failingSince, ...row }: Raw): Endpoint {
  return {
    ...row,
    // No type has a space.
    types: types === null ? null : types.split(' '),
    createdAt: new Date(createdAt!),
    disabledAt: dateOf(disabledAt),
    failingSince: dateOf(failingSince),
  }
}

/** By its id alone, with the name of its account; undefined when no account has it. */
export async function findEndpoint(reader: Reader, id: string): Promise<(Endpoint & { account: string }) | undefined> {
  // An index begins with the account: each is looked into.
  const [found] = await reader.db
    .select()
    .from(account)
    .innerJoin(endpoint, and(eq(endpoint.accountId, account.id), eq(endpoint.id, id)))
  return found && { ...found.endpoint, account: found.account.name }
}

/** Of all accounts, in the order of their names. */
export async function listEndpoints(reader: Reader): Promise<(Endpoint & { account: string })[]> {
  const found = await reader.db
    .select()
    .from(account)
    .innerJoin(endpoint, and(eq(endpoint.accountId, account.id), sql`${endpoint.id} > ''`))
    .orderBy(asc(account.name), asc(endpoint.id))
  return found.map((row) => ({ ...row.endpoint, account: row.account.name }))
}

/** Whoever counts, and then adds, holds the account's row. */
export async function countEndpoints(reader: Reader, accountId: string, mode: Mode): Promise<number> {
  const [row] = await reader.db
    .select({ count: count() })
    .from(endpoint)
    .where(and(eq(endpoint.accountId, accountId), sql`${endpoint.id} > ''`, eq(endpoint.mode, mode)))
  return row?.count ?? 0
}

const states = read<{ enabled: number; disabled: number }>(`
  select count(*) filter (where disabled_at is null)::int as enabled, count(disabled_at)::int as disabled from endpoint`)

/** How many there are in all accounts. */
export async function countStates(reader: Reader): Promise<{ enabled: number; disabled: number }> {
  const [counted] = await reader.run(states, [])
  return counted!
}

export type NewEndpoint = Pick<Endpoint, 'accountId' | 'id' | 'mode' | 'url' | 'types' | 'sealed' | 'createdAt'>

export async function insertEndpoint(tx: Tx, row: NewEndpoint): Promise<void> {
  await tx.db.insert(endpoint).values(row)
}

/** @returns whether it was there */
export async function deleteEndpoint(tx: Tx, key: EndpointKey): Promise<boolean> {
  const gone = await tx.db.delete(endpoint).where(isThis(key)).returning({ id: endpoint.id })
  return gone.length > 0
}

/** Takes hold of an endpoint; undefined when it is gone. */
export async function lockEndpoint(tx: Tx, key: EndpointKey): Promise<Endpoint | undefined> {
  return (await tx.db.select().from(endpoint).where(isThis(key)).for('update'))[0]
}

/** Whoever does so holds its row. */
export async function replaceSealed(tx: Tx, key: EndpointKey, sealed: Uint8Array): Promise<void> {
  await tx.db.update(endpoint).set({ sealed }).where(isThis(key))
}

/** From now on it is tried; the run of failures begins anew. @returns false when it was enabled, or is gone */
export async function enableEndpoint(tx: Tx, key: EndpointKey): Promise<boolean> {
  const enabled = await tx.db
    .update(endpoint)
    .set({ disabledAt: null, disabledReason: null, failingSince: null, failures: 0 })
    .where(and(isThis(key), sql`${endpoint.disabledAt} is not null`))
    .returning({ id: endpoint.id })
  return enabled.length > 0
}

/** What is due for it is held, as far as one commit does that. @returns false when it was disabled, or is gone */
export async function disableEndpoint(tx: Tx, key: EndpointKey, at: Date): Promise<boolean> {
  const disabled = await tx.db
    .update(endpoint)
    .set({ disabledAt: at, disabledReason: 'manual' })
    .where(and(isThis(key), sql`${endpoint.disabledAt} is null`))
    .returning({ id: endpoint.id })
  if (disabled.length > 0) holdDeliveries(tx, [key])
  return disabled.length > 0
}

const hold = write(`
  with disabled as materialized (
    select e.account_id, e.id
    from unnest($1::text[], $2::text[]) as g (account_id, id)
    join endpoint e on e.account_id = g.account_id and e.id = g.id
    where e.disabled_at is not null for share of e skip locked
  )
  update event_delivery d set state = 'held', due_at = null
  from (
    select h.account_id, h.event_id, h.endpoint_id
    from disabled e cross join lateral (
      select account_id, event_id, endpoint_id from event_delivery
      where account_id = e.account_id and endpoint_id = e.id and due_at > '-infinity'
      limit $3::int for update skip locked
    ) h limit $3::int
  ) h
  where d.account_id = h.account_id and ${isId('d.event_id', 'h.event_id')} and d.endpoint_id = h.endpoint_id`)

/** Deliveries that one commit holds. Each is looked for in every partition: days of them take longer than a statement may. */
export const heldMax = 200

/**
 * Holds what is due for those of the endpoints that are disabled, at most `heldMax` in all; the loop of events goes on with the
 * rest. What somebody settles just then is passed over, and so is an endpoint that somebody changes. Goes with the commit.
 */
export function holdDeliveries(tx: Tx, list: readonly EndpointKey[]): void {
  if (list.length > 0) tx.atCommit(hold, [...keysOf(list), heldMax])
}

export interface SealedEndpoint extends EndpointKey {
  sealed: Uint8Array
}

/** At most `count`, in the order of their keys from after `after`. */
export async function listSealedEndpoints(
  reader: Reader,
  after: EndpointKey,
  count: number,
): Promise<SealedEndpoint[]> {
  const { accountId, id, sealed } = endpoint
  return reader.db
    .select({ accountId, id, sealed })
    .from(endpoint)
    .where(sql`(${accountId}, ${id}) > (${after.accountId}, ${after.id})`)
    .orderBy(accountId, id)
    .limit(count)
}

const reseal = write<EndpointKey>(`
  update endpoint e set sealed = decode(g.new, 'base64')
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as g (account_id, id, old, new)
  where e.account_id = g.account_id and e.id = g.id and e.sealed = decode(g.old, 'base64')
  returning e.account_id as "accountId", e.id`)

/** Replaces what is sealed where nobody else has done so meanwhile. @returns where it was replaced */
export async function resealEndpoints(
  tx: Tx,
  list: readonly (SealedEndpoint & { anew: Uint8Array })[],
): Promise<EndpointKey[]> {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  return tx.run(reseal, [
    ...keysOf(list),
    list.map(({ sealed }) => base64(sealed)),
    list.map(({ anew }) => base64(anew)),
  ])
}

export function keysOf(list: readonly EndpointKey[]): [accounts: string[], ids: string[]] {
  return [list.map(({ accountId }) => accountId), list.map(({ id }) => id)]
}

function isThis({ accountId, id }: EndpointKey) {
  return and(eq(endpoint.accountId, accountId), eq(endpoint.id, id))
}
