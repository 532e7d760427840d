/** How much of the machine is used: of the service, PostgreSQL, callers, providers, and of whoever else is there. */
import { cpus } from 'node:os'

/** @returns tells what part of all processors was busy since now, from 0 to 1 */
export function startBusy(): () => number {
  const before = allSeconds()
  return () => {
    const now = allSeconds()
    return (now.busy - before.busy) / (now.total - before.total)
  }
}

function allSeconds(): { busy: number; total: number } {
  const times = cpus().map(({ times }) => times)
  const total = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0) / 1000
  const idle = times.reduce((sum, one) => sum + one.idle, 0) / 1000
  return { busy: total - idle, total }
}
