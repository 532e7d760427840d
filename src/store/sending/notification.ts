/** Notifications take a place in what their phone may get. */

import type { Tx } from '../engine/session.ts'
import { inPhoneOrder, type PhoneKey, type Rule, remember, rulesOf, within } from './limit.ts'
import { byTracing, insertFrom, type NewMessage, nextParameter, rowsFor, valuesOf } from './message.ts'

const send = byTracing<PhoneKey>(
  (isTraced) => `
  with d as materialized (select * from ${rowsFor()}), reserved as (
    insert into phone as p (account_id, mode, phone, notified_at)
    select account_id, mode, phone, array[at::timestamptz] from d
    on conflict (account_id, mode, phone) do update set
      notified_at = ${remember('excluded.notified_at[1]', 'p.notified_at', nextParameter)}
    where ${within('p.notified_at', 'excluded.notified_at[1]', nextParameter)}
    returning account_id, mode, phone
  ), made as (${insertFrom('d join reserved r on r.account_id = d.account_id and r.mode = d.mode and r.phone = d.phone', isTraced)}
  )
  select account_id as "accountId", mode, phone from reserved`,
)

/**
 * Counts one notification on each phone and makes its message, unless a rule forbids it. No two may have the same phone.
 * It is the last of its transaction.
 *
 * @returns the phones that are notified
 */
export function sendNotifications(tx: Tx, list: readonly NewMessage[], rules: Rule[]): Promise<PhoneKey[]> {
  const rows = inPhoneOrder(list)
  return tx.runLast(send(rows), [...valuesOf(rows), ...rulesOf(rules)])
}
