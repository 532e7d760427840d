/** A soak that finds no leak must be one that would: series as they are, and as they would be with a leak. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitLatencyTrend, fitTrend, type Measure } from '../../scripts/soak/limits.ts'
import { afterWarmUp, type Point, slopePerHour } from '../../scripts/soak/slope.ts'

const minutes = (count: number) => Array.from({ length: count }, (_one, index) => index + 1)
const series = (count: number, valueAt: (minute: number) => number): Point[] =>
  minutes(count).map((minute) => ({ minute, value: valueAt(minute) }))
/** From -1 to 1, the same each time. */
const noise = (minute: number) => Math.sin(minute * 12.9898) * Math.cos(minute * 78.233)
/** A cache that fills: 60 more, most of them in the first ten minutes. */
const filling = (minute: number) => 60 * (1 - Math.exp(-minute / 4))

describe('a slope', () => {
  it('is that of the line on which the points lie', () => {
    expect(slopePerHour(series(60, (minute) => 200 + minute / 2))).toBeCloseTo(30)
    expect(slopePerHour(series(60, () => 7))).toBe(0)
    expect([slopePerHour([]), slopePerHour(series(1, () => 7))]).toEqual([0, 0])
  })

  it('is not moved by a quarter of the points, wherever they lie', () => {
    const anywhere = fc.array(fc.integer({ min: -10_000, max: 10_000 }), { minLength: 12, maxLength: 12 })
    const places = fc.shuffledSubarray(minutes(60), { minLength: 12, maxLength: 12 })
    fc.assert(
      fc.property(anywhere, places, (values, where) => {
        const points = series(60, (minute) => {
          const far = where.indexOf(minute)
          return far === -1 ? minute : values[far]!
        })
        // Between 48 of 60 points, more than half of all pairs have the slope of the line.
        expect(slopePerHour(points)).toBeCloseTo(60)
      }),
    )
  })

  it('leaves out the first quarter of the time, and not of the points', () => {
    expect(afterWarmUp(series(61, () => 0)).map(({ minute }) => minute)).toEqual(minutes(61).slice(15))
    const late = [1, 2, 3, 4, 61].map((minute) => ({ minute, value: 0 }))
    expect(afterWarmUp(late)).toEqual([{ minute: 61, value: 0 }])
  })
})

describe('what leaks is found', () => {
  it.each<[what: string, measure: Measure, valueAt: (minute: number) => number]>([
    [
      '2 MB of memory every three minutes',
      'rssMb',
      (minute) => 200 + filling(minute) + minute * 0.67 + 8 * noise(minute),
    ],
    ['a quarter of a megabyte of the heap a minute', 'heapMb', (minute) => 60 + minute / 4 + 3 * noise(minute)],
    ['a handle every ten minutes', 'handles', (minute) => 50 + Math.floor(minute / 10) + Math.round(2 * noise(minute))],
    ['a connection every 20 minutes', 'connections', (minute) => 5 + Math.floor(minute / 20)],
  ])('%s', (_what, measure, valueAt) => {
    expect(fitTrend(measure, series(60, valueAt))).toMatchObject({ isTooMuch: true })
  })

  it('in a shorter run, when it is more', () => {
    expect(
      fitTrend(
        'handles',
        series(15, (minute) => 50 + minute),
      ),
    ).toMatchObject({ isTooMuch: true })
    expect(
      fitTrend(
        'rssMb',
        series(15, (minute) => 200 + 4 * minute),
      ),
    ).toMatchObject({ isTooMuch: true })
  })

  it('and latency that doubles', () => {
    expect(fitLatencyTrend(series(60, (minute) => 10 + minute / 2))).toMatchObject({ isTooMuch: true })
  })
})

describe('what only moves is none', () => {
  it.each<[what: string, measure: Measure, valueAt: (minute: number) => number]>([
    ['memory that fills at the beginning', 'rssMb', (minute) => 200 + filling(minute) + 8 * noise(minute)],
    ['memory that went up once, for one minute', 'rssMb', (minute) => (minute === 40 ? 500 : 200)],
    ['a heap that goes up and down', 'heapMb', (minute) => 60 + 10 * noise(minute)],
    ['handles of callers that come and go', 'handles', (minute) => 60 + Math.round(8 * noise(minute))],
    ['connections that were broken, and made again', 'connections', (minute) => (minute % 4 === 0 ? 3 : 12)],
    ['anything that falls', 'rssMb', (minute) => 400 - minute],
  ])('%s', (_what, measure, valueAt) => {
    expect(fitTrend(measure, series(60, valueAt))).toMatchObject({ isTooMuch: false })
  })

  it('latency that rises by half, or for a while', () => {
    expect(fitLatencyTrend(series(60, (minute) => 10 + minute / 12))).toMatchObject({ isTooMuch: false })
    const forAWhile = (minute: number) => (minute > 30 && minute < 38 ? 90 : 10)
    expect(fitLatencyTrend(series(60, forAWhile))).toMatchObject({ isTooMuch: false })
  })

  it('nothing is said of a process that ended soon', () => {
    expect(
      fitTrend(
        'rssMb',
        series(12, (minute) => minute * 100),
      ),
    ).toEqual({ isTooMuch: false })
    expect(fitTrend('rssMb', [])).toEqual({ isTooMuch: false })
  })
})
