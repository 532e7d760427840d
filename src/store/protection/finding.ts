/** What rules found, by the hour. */
import { dateOf, milliseconds, type Reader, read } from '../engine/session.ts'
import type { Mode } from '../schema/schema.ts'

export interface HourOfRule {
  /** Its beginning. */
  hour: Date
  /** The id of the rule. */
  rule: string
  did: 'record' | 'challenge' | 'block'
  sends: number
  /** Some of the refused numbers, the latest last. */
  phones: string[]
}

/** Hours that are read at most: `HourOfRule` comes in parts. */
const rowsMax = 20_000

const hours = read<{ hour: number; rule: string; did: HourOfRule['did']; sends: number; phones: string }>(`
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
