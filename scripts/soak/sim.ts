/** The SIM of a soak, which has a cap: what the simulated app was handed is the witness, whatever became of the process that did it. */
import type { MessageView } from '../../src/simulator/phones.ts'

export const sim = { provider: 'httpsms', perMinute: 60 } as const

/** Milliseconds of a window. Less than a minute: a hand-over takes a while to arrive, and no two take the same. */
const windowMs = 55_000

export interface SimLog {
  /** For the simulator. */
  note: (message: Pick<MessageView, 'provider' | 'at'>) => void
  /** How many it was handed, and the most in a minute. */
  sums: () => { taken: number; mostInAMinute: number }
}

export function createSimLog(): SimLog {
  const times: number[] = []
  return {
    note: ({ provider, at }) => {
      if (provider === sim.provider) times.push(Date.parse(at))
    },
    sums: () => ({ taken: times.length, mostInAMinute: mostWithin(times.toSorted((a, b) => a - b)) }),
  }
}

function mostWithin(times: readonly number[]): number {
  let [first, most] = [0, 0]
  for (const [last, at] of times.entries()) {
    while (at - times[first]! >= windowMs) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}
