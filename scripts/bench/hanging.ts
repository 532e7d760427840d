/** Measures how long an endpoint that answers waits for its events, beside a thousand new ones that never answer. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createAdmin } from '../../src/app/admin.ts'
import { loadConfig } from '../../src/settings/config.ts'
import type { Session } from './database.ts'
import type { Figure, Findings } from './figure.ts'
import { cpuSecondsOf, familyCpuSeconds, residentMb } from './process.ts'
import type { Server } from './server.ts'
import type { Setting } from './setting.ts'

const accounts = 50
/** Endpoints of an account that hang, which is as many as it may have, and events that wait for each. */
const [ofAccount, eventsEach] = [20, 10]
/** Milliseconds between two events for an endpoint that answers. */
const stepMs = 100
/** New accounts, each with an endpoint that answers, for each second of a run: 20 in one of five seconds. */
const newPerSecond = 4

interface Told {
  /** Milliseconds from the commit of each event to its request. */
  waits: number[]
}

/** Of our checkout alone. */
export async function measureHanging(setting: Setting): Promise<Findings> {
  const { databases, seconds } = setting
  const newAccounts = Math.ceil(newPerSecond * seconds)
  const service = setting.services[0]!
  const name = `${service.slug}_hanging`
  const url = await databases.create(name, service.templates.usual)
  const receiver = await startReceiver()
  const session = databases.open(name)
  const admin = await createAdmin(loadConfig({ ...service.settings, DATABASE_URL: url }, { role: 'cli' }))
  const add = async (account: string, path: string, count = 1) => {
    await admin.accounts.create(account)
    const { id: accountId } = await admin.accounts.require(account)
    for (let index = 0; index < count; index++) {
      await admin.endpoints.add({ accountId, mode: 'live', url: receiver.url + path, types: null })
    }
  }
  const figures: Figure[] = []
  const note = async (what: string, worker: Server, work: () => Promise<Told>) => {
    const cpu = () => [cpuSecondsOf(worker.pid), familyCpuSeconds(databases.postmaster)] as const
    const before = cpu()
    const { waits } = await work()
    const [own, postgres] = cpu().map((after, index) => ((after - before[index]!) / waits.length) * 1e6)
    figures.push(toFigure(`${service.name}, ${what}`, waits, { own: own!, postgres: postgres!, worker, seconds }))
  }
  try {
    await add('good', '/good')
    for (let account = 0; account < accounts; account++) await add(`hanging ${account}`, '/hang', ofAccount)
    const first = await service.start('worker', url)
    const tell = (what: string, count: number) => tellEach(session, receiver, what, count)
    await tell(`name = 'good'`, 5)
    await note('alone', first, () => tell(`name = 'good'`, (seconds * 1000) / stepMs))
    await session.run(eventsSql(`name like 'hanging %'`, eventsEach))
    await note('beside them', first, () => tell(`name = 'good'`, (seconds * 1000) / stepMs))
    await first.end('SIGKILL')
    const next = await service.start('worker', url)
    await note('just started', next, () => tell(`name = 'good'`, (seconds * 1000) / stepMs))
    for (let account = 0; account < newAccounts; account++) await add(`new ${account}`, '/good')
    await note('first events of new ones', next, async () => {
      const told: Told = { waits: [] }
      for (let account = 0; account < newAccounts; account++) {
        told.waits.push(...(await tell(`name = 'new ${account}'`, 1)).waits)
      }
      return told
    })
    await next.end('SIGKILL')
    return { figures, ratios: [] }
  } finally {
    await admin.close()
    await session.close()
    receiver.end()
    await databases.drop(name)
  }
}

/** One event after the other, without waiting for them. */
async function tellEach(session: Session, receiver: Receiver, who: string, count: number): Promise<Told> {
  const sent = new Map<string, number>()
  for (let told = 0; told < count; told++) {
    const [row] = await session.run(eventsSql(who, 1))
    sent.set(String(row?.event_id), performance.now())
    await setTimeout(stepMs)
  }
  while ([...sent.keys()].some((id) => !receiver.received.has(id))) await setTimeout(stepMs)
  return { waits: [...sent].map(([id, at]) => Math.max(0, receiver.received.get(id)! - at)) }
}

let events = 0

/** So many events for each endpoint of the accounts, which are due. @returns a statement that gives their ids */
function eventsSql(who: string, count: number): string {
  events += 1
  return `
  with made as (
    select e.account_id, e.id as endpoint_id,
      'evt_01KA' || lpad((${events} * 100000 + row_number() over ())::text, 22, '0') as event_id
    from account a join endpoint e on e.account_id = a.id, generate_series(1, ${count}) where ${who}
  ), told as (
    insert into event (account_id, id, mode, type, body, at)
    select account_id, event_id, 'live', 'message.delivered', '{}', now() from made
  )
  insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, at)
  select account_id, event_id, endpoint_id, 'due', now(), now() from made returning event_id`
}

interface Receiver {
  url: string
  /** When each event came first. */
  received: Map<string, number>
  end: () => void
}

async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, number>()
  const server = createServer((request, response) => {
    request.resume()
    if (request.url !== '/good') return
    const id = String(request.headers['webhook-id'])
    if (!received.has(id)) received.set(id, performance.now())
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, end }
}

interface Measured {
  own: number
  postgres: number
  worker: Server
  seconds: number
}

function toFigure(of: string, waits: number[], { own, postgres, worker, seconds }: Measured): Figure {
  const sorted = waits.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
  return {
    measure: 'hanging',
    of,
    requestsPerSecond: waits.length / seconds,
    cpuMicros: own,
    postgresCpuMicros: postgres,
    callersCpuMicros: null,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    memoryAtRestMb: worker.restMb,
    memoryAfterMb: residentMb(worker.pid),
  }
}
