/**
 * What is acknowledged is done, whatever breaks meanwhile: the database server, the API and the workers are killed at random
 * moments under a constant load. `FAULT_ROUNDS` says how often (20), `FAULT_SEED` repeats a run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MortalDatabase, openMortalDatabase } from './database.ts'
import { createLoad, expectKept } from './load.ts'
import { type Service, startService, workersMax } from './service.ts'

const rounds = Number(process.env.FAULT_ROUNDS ?? 20)
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)

const round = fc.record({
  /** What is killed in it, all at once. */
  killed: fc.subarray(['api', 'worker', 'database', 'main process'] as const, { minLength: 1 }),
  which: fc.nat({ max: workersMax - 1 }),
  afterMs: fc.integer({ min: 100, max: 900 }),
  downMs: fc.integer({ min: 0, max: 700 }),
})

let folder: string
let database: MortalDatabase
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-faults-'))
  database = await openMortalDatabase(folder)
  service = await startService(database.url)
})
afterAll(async () => {
  await service?.stop()
  await database?.stop()
  await rm(folder, { recursive: true, force: true })
})

it(`loses nothing and sends nothing twice in ${rounds} rounds of faults (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const load = createLoad(service.post)
  for (const { killed, which, afterMs, downMs } of fc.sample(round, { numRuns: rounds, seed })) {
    await wait(afterMs)
    process.stdout.write(`  ${load.acknowledged()} acknowledged, ${load.refused()} not; kills ${killed.join(', ')}\n`)
    const faults = []
    if (killed.includes('api')) faults.push(service.killApi())
    if (killed.includes('worker')) faults.push(service.killWorker(which))
    if (killed.includes('main process')) faults.push(restartDatabase('SIGKILL', downMs))
    else if (killed.includes('database')) faults.push(restartDatabase('SIGQUIT', downMs))
    await Promise.all(faults)
    await service.revive()
  }
  const acknowledged = await load.stop()
  expect(acknowledged.size).toBeGreaterThan(rounds)
  await expectKept(database.url, acknowledged, service.post)
})

async function restartDatabase(signal: 'SIGQUIT' | 'SIGKILL', downMs: number): Promise<void> {
  await database.kill(signal)
  await wait(downMs)
  await database.start()
}
