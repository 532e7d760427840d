/** The end of a process: what it has open is closed, within a time. Each of these times counts from the start of the stop. */

/** Milliseconds that a stop may take before the process ends as it is. */
export const stopMs = 9500
/** Milliseconds for what is under way; then it is called off, and there is time to write that down and to close. */
export const patienceMs = 8500

/** Ends the process with 0 when all is closed, and with 1 where that fails or takes too long. */
export function endAfter(close: () => Promise<unknown>, withinMs = stopMs): void {
  setTimeout(() => process.exit(1), withinMs).unref()
  close().then(
    () => process.exit(0),
    () => process.exit(1),
  )
}
