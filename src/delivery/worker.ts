/** The worker: takes due jobs, hands them to their task, and sleeps when there are none. What jobs mean, tasks know. */
import { setImmediate } from 'node:timers/promises'
import type { Log } from '../runtime.ts'
import type { Job, Queue, QueueName } from '../store/queue.ts'

/** Handles the jobs of one queue. What it does not complete, is claimed again after a time. */
export interface Task {
  queue: QueueName
  run: (jobs: Job<never>[]) => Promise<void>
}

export interface Worker {
  start: () => void
  /** Does what is due now, once. @returns how many jobs that was */
  runOnce: () => Promise<number>
  /** Ends what time has ended. @returns how much that was */
  sweep: () => Promise<number>
  /** Looks for jobs now: a hint, for when this process knows of some. */
  wake: () => void
  /** Claims no more, and resolves when what was claimed is done. */
  stop: () => Promise<void>
}

/** Milliseconds between two looks for jobs that nobody hinted at. */
const pollMs = 500
const sweepMs = 5000

/** @param batchSize jobs of one queue that are done at once */
export function createWorker(
  queue: Queue,
  tasks: Task[],
  sweep: () => Promise<number>,
  log: Log,
  batchSize: number,
): Worker {
  let running: Promise<void> | undefined
  let stopping = false
  let hinted = false
  let wakeUp = () => {}

  const runOnce = async () => {
    let done = 0
    for (const task of tasks) {
      const jobs = await queue.claim(task.queue, batchSize)
      if (jobs.length > 0) await task.run(jobs as Job<never>[])
      done += jobs.length
    }
    return done
  }

  const sleep = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, hinted ? 0 : pollMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const loop = async () => {
    let sweptAt = 0
    let failing = false
    while (!stopping) {
      hinted = false
      let done = 0
      try {
        done = await runOnce()
        if (performance.now() - sweptAt > sweepMs) {
          await sweep()
          sweptAt = performance.now()
        }
        if (failing) log.info('the worker does its jobs again')
        failing = false
      } catch (error) {
        // Once for an outage: the loop tries twice a second.
        if (!failing) log.error({ err: error }, 'the worker cannot do its jobs')
        failing = true
      }
      // The embedded database works in this thread and gives no turn away: others get theirs here.
      await setImmediate()
      if (done === 0 && !stopping) await sleep()
    }
  }

  return {
    start: () => {
      running ??= loop()
    },
    runOnce,
    sweep,
    wake: () => {
      hinted = true
      wakeUp()
    },
    stop: async () => {
      stopping = true
      wakeUp()
      await running
    },
  }
}
