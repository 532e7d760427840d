/** How much each connection may have under way, and when those come back that have no turn. */
import { describe, expect, it } from 'vitest'
import { createReturns } from '../../src/delivery/turns/returns.ts'
import { createShares } from '../../src/jobs/share.ts'

const max = 3000
/** Takes one after the other as long as it may. @returns how many that were */
function fill({ take }: Pick<ReturnType<typeof createShares>, 'take'>, lane: string): number {
  for (let count = 0; ; count++) if (!take(lane, 1)) return count
}

describe('of what may be under way', () => {
  it('a connection has a third at most, and its account two fifths with two of them', () => {
    const shares = createShares(max)
    expect(fill(shares, 'acct_a one')).toBe(max / 3)
    const other = fill(shares, 'acct_a two')
    expect(other).toBeGreaterThan(0)
    expect(max / 3 + other).toBeLessThan(max / 2)
    expect(shares.full()).toEqual(['acct_a one', 'acct_a two'])
  })

  it('an account finds room beside a hundred others that take all they may have', () => {
    const shares = createShares(max)
    const crowd = Array.from({ length: 100 }, (_account, index) => `acct_${index} sms`)
    for (const lane of crowd) expect(fill(shares, lane)).toBeGreaterThanOrEqual(16)
    expect(shares.hasRoom()).toBe(true)
    expect(fill(shares, 'acct_quiet sms')).toBe(16)
  })

  it('who had all of it gets more when half of it is done, and not for each that is done', () => {
    const shares = createShares(max)
    const lane = 'acct_a sms'
    const count = fill(shares, lane)
    let done = 0
    do done += 1
    while (!shares.free(lane, 1))
    expect(done).toBeGreaterThan(count / 8)
    expect(shares.full()).toEqual([])
    expect(shares.take(lane, 1)).toBe(true)
  })

  it('nothing is left of what is done', () => {
    const shares = createShares(max)
    for (let times = 0; times < 3; times++) {
      const [one, other] = [fill(shares, 'acct_a sms'), fill(shares, 'acct_b sms')]
      expect(one).toBe(max / 3)
      for (let index = 0; index < one; index++) shares.free('acct_a sms', 1)
      for (let index = 0; index < other; index++) shares.free('acct_b sms', 1)
    }
  })

  it('jobs of no lane have twice as much, and then nobody has more', () => {
    const shares = createShares(max)
    for (let index = 0; index < 2 * max; index++) expect(shares.take(undefined, 1)).toBe(true)
    expect(shares.hasRoom()).toBe(false)
    shares.free(undefined, 1)
    expect(shares.hasRoom()).toBe(true)
  })
})

describe('messages that their connection had no turn for', () => {
  const now = new Date('2026-11-21T09:00:00.250Z')

  it('come back when they were to, while they are few', () => {
    const comeBack = createReturns(() => 10)
    expect(Array.from({ length: 10 }, () => comeBack(2.5, now))).toEqual(Array(10).fill(2.5))
  })

  it('come back later the more they are: so many in a second', () => {
    const comeBack = createReturns(() => 10)
    const seconds = Array.from({ length: 1000 }, () => comeBack(2, now))
    expect(seconds.at(-1)).toBe(101)
    const counts = Map.groupBy(seconds, Math.floor)
    expect(Math.max(...[...counts.values()].map((list) => list.length))).toBe(10)
  })

  it('are at least one a second, and none waits for more than five minutes longer', () => {
    const comeBack = createReturns(() => 0.1)
    const seconds = Array.from({ length: 1000 }, () => comeBack(2, now))
    expect(seconds.slice(0, 3)).toEqual([2, 3, 4])
    expect(Math.max(...seconds)).toBe(302)
  })
})
