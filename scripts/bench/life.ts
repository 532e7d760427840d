/** Measures what one code costs from its request to the right answer: processors, log of the database, place on its disk. */
import { setTimeout } from 'node:timers/promises'
import type { Session } from './database.ts'
import { measures } from './measures.ts'
import { cpuSecondsOf, familyCpuSeconds } from './process.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'
import { sendCodes } from './side.ts'

/** Of one step, for each code. */
export interface Step {
  name: 'sent and delivered' | 'checked'
  /** CPU of the service's one process, microseconds. */
  cpuMicros: number
  postgresCpuMicros: number
  /** Write-ahead log. */
  walBytes: number
  /** Copies of whole pages in it: each page is copied when it is first written to after a checkpoint. */
  walPages: number
}

export interface Life {
  of: string
  codes: number
  steps: Step[]
  /** What its message and the state of its phone take, with their indexes, before anything is cleaned up. */
  messageBytes: number
  phoneBytes: number
}

/** For each second of a run. */
const codesPerSecond = 2000
const lookMs = 50
const patienceMs = 60_000

/** Of each checkout, once. */
export async function measureLives(setting: Setting): Promise<Life[]> {
  const lives: Life[] = []
  for (const service of setting.services) lives.push(await live(service, setting))
  return lives
}

async function live(service: Service, setting: Setting): Promise<Life> {
  const { databases, rows, seconds } = setting
  const codes = Math.ceil(codesPerSecond * seconds)
  const name = `${service.slug}_run`
  const url = await databases.create(name, service.templates.usual)
  const database = databases.open(name)
  const server = await service.start('both', url)
  try {
    const key = service.keys.test
    // What is done once, and by everything for the first time, is not the codes'.
    const before = Math.ceil(codes / 10)
    await sendCodes(before, { setting, server, key, phonesFrom: rows })
    await lookUntilDelivered(database, before)
    await database.run('checkpoint')
    const seen = () => lookAt(database, { service: server.pid, postgres: databases.postmaster })

    const first = await seen()
    const ids = await sendCodes(codes, { setting, server, key, phonesFrom: rows + before })
    await lookUntilDelivered(database, before + codes)
    const delivered = await seen()
    const check = measures.find((measure) => measure.name === 'check-right')!.ask!({ key, phonesFrom: 0, ids })
    const whole = { secondsMax: Number.POSITIVE_INFINITY, callers: setting.callers, port: server.port }
    await setting.load.run({ ...check, ...whole })
    const checked = await seen()

    return {
      ...{ of: service.name, codes },
      steps: [
        measureStep('sent and delivered', codes, first, delivered),
        measureStep('checked', codes, delivered, checked),
      ],
      messageBytes: (checked.messageBytes - first.messageBytes) / codes,
      phoneBytes: (checked.phoneBytes - first.phoneBytes) / codes,
    }
  } finally {
    await server.end()
    await database.close()
    await databases.drop(name)
  }
}

type Seen = Awaited<ReturnType<typeof lookAt>>

function measureStep(name: Step['name'], codes: number, before: Seen, after: Seen): Step {
  const each = (what: keyof Seen) => (after[what] - before[what]) / codes
  return {
    name,
    cpuMicros: each('cpu') * 1e6,
    postgresCpuMicros: each('postgres') * 1e6,
    walBytes: each('walBytes'),
    walPages: each('walPages'),
  }
}

/** In all, up to now. */
async function lookAt(database: Session, pids: { service: number; postgres: number }) {
  const partsOf = (table: string) =>
    `(select relid from pg_partition_tree('${table}') union select '${table}'::regclass)`
  const sizeOf = (table: string) => `(select sum(pg_total_relation_size(relid)) from ${partsOf(table)} parts)::float8`
  await database.run('select pg_stat_force_next_flush()')
  const [row] = await database.run(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as "walBytes", wal_fpi::float8 as "walPages",
      ${sizeOf('message')} as "messageBytes", ${sizeOf('phone')} as "phoneBytes" from pg_stat_wal`,
  )
  const figures = row as Record<'walBytes' | 'walPages' | 'messageBytes' | 'phoneBytes', number>
  return { ...figures, cpu: cpuSecondsOf(pids.service), postgres: familyCpuSeconds(pids.postgres) }
}

/** @throws Error when nothing is delivered any more */
async function lookUntilDelivered(database: Session, count: number): Promise<void> {
  let [last, lastAt] = [0, performance.now()]
  for (;;) {
    const [row] = await database.run(
      `select count(*)::int as done from message where mode = 'test' and status = 'delivered'`,
    )
    const done = row?.done as number
    if (done >= count) return
    if (done > last) [last, lastAt] = [done, performance.now()]
    if (performance.now() - lastAt > patienceMs) throw new Error(`The worker stopped at ${done} messages.`)
    await setTimeout(lookMs)
  }
}
