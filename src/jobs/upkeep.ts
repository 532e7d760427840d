/** The loop that looks after the embedded database. A PostgreSQL does so by itself. */
import { createRounds, type Rounds } from '../kit/loop.ts'
import type { Log } from '../kit/runtime.ts'
import type { Database } from '../store/engine/database.ts'

export interface UpkeepLoop extends Pick<Rounds, 'start' | 'stop'> {
  /** Looks after what needs it now. */
  runOnce: () => Promise<void>
}

/** Milliseconds between two looks, as many as autovacuum's. */
const restMs = 60_000

export function createUpkeepLoop({ database, log }: { database: Pick<Database, 'upkeep'>; log: Log }): UpkeepLoop {
  const { upkeep } = database
  const work = async (signal: AbortSignal): Promise<undefined> => {
    await upkeep?.(signal)
  }
  const { start, stop, signal } = createRounds({ log, name: 'upkeep', restMs, restsFirst: true, work })
  return {
    start: () => {
      if (upkeep) start()
    },
    stop,
    runOnce: () => work(signal),
  }
}
