/** What loops that look for work have in common: what wakes them, and what they say when they cannot work. */
import type { Log } from './runtime.ts'

export interface Alarm {
  /** What rings from here on, is heard. */
  set: () => void
  ring: () => void
  /** Resolves when it rings, or has since it was set, or after so many milliseconds. */
  rings: (ms: number) => Promise<void>
}

export function createAlarm(): Alarm {
  let rung = false
  let wakeUp = () => {}
  return {
    set: () => {
      rung = false
    },
    ring: () => {
      rung = true
      wakeUp()
    },
    rings: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, rung ? 0 : ms)
        wakeUp = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** One line for an outage, not one for each try. */
export function createFailures(log: Log, queue: string) {
  let failing = false
  return {
    note: (error: unknown): undefined => {
      if (!failing) log.error({ err: error, queue }, 'the worker cannot do its jobs')
      failing = true
    },
    over: <T>(result: T): T => {
      if (failing) log.info({ queue }, 'the worker does its jobs again')
      failing = false
      return result
    },
  }
}
