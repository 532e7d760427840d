import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  attemptsAllowed,
  liveLimits,
  notificationRefused,
  secondsToWait,
  sendRefused,
} from '../../../src/domain/sending/limit.ts'
import type { Rule } from '../../../src/store/sending/limit.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Times in the past, newest first. */
const ago = (...seconds: number[]) => seconds.toSorted((a, b) => a - b).map((past) => later(-past))

const sent = (times: Date[]) => ({ all: times, own: times })

/** What a rule means, said another way: fewer than `count` within the `seconds` before `at`. */
function passes(rules: Rule[], times: Date[], at: Date): boolean {
  return rules.every(({ count, seconds }) => {
    const since = at.getTime() - seconds * 1000
    return times.filter((time) => time.getTime() > since).length < count
  })
}

const rules = fc.array(
  fc.record({ count: fc.integer({ min: 1, max: 6 }), seconds: fc.integer({ min: 1, max: 120 }) }),
  {
    maxLength: 4,
  },
)
const times = fc
  .array(fc.integer({ min: 0, max: 150_000 }), { maxLength: 10 })
  .map((list) => ago(...list.map((milliseconds) => milliseconds / 1000)))

it('tells who is refused for sends that come at this moment how long they count', () => {
  const limits = [{ count: 5, seconds: 3600 }]
  const seen = ago(1800, 1900)
  expect(notificationRefused(limits, seen, now).retryAfterSeconds).toBe(1700)
})

describe('the wait for a limit', () => {
  it('is as long as it must be, and not a second longer', () => {
    fc.assert(
      fc.property(rules, times, (rules, times) => {
        const wait = secondsToWait(rules, times, now)
        expect(Number.isInteger(wait)).toBe(true)
        expect(passes(rules, times, later(wait))).toBe(true)
        if (wait > 0) expect(passes(rules, times, later(wait - 1))).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('is as long as it must be under the limits of live keys', () => {
    const times = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 25 }).map((list) => ago(...list))
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(liveLimits)), times, (rules, times) => {
        const wait = secondsToWait(rules, times, now)
        expect(passes(rules, times, later(wait))).toBe(true)
        if (wait > 0) expect(passes(rules, times, later(wait - 1))).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('is none when nothing was sent, or no rule asks for any', () => {
    expect(secondsToWait(liveLimits.sends, [], now)).toBe(0)
    expect(secondsToWait([], ago(0, 0, 0), now)).toBe(0)
  })

  it('is none for a time that is further ahead than a request that overtook this one', () => {
    const rule = [{ count: 1, seconds: 60 }]
    expect(secondsToWait(rule, ago(-60), now)).toBe(60)
    expect(secondsToWait(rule, ago(-61), now)).toBe(0)
  })

  it('is a whole second for the last millisecond', () => {
    const rule = [{ count: 1, seconds: 60 }]
    expect(secondsToWait(rule, ago(59.999), now)).toBe(1)
    expect(secondsToWait(rule, ago(60), now)).toBe(0)
  })
})

describe('the refusal of a send', () => {
  it('speaks of the cooldown, when that is all there is to wait for', () => {
    expect(sendRefused(liveLimits.sends, sent(ago(20)), now)).toMatchObject({
      code: 'resend_cooldown',
      status: 429,
      retryAfterSeconds: 40,
    })
  })

  it('speaks of the limit, and of its longer wait, when the cooldown is not all', () => {
    expect(sendRefused(liveLimits.sends, sent(ago(0, 60, 120, 180, 240)), now)).toMatchObject({
      code: 'send_limit_reached',
      status: 429,
      retryAfterSeconds: 360,
    })
  })

  it.each([
    ['5 in 10 minutes', 5, 100, 600 - 400],
    ['10 in an hour', 10, 300, 3600 - 2700],
    ['20 in a day', 20, 600, 86_400 - 11_400],
  ])('speaks of the limit of %s, after the cooldown', (_title, count, everySeconds, wait) => {
    // The newest is 100 seconds old: the cooldown is over.
    const times = ago(...Array.from({ length: count }, (_, i) => 100 + i * everySeconds))
    expect(sendRefused(liveLimits.sends, sent(times), now)).toMatchObject({
      code: 'send_limit_reached',
      retryAfterSeconds: wait - 100,
    })
  })

  it('counts a send of this moment where the times of before forbid nothing', () => {
    expect(sendRefused(liveLimits.sends, sent([]), now)).toMatchObject({
      code: 'resend_cooldown',
      retryAfterSeconds: 60,
    })
    expect(sendRefused(liveLimits.sends, sent(ago(61, 121, 181, 241)), now)).toMatchObject({
      code: 'send_limit_reached',
      retryAfterSeconds: 600 - 241,
    })
    expect(notificationRefused([{ count: 2, seconds: 60 }], ago(50), now).retryAfterSeconds).toBe(10)
  })
})

describe('a request', () => {
  it.each([
    [4, 3],
    [5, 3],
    [6, 5],
    [7, 5],
    [8, 5],
  ])('with a code of %i digits has %i attempts', (length, attempts) => {
    expect(attemptsAllowed(length)).toBe(attempts)
  })
})
