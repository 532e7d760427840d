/** An error of the service in sending traces is no outage of their collector. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { afterEach, expect, it, vi } from 'vitest'
import { createTelemetry } from '../../src/app/telemetry.ts'
import { type Behaviour, startProvider } from '../support/provider.ts'

const spy = vi.spyOn(OTLPTraceExporter.prototype, 'export')
afterEach(() => spy.mockReset())

/** One span, and what is told of sending it. */
async function trace(behaviour: Behaviour) {
  const collector = await startProvider(behaviour)
  const [onTurn, onFault] = [vi.fn(), vi.fn()]
  const settings = { url: `${collector.url}/v1/traces`, sampler: 'always_on', isParentBased: true, ratio: 1 } as const
  const tracing = createTelemetry(settings, { onTurn, onFault })
  tracing.begin({ name: 'a span' })?.finish()
  await tracing.close(performance.now() + 2000)
  await collector.close()
  return { turns: onTurn.mock.calls.flat(), faults: onFault.mock.calls.flat() }
}

it('is told as one where it is thrown', async () => {
  const error = new TypeError('cannot read properties of undefined')
  spy.mockImplementation(() => {
    throw error
  })
  expect(await trace({ status: 200 })).toEqual({ turns: [], faults: [error] })
})

it('is told as one where it is handed on', async () => {
  const error = new TypeError('cannot read properties of undefined')
  spy.mockImplementation((_spans, done) => done({ code: 1, error }))
  expect(await trace({ status: 200 })).toEqual({ turns: [], faults: [error] })
})

it.each([{ status: 400 }, { status: 401 }])('and what a collector does is none: %j', async (behaviour) => {
  const { turns, faults } = await trace(behaviour)
  expect([turns.length, faults]).toEqual([1, []])
})
