/** What may grow, and how much. */
import { median } from '../bench/figure.ts'
import { afterWarmUp, type Point, slopePerHour } from './slope.ts'

/** What is measured of a process, each minute. */
export const measures = ['rssMb', 'heapMb', 'handles', 'connections'] as const
export type Measure = (typeof measures)[number]

interface Limit {
  /** What grows by more in an hour grows too much. */
  perHour: number
  /** But not while it has grown by less than this in all: it moves by that anyway. */
  least: number
}

/** Of memory, mebibytes: the whole of a process moves by tens as V8 gives some back, the heap by a few. Nothing else may grow. */
const limits: Record<Measure, Limit> = {
  rssMb: { perHour: 20, least: 30 },
  heapMb: { perHour: 5, least: 5 },
  handles: { perHour: 0, least: 2.5 },
  connections: { perHour: 0, least: 1.5 },
}
/** Times as long as at the beginning. */
const latencyMax = 2
/** Minutes that must be left after the warm-up for anything to be said: 14 in all. */
const pointsMin = 10

export interface Trend {
  /** Undefined where the time was too short to tell. */
  perHour?: number
  first?: number
  last?: number
  isTooMuch: boolean
}

/** @param points one a minute */
export function fitTrend(measure: Measure, points: readonly Point[]): Trend {
  const warm = afterWarmUp(points)
  if (warm.length < pointsMin) return { isTooMuch: false }
  const perHour = slopePerHour(warm)
  const hours = (warm.at(-1)!.minute - warm[0]!.minute) / 60
  const { perHour: most, least } = limits[measure]
  return { perHour, ...findEnds(warm), isTooMuch: perHour > most && perHour * hours > least }
}

/** Of a latency: it may vary with who else uses the machine, but not come to be twice what it was. */
export function fitLatencyTrend(points: readonly Point[]): Trend {
  const warm = afterWarmUp(points)
  if (warm.length < pointsMin) return { isTooMuch: false }
  const perHour = slopePerHour(warm)
  const values = warm.map(({ value }) => value)
  const middle = median(warm.map(({ minute, value }) => value - (perHour / 60) * minute))
  const onLine = (minute: number) => Math.max(middle + (perHour / 60) * minute, Math.min(...values))
  const [start, end] = [onLine(warm[0]!.minute), onLine(warm.at(-1)!.minute)]
  return { perHour, ...findEnds(warm), isTooMuch: end > start * latencyMax }
}

/** The middle of the first and of the last third. */
function findEnds(points: readonly Point[]): { first: number; last: number } {
  const third = Math.ceil(points.length / 3)
  const middle = (some: readonly Point[]) => median(some.map(({ value }) => value))
  return { first: middle(points.slice(0, third)), last: middle(points.slice(-third)) }
}
