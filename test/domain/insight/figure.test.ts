import { describe, expect, it } from 'vitest'
import { computeLatency, latencyBoundsMs, noLatencies, toRanges } from '../../../src/domain/insight/figure.ts'

/** Of so many messages, by the milliseconds that each took. */
function latencies(...times: number[]): number[] {
  const places = noLatencies()
  for (const ms of times) {
    const place = latencyBoundsMs.findIndex((bound) => ms < bound)
    places[place === -1 ? latencyBoundsMs.length : place]! += 1
  }
  return places
}

describe('the time of a delivery', () => {
  it('has a place for each that there are bounds for, and one for more', () => {
    expect(noLatencies()).toHaveLength(latencyBoundsMs.length + 1)
  })

  it('is unknown while nothing was delivered', () => {
    expect(computeLatency(noLatencies(), 0.5)).toBeUndefined()
  })

  it('is as exact as its place is', () => {
    const half = computeLatency(latencies(1100, 1200, 1300, 9000, 9000), 0.5)!
    expect(half.ms).toBeGreaterThanOrEqual(1000)
    expect(half.ms).toBeLessThanOrEqual(2000)
    const slow = computeLatency(latencies(...Array(94).fill(200), ...Array(6).fill(15_000)), 0.95)!
    expect(slow.ms).toBeGreaterThanOrEqual(10_000)
    expect(slow.ms).toBeLessThanOrEqual(20_000)
  })

  it('is said to be more where nobody knows how much more', () => {
    expect(computeLatency(latencies(7_200_000), 0.5)).toEqual({ ms: 3_600_000, isMore: true })
  })
})

describe('what a span is compared with', () => {
  const at = new Date('2026-11-21T09:40:00Z')
  const texts = (ranges: { grain: string; from: Date; to: Date }[]) =>
    ranges.map(({ grain, from, to }) => `${grain} ${from.toISOString().slice(0, 13)} ${to.toISOString().slice(0, 13)}`)

  it('of 24 hours, the 23 that are over, with the same of the day before', () => {
    const { whole, now, before, steps } = toRanges('24h', at)
    expect(texts([whole])).toEqual(['hour 2026-11-20T10 2026-11-21T10'])
    expect(steps).toHaveLength(24)
    expect(texts(now)).toEqual(['hour 2026-11-20T10 2026-11-21T09'])
    expect(texts(before)).toEqual(['hour 2026-11-19T10 2026-11-20T09'])
  })

  it('of 7 days, all but the running hour, with the same of the week before', () => {
    const { whole, now, before, steps } = toRanges('7d', at)
    expect(texts([whole])).toEqual(['day 2026-11-15T00 2026-11-22T00'])
    expect(steps).toHaveLength(7)
    expect(texts(now)).toEqual(['day 2026-11-15T00 2026-11-21T00', 'hour 2026-11-21T00 2026-11-21T09'])
    expect(texts(before)).toEqual(['day 2026-11-08T00 2026-11-14T00', 'hour 2026-11-14T00 2026-11-14T09'])
  })
})
