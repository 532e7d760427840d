/** Connections of accounts: what each sends through, which of them rest, and how fast each may be asked. */
import { sealedIn } from '../access/reseal.ts'
import { type Batch, batch, type Columns, keyColumns } from '../engine/batch.ts'
import { areFound } from '../engine/order.ts'
import { type Raw, toRows } from '../engine/row.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { connection } from '../schema/schema.ts'
import type { TemplateFault } from '../schema/templateSchema.ts'

export interface ConnectionKey {
  accountId: string
  id: string
}

/** A connection in one state of its settings: what is found out about another one says nothing of it. */
export interface ConnectionRevision extends ConnectionKey {
  revision: string
}

type ConnectionRow = Omit<typeof connection.$inferSelect, 'updatedAt' | 'nextAt' | 'turn' | 'turnForgotten'>

export interface Connection extends ConnectionRow {
  /** Templates of the account that its provider would not send as they are; null for none. */
  templateFaults: TemplateFault[] | null
}

/** Any number of messages in any time, shared with no others. */
export const noCaps = {
  perMinute: null,
  perHour: null,
  perDay: null,
  spread: false,
} as const satisfies Partial<ConnectionRow>

/** What is written of a connection that is new or has changed; it is up. */
export type NewConnection = Omit<ConnectionRow, keyof typeof foundOut> & { updatedAt: Date }

const written = {
  accountId: 'text',
  id: 'text',
  position: 'int',
  kind: 'text',
  countries: 'text[]',
  failoverSeconds: 'int',
  perMinute: 'int',
  perHour: 'int',
  perDay: 'int',
  spread: 'boolean',
  settings: 'jsonb',
  sealed: 'bytea',
  byPerson: 'boolean',
  revision: 'text',
} as const
/** What is not configured. */
const foundOut = {
  restsUntil: 'timestamptz',
  restReason: 'text',
  takenAt: 'timestamptz',
  balance: 'float8',
  reportedAt: 'timestamptz',
  unreportedCount: 'int',
  unreportedSince: 'timestamptz',
} as const
const newConnections = toRows<NewConnection>('connection', { ...written, updatedAt: 'timestamptz' })
const connections = toRows<ConnectionRow>('connection', { ...written, ...foundOut })

const accounts = batch<string>('g', { account_id: ['text', (id) => id] })

type FoundConnection = Raw<ConnectionRow> & Pick<Connection, 'templateFaults'>

/** SQL for the connection `c`, and that for what is known of templates there. */
const found = `${connections.columns('c')}, t.faults as "templateFaults"`
const joinTemplates = `left join connection_templates t
    on t.account_id = c.account_id and t.connection = c.id and t.revision = c.revision`

const ofAccounts = read<FoundConnection & { n: number }>(`
  select g.n::int as n, ${found} from ${accounts.numbered}
  join connection c on c.account_id = g.account_id ${joinTemplates}
  order by g.n, c.position`)

/** The connections of each account, in their order. */
export async function findConnections(reader: Reader, accountIds: readonly string[]): Promise<Connection[][]> {
  const found = Map.groupBy(await reader.run(ofAccounts, accounts.valuesOf(accountIds)), ({ n }) => n)
  return accountIds.map((_id, index) => (found.get(index + 1) ?? []).map(({ n: _n, ...row }) => connections.rowOf(row)))
}

const place = write(`
  update connection c set position = g.n
  from unnest($2::text[]) with ordinality g (id, n)
  where c.account_id = $1 and c.id = g.id and c.position <> g.n`)

const dropOthers = write('delete from connection where account_id = $1 and id <> all ($2::text[])')

/**
 * Makes the list of an account what it is to be. Whoever does so holds the account's row.
 *
 * @param ids those of the whole list in their order; all others go
 * @param changed those of the list that are new or have changed
 */
export async function replaceConnections(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  changed: readonly NewConnection[],
): Promise<void> {
  await tx.run(dropOthers, [accountId, ids])
  await upsertConnections(tx, changed)
  await tx.run(place, [accountId, ids])
}

// Of another kind, it is another one.
const kept = (column: string) => `${column} = case when connection.kind = excluded.kind then connection.${column} end`
const given = [
  'position',
  'kind',
  'countries',
  'failover_seconds',
  'per_minute',
  'per_hour',
  'per_day',
  'spread',
  'settings',
  'sealed',
  'by_person',
  'revision',
  'updated_at',
]
const upsert = write(`${newConnections.insert}
  on conflict (account_id, id) do update set ${given.map((column) => `${column} = excluded.${column}`).join(', ')},
    rests_until = null, rest_reason = null, ${kept('taken_at')}, ${kept('balance')}, ${kept('reported_at')},
    unreported_count = 0, unreported_since = null`)

export async function upsertConnections(tx: Tx, list: readonly NewConnection[]): Promise<void> {
  await Promise.all(list.map((row) => tx.run(upsert, newConnections.valuesOf(row))))
}

/** Their secrets. */
export const sealedConnections = sealedIn('connection', 'sealed')

/**
 * SQL for connections with what is given of each in `d`, as the table `g`. They are locked in one order: two that lock several of
 * the same can not wait for each other.
 */
export function held({ numbered }: Batch<never>, fromRow: string): string {
  return `g as (
    select d.*, ${fromRow}
    from ${numbered}
    join connection c on c.account_id = d.account_id and c.id = d.id
    order by c.account_id collate "C", c.id collate "C" for update of c
  )`
}

/** SQL for the connection `c` being the one of `g`. */
export const isThis = 'c.account_id = g.account_id and c.id = g.id'

const revisionColumns: Columns<ConnectionRevision> = { ...keyColumns, revision: ['text', (row) => row.revision] }

const resting = batch<ConnectionRevision & { until: Date; reason: string }>('d', {
  ...revisionColumns,
  until: ['timestamptz', (row) => row.until],
  reason: ['text', (row) => row.reason],
})

const rest = write<{ n: number }>(`
  with ${held(resting, 'c.rests_until')}
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
  return areFound(list, await tx.run(rest, resting.valuesOf(list)))
}

const waking = batch<ConnectionRevision>('d', revisionColumns)

const wake = write<{ n: number }>(`
  with ${held(waking, 'c.rests_until')}
  update connection c set rests_until = null, rest_reason = null
  from g where ${isThis} and c.revision = g.revision and g.rests_until is not null
  returning g.n::int as n`)

/** Ends the rest of connections, unless their settings have changed. None may be there twice. @returns for each, whether it rested */
export async function wakeConnections(tx: Tx, list: readonly ConnectionRevision[]): Promise<boolean[]> {
  return areFound(list, await tx.run(wake, waking.valuesOf(list)))
}

/** What was found out of a connection in some seconds. */
export interface ConnectionNews extends ConnectionRevision {
  /** When it took a message last; undefined where it took none. */
  takenAt: Date | undefined
  /** Undefined where its provider tells none. */
  balance: number | undefined
  /** When its provider reported last; undefined where it did not. */
  reportedAt: Date | undefined
  /** Messages that it took after that and that are to be reported, and when it took the first of them. */
  unreported: { count: number; since: Date | undefined }
}

const news = batch<ConnectionNews>('g', {
  ...revisionColumns,
  taken_at: ['timestamptz', (row) => row.takenAt],
  balance: ['float8', (row) => row.balance],
  reported_at: ['timestamptz', (row) => row.reportedAt],
  unreported: ['int', (row) => row.unreported.count],
  since: ['timestamptz', (row) => row.unreported.since],
})

/** Seconds after a report in which what was taken counts as reported: a report can overtake the answer. */
const overtakingSeconds = 10
/** More says nothing more. */
const unreportedMax = 1_000_000

// Another process may have heard a later report.
const reported = 'greatest(c.reported_at, g.reported_at)'
const isCovered = `(g.taken_at is null
      or coalesce(g.taken_at <= ${reported} + interval '${overtakingSeconds} seconds', false))`

const note = write(`
  update connection c set taken_at = greatest(c.taken_at, g.taken_at), balance = coalesce(g.balance, c.balance),
    reported_at = ${reported},
    unreported_count = case when ${isCovered} then 0
      else least(g.unreported + case when g.reported_at is null then c.unreported_count else 0 end, ${unreportedMax}) end,
    unreported_since = case when not ${isCovered} then
      greatest(coalesce(case when g.reported_at is null then c.unreported_since end, g.since), ${reported}) end
  from ${news.rows} where ${isThis} and c.revision = g.revision`)

/** Keeps what was found out of a connection, unless its settings have changed. */
export async function noteNews(tx: Tx, found: ConnectionNews): Promise<void> {
  await tx.run(note, news.valuesOf([found]))
}

// Account by account: an offset keeps a plan from beginning with all connections, or with all keys.
const inLiveUse = read<{ account: string; connection: string }>(`
  select a.name as account, c.id as connection from account a
  cross join lateral (select id, position from connection where account_id = a.id and kind = $1 offset 0) c
  where exists (select from api_key k where k.account_id = a.id and k.id > '' and k.mode = 'live' and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > $2::text::timestamptz) offset 0)
  order by a.name, c.position`)

/** Connections of a kind whose accounts have live keys that are good at `now`. */
export function findInLiveUse(
  reader: Reader,
  kind: string,
  now: Date,
): Promise<{ account: string; connection: string }[]> {
  return reader.run(inLiveUse, [kind, now.toISOString()])
}

const ofKinds = read<ConnectionKey & Pick<Connection, 'kind' | 'settings'>>(`
  select account_id as "accountId", id, kind, settings from connection
  where (account_id, id) > ('', '') and kind = any ($1::text[]) limit $2::int`)

/** Of all accounts, at most so many. */
export function listConnectionsOfKinds(
  reader: Reader,
  kinds: readonly string[],
  count: number,
): Promise<(ConnectionKey & Pick<Connection, 'kind' | 'settings'>)[]> {
  return reader.run(ofKinds, [kinds, count])
}

const behind = read<FoundConnection>(`
  select ${found} from connection c ${joinTemplates}
  where (c.account_id, c.id) > ($1, $2) and c.kind = any ($3::text[])
  order by c.account_id, c.id limit $4::int`)

/** Those of some kinds behind that one, of all accounts. */
export async function findConnectionsBehind(
  reader: Reader,
  { accountId, id }: ConnectionKey,
  { kinds, count }: { kinds: readonly string[]; count: number },
): Promise<Connection[]> {
  return (await reader.run(behind, [accountId, id, kinds, count])).map(connections.rowOf)
}

// Not by an equals sign: a plan that goes by the account reads all of its messages.
const stranded = read<{ count: number }>(`
  select count(*)::int as count from message m
  where m.created_at > $2::text::timestamptz and m.account_id is not distinct from $1 and m.mode = 'live' and m.content is not null
    and m.status in ('queued', 'sent')
    and not exists (select from connection c where c.account_id = m.account_id and c.id = any (m.route[m.leg:]))`)

/** How many messages of live keys, made after `since`, wait for connections that are all gone. */
export async function countStranded(reader: Reader, accountId: string, since: Date): Promise<number> {
  const [found] = await reader.run(stranded, [accountId, since.toISOString()])
  return found?.count ?? 0
}
