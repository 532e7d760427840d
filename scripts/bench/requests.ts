/** Measures requests: the bare server and each checkout of the service in turn, as many rounds as wanted. */
import { type Bare, bareNames, bareRowsMin } from './bare.ts'
import type { Databases } from './database.ts'
import { type Figure, medianFigure, type Ratio, ratioOf } from './figure.ts'
import type { Job, Load, Outcome } from './load.ts'
import { type Measure, type Supply, sendAsk } from './measures.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import { filledId } from './rows.ts'
import type { Server } from './server.ts'
import type { Service } from './service.ts'

export interface Bench {
  databases: Databases
  bare: Bare
  /** Ours first. */
  services: Service[]
  load: Load
  folder: string
  seconds: number
  callers: number
  rounds: number
  rows: number
  mode: 'live' | 'test'
}

export interface Findings {
  figures: Figure[]
  ratios: Ratio[]
}

interface Side {
  name: string
  server: Server
  /** The ask of a run of so many seconds, and what that needs done before. */
  prepare: (seconds: number) => Promise<Omit<Job, 'port' | 'callers' | 'secondsMax'>>
  close: () => Promise<void>
}

const preparingCallers = 32
const readIds = 10_000
/** Seconds for which a server runs before it is measured, or as many as a run has. */
const warmUpSeconds = 2

export async function measureRequests(measure: Measure, bench: Bench): Promise<Findings> {
  const { databases, load, seconds, callers, rounds } = bench
  const sides: Side[] = []
  try {
    sides.push(await bareSide(measure, bench))
    if (measure.ask) for (const service of bench.services) sides.push(await serviceSide(measure, service, bench))
    await databases.run('bench', 'checkpoint')
    const run = async (
      { server, prepare }: Side,
      secondsMax: number,
    ): Promise<Outcome & { cpu: number; db: number }> => {
      const ask = await prepare(secondsMax)
      const before = [cpuSecondsOf(server.pid), familyCpuSeconds(databases.postmaster)] as const
      const outcome = await load.run({ ...ask, port: server.port, callers, secondsMax })
      const [cpu, db] = [cpuSecondsOf(server.pid) - before[0], familyCpuSeconds(databases.postmaster) - before[1]]
      return { ...outcome, cpu, db }
    }
    for (const side of sides) await run(side, Math.min(warmUpSeconds, seconds))
    const found: Figure[][] = sides.map(() => [])
    for (let round = 0; round < rounds; round++) {
      for (const [index, side] of sides.entries()) {
        const { requests, seconds: took, cpu, db, cpuSeconds, p50Ms, p99Ms } = await run(side, seconds)
        found[index]!.push({
          measure: measure.name,
          of: side.name,
          requestsPerSecond: requests / took,
          cpuMicros: (cpu / requests) * 1e6,
          postgresCpuMicros: (db / requests) * 1e6,
          callersCpuMicros: (cpuSeconds / requests) * 1e6,
          p50Ms,
          p99Ms,
          memoryAtRestMb: side.server.restMb,
          memoryAfterMb: residentMb(side.server.pid),
        })
      }
    }
    return { figures: found.map(medianFigure), ratios: ratiosOf(measure, found) }
  } finally {
    for (const side of sides) await side.close()
  }
}

/** Of ours and of the other checkout to the bare server, and of ours to the other checkout. */
function ratiosOf({ ratios }: Measure, [bare, ours, other]: Figure[][]): Ratio[] {
  return ratios.flatMap((what) => [
    ...(ours ? [ratioOf(what, ours, bare!)] : []),
    ...(other ? [ratioOf(what, other, bare!), ratioOf(what, ours!, other)] : []),
  ])
}

async function bareSide(measure: Measure, { databases, bare, rows }: Bench): Promise<Side> {
  const database = 'bare_run'
  const server = await bare.start(measure.bare, await databases.create(database, bare.template))
  const ids = measure.reads ? sampleIds(Math.max(rows, bareRowsMin)) : []
  let phonesFrom = rows
  return {
    name: bareNames[measure.bare],
    server,
    prepare: async (seconds) => {
      const from = phonesFrom
      phonesFrom += phonesFor(seconds)
      return measure.bareAsk({ key: '', phonesFrom: from, ids })
    },
    close: async () => {
      await server.end()
      await databases.drop(database)
    },
  }
}

async function serviceSide(measure: Measure, service: Service, { databases, load, rows, mode }: Bench): Promise<Side> {
  const database = `${service.slug}_run`
  const template = measure.neverAnalysed ? service.templates.neverAnalysed : service.templates.usual
  const server = await service.start('serve', await databases.create(database, template))
  const key = service.keys[measure.mode ?? mode]
  let phonesFrom = rows
  const sends = async (requestsMax: number) => {
    const ask = sendAsk({ key, phonesFrom })
    phonesFrom += requestsMax
    const job = { ...ask, port: server.port, callers: preparingCallers, secondsMax: Infinity, requestsMax }
    return (await load.run(job)).ids
  }
  const filled = measure.reads ? (rows > 0 ? sampleIds(rows) : await sends(bareRowsMin)) : []
  return {
    name: service.name,
    server,
    prepare: async (seconds) => {
      const { verificationsPerSecond } = measure
      const ids = verificationsPerSecond ? await sends(Math.ceil(verificationsPerSecond * seconds)) : filled
      const supply: Supply = { key, phonesFrom, ids }
      phonesFrom += phonesFor(seconds)
      return measure.ask!(supply)
    },
    close: async () => {
      await server.end()
      await databases.drop(database)
    },
  }
}

/** More than any server here asks for in so many seconds. */
function phonesFor(seconds: number): number {
  return Math.ceil(seconds * 20_000)
}

function sampleIds(rows: number): string[] {
  return Array.from({ length: Math.min(rows, readIds) }, () => filledId(Math.floor(Math.random() * rows)))
}
