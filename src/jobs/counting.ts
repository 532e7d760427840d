/** The loop that counts messages into figures. */
import type { Counting } from '../domain/insight/counting.ts'
import { createRounds, type Rounds } from '../kit/loop.ts'
import type { Log } from '../kit/runtime.ts'

export interface CountingLoop extends Pick<Rounds, 'start' | 'stop'> {
  /** Counts what is due now, until nothing is. */
  runOnce: () => Promise<void>
}

/** Milliseconds to the next try, after one that failed. */
const restMs = 5000

export function createCountingLoop({ count, log }: { count: Counting; log: Log }): CountingLoop {
  const work = async () => (await count()).restMs
  return {
    ...createRounds({ log, name: 'figures', restMs, work }),
    runOnce: async () => {
      while ((await count()).isBehind);
    },
  }
}
