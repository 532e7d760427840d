/**
 * Measures how long a code takes from its request until its provider has taken it, at a steady rate: with a provider that is
 * well, and with one that hangs at every tenth request. The ones that it hangs at are left out: it is about the nine others.
 */
import { type Figure, type Findings, medianFigure } from './figure.ts'
import { sendAsk } from './measures.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'
import { takenTimes } from './taken.ts'

/** About 200 codes a second. */
const senders = { callers: 20, pauseMs: 95 }
/** Longer than a provider is waited for. */
const hanging = { every: 10, ms: 9000 }
const patienceMs = 60_000
/** For each second of another run; with the usual ones, as many hang at once in the end as ever will. */
const secondsEach = 4

/** @throws Error where there is no provider */
export async function measureHandOver(setting: Setting): Promise<Findings> {
  const found: Figure[][] = [[], []]
  for (let round = 0; round < setting.rounds; round++) {
    const [service] = setting.services
    found[0]!.push(await handOver(service!, setting, false))
    found[1]!.push(await handOver(service!, setting, true))
  }
  return { figures: found.map(medianFigure), ratios: [] }
}

async function handOver(service: Service, setting: Setting, isHanging: boolean): Promise<Figure> {
  const { databases, load, mode, provider, seconds } = setting
  if (!provider) throw new Error('It needs a provider: --channel whatsapp or sms.')
  const name = `${service.slug}_run`
  const url = await databases.create(name, service.templates.usual)
  const database = databases.open(name)
  try {
    await service.applyChannels(await provider.channelsAt(), url)
    const server = await service.start('both', url, provider.settings)
    await provider.slow(isHanging ? hanging : null)
    const ask = { ...sendAsk({ key: service.keys[mode], phonesFrom: setting.rows }), ...senders, port: server.port }
    const cpu = () => ({
      server: cpuSecondsOf(server.pid),
      postgres: familyCpuSeconds(databases.postmaster),
      provider: cpuSecondsOf(provider.pid),
    })
    const before = cpu()
    const outcome = await load.run({ ...ask, secondsMax: seconds * secondsEach })
    const after = cpu()
    await provider.slow(null)
    const times = await takenTimes(database, others, patienceMs)
    const memoryAfterMb = residentMb(server.pid)
    await server.end()
    const micros = (what: keyof typeof before) => ((after[what] - before[what]) / outcome.requests) * 1e6
    return {
      measure: 'hand-over',
      of: isHanging ? `${service.name}, every tenth answer hangs` : service.name,
      requestsPerSecond: outcome.requests / outcome.seconds,
      cpuMicros: micros('server'),
      postgresCpuMicros: micros('postgres'),
      callersCpuMicros: micros('provider'),
      ...times,
      memoryAtRestMb: server.restMb,
      memoryAfterMb,
    }
  } finally {
    await database.close()
    await databases.drop(name)
  }
}

/** Messages of this run that nobody hung at, as far as that is known. */
const others = `message where created_at > now() - interval '10 minutes' and timeline::text !~ 'in time'`
