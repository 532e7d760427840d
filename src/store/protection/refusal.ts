/** Sends that rules refuse: they count on the limits of their phones. */
import { batch } from '../engine/batch.ts'
import { type Tx, write } from '../engine/session.ts'
import {
  type ForbiddenSend,
  forbidden,
  inPhoneOrder,
  type PhoneKey,
  type Rule,
  remember,
  rememberPosted,
  rulesOf,
  type SentTimes,
  timesById,
  withinSends,
} from '../sending/limit.ts'
import { phoneColumns } from '../sending/verification.ts'

const held = batch<PhoneKey>('g', phoneColumns, { isShort: true })
const hold = write(`
  select 1
  from ${held.rows}
  join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
  order by p.account_id collate "C", p.mode collate "C", p.phone collate "C" for update of p`)

/** Locks phones in the order of all, where several statements are to write of them. One that is not there yet, nobody waits for. */
export async function holdPhones(tx: Tx, phones: readonly PhoneKey[]): Promise<void> {
  await tx.run(hold, held.valuesOf(phones))
}

export interface RefusedSend extends PhoneKey {
  id: string
  at: Date
  /** An auth system asked for it. */
  isPosted: boolean
}

const d = batch<RefusedSend>('d', {
  ...phoneColumns,
  id: ['text', (one) => one.id],
  at: ['text', (one) => one.at],
  is_posted: ['boolean', (one) => one.isPosted],
})

/** The parameter behind those of the rules: seconds by which each is counted earlier than it was. */
const earlier = `make_interval(secs => $${d.next + 2}::int)`
const refusedAt = `excluded.sent_at[1] + ${earlier}`
/** Not before the send before it: the times of a phone are in their order. */
const countedAt = `least(greatest(excluded.sent_at[1], p.sent_at[1]), ${refusedAt})`

const refuse = write<ForbiddenSend>(`
  with d as materialized (select * from ${d.rows}), sent as (
    insert into phone as p (account_id, mode, phone, sent_at, posted_at)
    select account_id, mode, phone, array[at::timestamptz - ${earlier}],
      case when is_posted then array[at::timestamptz - ${earlier}] else '{}' end from d
    on conflict (account_id, mode, phone) do update set sent_at = ${remember(countedAt, 'p.sent_at', d.next)},
      posted_at = ${rememberPosted(countedAt, d.next)}
    where ${withinSends(`(${refusedAt})`, d.next)}
    returning account_id, mode, phone, sent_at[1] as at
  ), noted as (
    insert into refused_phone (account_id, mode, phone, at)
    select account_id, mode, phone, at from sent
    on conflict (account_id, mode, phone) do update set at = excluded.at
  )
  ${forbidden('sent_at')}`)

/**
 * Counts each on the limits of its phone, as if it were sent.
 *
 * @param earlierSeconds as if it were sent so long ago: then no cooldown of that length begins
 * @returns of those that a limit forbids, by their ids, when their phone was sent to
 */
export async function refuseSends(
  tx: Tx,
  list: readonly RefusedSend[],
  rules: readonly Rule[],
  earlierSeconds: number,
): Promise<Map<string, SentTimes>> {
  const values = [...d.valuesOf(inPhoneOrder(list)), ...rulesOf(rules), earlierSeconds]
  return timesById(await tx.run(refuse, values))
}
