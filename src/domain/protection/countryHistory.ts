/** What the charts have counted by country on whole days, as the counter has it that looks at it. */
import type { CountryDay } from '../../store/protection/count.ts'
import { type Counter, type CounterRow, type CountSlot, isWritten } from './counter.ts'

const daySeconds = 86_400

/** @returns none where no rule looks at days by country */
export function countryHistory(counters: readonly Counter[], days: readonly CountryDay[]): CounterRow[] {
  const counter = counters.find((one) => !isWritten(one))
  return counter ? days.map((day) => ({ counter, key: day.country, ...slotOfDay(day) })) : []
}

export function slotOfDay({ from, sends, verified }: CountryDay): CountSlot {
  const sets = { countries: [], verifiedCountries: [], numbers: [] }
  return { from, seconds: daySeconds, sends, unchecked: 0, verified, ...sets }
}
