/** Measures the service with the messages of a month beside the service with none, and what retention costs there. */
import { openUnchanged } from '../../src/app/admin.ts'
import { createPurge, type Purged } from '../../src/domain/keeping/retention.ts'
import { createLog } from '../../src/kit/runtime.ts'
import { loadConfig } from '../../src/settings/config.ts'
import type { Commit } from '../../src/store/engine/commit.ts'
import { lockOverdue } from '../../src/store/sending/message.ts'
import { type Figure, type Findings, medianFigure, ratiosBetween } from './figure.ts'
import { type Measure, measures } from './measures.ts'
import { runSide } from './requests.ts'
import type { Setting } from './setting.ts'
import { type Side, sendCodes } from './side.ts'
import { fillYears, planYears, type Years, yearsId } from './year.ts'

/** Messages that are read, again and again. */
const readMax = 10_000
const emptyName = 'Watchword, empty'
/** There are messages of the last 30 days, today with them: of so many days less, the first is past. */
const [daysKept, daysShort] = [30, 28]

export interface Retention {
  /** Bytes for each message, with its indexes; and for each phone. */
  messageBytes: number
  phoneBytes: number
  fillSeconds: number
  /** Milliseconds of a sweep, of a purge that finds nothing, of one that drops a day, and of its longest transaction. */
  sweepMs: number
  idleMs: number
  dropMs: number
  /** Of all transactions of that purge, and of those that drop partitions. */
  longestMs: number
  longestDropMs: number
  purged: Purged
}

export async function measureYears(
  messages: number,
  setting: Setting,
  say: (text: string) => void,
): Promise<{ findings: (Findings & { title: string })[]; retention: Retention }> {
  const { databases, services } = setting
  const [service] = services
  const years = planYears(messages, new Date())
  const urls = {
    full: await databases.create('years_full', service!.templates.usual),
    empty: await databases.create('years_empty', service!.templates.usual),
  }
  const startedAt = performance.now()
  const session = databases.open('years_full')
  await fillYears(session, years, say)
  const fillSeconds = (performance.now() - startedAt) / 1000
  const [size] = await session.run(`select
    (select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree('message') where isleaf) / ${messages} as message,
    pg_total_relation_size('phone')::float8 / ${years.phones} as phone`)
  const sides = [
    await open('Watchword', urls.full, years, setting),
    await open(emptyName, urls.empty, undefined, setting),
  ]
  const findings: (Findings & { title: string })[] = []
  for (const [name, title, idsOfYears] of asked) {
    const measure = { ...measures.find((one) => one.name === name)!, title }
    await databases.run('bench', 'checkpoint')
    const found: Figure[][] = sides.map(() => [])
    for (let round = 0; round <= setting.rounds; round++) {
      for (const [index, { side }] of sides.entries())
        found[index]!.push(await runSide(await side(measure, idsOfYears), measure, setting))
    }
    const [full, empty] = found.map((figures) => figures.slice(1)) as [Figure[], Figure[]]
    findings.push({ title, figures: [medianFigure(full), medianFigure(empty)], ratios: ratiosBetween(full, empty) })
  }
  for (const { end } of sides) await end()
  const kept = { messageBytes: Number(size!.message), phoneBytes: Number(size!.phone), fillSeconds }
  await session.close()
  return { findings, retention: { ...kept, ...(await retain(urls.full)) } }
}

/** What is asked, and of which messages of the month. */
const asked: [name: string, title: string, ids: (years: Years, count: number) => string[]][] = [
  ['send', 'send a code', () => []],
  ['check-right', 'check a right code', () => []],
  // What callers ask for: what became of a message that they have just sent.
  ['get', 'read one of the newest messages', newestOf],
  ['get', 'read a message of the last day', (years, count) => listIds(years, count, 1 - 1 / 30)],
  ['get', 'read a message of any day', (years, count) => listIds(years, count, 0)],
]

/** A server on a database, as a side of each measure. */
async function open(name: string, url: string, years: Years | undefined, setting: Setting) {
  const [service] = setting.services as [Setting['services'][number]]
  const server = await service.start('serve', url)
  let phones = years?.phones ?? 0
  const take = (count: number) => {
    phones += count
    return phones - count
  }
  const send = (count: number, mode = setting.mode) =>
    sendCodes(count, { setting, server, key: service.keys[mode], phonesFrom: take(count) })
  /** Of each measure that reads: the same in all rounds, and read once before, so that no disk is measured. */
  const read = new Map<string, string[]>()
  const readIds = async (measure: Measure, idsOfYears: (years: Years, count: number) => string[]) => {
    const known = read.get(measure.title)
    if (known) return known
    const ids = years ? idsOfYears(years, readMax) : await send(readMax)
    read.set(measure.title, ids)
    const ask = measure.ask!({ key: service.keys[setting.mode], phonesFrom: 0, ids })
    const once = { secondsMax: Number.POSITIVE_INFINITY, requestsMax: readMax, callers: setting.callers }
    await setting.load.run({ ...ask, ...once, port: server.port })
    return ids
  }
  const side = async (measure: Measure, idsOfYears: (years: Years, count: number) => string[]): Promise<Side> => ({
    ...{ name, server, close: async () => {} },
    prepare: async (seconds) => {
      const { verificationsPerSecond, reads, mode = setting.mode } = measure
      const sent = verificationsPerSecond ? await send(Math.ceil(verificationsPerSecond * seconds), mode) : []
      const ids = reads ? await readIds(measure, idsOfYears) : sent
      return measure.ask!({ key: service.keys[mode], phonesFrom: take(Math.ceil(seconds * 20_000)), ids })
    },
  })
  return { side, end: () => server.end() }
}

function newestOf(years: Years, count: number): string[] {
  return Array.from({ length: count }, (_, place) => yearsId(years, years.messages - count + place))
}

/** In no order. @param from a share of the month */
function listIds(years: Years, count: number, from: number): string[] {
  const indexOf = () => Math.floor((from + Math.random() * (1 - from)) * years.messages)
  return Array.from({ length: count }, () => yearsId(years, indexOf()))
}

async function retain(url: string): Promise<Omit<Retention, 'messageBytes' | 'phoneBytes' | 'fillSeconds'>> {
  const env = { DATABASE_URL: url, WATCHWORD_SECRET: 'a secret of the benchmark that is long enough' }
  const { commit, close } = await openUnchanged(loadConfig(env, { role: 'worker' }))
  try {
    const idle = await purgeOnce(commit, daysKept)
    const sweep = await timed(() => commit.transaction((tx) => lockOverdue(tx, new Date(), 500)))
    const drop = await purgeOnce(commit, daysShort)
    return {
      ...{ sweepMs: sweep.ms, idleMs: idle.ms, dropMs: drop.ms, purged: drop.purged },
      ...{ longestMs: Math.max(...drop.transactions), longestDropMs: Math.max(...drop.drops) },
    }
  } finally {
    await close()
  }
}

async function purgeOnce(commit: Commit, retentionDays: number) {
  const [transactions, drops]: [number[], number[]] = [[], []]
  const noting: Commit['transaction'] = async (work) => {
    const { ms, result } = await timed(() => commit.transaction(work))
    transactions.push(ms)
    // By what it calls: a purge tells of its transactions no other way.
    if (String(work).includes('dropPart')) drops.push(ms)
    return result
  }
  const runtime = { now: () => new Date(), log: createLog('silent') }
  const purge = createPurge({ commit: { ...commit, transaction: noting }, runtime, retentionDays })
  const { ms, result: purged } = await timed(() => purge(() => false))
  return { ms, purged, transactions, drops }
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const startedAt = performance.now()
  const result = await work()
  return { ms: performance.now() - startedAt, result }
}
