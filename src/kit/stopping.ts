/** The end of a process: what it has open is closed, within a time. Each of these times counts from the start of the stop. */
import type { Log } from './runtime.ts'

/** Milliseconds that a stop may take before the process ends as it is. */
export const stopMs = 9500
/** Milliseconds for what is under way; then it is called off, and there is time to write that down and to close. */
export const patienceMs = 8500

/** Ends the process when it is told to stop. */
export function endOnSignal(close: () => Promise<unknown>, log: Log, withinMs?: number): void {
  onStopSignal((signal) => {
    log.info({ signal }, 'stopping')
    endAfter(close, log, withinMs)
  })
}

/**
 * Only the first signal counts: a supervisor may tell every process of a group, and those who started this one pass on what
 * they are told, as npm does. SIGHUP comes when the terminal goes.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let isStopping = false
  const hear = (signal: NodeJS.Signals) => {
    if (isStopping) return
    isStopping = true
    stop(signal)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, hear)
}

/**
 * Ends the process with 0 when all is closed, and with 1 where that fails or takes too long.
 *
 * @param log is told why it ends with 1
 */
export function endAfter(close: () => Promise<unknown>, log: Log | undefined, withinMs = stopMs): void {
  setTimeout(() => {
    log?.error('the stop took too long: what was still under way was cut off')
    process.exit(1)
  }, withinMs).unref()
  close().then(
    () => process.exit(0),
    (err: unknown) => {
      log?.error({ err }, 'the stop failed')
      process.exit(1)
    },
  )
}
