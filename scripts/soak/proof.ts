/** What the database has in the end, held to what callers were told. */
import { setTimeout as wait } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Findings } from './findings.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { Receiver } from './receiver.ts'
import { type SimLog, sim } from './sim.ts'

export interface Proved {
  /** Messages that callers were told of, and those that the database has. */
  acknowledged: number
  found: number
  byStatus: Record<string, number>
  /** Codes that were accepted, by what callers were told. */
  verified: number
  /** Messages without an end, and why that is all right. */
  explained: Record<string, number>
  events: Record<string, number>
  /** What the SIM was handed. */
  sim: ReturnType<SimLog['sums']>
  /** Milliseconds from a request until a provider has taken the message, by minutes from the first one on. */
  handOvers: { minute: number; p50Ms: number }[]
}

interface Row {
  id: string
  phone: string
  kind: string
  status: string
  isVerified: boolean
  isTaken: boolean
  isOver: boolean
  /** Its time has not come, or only just. */
  isAhead: boolean
  /** It went before its time. */
  isEarly: boolean
}

const batch = 5000
const lookMs = 1000
/** Seconds after its end until a code is expired by a sweep. */
const sweepSeconds = 15
/** Seconds after its time until a scheduled notification has its job, on a machine that has much to do. */
const dueSeconds = 20

export interface Held {
  ledger: Ledger
  findings: Findings
  receiver: Receiver
  simLog: SimLog
}

/** Waits until no message is under way, but not longer than that. */
export async function settle(sql: postgres.Sql, withinMs: number): Promise<void> {
  for (const until = Date.now() + withinMs; Date.now() < until; await wait(lookMs)) {
    const [row] = await sql`select count(*)::int as open from message
      where status in ('queued', 'sent') and (kind = 'verification' or taken_at is null)`
    const [told] = await sql`select count(*)::int as due from event_delivery where state = 'due' and due_at < now()`
    if (row?.open === 0 && told?.due === 0) return
  }
}

export async function prove(sql: postgres.Sql, { ledger, findings, receiver, simLog }: Held): Promise<Proved> {
  const entries = [...ledger.entries()]
  const proved: Proved = {
    acknowledged: entries.length,
    found: 0,
    byStatus: {},
    verified: 0,
    explained: {},
    events: {},
    sim: simLog.sums(),
    handOvers: [],
  }
  if (proved.sim.mostInAMinute > sim.perMinute)
    findings.add('a SIM was handed more than its cap', String(proved.sim.mostInAMinute))
  for (let at = 0; at < entries.length; at += batch) {
    const some = entries.slice(at, at + batch)
    const rows = await readMessages(
      sql,
      some.map(([id]) => id),
    )
    const waiting = await findWaiting(sql, [...rows.values()].filter(isOpen))
    for (const [id, entry] of some) {
      const row = rows.get(id)
      if (!row) findings.add('a message that was acknowledged is lost', id)
      else compare(row, entry, { proved, findings, isWaiting: waiting.has(id) })
    }
  }
  await provePosts(sql, { ledger, findings })
  await proveWhole(sql, { ledger, findings })
  proved.events = await proveEvents(sql, { receiver, findings })
  proved.handOvers = await countHandOvers(sql)
  return proved
}

async function readMessages(sql: postgres.Sql, ids: string[]): Promise<Map<string, Row>> {
  const rows = await sql<Row[]>`select id, phone, kind, status, verified_at is not null as "isVerified",
      taken_at is not null as "isTaken", coalesce(expires_at < now() - ${sweepSeconds} * interval '1 second', false) as "isOver",
      coalesce(send_at > now() - ${dueSeconds} * interval '1 second', false) as "isAhead", coalesce(taken_at < send_at, false) as "isEarly"
    from message where account_id = 'acct_default' and id = any(${ids})`
  return new Map(rows.map((row) => [row.id, row]))
}

const isOpen = ({ status }: Row) => status === 'queued' || status === 'sent'

/** Those that a job of the queue will see to. */
async function findWaiting(sql: postgres.Sql, open: Row[]): Promise<Set<string>> {
  if (open.length === 0) return new Set()
  const jobs = await sql<{ data: string }[]>`select data::text as data from pgboss.job where state < 'completed'`
  const all = jobs.map(({ data }) => data).join('\n')
  return new Set(open.flatMap(({ id }) => (all.includes(id) ? [id] : [])))
}

function compare(
  row: Row,
  { phone, kind, end }: Readonly<Entry>,
  { proved, findings, isWaiting }: { proved: Proved; findings: Findings; isWaiting: boolean },
): void {
  const { id, status, isVerified, isTaken, isOver, isAhead, isEarly } = row
  proved.found++
  proved.byStatus[status] = (proved.byStatus[status] ?? 0) + 1
  if (isVerified) proved.verified++
  if (row.phone !== phone || row.kind !== kind) findings.add('a message is another one than was acknowledged', id)
  if (isVerified !== (end === 'verified') && end !== 'unclear') {
    findings.add(`a code is ${isVerified ? '' : 'not '}verified in the database, and its caller was told: ${end}`, id)
  }
  if (isEarly) findings.add('a notification went before its time', id)
  if (kind === 'notification' && end === 'cancelled' && isTaken) findings.add('a cancelled notification went', id)
  if (!isOpen(row) || end !== 'open') return
  const reason = isWaiting
    ? 'a job will see to it'
    : isTaken && !isOver
      ? 'the provider has it, and has not reported'
      : isAhead
        ? 'its time has not come, or only just'
        : undefined
  if (reason === undefined) findings.add('a message has no end, and nothing will give it one', `${id} ${status}`)
  else proved.explained[reason] = (proved.explained[reason] ?? 0) + 1
}

/** What the inlet has taken is there. */
async function provePosts(sql: postgres.Sql, { ledger, findings }: { ledger: Ledger; findings: Findings }) {
  const rows = await sql<
    { phone: string }[]
  >`select given.phone from unnest(${[...ledger.posts()]}::text[]) as given(phone)
    where not exists (select from message m where m.account_id = 'acct_default' and m.phone = given.phone)`
  for (const { phone } of rows) findings.add('a code that the inlet has taken is lost', phone)
}

/** What was repeated was done once, and nothing was done by half. */
async function proveWhole(sql: postgres.Sql, { ledger, findings }: Pick<Held, 'ledger' | 'findings'>): Promise<void> {
  const several = await sql<{ phone: string; count: number }[]>`select phone, count(*)::int as count from message
    group by phone having count(*) > 1`
  for (const { phone, count } of several)
    if (count > ledger.sendsTo(phone)) findings.add('a phone was sent to twice', phone)
  // That a reply came before is all that is kept of it.
  const claimed = await sql`select key from idempotency where status is null and operation <> 'reply'`
  for (const { key } of claimed) findings.add('a key was claimed, and has no answer', key)
}

/** What was brought has arrived; what was not is to be tried again at a time that is to come. */
async function proveEvents(sql: postgres.Sql, { receiver, findings }: { receiver: Receiver; findings: Findings }) {
  const rows = await sql<{ id: string; state: string; isLate: boolean }[]>`select event_id as id, state,
    state = 'due' and due_at < now() - interval '90 seconds' as "isLate" from event_delivery`
  const counts: Record<string, number> = {}
  for (const { id, state, isLate } of rows) {
    counts[state] = (counts[state] ?? 0) + 1
    if (isLate) findings.add('an event is due, and nobody brings it', id)
    if (state === 'failed' || state === 'held') findings.add(`an event is ${state}`, id)
    if (state === 'delivered' && !receiver.taken.has(id)) findings.add('an event was never brought', id)
  }
  return counts
}

async function countHandOvers(sql: postgres.Sql): Promise<Proved['handOvers']> {
  const rows = await sql<Proved['handOvers']>`select minute::int as minute,
      percentile_cont(0.5) within group (order by ms) as "p50Ms"
    from (select floor(extract(epoch from created_at - min(created_at) over ()) / 60) as minute,
      extract(epoch from taken_at - created_at)::float8 * 1000 as ms from message where taken_at is not null) as taken
    group by minute order by minute`
  return [...rows]
}
