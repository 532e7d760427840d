/** Notifications take a place in what their phone may get. */
import { batch } from '../engine/batch.ts'
import type { Tx } from '../engine/session.ts'
import { type ForbiddenSend, inPhoneOrder, type Rule, remember, rulesOf, timesById, within } from './limit.ts'
import { byTracing, makeSent, messageColumns, type NewMessage } from './message.ts'

const d = batch<NewMessage>('d', messageColumns)

const send = byTracing<ForbiddenSend>(
  (isTraced) => `
  with d as materialized (select * from ${d.rows}), sent as (
    insert into phone as p (account_id, mode, phone, notified_at)
    select account_id, mode, phone, array[at::timestamptz] from d
    on conflict (account_id, mode, phone) do update set
      notified_at = ${remember('excluded.notified_at[1]', 'p.notified_at', d.next)}
    where ${within('p.notified_at', 'excluded.notified_at[1]', d.next)}
    returning account_id, mode, phone
  ), ${makeSent('notified_at', isTraced)}`,
)

/**
 * Counts one notification on each phone and makes its message, unless a rule forbids it. No two may have the same phone.
 * It is the last of its transaction.
 *
 * @returns of those that a rule forbids, by their ids, when their phone was notified
 */
export async function sendNotifications(
  tx: Tx,
  list: readonly NewMessage[],
  rules: Rule[],
): Promise<Map<string, Date[]>> {
  const rows = inPhoneOrder(list)
  return timesById(await tx.runLast(send(rows), [...d.valuesOf(rows), ...rulesOf(rules)]))
}
