/** What rules found: counts by the hour, with the latest numbers of those that were refused. */
import { accountId, batch, type Columns } from '../engine/batch.ts'
import { dateOf, milliseconds, type Reader, read, type Tx, write } from '../engine/session.ts'
import type { KeptFinding, Mode } from '../schema/schema.ts'
import { madeCodes, madeMessages } from './made.ts'

/** What a rule found of a send. */
export interface FoundOfSend extends KeptFinding {
  accountId: string
  mode: Mode
  at: Date
  phone: string
  /** Undefined for one that was refused. */
  messageId: string | undefined
}

/** Digits of the part of an hour that a transaction adds to: two that add at one moment seldom draw the same, and so seldom wait. */
export const partDigits = 1
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

const ofSends = adding(`${g.rows} ${madeCodes('g', 'message_id')}`, g.more())
const ofTexts = adding(`${ofMessages.rows} ${madeMessages('g', ofMessages, 'message_id')}`, ofMessages.more())
const ofRefused = adding(g.rows, g.more())
/**
 * What is refused has parts of its own, behind those of what is made: a transaction with both writes what it refused, then its
 * counts, then what it found of the others. In common rows, it would wait for one whose counts others wait for.
 */
const refusedPartsFrom = 10 ** partDigits

/** Of codes of this transaction: those count that are made. Goes with the commit, behind them. */
export function addCodeFindings(tx: Tx, list: readonly FoundOfSend[], part: number): void {
  if (list.length > 0) tx.atCommit(ofSends, [...g.valuesOf(list), part])
}

/** The same of texts that another system wrote. */
export function addTextFindings(tx: Tx, list: readonly FoundOfSend[], part: number): void {
  if (list.length > 0) tx.atCommit(ofTexts, [...ofMessages.valuesOf(list), part])
}

/** Of sends that are refused. Goes with the commit. */
export function addRefusedFindings(tx: Tx, list: readonly FoundOfSend[], part: number): void {
  if (list.length > 0) tx.atCommit(ofRefused, [...g.valuesOf(list), refusedPartsFrom + part])
}

export interface HourOfRule extends KeptFinding {
  /** Its beginning. */
  hour: Date
  sends: number
  /** Some of the refused numbers, the latest last. */
  phones: string[]
}

/** Hours that are read at most: `HourOfRule` comes in parts. */
const rowsMax = 40_000

const hours = read<KeptFinding & { hour: number; sends: number; phones: string }>(`
  select ${milliseconds('f.hour')} as hour, f.rule, f.did, f.sends, array_to_string(f.phones, ' ') as phones
  from protection_finding f
  where f.account_id = $1 and f.mode = $2 and f.hour >= $3::text::timestamptz
  order by f.hour, f.rule, f.did limit ${rowsMax}`)

/** What each rule found in each hour since then, the oldest first. */
export async function findRuleHours(
  reader: Reader,
  { accountId, mode, since }: { accountId: string; mode: Mode; since: Date },
): Promise<HourOfRule[]> {
  const found = await reader.run(hours, [accountId, mode, since.toISOString()])
  return found.map(({ hour, phones, ...rest }) => ({
    ...rest,
    hour: dateOf(hour)!,
    phones: phones.split(' ').filter((phone) => phone !== ''),
  }))
}

export interface DayOfRule {
  /** Its beginning (UTC). */
  day: Date
  rule: string
  /** Whatever was done. */
  sends: number
}

/** Rows of hours that are summed at most, the latest first: an hour has a few for each rule. */
const summedMax = 200_000

const days = read<{ day: number; rule: string; sends: number }>(`
  select ${milliseconds("date_bin('1 day', f.hour, '2000-01-01T00:00:00Z')")} as day, f.rule, sum(f.sends)::float8 as sends
  from (
    select hour, rule, sends from protection_finding
    where account_id = $1 and mode = $2 and hour >= $3::text::timestamptz
    order by hour desc limit ${summedMax}
  ) f
  group by 1, 2`)

/** What each rule found on each day since then, in no order. */
export async function findRuleDays(
  reader: Reader,
  { accountId, mode, since }: { accountId: string; mode: Mode; since: Date },
): Promise<DayOfRule[]> {
  const found = await reader.run(days, [accountId, mode, since.toISOString()])
  return found.map(({ day, ...rest }) => ({ ...rest, day: dateOf(day)! }))
}
