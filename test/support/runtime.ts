/** A runtime whose clock stands still until it is moved. */
import type { DestinationStream } from 'pino'
import { createInternalErrors } from '../../src/kit/internalErrors.ts'
import { createLog, newUlid, type Runtime, randomDigits } from '../../src/kit/runtime.ts'
import { noTracing } from '../../src/kit/tracing.ts'

export interface TestRuntime extends Runtime {
  advance: (seconds: number) => void
  /** Every line that was logged. */
  lines: string[]
}

export function testRuntime(start = '2026-11-21T09:00:00.000Z'): TestRuntime {
  let now = new Date(start)
  let traces = 0
  const lines: string[] = []
  const destination: DestinationStream = { write: (line) => void lines.push(line) }
  const log = createLog('debug', destination)
  return {
    now: () => now,
    elapsedMs: () => now.getTime(),
    advance: (seconds) => {
      now = new Date(now.getTime() + seconds * 1000)
    },
    newId: () => newUlid(now),
    randomDigits,
    newTraceId: () => (++traces).toString(16).padStart(32, '0'),
    log,
    tracing: noTracing,
    internalErrors: createInternalErrors(log),
    lines,
  }
}
