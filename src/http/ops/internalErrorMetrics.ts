/** How often the service itself failed, and where. */
import { Counter, type Registry } from 'prom-client'
import { type InternalErrors, internalErrorPlaces } from '../../kit/internalErrors.ts'

/** Each place from the start: Prometheus sees no increase in a series that begins with its first count. */
export function measureInternalErrors(registers: Registry[], { count }: Pick<InternalErrors, 'count'>): void {
  new Counter({
    name: 'watchword_internal_errors_total',
    help: 'Errors of this service where it works with the servers of others, by place.',
    labelNames: ['place'],
    registers,
    collect() {
      this.reset()
      for (const place of internalErrorPlaces) this.inc({ place }, count(place))
    },
  })
}
