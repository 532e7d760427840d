/** The standard list, rule by rule: with what it lets pass, and with the first send that it finds. */
import ipaddr from 'ipaddr.js'
import { describe, expect, it, vi } from 'vitest'
import { type JudgedSend, listCounterIds, listCounters } from '../../../src/domain/protection/counter.ts'
import { decideAct, judge } from '../../../src/domain/protection/judge.ts'
import type { ProtectionRule, WrittenRule } from '../../../src/domain/protection/rule.ts'
import { standardList } from '../../../src/domain/protection/standardList.ts'
import { dayMs, hourMs, type Judging, judging, minuteMs, noon, repeat, rulesOfList, sendOf } from './sends.ts'

const only = (id: string) => standardList.filter((rule) => rule.id === id)
/** How many sends in a row pass a rule, one a second and each to another block of numbers. */
function passing(
  rules: readonly ProtectionRule[],
  { before, each = () => ({}), most = 200 }: Partial<Passing> = {},
): number {
  const counted = judging(rules)
  before?.(counted)
  for (let index = 0; index < most; index++) {
    const phone = `+49151${String(10_000_000 + index * 20_000)}`
    if (counted.send({ phone, at: noon + index * 1000, ...each(index) }).length > 0) return index
  }
  return most
}

interface Passing {
  before: (counted: Judging) => void
  each: (index: number) => Partial<JudgedSend>
  most: number
}

const verifiedAt =
  (count: number, at: number, given: Partial<JudgedSend> = {}) =>
  (counted: Judging) =>
    repeat(count, () => counted.verified({ at, ...given }))

describe('the standard list', () => {
  it('has the rules of its table, and each of them only records', () => {
    const ids = ['kind', 'countries', 'country-day', 'country-hour', 'country-burst', 'prefix-hour', 'sequence']
    expect(standardList.map(({ id }) => id)).toEqual([...ids, 'ip-hour', 'ip-day', 'ip-countries', 'user-day'])
    expect(new Set(standardList.map((rule) => rule.do))).toEqual(new Set(['record']))
  })

  it.each<[string, string, number, Partial<Passing>]>([
    ['country-burst', '150 in ten minutes', 150, {}],
    ['country-burst', '4 times those verified meanwhile', 180, { before: verifiedAt(60, noon - 2 * minuteMs) }],
    ['country-burst', 'a tenth of the highest day', 170, { before: verifiedAt(1700, noon - 2 * dayMs) }],
    ['prefix-hour', '30 unverified to one block', 30, { each: () => ({ prefix: 'block' }) }],
    [
      'prefix-hour',
      'whatever comes where every fifth is verified',
      200,
      { before: verifiedAt(50, noon, { prefix: 'block' }), each: () => ({ prefix: 'block' }) },
    ],
    ['ip-hour', '30 unverified of an address', 30, { each: () => ({ ip: 'home' }) }],
    [
      'ip-hour',
      '0.2 of a sixth of those verified of the address in 24 hours',
      40,
      { before: verifiedAt(1200, noon - 5 * hourMs, { ip: 'home' }), each: () => ({ ip: 'home' }) },
    ],
    [
      'ip-hour',
      'as many as were verified in the hour',
      60,
      { before: verifiedAt(60, noon, { ip: 'home' }), each: () => ({ ip: 'home' }) },
    ],
    ['ip-day', '30 unverified of an address', 30, { each: () => ({ ip: 'home' }) }],
    ['user-day', '10 of a user', 10, { each: () => ({ user: 'u' }) }],
    ['user-day', 'all of callers who name no user', 200, {}],
  ])('%s lets pass: %s', (id, _what, passes, given) => {
    expect(passing(only(id), given)).toBe(passes)
  })

  const longAgo = (counted: Judging) => counted.verified({ at: noon - 8 * dayMs })
  it.each<[string, string, number, ((counted: Judging) => void)[]]>([
    ['country-day', '30 unverified in a country without history', 30, []],
    ['country-day', '0.3 of the highest day of 14', 60, [verifiedAt(200, noon - 3 * dayMs)]],
    ['country-day', '30 again, 15 days after the high day', 30, [verifiedAt(200, noon - 15 * dayMs)]],
    ['country-day', '0.3 of those verified in 24 hours', 60, [longAgo, verifiedAt(200, noon - 20 * hourMs)]],
    ['country-day', 'as many as were verified, without history', 200, [verifiedAt(200, noon - 20 * hourMs)]],
    ['country-hour', '30 unverified in an hour', 30, []],
    ['country-hour', '0.2 of a sixth of the highest day', 40, [verifiedAt(1200, noon - 2 * dayMs)]],
    ['country-hour', '0.4 of those verified in the hour', 40, [longAgo, verifiedAt(100, noon - 30 * minuteMs)]],
    ['country-hour', 'as many as were verified, without history', 100, [verifiedAt(100, noon - 30 * minuteMs)]],
    ['country-hour', '30 when they were verified two hours ago', 30, [verifiedAt(100, noon - 2 * hourMs)]],
  ])('%s lets pass, of codes that had their time: %s', (id, _what, passes, before) => {
    const found = (unverified: number) => {
      const counted = judging(only(id))
      for (const one of before) one(counted)
      repeat(unverified, () => counted.counts.addSend(sendOf({ at: noon - 10 * minuteMs })))
      return counted.send().length
    }
    expect([found(passes), found(passes + 1)]).toEqual([0, 1])
  })

  it.each(['country-day', 'country-hour'])(
    '%s counts no code that is younger than two minutes and not verified',
    (id) => {
      const found = (secondsAgo: number) => {
        const counted = judging(only(id))
        repeat(100, () => counted.counts.addSend(sendOf({ at: noon - secondsAgo * 1000 })))
        return counted.send().length
      }
      // They are counted by the minute.
      expect([1, 60, 119, 181, 600].map(found)).toEqual([0, 0, 0, 1, 1])
    },
  )

  it('a person with 29 sends closes no country, no block of numbers and no office for others', () => {
    const others = [
      { phone: '+4915112349999', ip: 'home' },
      { phone: '+4915999990000', ip: 'office' },
      { phone: '+33612345678', country: 'FR', ip: 'office' },
    ]
    for (const one of others) {
      const counted = judging(standardList)
      repeat(29, (index) =>
        counted.send({ phone: `+49151123${String(1000 + index * 100)}`, ip: 'office', at: noon - 5 * minuteMs }),
      )
      expect(counted.send(one)).toEqual([])
    }
  })

  it('finds the fourth number within twenty of each other, and no fourth that is further away', () => {
    const numbers = (steps: number[]) => {
      const counted = judging(only('sequence'))
      return steps.map((step) => counted.send({ phone: `+491511234${String(5000 + step)}` }).length)
    }
    expect(numbers([0, 7, 14, 20])).toEqual([0, 0, 0, 1])
    expect(numbers([0, 7, 14, 21])).toEqual([0, 0, 0, 0])
    expect(numbers([20, 0, 10, 10, 10, 40, 30])).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(numbers([30, 29, 27, 28])).toEqual([0, 0, 0, 1])
  })

  it('finds the fourth country of an address that sends much, without those where one was verified', () => {
    const counted = judging(only('ip-countries'))
    const to = (country: string, given: Partial<JudgedSend> = {}) =>
      counted.send({ country, ip: 'home', ...given }).length
    repeat(28, () => expect(to('DE')).toBe(0))
    expect(['DE', 'FR', 'PL'].map((country) => to(country))).toEqual([0, 0, 0])
    expect(to('KE', { ip: 'office' })).toBe(0)
    expect(to('KE')).toBe(1)
    counted.counts.addVerified(sendOf({ country: 'FR', ip: 'home' }))
    expect([to('KE'), to('FR'), to('LK')]).toEqual([0, 0, 1])
  })

  it('finds kinds of numbers, of which two are never more than recorded', () => {
    const rules = only('kind').map((rule) => ({ ...rule, do: 'block' as const }))
    const found = (numberKind: string) =>
      judging(rules)
        .send({ numberKind })
        .map(({ did }) => did)
    expect(['TOLL_FREE', 'UAN', 'VOICEMAIL', 'PREMIUM_RATE'].map(found)).toEqual(Array(4).fill(['block']))
    expect(['FIXED_LINE', 'VOIP'].map(found)).toEqual([['record'], ['record']])
    expect(['MOBILE', 'FIXED_LINE_OR_MOBILE'].map(found)).toEqual([[], []])
  })
})

describe('what passes', () => {
  const all = rulesOfList(
    { id: 'countries', by: 'country', allow: ['FR'], do: 'block' },
    { id: 'country-all', by: 'country', count: 'sends', window: '1h', over: { constant: 0 }, do: 'block' },
    { id: 'prefix-all', by: 'prefix', count: 'sends', window: '1h', over: { constant: 0 }, do: 'challenge' },
    { id: 'user-all', by: 'user', count: 'sends', window: '1h', over: { constant: 0 }, do: 'challenge' },
  )
  const found = (given: Partial<JudgedSend>) => judging(all).send({ user: 'u', ...given })
  const ids = (given: Partial<JudgedSend>) => found(given).map(({ rule }) => rule)

  it('is everything that the caller trusts', () => {
    expect(ids({})).toEqual(['countries', 'country-all', 'prefix-all', 'user-all'])
    expect(ids({ trusted: true })).toEqual([])
  })

  it('is a phone that was verified before, where rules count for its country or its block', () => {
    expect(ids({ wasVerified: true })).toEqual(['countries', 'user-all'])
  })

  it('is a challenge when somebody has solved a captcha, and no block', () => {
    const acts = (isCaptchaSolved: boolean) => found({ isCaptchaSolved }).map(({ did }) => did)
    expect(acts(false)).toEqual(['block', 'block', 'challenge', 'challenge'])
    expect(acts(true)).toEqual(['block', 'block', 'record', 'record'])
  })

  it.each<[string, NonNullable<ProtectionRule['except']>, Partial<JudgedSend>, boolean]>([
    ['its country', { countries: ['DE'] }, {}, true],
    ['another country', { countries: ['FR'] }, {}, false],
    ['how its number begins', { phones: ['+49151*'] }, {}, true],
    ['its number', { phones: ['+4915112340000'] }, {}, true],
    ['a longer number', { phones: ['+491511234000'] }, {}, false],
    ['the other number of its phone', { phones: ['+541136543210'] }, { phone: '+5491136543210' }, true],
    ['how the other number begins', { phones: ['+5411*'] }, { phone: '+5491136543210' }, true],
    ['its network', { networks: ['10.0.0.0/8'] }, { address: '10.1.2.3' }, true],
    ['its network, written as IPv6', { networks: ['10.0.0.0/8'] }, { address: '::ffff:10.1.2.3' }, true],
    ['its IPv6 network', { networks: ['2001:db8::/32'] }, { address: '2001:db8::1' }, true],
    ['another network', { networks: ['10.0.0.0/8'] }, { address: '192.0.2.1' }, false],
    ['a network, when no address is known', { networks: ['0.0.0.0/0'] }, {}, false],
    ['a network, when the address is none', { networks: ['0.0.0.0/0'] }, { address: 'nonsense' }, false],
  ])('is what a rule excepts by %s', (_what, except, given, passes) => {
    const rules = rulesOfList({ id: 'x', by: 'country', allow: ['FR'], do: 'block' }).map((rule) => ({
      ...rule,
      except,
    }))
    expect(judging(rules).send(given).length === 0).toBe(passes)
  })
})

describe('a list that asks for much', () => {
  it('is judged at once by fifty rules, where a prefix has two thousand numbers near each other', () => {
    const written: WrittenRule = {
      ...{ id: 'near', by: 'prefix', count: 'numbers', within: 1000, window: '24h', over: { constant: 50 } },
      do: 'record',
    }
    const rules = rulesOfList(...Array.from({ length: 50 }, (_, index) => ({ ...written, id: `near-${index}` })))
    const { counts, send } = judging(rules)
    const [counter] = listCounters(rules)
    const { prefix: key } = sendOf()
    const slot = { from: noon - hourMs, seconds: 3600, unchecked: 0, verified: 0, countries: [], verifiedCountries: [] }
    const numbers = Array.from({ length: 2000 }, (_, index) => String(4000 + index))
    counts.add([{ ...slot, counter: counter!, key, sends: numbers.length, numbers }])
    // Compared with each other, so many would take minutes.
    repeat(600, (index) => expect(send({ phone: `${key}${4700 + index}` })).toHaveLength(50))
  })

  it('has each network read once, and not for each send', () => {
    const rules = rulesOfList({ id: 'x', by: 'country', allow: ['FR'], do: 'block' }).map((rule) => ({
      ...rule,
      except: { networks: ['10.0.0.0/8', '2001:db8::/32'] },
    }))
    const { send } = judging(rules)
    const read = vi.spyOn(ipaddr, 'parseCIDR')
    expect(['2001:db8::1', '192.0.2.1', '10.1.2.3'].map((address) => send({ address }).length)).toEqual([0, 1, 0])
    expect(read).toHaveBeenCalledTimes(2)
    read.mockRestore()
  })
})

describe('what becomes of a send', () => {
  it('follows from the strictest thing that was found', () => {
    const of = (...acts: ('record' | 'challenge' | 'block')[]) => decideAct(acts.map((did) => ({ rule: 'x', did })))
    expect([of(), of('record'), of('record', 'challenge'), of('challenge', 'block')]).toEqual([
      ...['send', 'send', 'challenge', 'block'],
    ])
  })

  it('is told with the ids of rules, and with nothing of the send', () => {
    const rules = rulesOfList({ id: 'x', by: 'country', allow: ['FR'], do: 'block' })
    expect(judging(rules).send({ ip: 'secret' })).toEqual([{ rule: 'x', did: 'block' }])
  })
})

describe('codes that are checked elsewhere', () => {
  it('count as sends, and as neither verified nor unverified', () => {
    const rules = rulesOfList(
      { id: 'sends', by: 'user', count: 'sends', window: '1h', over: { constant: 3 }, do: 'record' },
      { id: 'unverified', by: 'user', count: 'unverified', window: '1h', over: { constant: 3 }, do: 'record' },
    )
    const counted = judging(rules)
    repeat(3, () => expect(counted.send({ user: 'u', isUnchecked: true })).toEqual([]))
    expect(counted.send({ user: 'u', isUnchecked: true })).toEqual([{ rule: 'sends', did: 'record' }])
  })
})

describe('a wrong clock', () => {
  it.each([-120, 120])('%i seconds away changes nothing in what the next sends are judged by', (seconds) => {
    const away = seconds * 1000
    const counting = standardList.filter(({ count }) => count === 'unverified' || count === 'sends')
    // By what has settled, a code counts two minutes later by a clock that is two minutes ahead.
    for (const rule of counting.filter(({ settles }) => settles === undefined)) {
      const right = passing([rule], { each: () => ({ ip: 'i', user: 'u', prefix: 'p', country: 'LK' }) })
      // Every other process is wrong.
      const each = (index: number) => ({
        ...{ ip: 'i', user: 'u', prefix: 'p', country: 'LK' },
        at: noon + index * 1000 + (index % 2) * away,
      })
      expect(passing([rule], { each }), rule.id).toBe(right)
    }
  })

  it('that was a day ahead, and was set back, counts for nothing', () => {
    const [rule] = only('ip-hour')
    const before = (counted: Judging) => repeat(50, () => counted.send({ ip: 'i', at: noon + dayMs }))
    expect(passing([rule!], { before, each: () => ({ ip: 'i' }) })).toBe(30)
  })
})

describe('judging', () => {
  it('changes nothing: the same state and the same send have the same findings', () => {
    const { counts, send } = judging(standardList)
    repeat(40, () => send({ ip: 'i' }))
    const counterIds = listCounterIds(standardList)
    const judged = () => judge({ rules: standardList, counterIds, counts }, sendOf({ ip: 'i' }))
    expect(judged()).toEqual(judged())
    expect(judged().length).toBeGreaterThan(2)
  })
})
