/** Measures requests: the bare server and each checkout of the service in turn, as many rounds as wanted. */
import { type Figure, type Findings, medianFigure, type Ratio, ratiosBetween } from './figure.ts'
import type { Measure } from './measures.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import type { Setting } from './setting.ts'
import { openBare, openService, type Side } from './side.ts'

/** @throws Error when an answer was not as expected */
export async function measureRequests(measure: Measure, setting: Setting): Promise<Findings> {
  const { databases } = setting
  const services = measure.ask ? setting.services : []
  const opened = await Promise.allSettled([
    openBare(measure, setting),
    ...services.map((service) => openService(measure, service, setting)),
  ])
  const sides = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  try {
    for (const result of opened) if (result.status === 'rejected') throw result.reason
    // None of the runs has to write what was prepared.
    await databases.run('bench', 'checkpoint')
    const kept = await runInTurn(sides, measure, setting)
    return { figures: kept.map(medianFigure), ratios: listRatios(kept) }
  } finally {
    await Promise.all(sides.map((side) => side.close()))
  }
}

/**
 * Each side in each round, one after the other. The first round warms the servers up, and is not kept. Each round begins with another
 * side: what one has left PostgreSQL to do, the next one has to bear.
 *
 * @returns the figures of each side. @throws Error when an answer was not as expected
 */
export async function runInTurn(sides: readonly Side[], measure: Measure, setting: Setting): Promise<Figure[][]> {
  const found: Figure[][] = sides.map(() => [])
  for (let round = 0; round <= setting.rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const index = (round + turn) % sides.length
      found[index]!.push(await runSide(sides[index]!, measure, setting))
    }
  }
  return found.map((figures) => figures.slice(1))
}

/** Asks for as long as a run takes. @throws Error when an answer was not as expected */
export async function runSide(
  { name, server, prepare }: Side,
  measure: Measure,
  { databases, load, callers, seconds: secondsMax }: Setting,
): Promise<Figure> {
  const ask = await prepare(secondsMax)
  const cpu = () => ({ server: cpuSecondsOf(server.pid), postgres: familyCpuSeconds(databases.postmaster) })
  const before = cpu()
  const { requests, seconds, cpuSeconds, p50Ms, p99Ms } = await load.run({
    ...ask,
    port: server.port,
    callers,
    secondsMax,
  })
  const after = cpu()
  return {
    measure: measure.name,
    of: name,
    requestsPerSecond: requests / seconds,
    cpuMicros: ((after.server - before.server) / requests) * 1e6,
    postgresCpuMicros: ((after.postgres - before.postgres) / requests) * 1e6,
    callersCpuMicros: (cpuSeconds / requests) * 1e6,
    p50Ms,
    p99Ms,
    memoryAtRestMb: server.restMb,
    memoryAfterMb: residentMb(server.pid),
  }
}

/** Of ours and of the other checkout to the bare server, and of ours to the other checkout. */
function listRatios([bare, ours, other]: Figure[][]): Ratio[] {
  return [
    ...(ours ? ratiosBetween(ours, bare!) : []),
    ...(other ? [...ratiosBetween(other, bare!), ...ratiosBetween(ours!, other)] : []),
  ]
}
