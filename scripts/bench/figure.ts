/** What is found of one server by one measure, and what of it is kept of several rounds. */

export interface Figure {
  measure: string
  /** Whose it is: the name of a bare server or of a checkout. */
  of: string
  requestsPerSecond: number
  /** CPU of the server's process, microseconds a request. */
  cpuMicros: number
  /** CPU of all of PostgreSQL's processes, microseconds a request. */
  postgresCpuMicros: number
  /** CPU of the callers, microseconds a request. */
  callersCpuMicros: number | null
  p50Ms: number | null
  /** Where it is told. */
  p95Ms?: number
  p99Ms: number | null
  /** Mebibytes of resident memory when the process was ready, and after all rounds. */
  memoryAtRestMb: number
  memoryAfterMb: number
}

export interface Ratio {
  measure: string
  of: string
  to: string
  what: 'requestsPerSecond' | 'cpuMicros'
  ratio: number
}

export interface Findings {
  figures: Figure[]
  ratios: Ratio[]
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of each number. */
export function medianFigure(rounds: Figure[]): Figure {
  const [first] = rounds as [Figure]
  const entries = Object.entries(first).map(([name, value]) => [
    name,
    typeof value === 'number' ? median(rounds.map((round) => round[name as keyof Figure] as number)) : value,
  ])
  return Object.fromEntries(entries) as Figure
}

/** The median of the ratios of each round: what was measured one after the other, in the same weather. */
export function ratiosBetween(ours: Figure[], theirs: Figure[]): Ratio[] {
  const [{ measure, of }] = ours as [Figure]
  const [{ of: to }] = theirs as [Figure]
  return (['requestsPerSecond', 'cpuMicros'] as const).map((what) => {
    const ratio = median(ours.map((figure, round) => figure[what] / theirs[round]![what]))
    return { measure, of, to, what, ratio }
  })
}
