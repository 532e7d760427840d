/** The attacks that are played: they are as bad as they say, and what came of one is judged as it has to be. */
import { describe, expect, it } from 'vitest'
import { createHonest } from '../../scripts/attack/honest.ts'
import { patterns } from '../../scripts/attack/patterns.ts'
import { places } from '../../scripts/attack/place.ts'
import { type PlayedPattern, playPattern, playScenario } from '../../scripts/attack/play.ts'
import { createChance } from '../../scripts/attack/random.ts'
import { differences, formatTable, missedGoals } from '../../scripts/attack/report.ts'
import { scenarios } from '../../scripts/attack/scenarios.ts'
import { openMemory } from '../../scripts/attack/stage.ts'
import { readNumber } from '../../src/domain/sending/numberingPlan.ts'

const begin = Date.UTC(2026, 2, 10)

describe('an attack', () => {
  it.each(patterns)('$name goes to numbers that exist in its country, in the order of time', ({ sends }) => {
    const list = sends(createChance(7), begin)
    expect(list.length).toBeGreaterThan(100)
    for (const { phone, country } of list) expect(readNumber(phone)?.country, phone).toBe(country)
    expect(list.map(({ at }) => at)).toEqual(list.map(({ at }) => at).toSorted((one, other) => one - other))
  })

  it('is stopped by the standard list, while honest people get their codes', async () => {
    const [counting] = patterns
    const played = await playPattern(counting!, openMemory, { seed: 5 })
    expect(missedGoals([played])).toEqual([])
    expect(played.passed).toBeLessThan(50)
    expect(played.rules.map(([rule]) => rule)).toContain('sequence')
  })

  it('that nothing stops is told to come through', async () => {
    const [counting] = patterns
    const played = await playPattern(counting!, async () => ({ send: async () => [], close: async () => {} }), {
      seed: 5,
    })
    expect(played).toMatchObject({ sends: 1500, passed: 1500, stoppedLater: 0, firstStopAfter: undefined, rules: [] })
    expect(missedGoals([played])).toEqual([
      'counting: 0 % of the sends after the first 50 were stopped; the goal is 90 %.',
    ])
    expect(formatTable([played], [])).toContain('| 1500 | 1500 | 0 % | never | 0 of ')
  })

  it('that is stopped with too many honest sends misses its goal', () => {
    const played: PlayedPattern = {
      ...{ name: 'x', about: 'y', isGoal: true, sends: 100, passed: 10, stoppedLater: 1, firstStopAfter: 90_000 },
      ...{ honest: 1000, honestStopped: 5, rules: [['a', 90]], stopped: [] },
    }
    expect(missedGoals([played])).toEqual(['x: 0.50 % of the honest sends were stopped; the goal is less than 0.5 %.'])
    expect(missedGoals([{ ...played, honestStopped: 4 }])).toEqual([])
    expect(missedGoals([{ ...played, isGoal: false }])).toEqual([])
  })
})

describe('an honest crowd', () => {
  const patternOf = (name: string) => patterns.find((one) => one.name === name)!
  const scenarioOf = (name: string) => scenarios.find((one) => one.name === name)!

  it('of 150 in half a minute, on the first day, passes whole, and a pumper within is stopped', async () => {
    const pumpers = ['burst', 'counting'].map(patternOf)
    const played = await playScenario(scenarioOf('rush'), pumpers, openMemory, { seed: 5 })
    expect(played.alone).toMatchObject({ honest: 150, honestStopped: 0 })
    for (const { honestStopped, stoppedLater } of played.attacked) {
      expect(honestStopped).toBe(0)
      expect(stoppedLater).toBeGreaterThan(0.9)
    }
  })

  it.each(scenarios)('$name goes to numbers that exist in its countries, in the order of time', ({ sends }) => {
    const list = sends(createChance(7), begin, createHonest(createChance(7)).day(begin))
    expect(list.length).toBeGreaterThan(100)
    // Numbers of the islands begin as those of Great Britain.
    const some = list.filter(({ country }) => country !== 'GB').slice(0, 500)
    for (const { phone, country } of some) expect(readNumber(phone)?.country, phone).toBe(country)
    expect(list.map(({ at }) => at)).toEqual(list.map(({ at }) => at).toSorted((one, other) => one - other))
  })

  it('of which too many are stopped, or with an attack that comes through, misses its goal', async () => {
    const stopping = (isStopped: (isHonest: boolean) => boolean) => async () => ({
      send: async ({ isHonest }: { isHonest: boolean }) => (isStopped(isHonest) ? ['a'] : []),
      close: async () => {},
    })
    const rush = scenarioOf('rush')
    const all = await playScenario(
      rush,
      [],
      stopping((isHonest) => isHonest),
      { seed: 5 },
    )
    expect(missedGoals([], [all])).toEqual([
      'rush: 100.00 % of the honest sends were stopped; the goal is less than 0.5 %.',
    ])
    const none = await playScenario(
      rush,
      ['burst', 'resends'].map(patternOf),
      stopping(() => false),
      { seed: 5 },
    )
    // That the rules cannot tell resends from it, the table says.
    expect(missedGoals([], [none])).toEqual([
      'rush with burst: 0 % of the sends after the first 100 were stopped; the goal is 80 %.',
    ])
  })
})

describe('what the service has judged', () => {
  const played = (stopped: boolean[]): PlayedPattern => ({
    ...{ name: 'x', about: 'y', isGoal: true, sends: 0, passed: 0, stoppedLater: 1, firstStopAfter: undefined },
    ...{ honest: 1, honestStopped: 0, rules: [], stopped },
  })
  const stops = (count: number) => Array.from({ length: 1000 }, (_, index) => index < count)

  it('may differ from the rules alone in one of 200 sends, and not in more', () => {
    expect(differences([played(stops(5))], [played(stops(0))])).toEqual([])
    expect(differences([played(stops(0))], [played(stops(6))])).toEqual([
      'x: the service has judged 6 of 1000 sends otherwise than the rules alone.',
    ])
  })
})

describe('an honest day', () => {
  it('converts in each country as often as it says, and is the same for the same seed', () => {
    const people = createHonest(createChance(1))
    const first = people.day(begin)
    expect(createHonest(createChance(1)).day(begin)).toEqual(first)
    const days = [
      ...first,
      ...Array.from({ length: 29 }, (_, day) => people.day(begin + (day + 1) * 86_400_000)).flat(),
    ]
    for (const { country, conversion } of places.slice(0, 6)) {
      const sends = days.filter((send) => send.country === country)
      const verified = sends.filter(({ verifiedAfter }) => verifiedAfter !== undefined)
      expect(verified.length / sends.length, country).toBeGreaterThan(conversion - 0.05)
      expect(verified.length / sends.length, country).toBeLessThan(conversion + 0.05)
    }
  })
})
