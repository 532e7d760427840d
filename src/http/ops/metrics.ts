/** Counters for Prometheus. Labels come from closed lists: never a key, a phone or an id. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Queue } from '../../store/queue.ts'

export interface Metrics {
  answered: (answer: { operation: string; status: number; seconds: number }) => void
  delivered: (outcome: { channel: string; kind: string }) => void
  /** In Prometheus's text format. */
  render: () => Promise<string>
  contentType: string
}

export function createMetrics(queue: Pick<Queue, 'depths'>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'watchword_request_seconds',
    help: 'Time to answer a request, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const outcomes = new Counter({
    name: 'watchword_deliveries_total',
    help: 'What channels answered, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  new Gauge({
    name: 'watchword_jobs',
    help: 'Jobs in the queues, by queue and state; at most a minute old.',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset()
      // While the database is away there are no depths to tell; the other figures are wanted then more than ever.
      for (const { name, waiting, active } of await queue.depths().catch(() => [])) {
        this.set({ queue: name, state: 'waiting' }, waiting)
        this.set({ queue: name, state: 'active' }, active)
      }
    },
  })
  // Prometheus's client looks labels up by a text that it makes of them; this is asked in every request.
  const observers = new Map<string, ReturnType<typeof requests.labels>>()
  const observerOf = (operation: string, status: number) => {
    const key = `${operation} ${status}`
    const known = observers.get(key) ?? requests.labels(operation, String(status))
    observers.set(key, known)
    return known
  }
  return {
    answered: ({ operation, status, seconds }) => observerOf(operation, status).observe(seconds),
    delivered: ({ channel, kind }) => outcomes.inc({ channel, outcome: kind }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
