import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secondsToNextAttempt } from '../../src/events/schedule.ts'
import { newUlid } from '../../src/kit/runtime.ts'

const eventId = 'evt_01KAJ0R6W8Z3T5V7X9Y1B2C4D6'
const refused = { eventId, attempts: 1, isBusy: false }
const hour = 3600
const steps = [5, 300, 1800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
const newId = () => `evt_${newUlid(new Date('2026-11-21T09:00:00Z'))}`

describe('an event that was not taken', () => {
  it.each(steps.map((step, index) => [index + 1, step]))(
    'is tried again, after attempt %i, in %i seconds, a fifth more or less',
    (attempts, step) => {
      const waits = Array.from({ length: 500 }, () => secondsToNextAttempt({ ...refused, eventId: newId(), attempts })!)
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(step * 0.8)
      expect(Math.max(...waits)).toBeLessThanOrEqual(step * 1.2)
      // Spread over all of that, and not in a few heaps.
      expect(Math.min(...waits)).toBeLessThan(step * 0.83)
      expect(Math.max(...waits)).toBeGreaterThan(step * 1.17)
      expect(new Set(waits).size).toBeGreaterThan(200)
    },
  )

  it('is given up after ten attempts, over about three days', () => {
    expect(secondsToNextAttempt({ ...refused, attempts: 10 })).toBeUndefined()
    const total = steps.reduce(
      (sum, _step, index) => sum + secondsToNextAttempt({ ...refused, attempts: index + 1 })!,
      0,
    )
    expect(total / (24 * hour)).toBeGreaterThan(2.5)
    expect(total / (24 * hour)).toBeLessThan(3.8)
  })

  it('waits as long as it is asked to, between one and two times its step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 24 * hour }), (attempts, asked) => {
        const step = steps[attempts - 1]!
        const expected = asked < step ? step : Math.min(asked, 2 * step)
        expect(secondsToNextAttempt({ ...refused, attempts, retryAfterSeconds: asked })).toBe(expected)
      }),
    )
  })

  it.each([
    [undefined, 60],
    [1, 60],
    [600, 60],
  ])('waits a minute at least for who has too much to do, asked for %s seconds', (retryAfterSeconds, seconds) => {
    expect(secondsToNextAttempt({ ...refused, isBusy: true, retryAfterSeconds })).toBe(seconds)
    expect(secondsToNextAttempt({ ...refused, isBusy: true, attempts: 3, retryAfterSeconds })).toBeGreaterThan(1400)
  })
})
