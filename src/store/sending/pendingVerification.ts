/** Attempts on the verification that is pending for a phone, for callers who know the phone and not the verification. */
import { batch } from '../engine/batch.ts'
import { inIdRange, isId } from '../engine/idRange.ts'
import { type Tx, write } from '../engine/session.ts'
import { dates, type PhoneKey, type Rule, remember, rulesOf, within, writeTimes } from './limit.ts'
import { type CheckAttempt, isOver, phoneColumns, sendColumns, sendOf } from './verification.ts'

/** A phone, as an attempt on its pending verification found it. */
export type PhoneAttempt =
  | { found: 'taken'; id: string; attempt: CheckAttempt }
  /** Why none was taken: what was pending, its wrong codes, or the key that signed its code. */
  | { found: 'untaken'; isPending: boolean; wrongAt: Date[]; codeKeyId: string }
  /** Its verification was made while the statement waited for the phone: the next statement sees it. */
  | { found: 'changed' }

interface FoundRow extends Omit<CheckAttempt, 'phone' | 'number' | 'status' | 'sentAt'> {
  /** Null in a row that stands for none: nothing was ever sent to any of the phones. */
  n: number | null
  id: string
  /** Of the attempt; null where none was taken. */
  number: number | null
  /** Null where its message is not seen yet. */
  status: CheckAttempt['status'] | null
  sentAt: number | null
  isPending: boolean
  wrongAt: string | null
}

type TimedPhone = PhoneKey & { at: Date }
const g = batch<TimedPhone>('g', { ...phoneColumns, at: ['timestamptz', (one) => one.at] }, { isShort: true })
const [, , keyIds] = g.more()
const firstOfSpan = g.next
const firstOfRules = g.next + 3

/**
 * The phones are locked in their order, then looked at, and what was seen of them still holds when they are written. A message
 * that is not there was made while this waited for the lock. Where nothing is counted, the transaction writes a record that means
 * nothing: its commit waits for the disk too, so a caller cannot tell from the time whether a code is pending.
 */
const take = write<FoundRow>(`
  with latest as materialized (
    select g.n, g.at, p.account_id, p.mode, p.phone, p.verification_id as id, p.code_hmac, p.code_key_id, p.attempts,
      p.attempts_max, p.wrong_at,
      p.verified_attempt is null and p.attempts < p.attempts_max and p.expires_at > g.at as is_pending
    from ${g.numbered}
    join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
    order by p.account_id collate "C", p.mode collate "C", p.phone collate "C" for update of p
  ), seen as materialized (
    select g.*, m.status, m.awaited, ${sendColumns}, coalesce(${isOver}, false) as is_over,
      g.is_pending and m.id is not null and not ${isOver} and g.code_key_id = any (${keyIds}::text[])
        and ${within('g.wrong_at', 'g.at', firstOfRules)} as is_taken
    from latest g
    left join message m on m.account_id = g.account_id and ${isId('m.id', 'g.id')} and ${inIdRange('m.id', firstOfSpan)}
  ), taken as (
    update phone p set attempts = p.attempts + 1, wrong_at = ${remember('g.at', 'p.wrong_at', firstOfRules)}
    from seen g
    where g.is_taken and p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
  )
  select s.n::int as n, s.id, case when s.is_taken then s.attempts + 1 end as number, s.code_hmac as "codeHmac",
    s.code_key_id as "codeKeyId", s.attempts_max as "attemptsMax", s.status, s.awaited, ${sendOf('s')},
    s.is_pending and not s.is_over as "isPending", case when not s.is_taken then ${writeTimes('s.wrong_at')} end as "wrongAt",
    (select pg_logical_emit_message(true, 'watchword', '') where not exists (select from seen where is_taken)) as written
  from (values (1)) one
  left join seen s on true`)

export interface PhoneAttemptOptions {
  rules: Rule[]
  /** Of the keys that this process can verify with. */
  keyIds: readonly string[]
  /** The least and the greatest id of what can be pending. */
  pendingSpan: readonly [least: string, greatest: string]
}

/**
 * Counts one attempt on what is pending for each phone, and one wrong code, under the same conditions as `takeAttempts`. It is
 * one statement, whatever it finds.
 *
 * @param list no two of the same phone
 * @returns undefined for a phone that nothing was ever sent to
 */
export async function takeAttemptsByPhone(
  tx: Tx,
  list: readonly TimedPhone[],
  { rules, keyIds: held, pendingSpan }: PhoneAttemptOptions,
): Promise<(PhoneAttempt | undefined)[]> {
  const rows = await tx.run(take, [...g.valuesOf(list), ...pendingSpan, held, ...rulesOf(rules)])
  const found: (PhoneAttempt | undefined)[] = Array.from(list, () => undefined)
  for (const row of rows) if (row.n !== null) found[row.n - 1] = toAttempt(row, list[row.n - 1]!)
  return found
}

function toAttempt(row: FoundRow, { phone }: PhoneKey): PhoneAttempt {
  const { id, number, codeHmac, codeKeyId, attemptsMax, status, awaited, isPending, wrongAt } = row
  const { sentAt, country, signals } = row
  if (number !== null && status !== null && sentAt !== null) {
    const sent = { sentAt, country, signals }
    return {
      found: 'taken',
      id,
      attempt: { phone, codeHmac, codeKeyId, number, attemptsMax, status, awaited, ...sent },
    }
  }
  if (isPending && status === null) return { found: 'changed' }
  return { found: 'untaken', isPending, wrongAt: dates(wrongAt ?? undefined), codeKeyId }
}
