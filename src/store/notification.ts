/** Notifications take a place in what their phone may get. */
import { inPhoneOrder, type PhoneKey, type Rule, remember, rulesOf, within } from './limit.ts'
import { type Tx, write } from './session.ts'

const reserve = write<PhoneKey>(`
  insert into phone as p (account_id, mode, phone, notified_at)
  select account_id, mode, phone, array[at]
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]::timestamptz[]) as d (account_id, mode, phone, at)
  on conflict (account_id, mode, phone) do update set
    notified_at = ${remember('excluded.notified_at[1]', 'p.notified_at', 5)}
  where ${within('p.notified_at', 'excluded.notified_at[1]', 5)}
  returning account_id as "accountId", mode, phone`)

/**
 * Counts one notification on each phone, unless a rule forbids it. No two may have the same phone.
 *
 * @returns the phones that may be notified
 */
export function reserveNotifications(
  tx: Tx,
  list: readonly (PhoneKey & { at: Date })[],
  rules: Rule[],
): Promise<PhoneKey[]> {
  const rows = inPhoneOrder(list)
  return tx.run(reserve, [
    rows.map(({ accountId }) => accountId),
    rows.map(({ mode }) => mode),
    rows.map(({ phone }) => phone),
    rows.map(({ at }) => at.toISOString()),
    ...rulesOf(rules),
  ])
}
