/** The loop that counts messages into figures. */
import { setTimeout } from 'node:timers/promises'
import type { Counting } from '../domain/insight/counting.ts'
import { createFailures } from '../kit/loop.ts'
import type { Log } from '../kit/runtime.ts'

export interface CountingLoop {
  start: () => void
  /** Counts what is due now, until nothing is. */
  runOnce: () => Promise<void>
  /** Begins no count, and resolves when that under way is done. */
  stop: () => Promise<void>
}

/** Milliseconds to the next try, after one that failed. */
const retryMs = 5000

export function createCountingLoop({ count, log }: { count: Counting; log: Log }): CountingLoop {
  const failures = createFailures(log, 'figures')
  const stop = new AbortController()
  const { signal } = stop
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const counted = await count().then(failures.over, failures.note)
      await setTimeout(counted?.restMs ?? retryMs, undefined, { signal }).catch(() => {})
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    runOnce: async () => {
      while ((await count()).isBehind);
    },
    stop: async () => {
      stop.abort()
      await running
    },
  }
}
