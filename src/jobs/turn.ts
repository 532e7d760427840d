/** A worker's turn at a job, from the claim on: also what becomes of one that it could not do. */
import { setTimeout } from 'node:timers/promises'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import { isUnavailable } from '../store/engine/failure.ts'
import type { Claim, Job, Queue, Which } from '../store/engine/queue.ts'

export interface Turn {
  /** When the job was claimed at the earliest, by `elapsedMs`: its time is counted from then. */
  claimedAt: number
  isStopping: () => boolean
}

export type Run = (job: Job<never>, turn: Turn) => Promise<void>

/** What was done cannot be undone, and was not saved: its job comes again as after a worker that died, a few times at most. */
export class Unsaved extends Error {
  override readonly name = 'Unsaved'

  constructor(cause: unknown) {
    super('what came of a job could not be saved', { cause })
  }
}

export interface TurnParts {
  commit: Pick<Commit, 'share'>
  queue: Pick<Queue, 'claim' | 'handBack'>
  runtime: Pick<Runtime, 'elapsedMs'>
  /**
   * Milliseconds that a job rests with its worker before it is handed back, so that it is not claimed all the time; 1000 when
   * left out.
   */
  restMs?: number | undefined
}

export type ClaimedJob = Job & Pick<Turn, 'claimedAt'>

export interface Turns {
  claim: (queue: string, count: number, which?: Which) => Promise<ClaimedJob[]>
  /** Gives jobs back with which nothing was done. */
  leave: (queue: string, jobs: readonly ClaimedJob[]) => Promise<void>
  /**
   * Does a job. One that the database was in the way of is handed back: the limit of claims is for jobs that take their workers
   * with them.
   *
   * @param note told at once of what is thrown in the end
   * @throws what the job throws
   */
  take: (task: { queue: string; run: Run }, job: ClaimedJob, note?: (error: unknown) => void) => Promise<void>
}

const standardRestMs = 1000

export function createTurns(parts: TurnParts, stop: AbortSignal): Turns {
  const { runtime } = parts
  const handBack = createHandBack(parts, stop)
  const isStopping = () => stop.aborted
  return {
    claim: async (queue, count, which) => {
      const claimedAt = runtime.elapsedMs()
      return (await parts.queue.claim(queue, count, which)).map((job) => ({ ...job, claimedAt }))
    },
    leave: async (queue, jobs) => {
      const begunAt = runtime.elapsedMs()
      await Promise.all(jobs.map(({ id }) => handBack({ queue, id, begunAt }, 0)))
    },
    take: async ({ queue, run }, { claimedAt, ...job }, note) => {
      const begunAt = runtime.elapsedMs()
      try {
        await run(job as Job<never>, { claimedAt, isStopping })
      } catch (error) {
        note?.(error)
        if (isUnavailable(error) && !(error instanceof Unsaved)) await handBack({ queue, id: job.id, begunAt })
        throw error
      }
    },
  }
}

type Begun = Omit<Claim, 'seconds'> & { begunAt: number }

/** As soon as the database takes it, and not before `firstMs`; a worker that stops tries it once. */
type HandBack = (job: Begun, firstMs?: number) => Promise<void>

function createHandBack(parts: TurnParts, stop: AbortSignal): HandBack {
  const { commit, queue, runtime, restMs = standardRestMs } = parts
  const handBack = commit.share<Begun, undefined>({
    membersMax: 1024,
    isPatient: true,
    work: async (tx, jobs) => {
      const now = runtime.elapsedMs()
      queue.handBack(
        tx,
        jobs.map(({ begunAt, ...job }) => ({ ...job, seconds: (now - begunAt) / 1000 })),
      )
      return jobs.map(() => undefined)
    },
  })
  return async (job, firstMs = restMs) => {
    for (let [isOver, ms] = [false, firstMs]; !isOver; ms = restMs) {
      if (ms > 0) await setTimeout(ms, undefined, { signal: stop }).catch(() => {})
      isOver = await handBack(job).then(
        () => true,
        (error) => stop.aborted || !isUnavailable(error),
      )
    }
  }
}
