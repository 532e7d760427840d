/** Endpoints of accounts: where each is told what happened, and which of them are disabled. */
import { sealedIn } from '../access/reseal.ts'
import { batch, keyColumns } from '../engine/batch.ts'
import { isId } from '../engine/idRange.ts'
import { type Raw, toRows } from '../engine/row.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { endpoint } from '../schema/eventSchema.ts'
import type { Mode } from '../schema/schema.ts'

export interface EndpointKey {
  accountId: string
  id: string
}

export type Endpoint = typeof endpoint.$inferSelect

const endpoints = toRows<Endpoint>('endpoint', {
  accountId: 'text',
  id: 'text',
  mode: 'text',
  url: 'text',
  types: 'text[]',
  sealed: 'bytea',
  createdAt: 'timestamptz',
  disabledAt: 'timestamptz',
  disabledReason: 'text',
  failingSince: 'timestamptz',
  failures: 'int',
  pace: 'text',
})
const columns = endpoints.columns('e')

const accounts = batch<string>('g', { account_id: ['text', (id) => id] })

const ofAccounts = read<Raw<Endpoint> & { n: number }>(`
  select g.n::int as n, ${columns} from ${accounts.numbered}
  join endpoint e on e.account_id = g.account_id and e.id > ''
  order by g.n, e.id`)

/** The endpoints of each account, disabled ones too, the oldest first. */
export async function findEndpoints(reader: Reader, accountIds: readonly string[]): Promise<Endpoint[][]> {
  const found = Map.groupBy(await reader.run(ofAccounts, accounts.valuesOf(accountIds)), ({ n }) => n)
  return accountIds.map((_id, index) => (found.get(index + 1) ?? []).map(({ n: _n, ...row }) => endpoints.rowOf(row)))
}

type Named = Raw<Endpoint> & { account: string }
// An index begins with the account: each is looked into.
const byId = read<Named>(`
  select ${columns}, a.name as account from account a join endpoint e on e.account_id = a.id and e.id = $1`)

/** By its id alone, with the name of its account; undefined when no account has it. */
export async function findEndpoint(reader: Reader, id: string): Promise<(Endpoint & { account: string }) | undefined> {
  return (await reader.run(byId, [id])).map(endpoints.rowOf)[0]
}

const listed = (whose = '') =>
  read<Named>(`
  select ${columns}, a.name as account from account a join endpoint e on e.account_id = a.id and e.id > '' ${whose}
  order by a.name, e.id`)
const [all, ofAccount] = [listed(), listed('where a.id = $1')]

/** In the order of the names of accounts. @param accountId those of all accounts, when it is undefined */
export async function listEndpoints(
  reader: Reader,
  accountId: string | undefined,
): Promise<(Endpoint & { account: string })[]> {
  const found = accountId === undefined ? reader.run(all, []) : reader.run(ofAccount, [accountId])
  return (await found).map(endpoints.rowOf)
}

const ofMode = read<{ count: number }>(`
  select count(*)::int as count from endpoint where account_id = $1 and id > '' and mode = $2`)

/** Whoever counts, and then adds, holds the account's row. */
export async function countEndpoints(reader: Reader, accountId: string, mode: Mode): Promise<number> {
  const [row] = await reader.run(ofMode, [accountId, mode])
  return row?.count ?? 0
}

const states = read<{ enabled: number; disabled: number }>(`
  select count(*) filter (where disabled_at is null)::int as enabled, count(disabled_at)::int as disabled from endpoint`)

/** How many there are in all accounts. */
export async function countEndpointStates(reader: Reader): Promise<{ enabled: number; disabled: number }> {
  const [counted] = await reader.run(states, [])
  return counted!
}

export type NewEndpointRow = Pick<Endpoint, 'accountId' | 'id' | 'mode' | 'url' | 'types' | 'sealed' | 'createdAt'>

const fresh = { disabledAt: null, disabledReason: null, failingSince: null, failures: 0, pace: null }
const insert = write(endpoints.insert)

export async function insertEndpoint(tx: Tx, row: NewEndpointRow): Promise<void> {
  await tx.run(insert, endpoints.valuesOf({ ...fresh, ...row }))
}

const isThis = 'account_id = $1 and id = $2'
const drop = write<{ id: string }>(`delete from endpoint where ${isThis} returning id`)

/** @returns whether it was there */
export async function deleteEndpoint(tx: Tx, { accountId, id }: EndpointKey): Promise<boolean> {
  return (await tx.run(drop, [accountId, id])).length > 0
}

const lock = write<Raw<Endpoint>>(`select ${columns} from endpoint e where ${isThis} for update`)

/** Takes hold of an endpoint; undefined when it is gone. */
export async function lockEndpoint(tx: Tx, { accountId, id }: EndpointKey): Promise<Endpoint | undefined> {
  return (await tx.run(lock, [accountId, id])).map(endpoints.rowOf)[0]
}

const reseal = write(`update endpoint set sealed = $3 where ${isThis}`)

/** Whoever does so holds its row. */
export async function replaceSealed(tx: Tx, { accountId, id }: EndpointKey, sealed: Uint8Array): Promise<void> {
  await tx.run(reseal, [accountId, id, sealed])
}

const enable = write<{ id: string }>(`
  update endpoint set disabled_at = null, disabled_reason = null, failing_since = null, failures = 0
  where ${isThis} and disabled_at is not null returning id`)

/** From now on it is tried; the run of failures begins again. @returns false when it was enabled, or is gone */
export async function enableEndpoint(tx: Tx, { accountId, id }: EndpointKey): Promise<boolean> {
  return (await tx.run(enable, [accountId, id])).length > 0
}

const disable = write<{ id: string }>(`
  update endpoint set disabled_at = $3::text::timestamptz, disabled_reason = 'manual'
  where ${isThis} and disabled_at is null returning id`)

/** What is due for it is held, as far as one commit does that. @returns false when it was disabled, or is gone */
export async function disableEndpoint(tx: Tx, { accountId, id }: EndpointKey, at: Date): Promise<boolean> {
  const isDone = (await tx.run(disable, [accountId, id, at.toISOString()])).length > 0
  if (isDone) holdDeliveries(tx, [{ accountId, id }])
  return isDone
}

const held = batch<EndpointKey>('g', keyColumns)
const [most] = held.more()

const hold = write(`
  with disabled as materialized (
    select e.account_id, e.id
    from ${held.rows}
    join endpoint e on e.account_id = g.account_id and e.id = g.id
    where e.disabled_at is not null for share of e skip locked
  )
  update event_delivery d set state = 'held', due_at = null
  from (
    select h.account_id, h.event_id, h.endpoint_id
    from disabled e cross join lateral (
      select account_id, event_id, endpoint_id from event_delivery
      where account_id = e.account_id and endpoint_id = e.id and due_at > '-infinity'
      limit ${most}::int for update skip locked
    ) h limit ${most}::int
  ) h
  where d.account_id = h.account_id and ${isId('d.event_id', 'h.event_id')} and d.endpoint_id = h.endpoint_id`)

/** Deliveries that one commit holds. Each is looked for in every partition: days of them take longer than a statement may. */
export const heldMax = 200

/**
 * Holds what is due for those of the endpoints that are disabled, at most `heldMax` in all; the loop of events goes on with the
 * rest. What somebody settles just then is passed over, and so is an endpoint that somebody changes. Goes with the commit.
 */
export function holdDeliveries(tx: Tx, list: readonly EndpointKey[]): void {
  if (list.length > 0) tx.atCommit(hold, [...held.valuesOf(list), heldMax])
}

/** Their secrets. */
export const sealedEndpoints = sealedIn('endpoint', 'sealed')
