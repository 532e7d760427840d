/** What loops that look for work have in common: what wakes them, when they rest, and what they say when they cannot work. */
import { setTimeout as wait } from 'node:timers/promises'
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

export interface Rounds {
  start: () => void
  /** Begins no round, and resolves when the one under way is done. */
  stop: () => Promise<void>
  /** Of the stop. */
  signal: AbortSignal
}

export interface RoundsParts {
  log: Log
  /** For the log. */
  name: string
  /** Milliseconds between two rounds, also after one that failed. */
  restMs: number
  /** Whether the rest comes before the first round. */
  restsFirst?: boolean
  /** @returns milliseconds to rest, where that is not as long as ever */
  work: (signal: AbortSignal) => Promise<number | undefined>
}

/** Work that is done round after round, and that nobody wakes. */
export function createRounds({ log, name, restMs, restsFirst = false, work }: RoundsParts): Rounds {
  const failures = createFailures(log, name)
  const stop = new AbortController()
  const { signal } = stop
  const rest = (ms: number) => wait(ms, undefined, { signal }).catch(() => {})
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    if (restsFirst) await rest(restMs)
    while (!signal.aborted) {
      const ownMs = await work(signal).then(failures.over, failures.note)
      await rest(ownMs ?? restMs)
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    stop: async () => {
      stop.abort()
      await running
    },
    signal,
  }
}
