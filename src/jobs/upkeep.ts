/** The loop that looks after the embedded database. A PostgreSQL does so by itself. */
import { setTimeout } from 'node:timers/promises'
import { createFailures } from '../kit/loop.ts'
import type { Log } from '../kit/runtime.ts'
import type { Database } from '../store/engine/database.ts'

export interface UpkeepLoop {
  start: () => void
  /** Looks after what needs it now. */
  runOnce: () => Promise<void>
  /** Begins nothing more, and resolves when what is under way is done. */
  stop: () => Promise<void>
}

/** Milliseconds between two looks, as many as autovacuum's. */
const restMs = 60_000

export function createUpkeepLoop({ database, log }: { database: Pick<Database, 'upkeep'>; log: Log }): UpkeepLoop {
  const { upkeep } = database
  const failures = createFailures(log, 'upkeep')
  const stop = new AbortController()
  const { signal } = stop
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (upkeep && !signal.aborted) {
      await setTimeout(restMs, undefined, { signal }).catch(() => {})
      if (!signal.aborted) await upkeep(signal).then(failures.over, failures.note)
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    runOnce: async () => upkeep?.(signal),
    stop: async () => {
      stop.abort()
      await running
    },
  }
}
