/**
 * The queue of jobs, on pg-boss in the same database: a job is added and completed in the transaction that it belongs to.
 * It knows nothing of what jobs mean.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Db, type JobInsert, PgBoss } from 'pg-boss'
import type { Log } from '../../kit/runtime.ts'
import { batch } from './batch.ts'
import type { Database } from './database.ts'
import { refuseMigration } from './failure.ts'
import { type Tx, write } from './session.ts'

export interface Job<Data extends object = object> {
  id: string
  data: Data
  /** As it was added. */
  lane?: string | undefined
}

/** A job that this process has claimed. */
export interface Claim {
  queue: string
  id: string
  /** Seconds since it came. */
  seconds: number
}

export interface NewJob {
  data: object
  /** Seconds until it is due; 0 when left out. */
  afterSeconds?: number | undefined
  /** Those of a lane can be left out by who claims. */
  lane?: string | undefined
  /** Comes before all that is not. */
  isUrgent?: boolean | undefined
}

/** Which of the due jobs are claimed; all when nothing is said. */
export interface Which {
  isUrgent?: boolean | undefined
  withoutLanes?: readonly string[] | undefined
}

/** SQL that is true or not, with parameters from `$2` on. */
export interface Condition {
  text: string
  values: readonly unknown[]
}

export interface QueueOptions {
  name: string
  /** Gets the jobs whose worker died again and again. */
  deadLetter?: string
  /** Nobody comes behind it: its jobs are claimed until they are done, or too old. */
  isLast?: boolean
  /** When a job of its own comes, as cron writes it. */
  schedule?: string
  /**
   * One job of it at most waits or is done, over all processes: none is added beside it. Seconds after which that is taken to
   * be lost with its worker; it is not done again.
   */
  aloneSeconds?: number
}

export interface Queue {
  /** Adds jobs with the commit of `tx`, if `when` is true then. */
  add: (tx: Tx, name: string, jobs: readonly NewJob[], when?: Condition) => Promise<void>
  /** Takes up to `count` due jobs for this process. A job that is not completed within its time goes to another, if to any. */
  claim: (name: string, count: number, which?: Which) => Promise<Job[]>
  /** Whether this process has lately added jobs that are due at once: urgent ones, others, or any when that is left out. */
  isFresh: (name: string, isUrgent?: boolean, nowMs?: number) => boolean
  /** With the commit of `tx`. */
  complete: (tx: Tx, name: string, ids: readonly string[]) => Promise<void>
  /**
   * Gives jobs back that could not be done, with the commit of `tx`: they are due, and their claims do not count. What is done by
   * now, or was claimed by another since, stays as it is.
   */
  handBack: (tx: Tx, claims: readonly Claim[]) => void
  /** How many jobs wait or are being done, by queue; at most a minute old. */
  depths: () => Promise<{ name: string; waiting: number; active: number }[]>
  close: () => Promise<void>
}

/** Seconds after which a claimed job is taken to be lost with its worker. A channel answers well within it. */
export const claimSeconds = 30
/** The priority of urgent jobs; that of others is 0. */
const urgent = 1
/** Milliseconds in which what has added jobs commits, and says so, as a rule. */
const freshMs = 2000

/** @param queues a dead letter before the queue that names it */
export async function openQueue(
  database: Database,
  queues: readonly QueueOptions[],
  { log, supervise }: { log: Log; supervise: boolean },
): Promise<Queue> {
  const boss = new PgBoss({
    db: database.queueDb,
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    supervise,
    schedule: supervise,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // Jobs that are done are deleted an hour later, at the next of these.
    maintenanceIntervalSeconds: 900,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'queue upkeep failed'))
  await boss.start().catch(refuseMigration)
  await ensureQueues(database, boss, queues)
  for (const { name, schedule } of queues) if (supervise && schedule !== undefined) await boss.schedule(name, schedule)
  if (database.kind === 'embedded') await takeBackOrphans(database, boss, queues)

  const addedAt = { urgent: new Map<string, number>(), others: new Map<string, number>() }
  return {
    add: (tx, name, jobs, when) => {
      for (const { afterSeconds, isUrgent } of jobs) {
        if (!afterSeconds) addedAt[isUrgent ? 'urgent' : 'others'].set(name, performance.now())
      }
      return withCommit(tx, (db) => boss.insert(name, jobs.map(toInsert), { db, returnId: false }), when)
    },
    // Planned again each time: jobs come and go by the thousand, and a plan for few of them reads all that were ever done.
    claim: async (name, count, { isUrgent, withoutLanes = [] } = {}) => {
      const found = await boss.fetch<object>(name, {
        batchSize: count,
        ...(isUrgent === true && { minPriority: urgent }),
        ...(isUrgent === false && { maxPriority: urgent - 1 }),
        ...(withoutLanes.length > 0 && { ignoreGroups: [...withoutLanes] }),
      })
      return found.map(({ id, data, groupId }) => ({ id, data, ...(groupId && { lane: groupId }) }))
    },
    isFresh: (name, isUrgent, nowMs = performance.now()) => {
      const isRecent = (at = Number.NEGATIVE_INFINITY) => nowMs - at < freshMs
      return (
        (isUrgent !== false && isRecent(addedAt.urgent.get(name))) ||
        (isUrgent !== true && isRecent(addedAt.others.get(name)))
      )
    },
    complete: (tx, name, ids) => withCommit(tx, (db) => boss.complete(name, [...ids], null, { db })),
    handBack: (tx, claims) => tx.atCommit(backInQueue, back.valuesOf(claims)),
    depths: async () =>
      (await boss.getQueues()).map(({ name, queuedCount, activeCount }) => ({
        name,
        waiting: queuedCount,
        active: activeCount,
      })),
    close: () => boss.stop({ graceful: false }),
  }
}

function toInsert({ data, afterSeconds, lane, isUrgent }: NewJob): JobInsert {
  return {
    data,
    ...(afterSeconds && { startAfter: Math.ceil(afterSeconds) }),
    ...(lane !== undefined && { group: { id: lane } }),
    ...(isUrgent && { priority: urgent }),
  }
}

const back = batch<Claim>(
  'g',
  {
    name: ['text', (claim) => claim.queue],
    id: ['uuid', (claim) => claim.id],
    seconds: ['float8', (claim) => claim.seconds],
  },
  { isShort: true },
)

/** pg-boss counts a claim when it finds that there was one before. One that began later than ours is another's. */
const backInQueue = write(`
  update pgboss.job j set state = 'retry', started_on = null
  from ${back.rows}
  where j.name = g.name and j.id = g.id and j.state in ('retry', 'active') and j.retry_limit > 0
    and j.started_on <= now() - make_interval(secs => g.seconds)`)

const standard = {
  expireInSeconds: claimSeconds,
  // For jobs that take their workers with them. What fails otherwise is handed back.
  retryLimit: 3,
  retryDelay: 0,
  deleteAfterSeconds: 3600,
  retentionSeconds: 14 * 24 * 3600,
}

/** Makes the queues that are not there, and changes those of an earlier version. */
async function ensureQueues(database: Database, boss: PgBoss, queues: readonly QueueOptions[]): Promise<void> {
  const found = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const { name, deadLetter, isLast, aloneSeconds } of queues) {
    const last = isLast && { retryLimit: 2 ** 31 - 1 }
    const alone = aloneSeconds !== undefined && { expireInSeconds: aloneSeconds, retryLimit: 0 }
    const options = { ...standard, ...last, ...alone, ...(deadLetter !== undefined && { deadLetter }) }
    const policy = alone ? 'exclusive' : 'standard'
    const there = found.get(name)
    if (there && isDeepStrictEqual({ ...there, ...options, policy }, there)) continue
    if (there) {
      await boss.updateQueue(name, options)
      // pg-boss does not change it: a queue with a table of its own has the index of one policy. The table of ours has them all.
      await database.queueDb.executeSql('update pgboss.queue set policy = $2 where name = $1', [name, policy])
    } else await boss.createQueue(name, { ...options, policy })
    // Makes pg-boss remember the queue now: it would look it up inside our transaction later, and where there is but one
    // connection that would wait for itself. Those that need no change it has remembered at its start.
    await boss.insert(name, [])
  }
}

/** Has the one statement of `work` sent with the commit of `tx`. */
async function withCommit(tx: Tx, work: (db: Db) => Promise<unknown>, when?: Condition): Promise<void> {
  await work({
    executeSql: async (text, values = []) => {
      if (when) tx.atCommit(write(onlyWhen(text, when)), [...values, ...when.values])
      else tx.atCommit(write(text), values)
      // What pg-boss would read out of its result, nobody asks for.
      return { rows: [{ count: '0' }] }
    },
  })
}

/** pg-boss inserts the jobs of a list, which is its only parameter: of no list, it inserts none. */
function onlyWhen(text: string, when: Condition): string {
  const [before, after, ...others] = text.split('$1::text::json')
  if (after === undefined || others.length > 0) throw new Error('pg-boss does not insert jobs as it did')
  return `${before}(select $1::text::json where ${when.text})${after}`
}

/** The embedded database has one process: what is claimed when that starts, was claimed by one that died. */
async function takeBackOrphans(database: Database, boss: PgBoss, queues: readonly QueueOptions[]): Promise<void> {
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
