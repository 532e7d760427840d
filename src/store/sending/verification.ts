/**
 * The one verification that can be pending for a phone: replaced by a send, counted on by a check. Each is one statement on
 * the phone's row, whose lock puts them in order, and each takes a list, so that the requests of a moment share it. No two
 * members of a list may have the same phone.
 */
import { accountId, type Batch, batch, type Columns, keyColumns } from '../engine/batch.ts'
import { inIdRange, isId } from '../engine/idRange.ts'
import { areFound, inPlaces } from '../engine/order.ts'
import { milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { KeptSignals, MessageStatus, Mode } from '../schema/schema.ts'
import {
  dates,
  type ForbiddenSend,
  inPhoneOrder,
  type PhoneKey,
  type Rule,
  remember,
  rememberPosted,
  rulesOf,
  type SentTimes,
  timesById,
  within,
  withinSends,
  writeTimes,
} from './limit.ts'
import { byExtras, inMessageOrder, type MessageKey, makeSent, messageColumns, type NewMessage } from './message.ts'

export interface NewVerification extends NewMessage {
  codeHmac: Buffer
  codeKeyId: string
  attemptsMax: number
}

const d = batch<NewVerification>('d', {
  ...messageColumns,
  code_hmac: ['text', (one) => one.codeHmac.toString('base64')],
  code_key_id: ['text', (one) => one.codeKeyId],
  attempts_max: ['int', (one) => one.attemptsMax],
})

const send = byExtras<ForbiddenSend>(
  (hasExtras) => `
  with d as materialized (select * from ${d.rows}), sent as (
    insert into phone as p (account_id, mode, phone, sent_at, verification_id, code_hmac, code_key_id, attempts_max,
      expires_at)
    select account_id, mode, phone, array[at::timestamptz], id, decode(code_hmac, 'base64'), code_key_id, attempts_max,
      expires_at::timestamptz
    from d
    on conflict (account_id, mode, phone) do update set
      sent_at = ${remember('excluded.sent_at[1]', 'p.sent_at', d.next)},
      posted_at = ${rememberPosted('excluded.sent_at[1]', d.next)},
      has_verified = p.has_verified or p.verified_attempt is not null,
      superseded_id = case when p.verified_attempt is null and p.expires_at > excluded.sent_at[1] then p.verification_id end,
      verification_id = excluded.verification_id,
      code_hmac = excluded.code_hmac,
      code_key_id = excluded.code_key_id,
      attempts = 0,
      attempts_max = excluded.attempts_max,
      verified_attempt = null,
      expires_at = excluded.expires_at
    where ${withinSends('excluded.sent_at[1]', d.next)}
    returning account_id, mode, phone
  ), ${makeSent('sent_at', hasExtras)}`,
)

export const phoneColumns: Columns<PhoneKey> = {
  ...accountId,
  mode: ['text', (one) => one.mode],
  phone: ['text', (one) => one.phone],
}
const sent = batch<NewVerification>('g', { ...phoneColumns, id: ['text', (one) => one.id] }, { isShort: true })

/** Of those that are pending now. Of its own: a statement that waited for a phone does not see what its holder made. */
const forgetSuperseded = write(`
  update message m set content = null
  from (
    select p.account_id, p.superseded_id
    from ${sent.rows}
    join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
    where p.verification_id = g.id and p.superseded_id is not null
    order by p.account_id collate "C", p.superseded_id collate "C"
  ) s
  where m.account_id = s.account_id and ${isId('m.id', 's.superseded_id')} and ${inIdRange('m.id', sent.next)}`)

/**
 * Makes each verification the pending one of its phone, with its message, unless a rule forbids a send to it. What was
 * pending before is superseded: no connection carries that code any more. It is the last of its transaction.
 *
 * @param pendingSpan the least and the greatest id of what can be pending until now
 * @returns of those that a rule forbids, by their ids, when their phone was sent to
 */
export async function sendVerifications(
  tx: Tx,
  list: readonly NewVerification[],
  { rules, pendingSpan }: { rules: Rule[]; pendingSpan: readonly [least: string, greatest: string] },
): Promise<Map<string, SentTimes>> {
  const rows = inPhoneOrder(list)
  tx.atCommit(forgetSuperseded, [...sent.valuesOf(rows), ...pendingSpan])
  return timesById(await tx.runLast(send(rows), [...d.valuesOf(rows), ...rulesOf(rules)]))
}

export interface VerificationKey extends MessageKey {
  mode: Mode
}

export interface CheckAttempt {
  phone: string
  codeHmac: Uint8Array
  codeKeyId: string
  /** 1 for the first attempt. */
  number: number
  attemptsMax: number
  /** Of its message. */
  status: MessageStatus
  /** Endpoints are to be told how it ends. */
  awaited: boolean
  /** When it was sent, in milliseconds of Unix time. */
  sentAt: number
  /** Where it was sent. */
  country: string | null
  /** Of who asked for it. */
  signals: KeptSignals | null
}

/** SQL for what is known of the send of the message `m`, and for its names in a row of `of`. */
export const sendColumns = `${milliseconds('m.created_at')} as sent_at_ms, m.country, m.signals`
export const sendOf = (of: string) => `${of}.sent_at_ms as "sentAt", ${of}.country, ${of}.signals`

/** SQL for: time has ended the verification of the message `m`. What has come to that is not taken back. */
export const isOver = `(m.status = 'expired' or m.timeline @> '[{"status": "expired"}]')`

export const verificationColumns: Columns<VerificationKey> = { ...keyColumns, mode: ['text', (one) => one.mode] }
const found = batch<VerificationKey>('g', verificationColumns, { ids: 'id' })
type Timed = VerificationKey & { at: Date }
const timed = batch<Timed>('g', { ...verificationColumns, at: ['timestamptz', (one) => one.at] }, { ids: 'id' })

/** SQL for: the code of the message `m` is checked here, and not by the auth system that posted it. */
export const isChecked = `m.signals -> 'unchecked' is null`

/**
 * The phones of verifications, as the table `asked`. Materialized: a planner that was free to begin with the account's phones
 * might do so.
 */
function asked({ numbered, inIdRange }: Pick<Batch<never>, 'numbered' | 'inIdRange'>): string {
  return `asked as materialized (
    select g.*, m.phone, m.expires_at, m.verified_at, m.status, m.awaited, ${isOver} as is_over,
      ${sendColumns}
    from ${numbered}
    join message m on m.account_id = g.account_id and ${isId('m.id', 'g.id')} and m.mode = g.mode and m.kind = 'verification'
      and ${inIdRange('m.id')} and ${isChecked}
  )`
}

/** The phones that verifications are the last ones of, locked in their order, as the table `latest`. */
const latest = `${asked(timed)}, latest as (
    select g.n, g.id, g.at, g.status, g.awaited, g.sent_at_ms, g.country, g.signals, p.account_id, p.mode, p.phone
    from asked g
    join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
    where p.verification_id = g.id and not g.is_over
    order by p.account_id collate "C", p.mode collate "C", p.phone collate "C" for update of p
  )`

/** Whether the phone `p` still waits for the code of `g`, a row of `latest`. */
const isPending = `p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone and p.verification_id = g.id
    and p.verified_attempt is null and p.attempts < p.attempts_max and p.expires_at > g.at`

const [keyIds] = timed.more()
const firstOfRules = timed.next + 1

const take = write<CheckAttempt & { n: number }>(`
  with ${latest}
  update phone p set attempts = p.attempts + 1, wrong_at = ${remember('g.at', 'p.wrong_at', firstOfRules)}
  from latest g
  where ${isPending} and p.code_key_id = any (${keyIds}::text[]) and ${within('p.wrong_at', 'g.at', firstOfRules)}
  returning g.n::int as n, p.phone, p.code_hmac as "codeHmac", p.code_key_id as "codeKeyId", p.attempts as number,
    p.attempts_max as "attemptsMax", g.status, g.awaited, ${sendOf('g')}`)

/**
 * Counts one attempt on each verification that is pending, and one wrong code for its phone; `settleAnswers` takes the
 * latter back. What is not pending, or whose phone has too many wrong codes, is not counted; nor is a code that nobody here
 * can tell right from wrong.
 *
 * @param keyIds of the keys that this process can verify with
 * @returns the attempt on each, undefined where there is none
 */
export async function takeAttempts(
  tx: Tx,
  list: readonly Timed[],
  { rules, keyIds }: { rules: Rule[]; keyIds: readonly string[] },
): Promise<(CheckAttempt | undefined)[]> {
  return inPlaces(list, await tx.run(take, [...timed.valuesOf(list), keyIds, ...rulesOf(rules)]))
}

const held = batch<MessageKey>('g', keyColumns, { ids: 'id' })

const undecided = write<{ n: number }>(`
  select g.n::int as n
  from ${held.numbered}
  join message m on m.account_id = g.account_id and ${isId('m.id', 'g.id')} and ${held.inIdRange('m.id')}
  where not ${isOver}
  order by m.account_id collate "C", m.id collate "C" for update of m`)

/**
 * Takes hold of the messages of verifications that attempts are about to decide: from then on time can not end them.
 *
 * @returns for each, whether it can be decided; it is not where time was first
 */
export async function holdUndecided(tx: Tx, keys: readonly MessageKey[]): Promise<boolean[]> {
  return areFound(keys, await tx.run(undecided, held.valuesOf(keys)))
}

const right = batch<PhoneKey>('g', phoneColumns)

const answered = write(`
  update phone p set wrong_at = p.wrong_at[2:], verified_attempt = p.attempts
  from ${right.rows}
  where p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone`)

const over = batch<MessageKey & { at: Date | null }>(
  'g',
  { ...keyColumns, at: ['timestamptz', (one) => one.at] },
  { ids: 'id' },
)

const decided = write(`
  update message m set verified_at = g.at, content = case when g.at is null then m.content end, awaited = false
  from ${over.rows}
  where m.account_id = g.account_id and ${isId('m.id', 'g.id')} and ${over.inIdRange('m.id')}`)

/** What attempts have decided, in the transaction that took them: it holds their phones, so no other can have come between. */
export interface Answers {
  /** The wrong code is taken back that each was counted as. */
  right: readonly (VerificationKey & { phone: string; at: Date })[]
  /** Those whose attempts are used up, and whose end was awaited until now. */
  exhausted: readonly MessageKey[]
}

/** Goes with the commit. */
export function settleAnswers(tx: Tx, { right: list, exhausted }: Answers): void {
  if (list.length > 0) tx.atCommit(answered, right.valuesOf(list))
  const rows = inMessageOrder([...list, ...exhausted.map((key) => ({ ...key, at: null }))])
  if (rows.length > 0) tx.atCommit(decided, over.valuesOf(rows))
}

const end = write<{ n: number }>(`
  with ${latest}, ended as (
    update phone p set expires_at = to_timestamp(0) from latest g where ${isPending}
    returning g.n, g.account_id, g.id
  )
  update message m set expires_at = m.created_at
  from (select * from ended order by account_id collate "C", id collate "C") g
  where m.account_id = g.account_id and ${isId('m.id', 'g.id')} and ${timed.inIdRange('m.id')}
  returning g.n::int as n`)

/** Ends each verification that is pending at its `at`, whatever time another clock has. @returns for each, whether it was */
export async function endVerifications(tx: Tx, list: readonly Timed[]): Promise<boolean[]> {
  return areFound(list, await tx.run(end, timed.valuesOf(list)))
}

export interface VerificationState {
  verified: boolean
  superseded: boolean
  expiresAt: Date
  /** Time has ended it. */
  isOver: boolean
  attemptsLeft: number
  wrongAt: Date[]
  /** Of the key that signed the code that is pending on its phone. */
  codeKeyId: string
}

type StateRow = Omit<VerificationState, 'expiresAt' | 'wrongAt'> & { n: number; expiresAt: number; wrongAt: string }

const states = read<StateRow>(`
  with ${asked(found)}
  select g.n::int as n,
    g.verified_at is not null or (p.verification_id = g.id and p.verified_attempt is not null) as verified,
    p.verification_id <> g.id as superseded,
    ${milliseconds('g.expires_at')} as "expiresAt", g.is_over as "isOver",
    case when p.verification_id = g.id then p.attempts_max - p.attempts else 0 end as "attemptsLeft",
    ${writeTimes('p.wrong_at')} as "wrongAt", p.code_key_id as "codeKeyId"
  from asked g
  join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone`)

/** How each verification stands; undefined where there is none. */
export async function findVerifications(
  reader: Reader,
  keys: readonly VerificationKey[],
): Promise<(VerificationState | undefined)[]> {
  const raw = await reader.run(states, found.valuesOf(keys))
  const rows = raw.map((row) => ({ ...row, expiresAt: new Date(row.expiresAt), wrongAt: dates(row.wrongAt) }))
  return inPlaces(keys, rows)
}
