/** The metrics of several processes as one: counters and histograms as sums, each gauge as its `aggregator` says. */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** As `Metrics.snapshot` gives it. */
type Snapshot = object[]

export interface Totals {
  /** Takes in what a process tells of itself. */
  note: (process: number, snapshot: Snapshot) => void
  /** Keeps what a process had counted when it told of itself last: a sum that falls would look like a new start. */
  end: (process: number) => void
  replaced: () => void
  /** In Prometheus's text format. */
  render: () => Promise<string>
  contentType: string
}

/** @param states how many processes serve, and how many are being started */
export function createTotals(states: () => Record<'serving' | 'starting', number>): Totals {
  const latest = new Map<number, Snapshot>()
  let ended: Snapshot = []
  const usage = new Registry()
  collectDefaultMetrics({ register: usage })
  const { own, replaced } = createOwn(states)

  return {
    note: (process, snapshot) => latest.set(process, snapshot),
    end: (process) => {
      const counted = (latest.get(process) ?? []).filter(isCounted)
      latest.delete(process)
      ended = AggregatorRegistry.aggregate([ended, counted]).getMetricsAsArray()
    },
    replaced: () => replaced.inc(),
    render: async () => {
      // Of the process that only starts others, what it takes of the machine; its loop would make the others look quick.
      const itself = (await usage.getMetricsAsJSON()).filter(({ name }) => name.startsWith('process_'))
      const all = AggregatorRegistry.aggregate([...latest.values(), ended, itself])
      return `${(await all.metrics()).trimEnd()}\n\n${await own.metrics()}`
    },
    contentType: own.contentType,
  }
}

/** What the process that starts the others has to tell. */
function createOwn(states: () => Record<'serving' | 'starting', number>) {
  const own = new Registry()
  const registers = [own]
  new Gauge({
    name: 'watchword_processes',
    help: 'Processes of this start, by state: one that ended is being started again.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(states())) this.set({ state }, count)
    },
  })
  const replaced = new Counter({
    name: 'watchword_processes_replaced_total',
    help: 'Processes that ended without being told to, and were started again.',
    registers,
  })
  const startedAt = Math.round(Date.now() / 1000 - process.uptime())
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    registers,
    collect() {
      this.set(startedAt)
    },
  })
  return { own, replaced }
}

function isCounted(metric: object): boolean {
  return 'type' in metric && (metric.type === 'counter' || metric.type === 'histogram')
}
