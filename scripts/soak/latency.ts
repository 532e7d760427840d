/** How long answers take, by minute: while nothing is broken, and at all. */

export interface Minute {
  minute: number
  requests: number
  /** Milliseconds; null in a minute without a calm moment. */
  p50Ms: number | null
  p99Ms: number | null
  /** While something was broken, too. */
  allP99Ms: number | null
}

export interface Latencies {
  note: (what: string, ms: number, isCalm: boolean) => void
  /** Ends a minute. */
  turn: (minute: number) => Minute
  minutes: () => readonly Minute[]
  /** Of all that was so far, keeps nothing. */
  forget: () => void
  /** Calm ones of the whole time, by what was asked. */
  byKind: () => Record<string, { requests: number; p50Ms: number; p99Ms: number }>
}

/** Values that are kept of each kind, chosen as they come: enough for a 99th of a hundred. */
const keptMax = 50_000

/** @param page what is not the API's, and stays out of the minutes */
export function createLatencies(page: string): Latencies {
  const minutes: Minute[] = []
  const kinds = new Map<string, { requests: number; values: number[] }>()
  let [calm, all]: [number[], number[]] = [[], []]
  return {
    note: (what, ms, isCalm) => {
      if (what !== page) all.push(ms)
      if (!isCalm) return
      if (what !== page) calm.push(ms)
      const kind = kinds.get(what) ?? { requests: 0, values: [] }
      kinds.set(what, kind)
      // From then on, each new one takes the place of the oldest.
      kind.values[kind.requests++ % keptMax] = ms
    },
    turn: (minute) => {
      const [p50Ms, p99Ms, allP99Ms] = [quantile(calm, 0.5), quantile(calm, 0.99), quantile(all, 0.99)]
      const ended = { minute, requests: all.length, p50Ms, p99Ms, allP99Ms }
      ;[calm, all] = [[], []]
      minutes.push(ended)
      return ended
    },
    minutes: () => minutes,
    forget: () => {
      minutes.length = 0
      kinds.clear()
    },
    byKind: () =>
      Object.fromEntries(
        Array.from(kinds, ([kind, { requests, values }]) => [
          kind,
          { requests, p50Ms: quantile(values, 0.5) ?? 0, p99Ms: quantile(values, 0.99) ?? 0 },
        ]),
      ),
  }
}

function quantile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * part)] ?? null
}
