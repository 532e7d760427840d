/** How long requests take: by operation, and once more by the names and labels of OpenTelemetry's semantic conventions. */
import { Histogram, type Metric, type Registry } from 'prom-client'

/** Method and path of each operation, by its name. */
export type OperationRoutes = ReadonlyMap<string, { method: string; route: string }>

/** @returns notes an answer */
export function measureRequests(
  registry: Registry,
  routes: OperationRoutes,
): (operation: string, status: number, seconds: number) => void {
  const requests = new Histogram({
    name: 'watchword_request_seconds',
    help: 'Time to answer a request, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  exposeDurations(registry, requests, routes)
  // Prometheus's client looks labels up by a text that it makes of them; this is asked in every request.
  const observers = new Map<string, ReturnType<typeof requests.labels>>()
  return (operation, status, seconds) => {
    const key = `${operation} ${status}`
    const known = observers.get(key) ?? requests.labels(operation, String(status))
    observers.set(key, known)
    known.observe(seconds)
  }
}

const name = 'http_server_request_duration_seconds'
const help = 'Duration of HTTP server requests.'

/** Made of what is counted anyway, when somebody asks: a request is observed once. */
function exposeDurations(
  registry: Registry,
  requests: Histogram<'operation' | 'status'>,
  routes: OperationRoutes,
): void {
  const listLabels = (operation: string) => {
    const found = routes.get(operation)
    // What was asked for in vain, its sender chose: that would be as many series as somebody likes.
    if (!found) return { http_request_method: '_OTHER' }
    return { http_request_method: found.method, http_route: found.route }
  }
  const get = async () => {
    const { values, aggregator } = await requests.get()
    return {
      name,
      help,
      type: 'histogram',
      aggregator,
      values: values.map(({ labels: { operation, status, ...rest }, metricName, value }) => ({
        value,
        metricName: metricName?.replace(/^[a-z_]*(?=_(bucket|sum|count)$)/, name),
        labels: { ...listLabels(String(operation)), http_response_status_code: status, url_scheme: 'http', ...rest },
      })),
    }
  }
  registry.registerMetric({ name, help, get, reset: () => {} } as unknown as Metric)
}
