/** Measures the service with the messages of a month beside the service with none, and what retention costs there. */
import { openUnchanged } from '../../src/admin.ts'
import { loadConfig } from '../../src/config.ts'
import { createPurge, type Purged } from '../../src/domain/retention.ts'
import { createLog } from '../../src/runtime.ts'
import type { Commit } from '../../src/store/commit.ts'
import { lockOverdue } from '../../src/store/message.ts'
import { type Figure, type Findings, medianFigure, ratiosBetween } from './figure.ts'
import { type Measure, measures } from './measures.ts'
import { runSide } from './requests.ts'
import type { Setting } from './setting.ts'
import { type Side, sendCodes } from './side.ts'
import { fillYears, type Years, yearsId, yearsOf } from './year.ts'

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
  /** Of all transactions of that purge, and of those that drop parts. */
  longestMs: number
  longestDropMs: number
  purged: Purged
}

export async function measureYears(
  messages: number,
  setting: Setting,
  say: (text: string) => void,
): Promise<{ findings: Findings[]; retention: Retention }> {
  const { databases, services } = setting
  const [service] = services
  const years = yearsOf(messages, new Date())
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
  const findings: Findings[] = []
  for (const name of ['send', 'check-right', 'get']) {
    const measure = measures.find((one) => one.name === name)!
    await databases.run('bench', 'checkpoint')
    const found: Figure[][] = sides.map(() => [])
    for (let round = 0; round <= setting.rounds; round++) {
      for (const [index, { side }] of sides.entries())
        found[index]!.push(await runSide(side(measure), measure, setting))
    }
    const [full, empty] = found.map((figures) => figures.slice(1)) as [Figure[], Figure[]]
    findings.push({ figures: [medianFigure(full), medianFigure(empty)], ratios: ratiosBetween(full, empty) })
  }
  for (const { end } of sides) await end()
  const kept = { messageBytes: Number(size!.message), phoneBytes: Number(size!.phone), fillSeconds }
  await session.close()
  return { findings, retention: { ...kept, ...(await retain(urls.full)) } }
}

/** A server on a database, as a side of each measure. */
async function open(name: string, url: string, years: Years | undefined, setting: Setting) {
  const [service] = setting.services as [Setting['services'][number]]
  const server = await service.start('serve', url)
  let phones = years?.phones ?? 0
  const take = (count: number) => {
    phones += count
    return phones - count
  }
  const idsFor = ({ verificationsPerSecond, reads, mode }: Measure, seconds: number) => {
    const count = verificationsPerSecond ? Math.ceil(verificationsPerSecond * seconds) : 10_000
    if (reads && years) return idsOf(years, count)
    if (!reads && !verificationsPerSecond) return []
    return sendCodes(count, { setting, server, key: service.keys[mode ?? setting.mode], phonesFrom: take(count) })
  }
  const side = (measure: Measure): Side => ({
    ...{ name, server, close: async () => {} },
    prepare: async (seconds) => {
      const ids = await idsFor(measure, seconds)
      const key = service.keys[measure.mode ?? setting.mode]
      return measure.ask!({ key, phonesFrom: take(Math.ceil(seconds * 20_000)), ids })
    },
  })
  return { side, end: () => server.end() }
}

/** Of all days, in no order. */
function idsOf(years: Years, count: number): string[] {
  return Array.from({ length: count }, () => yearsId(years, Math.floor(Math.random() * years.messages)))
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
