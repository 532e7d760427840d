/**
 * Measures how fast messages are brought through, and what came of them settled: by one worker to the sandbox, or by one
 * process, which takes the reports too, to a provider; to that also at a steady rate, for what is asked of it meanwhile.
 */
import { setTimeout } from 'node:timers/promises'
import type { Session } from './database.ts'
import { type Figure, type Findings, medianFigure, ratiosBetween } from './figure.ts'
import type { Outcome } from './load.ts'
import { laterAsk } from './measures.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import type { Server } from './server.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'
import { sendCodes } from './side.ts'

/** Messages that wait, for each second of a run; it ends when they are done. */
const waitingPerSecond = { sandbox: 5000, provider: 1500 }
/** Notifications that are due, for each second of a run. */
const duePerSecond = 5000
const lookMs = 20
/** Messages a second, of the run at a steady rate: the provider's connection has that pace. */
const steadyPerSecond = 500
/** The part of the messages after which the worker counts as warm. */
const warmUpPart = 0.1
/** Seconds for a worker to bring a message through, before it is taken to do nothing. */
const patienceSeconds = 60
/** Who reads messages meanwhile, where the process has an API: about so many requests a second. */
const readers = { callers: 4, pauseMs: 20 }

export async function measureDelivery(setting: Setting): Promise<Findings> {
  const paces = setting.provider ? [undefined, steadyPerSecond] : [undefined]
  const found = paces.map(() => setting.services.map((): Figure[] => []))
  for (let round = 0; round < setting.rounds; round++) {
    for (const [place, perSecond] of paces.entries()) {
      for (const [index, service] of setting.services.entries()) {
        found[place]![index]!.push(await deliver(service, setting, perSecond))
      }
    }
  }
  return {
    figures: found.flatMap((ofPace) => ofPace.map(medianFigure)),
    ratios: found.flatMap(([ours, other]) => (other ? ratiosBetween(ours!, other) : [])),
  }
}

/** Notifications that were scheduled, and are all due when the worker starts. */
export async function measureDue(setting: Setting): Promise<Findings> {
  const found = setting.services.map((): Figure[] => [])
  for (let round = 0; round < setting.rounds; round++) {
    for (const [index, service] of setting.services.entries()) found[index]!.push(await deliverDue(service, setting))
  }
  return { figures: found.map(medianFigure), ratios: [] }
}

async function deliverDue(service: Service, setting: Setting): Promise<Figure> {
  const { databases, seconds, load, rows } = setting
  const name = `${service.slug}_run`
  const url = await databases.create(name, service.templates.usual)
  const database = databases.open(name)
  try {
    const count = Math.ceil(duePerSecond * seconds)
    const server = await service.start('serve', url)
    await load.run({
      ...{ ...laterAsk({ key: service.keys.live, phonesFrom: rows, ids: [] }), port: server.port },
      ...{ callers: 32, secondsMax: Number.POSITIVE_INFINITY, requestsMax: count },
    })
    await server.end()
    await database.run('update scheduled set send_at = now()')
    const worker = await service.start('worker', url)
    const look = () => lookAt(worker, database, setting)
    const from = await lookUntil(look, ({ done }) => done >= count * warmUpPart)
    const to = await lookUntil(look, ({ done }) => done === count)
    const memoryAfterMb = residentMb(worker.pid)
    await worker.end()
    return { ...toFigure(service.name, { from, to, reading: undefined, worker, memoryAfterMb }), measure: 'due' }
  } finally {
    await database.close()
    await databases.drop(name)
  }
}

/** @param perSecond what the provider's connection lets through, where it is to be less than it can be */
async function deliver(service: Service, setting: Setting, perSecond?: number): Promise<Figure> {
  const { databases, provider, seconds } = setting
  const name = `${service.slug}_run`
  const url = await databases.create(name, service.templates.usual)
  const database = databases.open(name)
  try {
    if (provider) await service.applyChannels(await provider.channelsAt(perSecond), url)
    const count = Math.ceil(waitingPerSecond[provider ? 'provider' : 'sandbox'] * seconds)
    const ids = await queueMessages(count, service, url, setting)
    const worker = await service.start(provider ? 'both' : 'worker', url, provider?.settings)
    const look = () => lookAt(worker, database, setting)
    const from = await lookUntil(look, ({ done }) => done >= count * warmUpPart)
    const isOver = (at: number) => at > from.at + seconds * 1000
    const [to, reading] = await Promise.all([
      lookUntil(look, ({ done, at }) => done === count || (done > from.done && isOver(at))),
      provider && readMeanwhile(ids, worker, service, setting),
    ])
    const memoryAfterMb = residentMb(worker.pid)
    await worker.end()
    return toFigure(perSecond === undefined ? service.name : `${service.name}, ${perSecond} a second`, {
      from,
      to,
      reading,
      worker,
      memoryAfterMb,
    })
  } finally {
    await database.close()
    await databases.drop(name)
  }
}

interface Found {
  from: Seen
  to: Seen
  reading: Outcome | undefined
  worker: Server
  memoryAfterMb: number
}

function toFigure(of: string, { from, to, reading, worker, memoryAfterMb }: Found): Figure {
  const done = to.done - from.done
  const micros = (what: 'cpu' | 'postgres') => ((to[what] - from[what]) / done) * 1e6
  return {
    measure: 'deliver',
    of,
    requestsPerSecond: (done / (to.at - from.at)) * 1000,
    cpuMicros: micros('cpu'),
    postgresCpuMicros: micros('postgres'),
    callersCpuMicros: to.provider === null ? null : ((to.provider - from.provider!) / done) * 1e6,
    p50Ms: reading?.p50Ms ?? null,
    p99Ms: reading?.p99Ms ?? null,
    memoryAtRestMb: worker.restMb,
    memoryAfterMb,
  }
}

async function queueMessages(count: number, service: Service, databaseUrl: string, setting: Setting) {
  const server = await service.start('serve', databaseUrl)
  const ids = await sendCodes(count, { setting, server, key: service.keys[setting.mode], phonesFrom: setting.rows })
  await server.end()
  return ids
}

function readMeanwhile(list: string[], { port }: Server, service: Service, setting: Setting): Promise<Outcome> {
  const values = { list, times: 1, again: true }
  const ask = { method: 'GET', path: '/v1/messages/*', values, expected: { status: 200 } } as const
  return setting.load.run({
    ...{ ...ask, ...readers, port, key: service.keys[setting.mode] },
    secondsMax: setting.seconds,
  })
}

interface Seen {
  /** Milliseconds. */
  at: number
  /** Seconds of CPU. */
  cpu: number
  postgres: number
  provider: number | null
  /** Messages that are delivered. */
  done: number
}

async function lookAt(worker: Server, database: Session, { databases, provider }: Setting): Promise<Seen> {
  // What the tables were filled with is older.
  const [row] = await database.run(
    `select count(*)::int as done from message
    where created_at > now() - interval '30 minutes' and status = 'delivered'`,
  )
  return {
    at: performance.now(),
    cpu: cpuSecondsOf(worker.pid),
    postgres: familyCpuSeconds(databases.postmaster),
    provider: provider ? cpuSecondsOf(provider.pid) : null,
    done: row?.done as number,
  }
}

/** @throws Error when nothing is delivered any more */
async function lookUntil(look: () => Promise<Seen>, isEnough: (seen: Seen) => boolean): Promise<Seen> {
  let last = await look()
  for (let seen = last; ; seen = await look()) {
    if (isEnough(seen)) return seen
    if (seen.done > last.done) last = seen
    if (seen.at > last.at + patienceSeconds * 1000) throw new Error(`The worker stopped at ${seen.done} messages.`)
    await setTimeout(lookMs)
  }
}
