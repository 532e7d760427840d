/** What the charts have counted of whole days, as the counters of a list have it. */
import { type CounterRow, countersOf, historySlotSeconds } from '../counter.ts'
import type { ProtectionRule } from '../rule.ts'
import type { CountryDay } from './source.ts'

export function countryHistory(rules: readonly ProtectionRule[], days: readonly CountryDay[]): CounterRow[] {
  const counter = countersOf(rules).find(
    ({ by, slotSeconds }) => by === 'country' && slotSeconds === historySlotSeconds,
  )
  if (!counter) return []
  const none = { unchecked: 0, countries: [], verifiedCountries: [], numbers: [] }
  return days.map(({ country, from, sends, verified }) => ({
    ...{ counter, key: country, from, seconds: historySlotSeconds, sends, verified },
    ...none,
  }))
}
