/** How steeply something grows, by what most of its points say: a few that lie far off change nothing. */
import { median } from '../bench/figure.ts'

export interface Point {
  /** Minutes since any moment. */
  minute: number
  value: number
}

/**
 * The slope of Theil and Sen: the median of the slopes between all pairs of points. Up to 29 % of the points may be anything.
 *
 * @returns how much an hour; 0 for fewer than two points
 */
export function slopePerHour(points: readonly Point[]): number {
  const slopes = points.flatMap((one, index) =>
    points
      .slice(index + 1)
      .filter(({ minute }) => minute !== one.minute)
      .map((other) => ((other.value - one.value) / (other.minute - one.minute)) * 60),
  )
  return slopes.length === 0 ? 0 : median(slopes)
}

/** Without the first quarter of the time, in which caches fill and code is compiled. */
export function afterWarmUp(points: readonly Point[]): Point[] {
  const minutes = points.map(({ minute }) => minute)
  const [first, last] = [Math.min(...minutes), Math.max(...minutes)]
  return points.filter(({ minute }) => minute >= first + (last - first) / 4)
}
