/** What is killed in one round, when, and for how long. */
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import type { MortalDatabase } from './database.ts'
import { type Service, workersMax } from './service.ts'

export const round = fc
  .record({
    /** All at once. */
    killed: fc.subarray(['api', 'worker', 'database', 'main process'] as const, { minLength: 1 }),
    which: fc.nat({ max: workersMax - 1 }),
    afterMs: fc.integer({ min: 100, max: 900 }),
    downMs: fc.integer({ min: 0, max: 700 }),
  })
  .map((drawn) => ({ ...drawn, strike: (at: Struck) => strike(drawn, at) }))

interface Struck {
  database: MortalDatabase
  service: Service
}

interface Drawn {
  killed: readonly ('api' | 'worker' | 'database' | 'main process')[]
  which: number
  downMs: number
}

/** Resolves when everything is there again. */
async function strike({ killed, which, downMs }: Drawn, { database, service }: Struck): Promise<void> {
  const restart = async (signal: 'SIGQUIT' | 'SIGKILL') => {
    await database.kill(signal)
    await wait(downMs)
    await database.start()
  }
  const faults = []
  if (killed.includes('api')) faults.push(service.killApi())
  if (killed.includes('worker')) faults.push(service.killWorker(which))
  if (killed.includes('main process')) faults.push(restart('SIGKILL'))
  else if (killed.includes('database')) faults.push(restart('SIGQUIT'))
  await Promise.all(faults)
  await service.revive()
}
