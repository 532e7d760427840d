/** How many codes an account sent to each country on the days before, and how many were right: from the figures of the charts. */
import { createRemembered } from '../../../kit/remembered.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import { type CountryDay, findCountryDays } from '../../../store/protection/count.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import { type CountSlot, historyDays } from '../counter.ts'
import { slotOfDay } from '../countryHistory.ts'
import type { SubjectOwner } from './subjects.ts'

/** At once, by country; undefined until they were read for the first time. */
export type KnownDays = (owner: SubjectOwner) => ReadonlyMap<string, CountSlot[]> | undefined

const accountsMax = 10_000
const freshMs = 60_000
const dayMs = 86_400_000

export function createCountryDays({
  commit: { reader },
  runtime,
}: {
  commit: Pick<Commit, 'reader'>
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
}): KnownDays {
  const days = createRemembered<CountryDay[], ReadonlyMap<string, CountSlot[]>>({
    ...{ now: runtime.elapsedMs, keysMax: accountsMax, freshMs, staleMs: freshMs },
    read: (key) => {
      const [accountId, mode] = key.split(' ') as [string, Mode]
      const since = new Date(runtime.now().getTime() - (historyDays + 1) * dayMs)
      return findCountryDays(reader, { accountId, mode, since })
    },
    keep: (found) => {
      const byCountry = Map.groupBy(found, ({ country }) => country)
      return new Map([...byCountry].map(([country, own]) => [country, own.map(slotOfDay)]))
    },
  })
  return ({ accountId, mode }) => {
    const key = `${accountId} ${mode}`
    // Read again beside its use; while that fails, the days that are known go on to count.
    days.get(key).catch(() => {})
    return days.last(key)
  }
}
