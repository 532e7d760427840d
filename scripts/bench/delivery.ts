/** Measures how fast one worker brings messages through: handed to the sandbox, and what that reported settled. */
import { setTimeout } from 'node:timers/promises'
import type { Session } from './database.ts'
import { type Figure, type Findings, medianFigure, ratiosBetween } from './figure.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import type { Server } from './server.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'
import { sendCodes } from './side.ts'

/** Messages that wait for a worker, for each second of a run; it ends when they are done. */
const perSecond = 5000
const lookMs = 20
/** The part of the messages after which the worker counts as warm. */
const warmUpPart = 0.1
/** Seconds for a worker to bring a message through, before it is taken to do nothing. */
const patienceSeconds = 60

export async function measureDelivery(setting: Setting): Promise<Findings> {
  const found: Figure[][] = setting.services.map(() => [])
  for (let round = 0; round < setting.rounds; round++) {
    for (const [index, service] of setting.services.entries()) found[index]!.push(await deliver(service, setting))
  }
  const [ours, other] = found
  return { figures: found.map(medianFigure), ratios: other ? ratiosBetween(ours!, other) : [] }
}

async function deliver(service: Service, setting: Setting): Promise<Figure> {
  const { databases, seconds } = setting
  const name = `${service.slug}_run`
  const url = await databases.create(name, service.templates.usual)
  const database = databases.open(name)
  try {
    const count = Math.ceil(perSecond * seconds)
    await queueMessages(count, service, url, setting)
    const worker = await service.start('worker', url)
    const look = () => lookAt(worker, database, databases.postmaster)
    const from = await lookUntil(look, ({ done }) => done >= count * warmUpPart)
    const isOver = (at: number) => at > from.at + seconds * 1000
    const to = await lookUntil(look, ({ done, at }) => done === count || (done > from.done && isOver(at)))
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
    await database.close()
    await databases.drop(name)
  }
}

async function queueMessages(count: number, service: Service, databaseUrl: string, setting: Setting): Promise<void> {
  const server = await service.start('serve', databaseUrl)
  await sendCodes(count, { setting, server, key: service.keys[setting.mode], phonesFrom: setting.rows })
  await server.end()
}

interface Seen {
  /** Milliseconds. */
  at: number
  /** Seconds of CPU. */
  cpu: number
  postgres: number
  /** Messages that are delivered. */
  done: number
}

async function lookAt(worker: Server, database: Session, postmaster: number): Promise<Seen> {
  // What the tables were filled with is older.
  const [row] = await database.run(
    `select count(*)::int as done from message
    where created_at > now() - interval '30 minutes' and status = 'delivered'`,
  )
  const cpu = cpuSecondsOf(worker.pid)
  return { at: performance.now(), cpu, postgres: familyCpuSeconds(postmaster), done: row?.done as number }
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
