/**
 * The queue of jobs, on pg-boss in the same database: a job is added and completed in the transaction that it belongs to.
 * It knows nothing of what jobs mean.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Db, type FetchOptions, type JobInsert, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Log } from '../../kit/runtime.ts'
import type { Database } from './database.ts'
import { type Tx, write } from './session.ts'

export interface Job<Data extends object = object> {
  id: string
  data: Data
  /** As it was added. */
  lane?: string | undefined
}

/** A job that this process has claimed. */
export interface Claim extends Job {
  /** Seconds after which another worker may claim it. */
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
  /** Adds jobs with the commit of `tx`. */
  add: (tx: Tx, name: string, jobs: readonly NewJob[]) => Promise<void>
  /** Takes up to `count` due jobs for this process. A job that is not completed within its time goes to another, if to any. */
  claim: (name: string, count: number, which?: Which) => Promise<Claim[]>
  /** Whether this process has lately added jobs that are due at once: urgent ones, others, or any when that is left out. */
  isFresh: (name: string, isUrgent?: boolean) => boolean
  /** With the commit of `tx`. */
  complete: (tx: Tx, name: string, ids: readonly string[]) => Promise<void>
  /**
   * Gives jobs back that could not be done: a new job takes the place of each, so this claim does not count. It is due, before
   * those that wait. For claims that last: once another worker may have a job, it is not to be handed back.
   */
  handBack: (tx: Tx, name: string, claims: readonly Claim[]) => Promise<void>
  /** How many jobs wait or are being done, by queue; at most a minute old. */
  depths: () => Promise<{ name: string; waiting: number; active: number }[]>
  close: () => Promise<void>
}

/** Seconds after which a claimed job is taken to be lost with its worker. A channel answers well within it. */
export const claimSeconds = 30
/** Of jobs that wait, and of those that were handed back. Jobs of an earlier version have 1 and 0. */
const priorities = { urgent: { waiting: 1, again: 2 }, others: { waiting: -1, again: 0 } }
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
  await boss.start()
  await ensureQueues(boss, queues)
  for (const { name, schedule } of queues) if (supervise && schedule !== undefined) await boss.schedule(name, schedule)

  const addedAt = { urgent: new Map<string, number>(), others: new Map<string, number>() }
  const isRecent = (at = Number.NEGATIVE_INFINITY) => performance.now() - at < freshMs
  return {
    add: async (tx, name, jobs) => {
      for (const { afterSeconds, isUrgent } of jobs) {
        if (!afterSeconds) addedAt[isUrgent ? 'urgent' : 'others'].set(name, performance.now())
      }
      await boss.insert(name, jobs.map(insertOf), { db: atCommitOf(tx), returnId: false })
    },
    // Planned anew each time: jobs come and go by the thousand, and a plan for few of them reads all that were ever done.
    claim: async (name, count, which = {}) =>
      (await boss.fetch<object>(name, { ...fetchedBy(which), batchSize: count })).map(
        ({ id, data, groupId, expireInSeconds }) => ({
          ...{ id, data, seconds: expireInSeconds },
          ...(groupId && { lane: groupId }),
        }),
      ),
    isFresh: (name, isUrgent) =>
      (isUrgent !== false && isRecent(addedAt.urgent.get(name))) ||
      (isUrgent !== true && isRecent(addedAt.others.get(name))),
    complete: async (tx, name, ids) => {
      await boss.complete(name, [...ids], null, { db: atCommitOf(tx) })
    },
    handBack: (tx, name, claims) => handBack(boss, tx, name, claims),
    depths: async () =>
      (await boss.getQueues()).map(({ name, queuedCount, activeCount }) => ({
        name,
        waiting: queuedCount,
        active: activeCount,
      })),
    close: () => boss.stop({ graceful: false }),
  }
}

function insertOf({ data, afterSeconds, lane, isUrgent }: NewJob): JobInsert {
  return {
    data,
    priority: priorities[isUrgent ? 'urgent' : 'others'].waiting,
    ...(afterSeconds && { startAfter: Math.ceil(afterSeconds) }),
    ...(lane !== undefined && { group: { id: lane } }),
  }
}

function fetchedBy({ isUrgent, withoutLanes = [] }: Which): FetchOptions {
  return {
    ...(isUrgent === true && { minPriority: priorities.urgent.waiting }),
    ...(isUrgent === false && { maxPriority: priorities.others.again }),
    ...(withoutLanes.length > 0 && { ignoreGroups: [...withoutLanes] }),
  }
}

async function handBack(boss: PgBoss, tx: Tx, name: string, claims: readonly Claim[]): Promise<void> {
  const db: Db = { executeSql: async (text, values = []) => ({ rows: await tx.run(write(text), values) }) }
  const found = await Promise.all(claims.map(({ id }) => boss.findJobs<object>(name, { id, db })))
  const undone = found.flat().filter(({ state }) => state === 'active')
  if (undone.length === 0) return
  const ids = undone.map(({ id }) => id)
  await boss.complete(name, ids, null, { db })
  await boss.insert(name, undone.map(againOf), { db, returnId: false })
}

function againOf({ data, groupId, ...job }: JobWithMetadata<object>): JobInsert {
  const isUrgent = job.priority >= priorities.urgent.waiting
  return {
    data,
    priority: priorities[isUrgent ? 'urgent' : 'others'].again,
    startAfter: job.startAfter,
    // Claims that ran out before still count.
    retryLimit: job.retryLimit - job.retryCount,
    ...(groupId && { group: { id: groupId } }),
  }
}

const standard = {
  expireInSeconds: claimSeconds,
  // For jobs that take their workers with them. What fails otherwise is handed back.
  retryLimit: 3,
  retryDelay: 0,
  deleteAfterSeconds: 3600,
  retentionSeconds: 14 * 24 * 3600,
}

/** Makes the queues that are not there, and changes those of an earlier version. */
async function ensureQueues(boss: PgBoss, queues: readonly QueueOptions[]): Promise<void> {
  const found = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const { name, deadLetter, isLast, aloneSeconds } of queues) {
    const last = isLast && { retryLimit: 2 ** 31 - 1 }
    const alone = aloneSeconds !== undefined && { expireInSeconds: aloneSeconds, retryLimit: 0 }
    const options = { ...standard, ...last, ...alone, ...(deadLetter !== undefined && { deadLetter }) }
    const policy = alone ? 'exclusive' : 'standard'
    const there = found.get(name)
    if (there && isDeepStrictEqual({ ...there, ...options, policy }, there)) continue
    // pg-boss does not change a policy. A queue that has another one than the standard has jobs of a schedule: they come again.
    if (there && there.policy !== policy) await boss.deleteQueue(name)
    if (there?.policy === policy) await boss.updateQueue(name, options)
    else await boss.createQueue(name, { ...options, policy })
    // Makes pg-boss remember the queue now: it would look it up inside our transaction later, and where there is but one
    // connection that would wait for itself. Those that need no change it has remembered at its start.
    await boss.insert(name, [])
  }
}

/** What pg-boss says is sent with the commit of `tx`. */
function atCommitOf(tx: Tx): Db {
  return {
    executeSql: async (text, values = []) => {
      tx.atCommit(write(text), values)
      // What pg-boss would read out of its result, nobody asks for.
      return { rows: [{ count: '0' }] }
    },
  }
}
