/** The worker: for each queue a loop, which takes due jobs and hands them to their task. What jobs mean, tasks know. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { type Alarm, createAlarm, createFailures, createRounds } from '../kit/loop.ts'
import type { Log } from '../kit/runtime.ts'
import type { Job, Queue } from '../store/engine/queue.ts'
import { createShares } from './share.ts'
import { type ClaimedJob, createTurns, type Run, type TurnParts, type Turns } from './turn.ts'

/** Handles the jobs of one queue. What it does not complete, is claimed again after a time. */
export interface Task {
  queue: string
  /** Of the queue, the urgent jobs alone, or the others alone. */
  isUrgent?: boolean
  /** Jobs that are under way at once; with lanes, those of a lane that is alone. */
  jobsMax: number
  /** With lanes, each has its share of what may be under way, as `weigh` counts it: one that is alone a third. */
  lanes?: { weightMax: number; weigh: (job: Job<never>) => number }
  run: Run
}

export interface Worker {
  start: () => void
  /** Does what is due now, once. @returns how many jobs that was */
  runOnce: () => Promise<number>
  /** Does all that is done every few seconds, once. @throws what the first of it throws that fails, after all of it was tried */
  sweep: () => Promise<void>
  /** Looks for jobs now, in the queues to which this process has added some: a hint that they are committed. */
  wake: () => void
  /** Claims no more, and resolves when what was claimed is done. */
  stop: () => Promise<void>
}

/** What is done every few seconds, by its name in the log. */
export type Sweeps = Readonly<Record<string, () => Promise<void>>>

export interface WorkerParts extends TurnParts {
  queue: TurnParts['queue'] & Pick<Queue, 'isFresh'>
  tasks: readonly Task[]
  sweeps: Sweeps
  runtime: TurnParts['runtime'] & { log: Log }
}

/** Milliseconds between two looks for jobs that nobody hinted at. */
const pollMs = 500
const sweepMs = 5000
/** Jobs that are claimed at once. */
const claimMax = 32
/** Milliseconds between two claims that leave something out. */
const pauseMaxMs = 100

export function createWorker(parts: WorkerParts): Worker {
  const { queue, tasks, runtime } = parts
  const alarms = new Map(tasks.map((task) => [task, createAlarm()]))
  let running: Promise<unknown> | undefined
  let stopping = false
  const stop = new AbortController()
  const isStopping = () => stopping
  // A look costs a statement: most queues have nothing new. Every request that writes comes by, so the clock is read once.
  const wake = () => {
    const nowMs = performance.now()
    for (const [task, alarm] of alarms) if (queue.isFresh(task.queue, task.isUrgent, nowMs)) alarm.ring()
  }

  const turns = createTurns(parts, stop.signal)
  const loop = (task: Task) => doJobs({ turns, task, alarm: alarms.get(task)!, wake, isStopping, runtime })

  const sweeps = Object.entries(parts.sweeps).map(([name, work]) =>
    createRounds({
      ...{ log: runtime.log, name, restMs: sweepMs },
      work: async () => {
        await work()
        return undefined
      },
    }),
  )

  return {
    start: () => {
      running ??= Promise.all(tasks.map(loop))
      for (const { start } of sweeps) start()
    },
    runOnce: async () => {
      let done = 0
      for (const task of tasks) {
        const jobs = await turns.claim(task.queue, task.jobsMax, task)
        await Promise.all(jobs.map((job) => turns.take(task, job)))
        done += jobs.length
      }
      return done
    },
    sweep: () => sweepAll(parts.sweeps),
    wake,
    stop: async () => {
      stopping = true
      stop.abort()
      for (const alarm of alarms.values()) alarm.ring()
      await Promise.all([running, ...sweeps.map(({ stop }) => stop())])
    },
  }
}

async function sweepAll(sweeps: Sweeps): Promise<void> {
  const errors: unknown[] = []
  for (const work of Object.values(sweeps)) await work().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

interface LoopParts {
  turns: Turns
  runtime: WorkerParts['runtime']
  task: Task
  alarm: Alarm
  wake: () => void
  isStopping: () => boolean
}

/** Jobs end in their own time: each gives its place to the next. */
async function doJobs({ turns, task, alarm, wake, isStopping, runtime }: LoopParts): Promise<void> {
  const { queue: name, isUrgent } = task
  const { log, elapsedMs } = runtime
  const room = task.lanes ? roomInLanes(task.jobsMax, task.lanes) : roomForJobs(task.jobsMax)
  const [claims, runs] = [createFailures(log, name), createFailures(log, name)]
  const underWay = new Set<Promise<unknown>>()
  let ended = Promise.withResolvers<void>()
  const begin = (job: ClaimedJob) => {
    const end = turns
      .take(task, job, runs.note)
      .then(runs.over, () => {})
      .finally(() => {
        underWay.delete(end)
        if (room.free(job)) alarm.ring()
        ended.resolve()
        ended = Promise.withResolvers()
        // It may have made work for others.
        wake()
      })
    underWay.add(end)
  }
  const leave = (jobs: ClaimedJob[]) => {
    const end = turns.leave(name, jobs).finally(() => underWay.delete(end))
    underWay.add(end)
  }
  while (!isStopping()) {
    alarm.set()
    const which = { isUrgent, withoutLanes: room.full() }
    const askedAt = elapsedMs()
    const jobs = await turns.claim(name, Math.min(room.jobsMax(), claimMax), which).then(claims.over, claims.note)
    const left = (jobs ?? []).filter((job) => {
      const isTaken = room.take(job)
      if (isTaken) begin(job)
      return !isTaken
    })
    if (left.length > 0) leave(left)
    // The embedded database works in this thread and gives no turn away: others get theirs here.
    await setImmediate()
    // A claim reads over what it leaves out: the more that is, the less often.
    const pauseMs = which.withoutLanes.length > 0 ? Math.min(pauseMaxMs, 2 * (elapsedMs() - askedAt)) : 0
    if (pauseMs > 0) await setTimeout(pauseMs)
    while (room.jobsMax() === 0) await ended.promise
    if (!jobs?.length && !isStopping()) await alarm.rings(pollMs)
  }
  await Promise.all(underWay)
}

interface Room {
  /** How many jobs there is room for; 0 when none is to be claimed now. */
  jobsMax: () => number
  full: () => readonly string[]
  take: (job: ClaimedJob) => boolean
  /** @returns whether there is something to claim that there was no room for */
  free: (job: ClaimedJob) => boolean
}

function roomForJobs(max: number): Room {
  let count = 0
  return {
    // Claimed many at once: what is claimed together shares its statements.
    jobsMax: () => (count > max / 2 ? 0 : max - count),
    full: () => [],
    take: () => {
      count += 1
      return true
    },
    free: () => {
      count -= 1
      return false
    },
  }
}

function roomInLanes(jobsMax: number, { weightMax, weigh }: NonNullable<Task['lanes']>): Room {
  const { full, take, free, hasRoom } = createShares(weightMax)
  const weightMin = weightMax / (3 * jobsMax)
  const weightOf = (job: ClaimedJob) => Math.max(weightMin, weigh(job as Job as Job<never>))
  return {
    jobsMax: () => (hasRoom() ? jobsMax : 0),
    full,
    take: (job) => take(job.lane, weightOf(job)),
    free: (job) => free(job.lane, weightOf(job)),
  }
}
