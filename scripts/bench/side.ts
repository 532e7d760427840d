/** One of the servers that a measure takes in turn, on a database of its own. */
import { bareNames, bareRowsMin } from './bare.ts'
import type { Ask, Load } from './load.ts'
import { type Measure, sendAsk } from './measures.ts'
import { phoneAt } from './phone.ts'
import { filledId } from './rows.ts'
import type { Server } from './server.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'

export interface Side {
  name: string
  server: Server
  /** Does what has to be there before a run of so many seconds. @returns what that run asks */
  prepare: (seconds: number) => Promise<Ask>
  close: () => Promise<void>
}

interface Site {
  /** Its name. */
  database: string
  prepare: (databaseUrl: string) => Promise<void>
}

const sendingCallers = 32
const readIdsMax = 10_000
/** How many messages are read by turns where none are there from the start. */
const readIdsMade = 200

export async function openBare(measure: Measure, { databases, bare, rows, load }: Setting): Promise<Side> {
  const database = 'bare_run'
  const server = await bare.start(measure.bare, await databases.create(database, bare.template))
  const phones = createPhones(rows)
  const ids = sampleIds(Math.max(rows, bareRowsMin))
  const pendingFor = async (seconds: number) => {
    if (!measure.bareSend) return []
    const count = pendingCount(measure, seconds)
    const phonesFrom = phones.take(count)
    await askAll(count, measure.bareSend({ phonesFrom }), { load, server })
    if (!measure.barePending) return phonesAt(phonesFrom, count)
    return (await databases.run(database, measure.barePending)).map(({ text }) => text as string)
  }
  return {
    name: bareNames[measure.bare],
    server,
    prepare: async (seconds) => {
      const pending = await pendingFor(seconds)
      return measure.bareAsk({ key: '', phonesFrom: phones.take(enoughFor(seconds)), ids, phones: pending })
    },
    close: async () => {
      await server.end()
      await databases.drop(database)
    },
  }
}

/** @param prepare what is done in its database before it starts */
export async function openService(
  measure: Measure,
  service: Service,
  setting: Setting,
  { database = `${service.slug}_run`, prepare = async () => {} }: Partial<Site> = {},
): Promise<Side> {
  const { databases, rows, mode } = setting
  const template = measure.neverAnalysed ? service.templates.neverAnalysed : service.templates.usual
  const url = await databases.create(database, template)
  await measure.prepare?.(service, url)
  await prepare(url)
  const server = await service.start('serve', url)
  const key = service.keys[measure.mode ?? mode]
  const phones = createPhones(rows)
  let pending: string[] = []
  const send = (count: number) => {
    const phonesFrom = phones.take(count)
    pending = phonesAt(phonesFrom, count)
    return sendCodes(count, { setting, server, key, phonesFrom })
  }
  let readIds: string[] | undefined
  const idsFor = async (seconds: number) => {
    if (measure.verificationsPerSecond) return send(pendingCount(measure, seconds))
    if (!measure.reads) return []
    readIds ??= rows > 0 ? sampleIds(rows) : await send(readIdsMade)
    return readIds
  }
  return {
    name: service.name,
    server,
    prepare: async (seconds) => {
      const ids = await idsFor(seconds)
      return measure.ask!({ key, phonesFrom: phones.take(enoughFor(seconds)), ids, phones: pending })
    },
    close: async () => {
      await server.end()
      await databases.drop(database)
    },
  }
}

/** Sends codes that are not measured. @returns their ids */
export async function sendCodes(
  requestsMax: number,
  from: { setting: Setting; server: Server; key: string; phonesFrom: number },
): Promise<string[]> {
  const { setting, server, key, phonesFrom } = from
  const { ids } = await askAll(requestsMax, sendAsk({ key, phonesFrom }), { load: setting.load, server })
  return ids
}

function askAll(requestsMax: number, ask: Ask, { load, server }: { load: Load; server: Server }) {
  const { port } = server
  return load.run({ ...ask, port, callers: sendingCallers, secondsMax: Number.POSITIVE_INFINITY, requestsMax })
}

function pendingCount({ verificationsPerSecond = 0 }: Measure, seconds: number): number {
  return Math.ceil(verificationsPerSecond * seconds)
}

function phonesAt(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => phoneAt(from + index))
}

/** Gives out indexes of phones that nobody has used. */
function createPhones(used: number) {
  let next = used
  return {
    take: (count: number) => {
      next += count
      return next - count
    },
  }
}

/** More phones than any server here asks for in so many seconds. */
function enoughFor(seconds: number): number {
  return Math.ceil(seconds * 20_000)
}

function sampleIds(rows: number): string[] {
  return Array.from({ length: Math.min(rows, readIdsMax) }, () => filledId(Math.floor(Math.random() * rows)))
}
