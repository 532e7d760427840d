/** The worker: for each queue a loop, which takes due jobs and hands them to their task. What jobs mean, tasks know. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { type Alarm, createAlarm, createFailures } from '../loop.ts'
import type { Log } from '../runtime.ts'
import type { Job, Queue } from '../store/queue.ts'
import { type ClaimedJob, createTurns, type Run, type TurnParts, type Turns } from './turn.ts'

/** Handles the jobs of one queue. What it does not complete, is claimed again after a time. */
export interface Task {
  queue: string
  /** Jobs that are under way at once. */
  jobsMax: number
  /** With so much under way, as `weigh` counts it, no more is claimed. */
  weightMax?: number
  weigh?: (job: Job<never>) => number
  run: Run
}

export interface Worker {
  start: () => void
  /** Does what is due now, once. @returns how many jobs that was */
  runOnce: () => Promise<number>
  /** Ends what time has ended. */
  sweep: () => Promise<void>
  /** Looks for jobs now, in the queues to which this process has added some: a hint that they are committed. */
  wake: () => void
  /** Claims no more, and resolves when what was claimed is done. */
  stop: () => Promise<void>
}

export interface WorkerParts extends TurnParts {
  queue: TurnParts['queue'] & Pick<Queue, 'isFresh'>
  tasks: readonly Task[]
  sweep: () => Promise<void>
  runtime: TurnParts['runtime'] & { log: Log }
}

/** Milliseconds between two looks for jobs that nobody hinted at. */
const pollMs = 500
const sweepMs = 5000
/** Jobs that are claimed at once. */
const claimMax = 32

export function createWorker(parts: WorkerParts): Worker {
  const { queue, tasks, sweep, runtime } = parts
  const { log } = runtime
  const alarms = new Map(tasks.map((task) => [task.queue, createAlarm()]))
  let running: Promise<unknown> | undefined
  let stopping = false
  const stop = new AbortController()
  const isStopping = () => stopping
  // A look costs a statement: most queues have nothing new.
  const wake = () => {
    for (const [name, alarm] of alarms) if (queue.isFresh(name)) alarm.ring()
  }

  const turns = createTurns(parts, stop.signal)
  const loop = (task: Task) => doJobs({ turns, task, alarm: alarms.get(task.queue)!, wake, isStopping, log })

  const sweepLoop = async () => {
    const failures = createFailures(log, 'sweep')
    while (!stopping) {
      await sweep().then(failures.over, failures.note)
      await setTimeout(sweepMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  return {
    start: () => {
      running ??= Promise.all([...tasks.map(loop), sweepLoop()])
    },
    runOnce: async () => {
      let done = 0
      for (const task of tasks) {
        const jobs = await turns.claim(task.queue, task.jobsMax)
        await Promise.all(jobs.map((job) => turns.take(task, job)))
        done += jobs.length
      }
      return done
    },
    sweep,
    wake,
    stop: async () => {
      stopping = true
      stop.abort()
      for (const alarm of alarms.values()) alarm.ring()
      await running
    },
  }
}

interface LoopParts {
  turns: Turns
  log: Log
  task: Task
  alarm: Alarm
  wake: () => void
  isStopping: () => boolean
}

/** Jobs end in their own time: each gives its place to the next. */
async function doJobs({ turns, task, alarm, wake, isStopping, log }: LoopParts): Promise<void> {
  const { queue: name, jobsMax, weightMax = Number.POSITIVE_INFINITY, weigh = () => 0 } = task
  let weight = 0
  const [claims, runs] = [createFailures(log, name), createFailures(log, name)]
  const underWay = new Set<Promise<void>>()
  let ended = Promise.withResolvers<void>()
  const begin = (job: ClaimedJob) => {
    const own = weigh(job as Job as Job<never>)
    weight += own
    const end = turns
      .take(task, job, runs.note)
      .then(runs.over, () => {})
      .finally(() => {
        underWay.delete(end)
        weight -= own
        ended.resolve()
        ended = Promise.withResolvers()
        // It may have made work for others.
        wake()
      })
    underWay.add(end)
  }
  while (!isStopping()) {
    alarm.set()
    const jobs = await turns.claim(name, Math.min(jobsMax - underWay.size, claimMax)).then(claims.over, claims.note)
    for (const job of jobs ?? []) begin(job)
    // The embedded database works in this thread and gives no turn away: others get theirs here.
    await setImmediate()
    // Claimed many at once: what is claimed together shares its statements.
    while (underWay.size > jobsMax / 2 || weight > weightMax / 2) await ended.promise
    if (!jobs?.length && !isStopping()) await alarm.rings(pollMs)
  }
  await Promise.all(underWay)
}
