/** Erases what an account has of test mode beyond what is kept, the oldest first. Bounded statements that wait for nobody. */
import { isId } from '../engine/idRange.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'

const crowded = read<{ id: string }>(`
  select a.id from account a cross join lateral (
    select sum(f.created) as created from figure f
    where f.account_id = a.id and f.mode = 'test' and f.grain = 'day' and f.at >= $1::text::timestamptz
  ) counted
  where counted.created > $2::int`)

/** Accounts of which more messages of test mode were counted since then. What was erased meanwhile may be counted still. */
export async function listCrowded(reader: Reader, since: Date, count: number): Promise<string[]> {
  return (await reader.run(crowded, [since.toISOString(), count])).map(({ id }) => id)
}

/** Part of an account's messages, of both modes, by their ids: from the first, which is left out, to the last, which is too. */
export interface Walk {
  accountId: string
  fromId: string
  belowId: string
  /** A phone of which nothing happened since is forgotten with its messages. */
  before: Date
  count: number
}

// Whoever sends locks the phone before the message. Here it comes after, so nobody is waited for.
const walk = write<{ looked: number; erased: number; lastId: string | null }>(`
  with looked as materialized (
    select m.account_id, m.id, m.mode from message m where m.account_id = $1 and m.id > $2 and m.id < $3
    order by m.id limit $5::int
  ), held as materialized (
    select m.account_id, m.id from looked l join message m on m.account_id = l.account_id and ${isId('m.id', 'l.id')}
    where l.mode = 'test' for update of m skip locked
  ), gone as (
    delete from message m using held h where m.account_id = h.account_id and ${isId('m.id', 'h.id')}
    returning m.account_id, m.id, m.mode, m.phone
  ), legs as (
    delete from leg l using gone g where l.account_id = g.account_id and l.message_id = g.id
  ), texts as (
    delete from sandbox_message s using gone g where s.account_id = g.account_id and ${isId('s.id', 'g.id')}
  ), told as (
    delete from event e using gone g where e.account_id = g.account_id and e.message_id = g.id
    returning e.account_id, e.id
  ), deliveries as (
    delete from event_delivery d using told t
    where d.account_id = t.account_id and ${isId('d.event_id', 't.id')} and d.endpoint_id > ''
  ), attempts as (
    delete from event_attempt a using told t
    where a.account_id = t.account_id and ${isId('a.event_id', 't.id')} and a.endpoint_id > '' and a.at > '-infinity'
  ), quiet as materialized (
    select p.account_id, p.mode, p.phone from (select distinct account_id, mode, phone from gone) g
    join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
    where coalesce(p.sent_at[1] < $4::text::timestamptz, true) and coalesce(p.notified_at[1] < $4::text::timestamptz, true)
    for update of p skip locked
  ), forgotten as (
    delete from phone p using quiet q where p.account_id = q.account_id and p.mode = q.mode and p.phone = q.phone
  )
  select count(*)::int as looked, (select count(*) from gone)::int as erased, max(id) as "lastId" from looked`)

/** Erases those of test mode among the next `count` messages of an account, with all that hangs on them. */
export async function eraseTestMessages(
  tx: Tx,
  { accountId, fromId, belowId, before, count }: Walk,
): Promise<{ looked: number; erased: number; lastId: string | undefined }> {
  const [row] = await tx.run(walk, [accountId, fromId, belowId, before.toISOString(), count])
  return { looked: row?.looked ?? 0, erased: row?.erased ?? 0, lastId: row?.lastId ?? undefined }
}

const answersOf = (row: string) => `${row}.mode = 'test' and ${row}.operation > '' and ${row}.key > ''`

const talkative = read<{ id: string }>(`
  select a.id from account a
  where exists (select from idempotency i where i.account_id = a.id and ${answersOf('i')} offset $1::int limit 1)`)

/** Accounts with more kept answers of test mode. */
export async function listTalkative(reader: Reader, count: number): Promise<string[]> {
  return (await reader.run(talkative, [count])).map(({ id }) => id)
}

const newest = read<{ at: number }>(`
  with own as materialized (select i.created_at as at from idempotency i where i.account_id = $1 and ${answersOf('i')})
  select ${milliseconds('at')} as at from own order by at desc offset $2::int limit 1`)

/** When the oldest of the `count` newest answers of an account's test mode was made; undefined when there are fewer. */
export async function findOldestKept(reader: Reader, accountId: string, count: number): Promise<Date | undefined> {
  const [row] = await reader.run(newest, [accountId, count - 1])
  return row && new Date(row.at)
}

// The time in a form that its index does not know: others may have made most of what is as old.
const answers = write<{ erased: number }>(`
  with old as materialized (
    select i.account_id, i.mode, i.operation, i.key from idempotency i
    where i.account_id = $1 and ${answersOf('i')} and i.created_at + interval '0' < $2::text::timestamptz
    limit $3::int for update skip locked
  )
  delete from idempotency i using old o
  where i.account_id = o.account_id and i.mode = o.mode and i.operation = o.operation and i.key = o.key
  returning 1 as erased`)

/** @returns how many were erased, at most `count` */
export async function eraseTestAnswers(tx: Tx, accountId: string, before: Date, count: number): Promise<number> {
  return (await tx.run(answers, [accountId, before.toISOString(), count])).length
}
