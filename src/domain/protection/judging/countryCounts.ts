/**
 * What was counted by country, as this process knows it: each send would read hundreds of rows otherwise. It is read again after
 * a second, and what this process sends meanwhile is added at once. The days before come from the figures of the charts.
 */
import { createRemembered } from '../../../kit/remembered.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import {
  type AskedCount,
  type CountryDay,
  countKeyOf,
  type FoundCount,
  findCountryDays,
  findCounts,
} from '../../../store/protection/count.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import { type Counter, historyDays, isWritten } from '../counter.ts'
import { countryHistory } from '../countryHistory.ts'
import { createCounts, type KeptCounts } from '../counts.ts'
import type { KnownRules } from '../known.ts'

export interface CountryCounts {
  /** @throws when the database is out of reach */
  of: (owner: CountryOwner) => Promise<KeptCounts>
  /** What is known at once; undefined when nothing is. */
  last: (owner: CountryOwner) => KeptCounts | undefined
}

interface CountryOwner {
  accountId: string
  mode: Mode
  /** Undefined for numbers of no country. */
  country?: string | undefined
}

const countriesMax = 10_000
const fresh = { countsMs: 1000, daysMs: 60_000 }
/** How much older than fresh it may be while it is read again. */
const staleTimes = 4
const dayMs = 86_400_000

export interface CountryCountParts {
  commit: Pick<Commit, 'shareReads' | 'reader'>
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
  known: Pick<KnownRules, 'of'>
}

export function createCountryCounts({ commit, runtime, known }: CountryCountParts): CountryCounts {
  const memory = { now: runtime.elapsedMs, keysMax: countriesMax }
  const findSlots = commit.shareReads<readonly AskedCount[], FoundCount[]>({
    work: async (reader, drafts) => {
      const all = drafts.flat()
      const { counts } = await findCounts(reader, all, [])
      return drafts.map((list) => {
        const first = all.indexOf(list[0]!)
        return counts.flatMap((one) => (list[one.place - first] ? [{ ...one, place: one.place - first }] : []))
      })
    },
  })

  const days = createRemembered<CountryDay[], Map<string, CountryDay[]>>({
    ...memory,
    ...agesOf(fresh.daysMs),
    read: (key) => {
      const [accountId, mode] = key.split(' ') as [string, Mode]
      const since = new Date(runtime.now().getTime() - (historyDays + 1) * dayMs)
      return findCountryDays(commit.reader, { accountId, mode, since })
    },
    keep: (found) => Map.groupBy(found, ({ country }) => country),
  })

  const countries = createRemembered<KeptCounts, KeptCounts>({
    ...memory,
    ...agesOf(fresh.countsMs),
    read: async (key) => {
      const [accountId, mode, country = ''] = key.split(' ') as [string, Mode, string]
      const counters = (await known.of({ accountId, mode })).counters.filter(({ by }) => by === 'country')
      const counts = createCounts(counters)
      const written = counters.filter(isWritten)
      const askedOf = (one: Counter): AskedCount => ({
        countKey: countKeyOf({ accountId, mode, counter: one.id, key: country }),
        since: sinceOf(one, runtime.now()),
      })
      const found = written.length > 0 ? await findSlots(written.map(askedOf)) : []
      counts.add(found.map((one) => rowOf(written[one.place]!, country, one)))
      const past = written.length < counters.length ? await days.get(`${accountId} ${mode}`) : undefined
      counts.add(countryHistory(counters, past?.get(country) ?? []))
      return counts
    },
    keep: (counts) => counts,
  })

  const keyOf = ({ accountId, mode, country = '' }: CountryOwner) => `${accountId} ${mode} ${country}`
  return {
    of: async (owner) => (await countries.get(keyOf(owner)))!,
    last: (owner) => countries.last(keyOf(owner)),
  }
}

/** @returns as far back from `now` as rules look, in milliseconds of Unix time */
export function sinceOf({ windowSeconds, slotSeconds }: Counter, now: Date): number {
  // A slot that began before the window has a part in it; and the clock of who sends may be behind.
  return now.getTime() - (windowSeconds + 2 * slotSeconds) * 1000
}

export function rowOf(counter: Counter, key: string, { place: _place, ...slot }: FoundCount) {
  return { counter, key, seconds: counter.slotSeconds, ...slot }
}

function agesOf(freshMs: number): { freshMs: number; staleMs: number } {
  return { freshMs, staleMs: staleTimes * freshMs }
}
