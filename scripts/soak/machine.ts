/** How much of the machine a run takes: the service, PostgreSQL, and this process with callers and providers. */
import { availableParallelism } from 'node:os'
import { cpuSecondsOf, familyCpuSeconds, parentOf } from '../bench/process.ts'
import type { Breakable } from './faults.ts'

export interface Machine {
  /** Since the start, from 0 to 1; 1 is all processors. */
  used: () => Promise<number>
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
  const [before, startedAt] = [await spent(), performance.now()]
  return {
    used: async () => (((await spent()) - before) * 1000) / (performance.now() - startedAt) / availableParallelism(),
  }
}
