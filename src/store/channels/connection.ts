/** Connections of accounts: what each sends through, which of them rest, and how fast each may be asked. */
import { and, count, eq, exists, gt, inArray, isNotNull, isNull, notInArray, or, sql } from 'drizzle-orm'
import { areFound } from '../engine/order.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import { account, apiKey, connection, message } from '../schema/schema.ts'

export interface ConnectionKey {
  accountId: string
  id: string
}

/** A connection in one state of its settings: what is found out about another one says nothing of it. */
export interface ConnectionRevision extends ConnectionKey {
  revision: string
}

export type Connection = Omit<typeof connection.$inferSelect, 'updatedAt' | 'nextAt'>

const ofAccounts = read<
  Omit<Connection, 'countries' | 'restsUntil' | 'takenAt'> & {
    n: number
    countries: string | null
    restsUntil: number | null
    takenAt: number | null
  }
>(`
  select g.n::int as n, c.account_id as "accountId", c.id, c.position, c.kind, array_to_string(c.countries, ' ') as countries,
    c.failover_seconds as "failoverSeconds", c.settings, c.sealed, c.revision, ${milliseconds('c.rests_until')} as "restsUntil",
    c.rest_reason as "restReason", ${milliseconds('c.taken_at')} as "takenAt", c.balance
  from unnest($1::text[]) with ordinality as g (account_id, n)
  join connection c on c.account_id = g.account_id
  order by g.n, c.position`)

/** The connections of each account, in their order. */
export async function findConnections(reader: Reader, accountIds: readonly string[]): Promise<Connection[][]> {
  const found = Map.groupBy(await reader.run(ofAccounts, [accountIds]), ({ n }) => n)
  return accountIds.map((_id, index) =>
    (found.get(index + 1) ?? []).map(({ n, countries, restsUntil, takenAt, ...row }) => ({
      ...row,
      countries: countries === null ? null : countries.split(' '),
      restsUntil: restsUntil === null ? null : new Date(restsUntil),
      takenAt: takenAt === null ? null : new Date(takenAt),
    })),
  )
}

/** What is written of a connection that is new or has changed; it is up. */
export type NewConnection = Omit<Connection, 'restsUntil' | 'restReason' | 'takenAt' | 'balance'> & { updatedAt: Date }

/**
 * Makes the list of an account what it is to be. Whoever does so holds the account's row.
 *
 * @param ids those of the whole list; all others go
 * @param changed those of the list that are new or have changed
 */
export async function replaceConnections(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  changed: readonly NewConnection[],
): Promise<void> {
  const others = ids.length > 0 ? notInArray(connection.id, [...ids]) : undefined
  await tx.db.delete(connection).where(and(eq(connection.accountId, accountId), others))
  if (changed.length > 0) await upsertConnections(tx, changed)
}

export async function upsertConnections(tx: Tx, list: readonly NewConnection[]): Promise<void> {
  const given = (column: string) => sql.raw(`excluded.${column}`)
  // Of another kind, it is another one.
  const kept = (column: string) => sql.raw(`case when connection.kind = excluded.kind then connection.${column} end`)
  await tx.db
    .insert(connection)
    .values([...list])
    .onConflictDoUpdate({
      target: [connection.accountId, connection.id],
      set: {
        position: given('position'),
        kind: given('kind'),
        countries: given('countries'),
        failoverSeconds: given('failover_seconds'),
        settings: given('settings'),
        sealed: given('sealed'),
        revision: given('revision'),
        updatedAt: given('updated_at'),
        restsUntil: null,
        restReason: null,
        takenAt: kept('taken_at'),
        balance: kept('balance'),
      },
    })
}

export interface SealedConnection extends ConnectionKey {
  sealed: Uint8Array
}

/** Those that have sealed secrets, at most `count` of them, in the order of their keys from after `after`. */
export async function listSealed(reader: Reader, after: ConnectionKey, count: number): Promise<SealedConnection[]> {
  const { accountId, id, sealed } = connection
  const found = await reader.db
    .select({ accountId, id, sealed })
    .from(connection)
    .where(and(sql`(${accountId}, ${id}) > (${after.accountId}, ${after.id})`, isNotNull(sealed)))
    .orderBy(accountId, id)
    .limit(count)
  return found.map((row) => ({ ...row, sealed: row.sealed! }))
}

const reseal = write<ConnectionKey>(`
  update connection c set sealed = decode(g.new, 'base64')
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as g (account_id, id, old, new)
  where c.account_id = g.account_id and c.id = g.id and c.sealed = decode(g.old, 'base64')
  returning c.account_id as "accountId", c.id`)

/** Replaces what is sealed where nobody else has done so meanwhile. @returns where it was replaced */
export async function resealConnections(
  tx: Tx,
  list: readonly (SealedConnection & { anew: Uint8Array })[],
): Promise<ConnectionKey[]> {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  return tx.run(reseal, [
    ...keysOf(list),
    list.map(({ sealed }) => base64(sealed)),
    list.map(({ anew }) => base64(anew)),
  ])
}

/**
 * SQL for connections with what is given of each, as the table `g`. They are locked in one order: two that lock several of
 * the same can not wait for each other.
 */
export function held(given: string, columns: string, fromRow: string): string {
  return `g as (
    select d.*, ${fromRow}
    from unnest(${given}) with ordinality as d (account_id, id, ${columns}, n)
    join connection c on c.account_id = d.account_id and c.id = d.id
    order by c.account_id collate "C", c.id collate "C" for update of c
  )`
}

/** SQL for the connection `c` being the one of `g`. */
export const isThis = 'c.account_id = g.account_id and c.id = g.id'

const rest = write<{ n: number }>(`
  with ${held('$1::text[], $2::text[], $3::text[], $4::text[]::timestamptz[], $5::text[]', 'revision, until, reason', 'c.rests_until')}
  update connection c set rests_until = g.until, rest_reason = g.reason
  from g where ${isThis} and c.revision = g.revision and (g.rests_until is null or g.rests_until < g.until)
  returning g.n::int as n`)

/**
 * Lets connections rest; one that rests longer already is left as it is, and so is one whose settings have changed. None
 * may be there twice.
 *
 * @returns for each, whether it rests until then by this
 */
export async function restConnections(
  tx: Tx,
  list: readonly (ConnectionRevision & { until: Date; reason: string })[],
): Promise<boolean[]> {
  const resting = await tx.run(rest, [
    ...keysOf(list),
    list.map(({ revision }) => revision),
    list.map(({ until }) => until.toISOString()),
    list.map(({ reason }) => reason),
  ])
  return areFound(list, resting)
}

const wake = write<{ n: number }>(`
  with ${held('$1::text[], $2::text[], $3::text[]', 'revision', 'c.rests_until')}
  update connection c set rests_until = null, rest_reason = null
  from g where ${isThis} and c.revision = g.revision and g.rests_until is not null
  returning g.n::int as n`)

/** Ends the rest of connections, unless their settings have changed. None may be there twice. @returns for each, whether it rested */
export async function wakeConnections(tx: Tx, list: readonly ConnectionRevision[]): Promise<boolean[]> {
  return areFound(list, await tx.run(wake, [...keysOf(list), list.map(({ revision }) => revision)]))
}

export interface TakenNews extends ConnectionRevision {
  at: Date
  /** Undefined where its provider tells none. */
  balance: number | undefined
}

const note = write(`
  update connection c set taken_at = greatest(c.taken_at, g.at), balance = coalesce(g.balance, c.balance)
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]::timestamptz[], $5::float8[])
    as g (account_id, id, revision, at, balance)
  where ${isThis} and c.revision = g.revision`)

/** Keeps when a connection took a message, unless its settings have changed. */
export async function noteTaken(tx: Tx, { accountId, id, revision, at, balance }: TakenNews): Promise<void> {
  await tx.run(note, [[accountId], [id], [revision], [at.toISOString()], [balance ?? null]])
}

/** Connections of a kind whose accounts have live keys that are good at `now`. */
export async function findInLiveUse(
  reader: Reader,
  kind: string,
  now: Date,
): Promise<{ account: string; connection: string }[]> {
  const live = reader.db
    .select({ one: sql`1` })
    .from(apiKey)
    .where(
      and(
        eq(apiKey.accountId, account.id),
        eq(apiKey.mode, 'live'),
        isNull(apiKey.revokedAt),
        or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now)),
      ),
    )
  return reader.db
    .select({ account: account.name, connection: connection.id })
    .from(connection)
    .innerJoin(account, eq(account.id, connection.accountId))
    .where(and(eq(connection.kind, kind), exists(live)))
    .orderBy(account.name, connection.position)
}

/** How many messages of live keys, made after `since`, wait for connections that are all gone. */
export async function countStranded(reader: Reader, accountId: string, since: Date): Promise<number> {
  const { mode, content, status, createdAt } = message
  const left = sql`exists (select 1 from ${connection} c where c.account_id = ${message.accountId}
    and c.id = any (${message.route}[${message.leg}:]))`
  const waits = and(eq(mode, 'live'), isNotNull(content), inArray(status, ['queued', 'sent']))
  const [found] = await reader.db
    .select({ count: count() })
    .from(message)
    .where(and(gt(createdAt, since), eq(message.accountId, accountId), waits, sql`not ${left}`))
  return found?.count ?? 0
}

export function keysOf(list: readonly ConnectionKey[]): [accounts: string[], ids: string[]] {
  return [list.map(({ accountId }) => accountId), list.map(({ id }) => id)]
}
