/** How much of the machine a run takes: the service, PostgreSQL, and this process with callers and providers. */
import { availableParallelism, cpus } from 'node:os'
import { cpuSecondsOf, familyCpuSeconds, parentOf } from '../bench/process.ts'
import type { Breakable } from './faults.ts'

export interface Machine {
  /** Since the start, from 0 to 1; 1 is all processors. */
  used: () => Promise<number>
  /** The same of all who use the machine. */
  busy: () => number
}

export async function startMachine({ ask }: Pick<Breakable, 'ask'>): Promise<Machine> {
  const spent = async () => {
    const postmaster = await ask(async (sql) => {
      const [about] = await sql`select pg_backend_pid() as pid`
      return parentOf(about?.pid)
    })
    // That one is a child of ours, and counted with us; what it has started is not.
    return familyCpuSeconds(process.pid) + familyCpuSeconds(postmaster) - cpuSecondsOf(postmaster)
  }
  const all = allSeconds()
  const [before, startedAt] = [await spent(), performance.now()]
  return {
    used: async () => (((await spent()) - before) * 1000) / (performance.now() - startedAt) / availableParallelism(),
    busy: () => {
      const now = allSeconds()
      return (now.busy - all.busy) / (now.total - all.total)
    },
  }
}

function allSeconds(): { busy: number; total: number } {
  const times = cpus().map(({ times }) => times)
  const total = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0) / 1000
  const idle = times.reduce((sum, one) => sum + one.idle, 0) / 1000
  return { busy: total - idle, total }
}
