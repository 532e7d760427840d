/** What the charts have counted by country on whole days, as rows of the counter that looks at it. */
import type { CountryDay } from '../../store/protection/count.ts'
import { type Counter, type CounterRow, isWritten } from './counter.ts'

/** @returns none where no rule looks at days by country */
export function countryHistory(counters: readonly Counter[], days: readonly CountryDay[]): CounterRow[] {
  const counter = counters.find((one) => !isWritten(one))
  if (!counter) return []
  return days.map(({ country, from, sends, verified }) => ({
    ...{ counter, key: country, from, seconds: counter.slotSeconds, sends, verified },
    ...{ unchecked: 0, countries: [], verifiedCountries: [], numbers: [] },
  }))
}
