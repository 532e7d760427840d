/** The times of requests once more, under the name and labels of OpenTelemetry's semantic conventions. */
import type { Histogram, Metric, Registry } from 'prom-client'

/** Method and path of each operation, by its name. */
export type OperationRoutes = ReadonlyMap<string, { method: string; route: string }>

const name = 'http_server_request_duration_seconds'
const help = 'Duration of HTTP server requests.'

/** Made of what is counted anyway, when somebody asks: a request is observed once. */
export function exposeDurations(
  registry: Registry,
  requests: Histogram<'operation' | 'status'>,
  routes: OperationRoutes,
): void {
  const labelsOf = (operation: string) => {
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
        labels: { ...labelsOf(String(operation)), http_response_status_code: status, url_scheme: 'http', ...rest },
      })),
    }
  }
  registry.registerMetric({ name, help, get, reset: () => {} } as unknown as Metric)
}
