/** Erases what is old, and what is held about one phone. Bounded statements that wait for nobody. */
import { isId } from '../engine/idRange.ts'
import { type Tx, type Write, write } from '../engine/session.ts'
import type { Partition } from './partition.ts'

const before = '$1::text::timestamptz'
const quietSince = (times: string, until = before) => `coalesce(${times}[1] < ${until}, true)`

const byId = ['account_id', 'id']

/**
 * What is remembered of the phones in `gone`, where nothing newer happened. A wrong code comes after its message, when nothing
 * may lead to the phone any more, and counts for an hour.
 */
const forgetQuiet = `
  delete from phone p using (select distinct account_id, mode, phone from gone) g
  where p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
    and ${quietSince('p.sent_at')} and ${quietSince('p.notified_at')} and ${quietSince('p.wrong_at', `${before} + interval '1 hour'`)}`

/** What is from before `$1`, at most `$2` rows, the oldest first; what somebody else works on is left to the next time. */
const deleteOld = (table: string, key: readonly string[], time: string, also = '') => `
  delete from ${table} t using (
    select ${key.join(', ')} from ${table} where ${time} < ${before}${also}
    order by ${time} limit $2::int for update skip locked
  ) old
  where ${key.map((column) => `t.${column} = old.${column}`).join(' and ')}`

/** With their timelines and legs, and what is remembered of their phones when nothing newer happened there. */
const listMessages = (table: string) =>
  write(`
    with gone as (
      ${deleteOld(table, byId, 'created_at')}
      returning t.account_id, t.id, t.mode, t.phone
    ), legs as (
      delete from leg l using gone g where l.account_id = g.account_id and l.message_id = g.id
    ), forgotten as (${forgetQuiet})
    select 1 from gone`)

/** With who was to be told of them, and the attempts at it. */
const listEvents = (table: string) =>
  write(`
    with gone as (
      ${deleteOld(table, byId, 'at')}
      returning t.account_id, t.id
    ), deliveries as (
      delete from event_delivery d using gone g
      where d.account_id = g.account_id and ${isId('d.event_id', 'g.id')} and d.endpoint_id > ''
    ), attempts as (
      delete from event_attempt a using gone g
      where a.account_id = g.account_id and ${isId('a.event_id', 'g.id')} and a.endpoint_id > '' and a.at > '-infinity'
    )
    select 1 from gone`)

/** Of a table that nothing hangs on. */
const purgeOf = (table: string, key: readonly string[], time: string, also = '') =>
  write(`${deleteOld(table, key, time, also)} returning 1`)

/**
 * Each erases at most `$2` rows from before `$1`, and returns one for each. Of a table that is kept in partitions, those of the
 * default partition: the others are dropped whole.
 */
const purges = {
  messages: listMessages('message_default'),
  sandboxMessages: purgeOf('sandbox_message_default', byId, 'at'),
  events: listEvents('event_default'),
  figures: purgeOf('figure', ['account_id', 'mode', 'grain', 'at', 'kind', 'connection', 'country'], 'at'),
  spend: purgeOf('spend', ['account_id', 'mode', 'grain', 'at', 'connection', 'country', 'currency'], 'at'),
  messageReferences: purgeOf('message_reference', ['account_id', 'reference', 'message_id'], 'created_at'),
  /** Those who are opted out have none: these stay. */
  optIns: purgeOf('opt_out', ['account_id', 'mode', 'phone_hash'], 'told_at', ' and opted_in is not null'),
  resendable: purgeOf('resendable', byId, 'failed_at'),
  /** No message that is kept names one that was replaced before the first of these was made. */
  templateVersions: purgeOf('template_version', ['account_id', 'slug', 'version'], 'replaced_at'),
  idempotencyKeys: purgeOf('idempotency', ['account_id', 'mode', 'operation', 'key'], 'created_at'),
  userSessions: purgeOf('dashboard_session', byId, 'created_at'),
  /** By their end, which is set to an earlier time when somebody ends one; those that were used end a day later at most. */
  invitations: purgeOf('invitation', byId, 'expires_at'),
  /** Wrong proofs. A sign-in that counts one meanwhile has the row locked, or makes it again. */
  signIns: purgeOf('sign_in', ['email_hash'], 'latest_at'),
  audits: purgeOf('audit', byId, 'at'),
  protectionFindings: purgeOf('protection_finding', ['account_id', 'mode', 'hour', 'rule', 'did', 'part'], 'hour'),
  budgetDays: purgeOf('budget_day', ['account_id', 'mode', 'day', 'budget'], 'day'),
  /**
   * What is remembered of the phones goes back to their last message, and is erased with that; at once where there is none. By
   * `coalesce`, a plan does not reckon with how few these are: it would go through all phones for them; nor does it look for the
   * last message by its time, in a form that no index knows.
   */
  refusedPhones: write(`
    with gone as (
      ${deleteOld('refused_phone', ['account_id', 'mode', 'phone'], 'at')}
      returning t.account_id, t.mode, t.phone
    ), known as materialized (
      select g.account_id, g.mode, g.phone, (
        select max(m.created_at + interval '0') from message m
        where m.phone = g.phone and (m.account_id || '') = g.account_id and m.mode = g.mode
      ) as last from (select distinct account_id, mode, phone from gone) g
    ), kept as (
      update phone p set sent_at = array[least(k.last, ${before})] from known k
      where p.account_id = k.account_id and p.mode = k.mode and p.phone = k.phone and ${quietSince('p.sent_at')}
        and k.last is not null
    ), forgotten as (
      delete from phone p using known k
      where p.account_id = k.account_id and p.mode = k.mode and p.phone = k.phone and ${quietSince('p.sent_at')}
        and ${quietSince('p.notified_at')} and k.last is null
    )
    select 1 from gone`),
}

export type Purgeable = keyof typeof purges

/** Of those that are kept in partitions, the same for one partition. */
const purgesOfPartition = {
  messages: listMessages,
  sandboxMessages: (partition: string) => purgeOf(partition, byId, 'at'),
  events: listEvents,
}

/** What is kept in partitions, and in which table. */
export const retentionTableOf = { messages: 'message', sandboxMessages: 'sandbox_message', events: 'event' } as const

/** @returns how many were erased, at most `count` */
export async function purge(tx: Tx, what: Purgeable, before: Date, count: number): Promise<number> {
  return (await tx.run(purges[what], [before.toISOString(), count])).length
}

/** The same in a partition that goes on behind that time. */
export async function purgePartition(
  tx: Tx,
  what: keyof typeof retentionTableOf,
  { partition, before, count }: { partition: Partition; before: Date; count: number },
): Promise<number> {
  return (await tx.run(purgesOfPartition[what](`"${partition.name}"`), [before.toISOString(), count])).length
}

/** Blocks of a table, of 8 KB as a rule: those from `from` on, before `to`. */
export interface Blocks {
  from: number
  to: number
}

/**
 * Erases what is remembered of the phones in some blocks of a partition of `message` that is to be dropped, where nothing happened
 * since `before`.
 */
export async function eraseQuietPhones(tx: Tx, { name }: Partition, before: Date, blocks: Blocks): Promise<void> {
  const statement = write(
    `
    with gone as materialized (
      select account_id, mode, phone from "${name}" where ctid >= $2::text::tid and ctid < $3::text::tid
    )${forgetQuiet}`,
    { isRare: true },
  )
  await tx.run(statement, [before.toISOString(), `(${blocks.from},0)`, `(${blocks.to},0)`])
}

const oldCounts = write(`
  delete from protection_count where ctid >= $2::text::tid and ctid < $3::text::tid and ends_at < ${before} returning 1`)

/** Erases what was counted for rules in some blocks and says nothing any more. @returns how many rows */
export async function eraseOldCounts(tx: Tx, before: Date, { from, to }: Blocks): Promise<number> {
  return (await tx.run(oldCounts, [before.toISOString(), `(${from},0)`, `(${to},0)`])).length
}

export interface Erased {
  messages: number
  sandboxMessages: number
  /** What was remembered for limits and for the code that was pending, one for each account and mode. */
  phoneStates: number
}

/** Of one account, or of all when `$2` is null. */
const ofAccount = (column: string) => `($2::text is null or ${column} = $2)`

/** Each phone under each account and mode: what is kept under all three is then found by its whole key. */
const askedPhones = `
    with asked as materialized (
      select a.id, m.mode, f.phone
      from account a, (values ('live'), ('test')) as m (mode), unnest($1::text[]) as f (phone) where ${ofAccount('a.id')}
    )`

const erasures: Record<keyof Erased, Write<{ accountId: string }>> = {
  messages: write(`
    with gone as (delete from message where phone = any($1::text[]) and ${ofAccount('account_id')} returning account_id, id, reference),
    legs as (delete from leg l using gone g where l.account_id = g.account_id and l.message_id = g.id),
    names as (
      delete from message_reference r using gone g
      where r.account_id = g.account_id and r.reference = g.reference and r.message_id = g.id
    ), resendable as (
      delete from resendable r using gone g where r.account_id = g.account_id and r.id = g.id
    )
    select account_id as "accountId" from gone`),
  sandboxMessages: write(`
    delete from sandbox_message where phone = any($1::text[]) and ${ofAccount('account_id')} returning account_id as "accountId"`),
  phoneStates: write(`
    ${askedPhones}
    delete from phone p using asked a where p.account_id = a.id and p.mode = a.mode and p.phone = a.phone
    returning p.account_id as "accountId"`),
}

/** Waits for who writes of them: what a statement is to erase beside them, it sees only when that is committed before. */
const holdMessages = write(`
  select 1 from message where phone = any($1::text[]) and ${ofAccount('account_id')}
  order by account_id collate "C", id collate "C" for update`)

/** Numbers of which only refusals are known, and those that are kept with the counts of what was refused. */
const eraseRefused = [
  write(`
    ${askedPhones}
    delete from refused_phone r using asked a where r.account_id = a.id and r.mode = a.mode and r.phone = a.phone`),
  write(`
    update protection_finding f set phones = array(select one from unnest(f.phones) as one where one <> all ($1::text[]))
    where f.phones && $1::text[] and ${ofAccount('f.account_id')}`),
]

/**
 * Answers that were kept under keys in the clear, where a key names the phone. The version before kept all keys so; this one does
 * until an upgrade is over.
 */
const eraseNamed = write(`
  delete from idempotency i
  where i.created_at <= (select max(hashed_from) from keyring) and ${ofAccount('i.account_id')} and i.key not like 'hmac %'
    and exists (select from unnest($1::text[]) as g (digits) where position(digits in regexp_replace(i.key, '[^0-9]', '', 'g')) > 0)`)

/** As a key may have them: with the country's code or without it. Few digits would be in many keys. */
function listDigits(phone: string): string[] {
  const digits = phone.slice(1)
  return [digits, digits.slice(-10)].filter(({ length }) => length >= 7)
}

/**
 * Erases all that is held about a phone under any of these numbers, in one account or in all. Phones are locked before messages,
 * as by all others.
 *
 * @returns what was erased, by the account that had it
 */
export async function erasePhone(
  tx: Tx,
  phones: readonly string[],
  accountId: string | undefined,
): Promise<Map<string, Erased>> {
  const values = [phones, accountId ?? null]
  const erased = new Map<string, Erased>()
  const erase = async (what: keyof Erased) => {
    for (const row of await tx.run(erasures[what], values)) {
      const counts = erased.get(row.accountId) ?? { messages: 0, sandboxMessages: 0, phoneStates: 0 }
      counts[what] += 1
      erased.set(row.accountId, counts)
    }
  }
  // Requests lock their keys before their phones.
  await tx.run(eraseNamed, [phones.flatMap(listDigits), accountId ?? null])
  await erase('phoneStates')
  for (const statement of eraseRefused) await tx.run(statement, values)
  await tx.run(holdMessages, values)
  await erase('messages')
  await erase('sandboxMessages')
  return erased
}
