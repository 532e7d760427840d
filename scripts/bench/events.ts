/**
 * Measures how fast one worker brings events to endpoints of which one in ten hangs: until the others have theirs. And what a
 * send costs when somebody is to be told of it.
 */
import { setTimeout } from 'node:timers/promises'
import { createAdmin } from '../../src/app/admin.ts'
import { loadConfig } from '../../src/settings/config.ts'
import { type Figure, type Findings, medianFigure, ratiosBetween } from './figure.ts'
import { measures } from './measures.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import { type Received, type Receivers, startReceivers } from './receivers.ts'
import { runInTurn } from './requests.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'
import { openService } from './side.ts'

const endpointsMax = 50
const hangingEvery = 10
/** That are due for each endpoint, for each second of a run: 10,000 for all of them in one of five seconds. */
const eventsPerSecond = 40
/** Endpoints of one account and mode. */
const ofAccount = 20
const lookMs = 50
const patienceMs = 120_000

/** Of our checkout alone. */
export async function measureEvents(setting: Setting): Promise<Findings> {
  const found: Figure[] = []
  for (let round = 0; round < setting.rounds; round++) found.push(await bring(setting.services[0]!, setting))
  return { figures: [medianFigure(found)], ratios: [] }
}

async function bring(service: Service, { databases, seconds }: Setting): Promise<Figure> {
  const eventsEach = Math.ceil(eventsPerSecond * seconds)
  const name = `${service.slug}_run`
  const url = await databases.create(name, service.templates.usual)
  const receivers = await startReceivers(endpointsMax, hangingEvery)
  try {
    await addEndpoints(service, url, receivers.urls)
    await databases.run(name, `${eventsSql(eventsEach)}; analyze`)
    const worker = await service.start('worker', url)
    const cpu = () => ({
      worker: cpuSecondsOf(worker.pid),
      postgres: familyCpuSeconds(databases.postmaster),
      receivers: cpuSecondsOf(receivers.pid),
    })
    const before = cpu()
    const count = (endpointsMax - endpointsMax / hangingEvery) * eventsEach
    const { firstAt, lastAt } = await lookUntil(receivers, count)
    const after = cpu()
    const memoryAfterMb = residentMb(worker.pid)
    await worker.end()
    const micros = (what: keyof typeof before) => ((after[what] - before[what]) / count) * 1e6
    return {
      measure: 'events',
      of: service.name,
      requestsPerSecond: (count / (lastAt - firstAt)) * 1000,
      cpuMicros: micros('worker'),
      postgresCpuMicros: micros('postgres'),
      callersCpuMicros: micros('receivers'),
      p50Ms: null,
      p99Ms: null,
      memoryAtRestMb: worker.restMb,
      memoryAfterMb,
    }
  } finally {
    receivers.end()
    await databases.drop(name)
  }
}

async function addEndpoints(service: Service, databaseUrl: string, urls: readonly string[]): Promise<void> {
  const admin = await createAdmin(loadConfig({ ...service.settings, DATABASE_URL: databaseUrl }, { role: 'cli' }))
  try {
    for (const [index, url] of urls.entries()) {
      const account = `account ${Math.floor(index / ofAccount)}`
      if (index % ofAccount === 0) await admin.accounts.create(account)
      const { id: accountId } = await admin.accounts.require(account)
      await admin.endpoints.add({ accountId, mode: 'live', url, types: null })
    }
  } finally {
    await admin.close()
  }
}

/** Statements for so many events that are due for each endpoint, with ids of their own and bodies as they are made. */
const eventsSql = (eventsEach: number) => `
  with made as (
    select e.account_id, e.id as endpoint_id,
      'evt_01KA0000' || lpad((row_number() over (order by n, e.id))::text, 18, '0') as event_id
    from endpoint e, generate_series(1, ${eventsEach}) as n
  ), events as (
    insert into event (account_id, id, mode, type, body, at)
    select account_id, event_id, 'live', 'message.delivered', '{"type":"message.delivered",' ||
      '"timestamp":"2026-11-21T09:30:02.118Z","data":{"request_id":"req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6","kind":"verification",' ||
      '"status":"delivered","mode":"live","channel":"wa-eu"}}', now()
    from made
  )
  insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, at)
  select account_id, event_id, endpoint_id, 'due', now(), now() from made`

/** @throws Error when nothing comes any more */
async function lookUntil(receivers: Receivers, count: number): Promise<Received> {
  let [last, lastAt] = [0, performance.now()]
  for (;;) {
    const received = await receivers.look()
    if (received.count >= count) return received
    if (received.count > last) [last, lastAt] = [received.count, performance.now()]
    if (performance.now() - lastAt > patienceMs) throw new Error(`The worker stopped at ${last} events.`)
    await setTimeout(lookMs)
  }
}

/** Sends, where an endpoint is to be told of them beside where none is. */
export async function measureTold(setting: Setting): Promise<Findings> {
  const [send, service] = [measures.find(({ name }) => name === 'send')!, setting.services[0]!]
  const silent = await openService(send, service, setting, { database: 'silent' })
  const told = await openService(send, service, setting, {
    database: 'told',
    prepare: async (url) => {
      const admin = await createAdmin(loadConfig({ ...service.settings, DATABASE_URL: url }, { role: 'cli' }))
      const { id: accountId } = await admin.accounts.require('default')
      for (const mode of ['live', 'test'] as const) {
        await admin.endpoints.add({ accountId, mode, url: 'http://127.0.0.1:9/', types: null })
      }
      await admin.close()
    },
  })
  const sides = [silent, { ...told, name: `${told.name}, with an endpoint` }] as const
  try {
    const [without, within] = (await runInTurn(sides, send, setting)) as [Figure[], Figure[]]
    const figures = [without, within].map((list) => ({ ...medianFigure(list), measure: 'told' }))
    return { figures, ratios: ratiosBetween(within, without).map((ratio) => ({ ...ratio, measure: 'told' })) }
  } finally {
    await Promise.all(sides.map(({ close }) => close()))
  }
}
