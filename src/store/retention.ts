/** Erases what is old, and what is held about one phone. Bounded statements that wait for nobody. */
import { type SQL, sql } from 'drizzle-orm'
import { rows, type Session } from './connect.ts'

/**
 * Erases at most `count` messages made before `before`, with their timelines, and what is remembered of their phones when
 * nothing newer happened there.
 *
 * @returns how many messages
 */
export async function purgeMessages(session: Session, before: Date, count: number): Promise<number> {
  const cutoff = sql`${before.toISOString()}::timestamptz`
  const quietSince = (times: SQL) => sql`coalesce(${times}[1] < ${cutoff}, true)`
  const gone = await rows(
    session,
    sql`with gone as (
      delete from message m using (
        select account_id, id from message where created_at < ${cutoff}
        order by created_at limit ${count} for update skip locked
      ) old
      where m.account_id = old.account_id and m.id = old.id
      returning m.account_id, m.mode, m.phone
    ), forgotten as (
      delete from phone p using (select distinct account_id, mode, phone from gone) g
      where p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
        and ${quietSince(sql`p.sent_at`)} and ${quietSince(sql`p.notified_at`)} and ${quietSince(sql`p.wrong_at`)}
    )
    select 1 from gone`,
  )
  return gone.length
}

/** @returns how many texts of sandbox phones from before `before` were erased, at most `count` */
export async function purgeSandboxMessages(session: Session, before: Date, count: number): Promise<number> {
  const gone = await rows(
    session,
    sql`delete from sandbox_message s using (
      select account_id, id from sandbox_message where at < ${before.toISOString()}::timestamptz
      order by at limit ${count} for update skip locked
    ) old
    where s.account_id = old.account_id and s.id = old.id
    returning 1`,
  )
  return gone.length
}

/** @returns how many kept answers from before `before` were erased, at most `count` */
export async function purgeIdempotency(session: Session, before: Date, count: number): Promise<number> {
  const gone = await rows(
    session,
    sql`delete from idempotency i using (
      select account_id, mode, operation, key from idempotency where created_at < ${before.toISOString()}::timestamptz
      order by created_at limit ${count} for update skip locked
    ) old
    where i.account_id = old.account_id and i.mode = old.mode and i.operation = old.operation and i.key = old.key
    returning 1`,
  )
  return gone.length
}

export interface Erased {
  messages: number
  sandboxMessages: number
  /** What was remembered for limits and for the code that was pending, one for each account and mode. */
  phoneStates: number
}

/** Erases all that is held about a phone, in every account. */
export async function erasePhone(tx: Session, phone: string): Promise<Erased> {
  const count = async (statement: SQL) => (await rows(tx, statement)).length
  return {
    messages: await count(sql`delete from message where phone = ${phone} returning 1`),
    sandboxMessages: await count(sql`delete from sandbox_message where phone = ${phone} returning 1`),
    phoneStates: await count(sql`delete from phone where (account_id, mode, phone) in (
      select a.id, m.mode, ${phone} from account a cross join (values ('live'), ('test')) as m (mode)) returning 1`),
  }
}
