/** Notifications that wait for their time. The transaction that takes one out of `scheduled` decides what becomes of it. */
import { batch, keyColumns } from '../engine/batch.ts'
import { areFound } from '../engine/order.ts'
import { dateOf, milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'
import {
  type ForbiddenSend,
  forbidden,
  inPhoneOrder,
  type Rule,
  remember,
  rulesOf,
  timesById,
  within,
} from './limit.ts'
import { insertFrom, type MessageKey, messageColumns, type NewMessage, nameFrom } from './message.ts'

const d = batch<NewMessage>('d', messageColumns)

const insert = write(`
  with d as materialized (select * from ${d.rows}), made as (${insertFrom('d', true)}
  ), named as (${nameFrom('d')})
  insert into scheduled (account_id, id, send_at) select account_id, id, send_at::timestamptz from d`)

/** Makes messages that have a `sendAt`. Goes with the commit. */
export function insertScheduled(tx: Tx, list: readonly NewMessage[]): void {
  if (list.length > 0) tx.atCommit(insert, d.valuesOf(list))
}

/** A notification whose time has come. */
export interface DueNotification extends MessageKey {
  mode: Mode
  phone: string
  country: string | null
  /** The slug that it is made from. */
  template: string
  route: readonly string[]
  expiresAt: Date | null
}

type Raw = Omit<DueNotification, 'mode' | 'route' | 'expiresAt'> & {
  /** Null where its message was erased. */
  mode: Mode | null
  /** With spaces between them. */
  route: string
  expiresAt: number | null
}

// One step of the index for each account, however many wait. Each message is looked up by its key: by a join, a plan could read all.
const due = read<Raw>(`
  with recursive waiting (account_id, send_at) as (
    values (''::text, null::timestamptz)
    union all
    select next.account_id, next.send_at from waiting w cross join lateral (
      select s.account_id, s.send_at from scheduled s
      where (s.account_id, s.send_at) > (w.account_id, 'infinity'::timestamptz) and s.send_at <= 'infinity'::timestamptz
      order by s.account_id, s.send_at limit 1
    ) next
  ), found as materialized (
    select own.* from waiting w cross join lateral (
      select s.account_id, s.id, s.send_at, row_number() over (order by s.send_at) as turn from scheduled s
      where w.send_at <= $1::text::timestamptz and s.account_id = w.account_id and s.send_at <= $1::text::timestamptz
      order by s.send_at limit $2::int
    ) own
    order by own.turn, own.send_at limit $2::int
  )
  select s.account_id as "accountId", s.id, m.mode, m.phone, m.country, m.template, array_to_string(m.route, ' ') as route,
    ${milliseconds('m.expires_at')} as "expiresAt"
  from found s left join lateral (
    select * from message m where m.account_id = s.account_id and m.id = s.id limit 1
  ) m on true
  order by s.turn, s.send_at`)

/**
 * At most `count`: the first of each account, then the second of each, and so on. `erased` are those whose message is gone.
 */
export async function findDue(
  reader: Reader,
  now: Date,
  count: number,
): Promise<{ due: DueNotification[]; erased: MessageKey[] }> {
  const rows = await reader.run(due, [now.toISOString(), count])
  return {
    due: rows.flatMap(({ mode, route, expiresAt, ...row }) =>
      mode === null ? [] : { ...row, mode, route: route.split(' '), expiresAt: dateOf(expiresAt) },
    ),
    erased: rows.filter(({ mode }) => mode === null),
  }
}

const g = batch<MessageKey>('g', keyColumns, { isShort: true })

const lock = write<{ n: number }>(`
  select g.n::int as n from ${g.numbered}
  join scheduled s on s.account_id = g.account_id and s.id = g.id
  for update of s skip locked`)

/** Takes hold of those that wait still and that no other transaction has. @returns for each, whether it was */
export async function lockScheduled(tx: Tx, keys: readonly MessageKey[]): Promise<boolean[]> {
  return areFound(keys, await tx.run(lock, g.valuesOf(keys)))
}

const drop = write(`delete from scheduled s using ${g.rows} where s.account_id = g.account_id and s.id = g.id`)

/** Of those that the transaction has hold of. Goes with the commit. */
export function dropScheduled(tx: Tx, keys: readonly MessageKey[]): void {
  if (keys.length > 0) tx.atCommit(drop, g.valuesOf(keys))
}

const postpone = write(`
  update scheduled s set send_at = $3::text::timestamptz where s.account_id = $1::text and s.id = $2::text`)

/** Looks at one again later. Its message says the time that it was given. */
export async function postponeScheduled(tx: Tx, { accountId, id }: MessageKey, until: Date): Promise<void> {
  await tx.run(postpone, [accountId, id, until.toISOString()])
}

const ofMode = batch<MessageKey & { mode: Mode }>(
  'g',
  { ...keyColumns, mode: ['text', (key) => key.mode] },
  { isShort: true },
)

const take = write<{ n: number }>(`
  with taken as (
    select g.n, s.account_id, s.id from ${ofMode.numbered}
    join scheduled s on s.account_id = g.account_id and s.id = g.id
    where exists (select from message m where m.account_id = g.account_id and m.id = g.id and m.mode = g.mode)
    order by s.account_id collate "C", s.id collate "C" for update of s
  )
  delete from scheduled s using taken t where s.account_id = t.account_id and s.id = t.id
  returning t.n::int as n`)

/** Takes those out that wait still, after who works on them. @returns for each, whether it was this transaction that did */
export async function takeScheduled(tx: Tx, keys: readonly (MessageKey & { mode: Mode })[]): Promise<boolean[]> {
  return areFound(keys, await tx.run(take, ofMode.valuesOf(keys)))
}

type Recipient = MessageKey & Pick<NewMessage, 'mode' | 'phone' | 'at'>

const counted = batch<Recipient>('d', {
  ...keyColumns,
  mode: ['text', (one) => one.mode],
  phone: ['text', (one) => one.phone],
  at: ['text', (one) => one.at],
})

const count = write<ForbiddenSend>(`
  with d as materialized (select * from ${counted.rows}), sent as (
    insert into phone as p (account_id, mode, phone, notified_at)
    select account_id, mode, phone, array[at::timestamptz] from d
    on conflict (account_id, mode, phone) do update set
      notified_at = ${remember('excluded.notified_at[1]', 'p.notified_at', counted.next)}
    where ${within('p.notified_at', 'excluded.notified_at[1]', counted.next)}
    returning account_id, mode, phone
  ) ${forbidden('notified_at')}`)

/** Counts one notification on each phone, unless a rule forbids it. No two may have the same phone. @returns the ids of those that one does */
export async function countNotified(tx: Tx, list: readonly Recipient[], rules: Rule[]): Promise<ReadonlySet<string>> {
  if (list.length === 0) return new Set()
  const rows = inPhoneOrder(list)
  return new Set(timesById(await tx.run(count, [...counted.valuesOf(rows), ...rulesOf(rules)])).keys())
}
