/** What is erased by a schedule: messages whose days are over, and the oldest of test mode. One worker erases at a time. */
import type { Purged } from '../domain/keeping/retention.ts'
import type { TrimTestMode } from '../domain/keeping/testMode.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Queue, QueueOptions } from '../store/engine/queue.ts'
import type { Task } from './worker.ts'

const purgeQueue = 'purge'
const everyHour = '23 * * * *'
/**
 * Seconds after which a purge stops, with the rest left to the next hour's; and those after which it is taken to be lost with
 * its worker. Both are less than an hour, so that one that was killed does not keep the next one out. Between them is more time
 * than its last transaction takes: none begins beside one that works.
 */
const [purgeSeconds, purgeLostSeconds] = [50 * 60, 55 * 60]
const testModeQueue = 'test-mode'
const everyFiveMinutes = '*/5 * * * *'
/** The same for what is erased of test mode. */
const [testModeSeconds, testModeLostSeconds] = [4 * 60, 280]

export const purgeQueues: readonly QueueOptions[] = [
  { name: purgeQueue, schedule: everyHour, aloneSeconds: purgeLostSeconds },
  { name: testModeQueue, schedule: everyFiveMinutes, aloneSeconds: testModeLostSeconds },
]

export interface PurgeParts {
  commit: Commit
  queue: Queue
  runtime: Runtime
  purge: (isStopping: () => boolean) => Promise<Purged>
  trimTestMode: TrimTestMode
  /** Told when one purge has left nothing to the next; for metrics. */
  onPurged: (at: Date) => void
}

export function createPurges({ commit, queue, runtime, purge, trimTestMode, onPurged }: PurgeParts): Task[] {
  const purgeTask: Task = {
    queue: purgeQueue,
    jobsMax: 1,
    run: async ({ id }, { isStopping }) => {
      const endMs = runtime.elapsedMs() + purgeSeconds * 1000
      const isLate = () => runtime.elapsedMs() >= endMs
      runtime.log.info(await purge(() => isStopping() || isLate()), 'purged')
      if (isLate()) runtime.log.warn('a purge took too long: the next one goes on with what is left')
      else if (!isStopping()) onPurged(runtime.now())
      await commit.transaction((tx) => queue.complete(tx, purgeQueue, [id]))
    },
  }
  const testModeTask: Task = {
    queue: testModeQueue,
    jobsMax: 1,
    run: async ({ id }, { isStopping }) => {
      const endMs = runtime.elapsedMs() + testModeSeconds * 1000
      const trimmed = await trimTestMode(() => isStopping() || runtime.elapsedMs() >= endMs)
      if (Object.values(trimmed).some((count) => count > 0)) runtime.log.info(trimmed, 'erased the oldest of test mode')
      await commit.transaction((tx) => queue.complete(tx, testModeQueue, [id]))
    },
  }
  return [purgeTask, testModeTask]
}
