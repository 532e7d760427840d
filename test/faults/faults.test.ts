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
import { round } from './round.ts'
import { type Service, startService } from './service.ts'

const rounds = Number(process.env.FAULT_ROUNDS ?? 20)
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)

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
  for (const { killed, afterMs, strike } of fc.sample(round, { numRuns: rounds, seed })) {
    await wait(afterMs)
    process.stdout.write(`  ${load.acknowledged()} acknowledged, ${load.refused()} not; kills ${killed.join(', ')}\n`)
    await strike({ database, service })
  }
  const acknowledged = await load.stop()
  expect(acknowledged.size).toBeGreaterThan(rounds)
  await expectKept(database.url, acknowledged, service.post)
})
