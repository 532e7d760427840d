/** Sends that rules refuse: they count on the phone's limits, and are kept as counts by the hour, with the latest numbers. */
import { accountId, batch, type Columns } from '../engine/batch.ts'
import { type Tx, write } from '../engine/session.ts'
import type { KeptFinding, Mode } from '../schema/schema.ts'
import {
  type ForbiddenSend,
  forbidden,
  inPhoneOrder,
  type PhoneKey,
  type Rule,
  remember,
  rulesOf,
  timesById,
  within,
} from '../sending/limit.ts'
import { phoneColumns } from '../sending/verification.ts'

export interface RefusedSend extends PhoneKey {
  id: string
  at: Date
}

const d = batch<RefusedSend>('d', { ...phoneColumns, id: ['text', (one) => one.id], at: ['text', (one) => one.at] })

/** The parameter behind those of the rules: seconds by which each is counted earlier than it was. */
const earlier = `make_interval(secs => $${d.next + 2}::int)`
const refusedAt = `excluded.sent_at[1] + ${earlier}`
/** Not before the send before it: the times of a phone are in their order. */
const countedAt = `least(greatest(excluded.sent_at[1], p.sent_at[1]), ${refusedAt})`

const refuse = write<ForbiddenSend>(`
  with d as materialized (select * from ${d.rows}), sent as (
    insert into phone as p (account_id, mode, phone, sent_at)
    select account_id, mode, phone, array[at::timestamptz - ${earlier}] from d
    on conflict (account_id, mode, phone) do update set sent_at = ${remember(countedAt, 'p.sent_at', d.next)}
    where ${within('p.sent_at', `(${refusedAt})`, d.next)}
    returning account_id, mode, phone, sent_at[1] as at, verification_id is null and cardinality(notified_at) = 0 as is_unsent
  ), noted as (
    insert into refused_phone (account_id, mode, phone, at)
    select account_id, mode, phone, at from sent where is_unsent
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
): Promise<Map<string, Date[]>> {
  const values = [...d.valuesOf(inPhoneOrder(list)), ...rulesOf(rules), earlierSeconds]
  return timesById(await tx.run(refuse, values))
}

/** What a rule found of a send. */
export interface FoundOfSend extends KeptFinding {
  accountId: string
  mode: Mode
  at: Date
  phone: string
  /** Undefined for one that was refused. */
  messageId: string | undefined
}

/** Numbers that a row keeps. */
const phonesKept = 20

const columns: Columns<FoundOfSend> = {
  ...accountId,
  mode: ['text', (one) => one.mode],
  at: ['timestamptz', (one) => one.at],
  rule: ['text', (one) => one.rule],
  did: ['text', (one) => one.did],
  phone: ['text', (one) => one.phone],
  message_id: ['text', (one) => one.messageId],
}
const g = batch<FoundOfSend>('g', columns, { isShort: true })
const ofMessages = batch<FoundOfSend>('g', columns, { ids: 'message_id' })

const hour = "date_bin('1 hour', g.at, '2000-01-01T00:00:00Z')"

const adding = (source: string, [part]: Iterable<string>) =>
  write(`
  insert into protection_finding as f (account_id, mode, hour, rule, did, part, sends, phones)
  select g.account_id, g.mode, ${hour}, g.rule, g.did, ${part}::smallint, count(*),
    (coalesce(array_agg(g.phone) filter (where g.message_id is null), '{}'))[1:${phonesKept}]
  from ${source}
  group by g.account_id, g.mode, ${hour}, g.rule, g.did
  order by g.account_id collate "C", g.mode collate "C", ${hour}, g.rule collate "C", g.did collate "C"
  on conflict (account_id, mode, hour, rule, did, part) do update set sends = f.sends + excluded.sends,
    phones = (f.phones || excluded.phones)[greatest(1, cardinality(f.phones) + cardinality(excluded.phones) - ${phonesKept - 1}):]`)

/** The phone says whether its send was made. */
const ofSends = adding(
  `${g.rows} join phone p on p.account_id = g.account_id and p.mode = g.mode and p.phone = g.phone
    and p.verification_id = g.message_id`,
  g.more(),
)
/** Of a text, the phone keeps no id. */
const ofTexts = adding(
  `${ofMessages.rows} join message m on m.account_id = g.account_id and m.id = g.message_id
    and ${ofMessages.inIdRange('m.id')}`,
  ofMessages.more(),
)
const ofRefused = adding(g.rows, g.more())

/** Of codes of this transaction: those count that are made. Goes with the commit, behind them. */
export function addCodeFindings(tx: Tx, list: readonly FoundOfSend[], part: number): void {
  if (list.length > 0) tx.atCommit(ofSends, [...g.valuesOf(list), part])
}

/** The same of texts that another system wrote. */
export function addTextFindings(tx: Tx, list: readonly FoundOfSend[], part: number): void {
  if (list.length > 0) tx.atCommit(ofTexts, [...ofMessages.valuesOf(list), part])
}

/** Of sends that are refused. Goes with the commit. */
export function addRefusals(tx: Tx, list: readonly FoundOfSend[], part: number): void {
  if (list.length > 0) tx.atCommit(ofRefused, [...g.valuesOf(list), part])
}
