/** Measures how fast one worker brings messages through: handed to the sandbox, and what that reported settled. */
import { setTimeout } from 'node:timers/promises'
import { type Figure, medianFigure, type Ratio, ratioOf } from './figure.ts'
import { sendAsk } from './measures.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import type { Bench, Findings } from './requests.ts'
import type { Service } from './service.ts'

/** Messages that wait for a worker, for each second of a run; it ends when they are done. */
const perSecond = 800
const lookMs = 100
/** The part of the messages after which the worker counts as warm. */
const warmUpPart = 0.1

export async function measureDelivery(bench: Bench): Promise<Findings> {
  const found: Figure[][] = bench.services.map(() => [])
  for (let round = 0; round < bench.rounds; round++) {
    for (const [index, service] of bench.services.entries()) found[index]!.push(await deliverOnce(service, bench))
  }
  const [ours, other] = found
  const ratios: Ratio[] = other ? [ratioOf('requestsPerSecond', ours!, other), ratioOf('cpuMicros', ours!, other)] : []
  return { figures: found.map(medianFigure), ratios }
}

async function deliverOnce(service: Service, { databases, load, seconds, rows, mode }: Bench): Promise<Figure> {
  const database = `${service.slug}_run`
  const url = await databases.create(database, service.templates.usual)
  try {
    const count = Math.ceil(perSecond * seconds)
    const api = await service.start('serve', url)
    const ask = sendAsk({ key: service.keys[mode], phonesFrom: rows })
    await load.run({ ...ask, port: api.port, callers: 32, secondsMax: Infinity, requestsMax: count })
    await api.end()
    const worker = await service.start('worker', url)
    const look = async () => ({
      at: performance.now(),
      cpu: cpuSecondsOf(worker.pid),
      postgres: familyCpuSeconds(databases.postmaster),
      done: await settled(),
    })
    const settled = async () => {
      // Of those of this round: what the tables were filled with is older.
      const recent = `created_at > now() - interval '30 minutes'`
      const [row] = await databases.run(
        database,
        `select count(*)::int as done from message where ${recent} and status = 'delivered'`,
      )
      return row?.done as number
    }
    const from = await lookUntil(look, ({ done }) => done >= count * warmUpPart)
    const to = await lookUntil(
      look,
      ({ done, at }) => done === count || (done > from.done && at > from.at + seconds * 1000),
    )
    const memoryAfterMb = residentMb(worker.pid)
    await worker.end()
    const done = to.done - from.done
    return {
      measure: 'deliver',
      of: service.name,
      requestsPerSecond: (done / (to.at - from.at)) * 1000,
      cpuMicros: ((to.cpu - from.cpu) / done) * 1e6,
      postgresCpuMicros: ((to.postgres - from.postgres) / done) * 1e6,
      callersCpuMicros: null,
      p50Ms: null,
      p99Ms: null,
      memoryAtRestMb: worker.restMb,
      memoryAfterMb,
    }
  } finally {
    await databases.drop(database)
  }
}

async function lookUntil<Seen>(look: () => Promise<Seen>, isEnough: (seen: Seen) => boolean): Promise<Seen> {
  for (;;) {
    const seen = await look()
    if (isEnough(seen)) return seen
    await setTimeout(lookMs)
  }
}
