/**
 * Caps while processes are killed: SIMs share codes, a paid provider takes the rest. The phones' own log is the witness: what a
 * killed worker had handed over, and noted nowhere, counts as well.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { run } from '../support/cli.ts'
import { smsEntry } from '../support/simulation.ts'
import { type MortalDatabase, openMortalDatabase } from './database.ts'
import { createLoad, settleMs } from './load.ts'
import { type Service, startService, workersMax } from './service.ts'

const minuteMs = 60_000
const messages = 1000
const kills = 6
/** A SIM each, by what is capped. */
const sims = {
  minute: { cap: { per_minute: 60 }, of: 60, windowMs: minuteMs },
  hour: { cap: { per_hour: 50 }, of: 50, windowMs: 60 * minuteMs },
  day: { cap: { per_day: 40 }, of: 40, windowMs: 24 * 60 * minuteMs },
}

let folders: { database: string; lists: string }
let database: MortalDatabase
let simulators: Record<keyof typeof sims | 'paid', Simulator>
let service: Service
beforeAll(async () => {
  const newFolder = () => mkdtemp(join(tmpdir(), 'watchword-caps-'))
  folders = { database: await newFolder(), lists: await newFolder() }
  database = await openMortalDatabase(folders.database)
  const [minute, hour, day, paid] = await Promise.all([
    createSimulator({}),
    createSimulator({}),
    createSimulator({}),
    createSimulator({}),
  ])
  simulators = { minute, hour, day, paid }
  service = await startService(database.url)
  const pool = Object.entries(sims).map(([id, { cap }]) =>
    smsEntry(simulators[id as keyof typeof sims], { id, spread: true, reports: 'none', ...cap }),
  )
  const file = join(folders.lists, 'channels.yaml')
  const paidEntry = smsEntry(paid, { id: 'paid', reports: 'none', per_second: 1000 })
  await writeFile(file, JSON.stringify([...pool, paidEntry]))
  expect(await run(service.settings, ['channels', 'apply', file])).toMatchObject({ exitCode: 0 })
})
afterAll(async () => {
  await service?.stop()
  await Promise.all(Object.values(simulators ?? {}).map((simulator) => simulator.close()))
  await database?.stop()
  for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true })
})

const logOf = (simulator: Simulator) =>
  simulator.phones().flatMap(({ phone, messages }) => messages.map(({ at }) => ({ phone, at: Date.parse(at) })))

/** The most in any window of that length. */
function mostIn(log: { at: number }[], windowMs: number): number {
  const times = log.map(({ at }) => at).toSorted((a, b) => a - b)
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at - from < windowMs).length))
}

it(`no SIM is handed more than its cap, and none of ${messages} codes is lost, in ${kills} kills`, async () => {
  const load = createLoad(service.post)
  for (let killed = 1; killed <= kills; killed++) {
    await expect.poll(load.acknowledged, { timeout: settleMs }).toBeGreaterThan((killed * messages) / (kills + 1))
    await service.killWorker(killed % workersMax)
    await service.revive()
  }
  await expect.poll(load.acknowledged, { timeout: settleMs }).toBeGreaterThanOrEqual(messages)
  const acknowledged = await load.stop()
  const missing = () => {
    const reached = new Set(
      Object.values(simulators).flatMap((simulator) => logOf(simulator).map(({ phone }) => phone)),
    )
    return [...acknowledged.values()].filter((phone) => !reached.has(phone))
  }
  await expect.poll(missing, { timeout: settleMs, interval: 500 }).toEqual([])
  for (const [id, { of, windowMs }] of Object.entries(sims)) {
    const most = mostIn(logOf(simulators[id as keyof typeof sims]), windowMs)
    process.stdout.write(`  ${id}: ${most} of ${of}\n`)
    expect(most, id).toBeLessThanOrEqual(of)
    expect(most, id).toBeGreaterThan(0)
  }
})
