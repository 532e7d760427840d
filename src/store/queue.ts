/**
 * The queue of jobs, on pg-boss in the same database: a job is added and completed in the transaction that it belongs to.
 * It knows the names of the queues and nothing of what their jobs mean.
 */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { type Db, fromDrizzle, PgBoss } from 'pg-boss'
import type { Log } from '../runtime.ts'
import type { Database, Session } from './connect.ts'

/** `abandoned` gets the deliveries whose worker died again and again; `purge` gets a job every hour. */
export type QueueName = 'deliver' | 'abandoned' | 'sandbox-report' | 'purge'

export interface Job<Data extends object = object> {
  id: string
  data: Data
}

export interface Queue {
  /** Adds jobs when `tx` commits; each is due after `afterSeconds` (0 when left out). */
  add: (tx: Session, name: QueueName, jobs: { data: object; afterSeconds?: number }[]) => Promise<void>
  /** Takes up to `count` due jobs for this process. A job that is not completed within its time goes to another. */
  claim: <Data extends object>(name: QueueName, count: number) => Promise<Job<Data>[]>
  complete: (tx: Session, name: QueueName, ids: string[]) => Promise<void>
  /** How many jobs wait or are being done, by queue; at most a minute old. */
  depths: () => Promise<{ name: string; waiting: number; active: number }[]>
  close: () => Promise<void>
}

/** Seconds after which a claimed job is taken to be lost with its worker. A channel answers well within it. */
export const claimSeconds = 30

const everyHour = '23 * * * *'

const standard = {
  expireInSeconds: claimSeconds,
  retryLimit: 3,
  retryDelay: 0,
  deleteAfterSeconds: 3600,
  retentionSeconds: 14 * 24 * 3600,
}

const queues: ({ name: QueueName; deadLetter?: QueueName } & typeof standard)[] = [
  { name: 'abandoned', ...standard },
  { name: 'sandbox-report', ...standard },
  { name: 'purge', ...standard },
  { name: 'deliver', deadLetter: 'abandoned', ...standard },
]

export async function openQueue(database: Database, log: Log, options: { supervise: boolean }): Promise<Queue> {
  const boss = new PgBoss({
    db: database.queueDb,
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    supervise: options.supervise,
    schedule: options.supervise,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // Jobs that are done are deleted an hour later, at the next of these.
    maintenanceIntervalSeconds: 900,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'queue upkeep failed'))
  await boss.start()
  await ensureQueues(boss)
  if (options.supervise) await boss.schedule('purge', everyHour)
  if (database.kind === 'embedded') await takeBackOrphans(database, boss)

  return {
    add: async (tx, name, jobs) => {
      const inserts = jobs.map(({ data, afterSeconds }) =>
        afterSeconds ? { data, startAfter: Math.ceil(afterSeconds) } : { data },
      )
      await boss.insert(name, inserts, { db: within(tx), returnId: false })
    },
    claim: <Data extends object>(name: QueueName, count: number) => boss.fetch<Data>(name, { batchSize: count }),
    complete: async (tx, name, ids) => {
      if (ids.length > 0) await boss.complete(name, ids, null, { db: within(tx) })
    },
    depths: async () =>
      (await boss.getQueues()).map(({ name, queuedCount, activeCount }) => ({
        name,
        waiting: queuedCount,
        active: activeCount,
      })),
    close: () => boss.stop({ graceful: false }),
  }
}

/** Makes the queues that are not there, and changes those of an earlier version. */
async function ensureQueues(boss: PgBoss): Promise<void> {
  const found = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const { name, ...options } of queues) {
    const there = found.get(name)
    if (there && isDeepStrictEqual({ ...there, ...options }, there)) continue
    if (there) await boss.updateQueue(name, options)
    else await boss.createQueue(name, options)
    // Makes pg-boss remember the queue now: it would look it up inside our transaction later, and where there is but one
    // connection that would wait for itself. Those that need no change it has remembered at its start.
    await boss.insert(name, [])
  }
}

/** Makes pg-boss work inside our transaction. Its adapter asks for results of a known type; `Session` leaves them open. */
function within(tx: Session): Db {
  return fromDrizzle(tx as unknown as Parameters<typeof fromDrizzle>[0], sql)
}

/** The embedded database has one process: what is claimed when that starts, was claimed by one that died. */
async function takeBackOrphans(database: Database, boss: PgBoss): Promise<void> {
  for (const { name } of queues) {
    const { rows } = await database.queueDb.executeSql(
      `select id from pgboss.job where name = $1 and state = 'active'`,
      [name],
    )
    if (rows.length > 0)
      await boss.fail(
        name,
        rows.map((row) => row.id as string),
      )
  }
}
