/** The way to the database: as many requests at once as it has connections, a bounded wait for the others. */
import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex'
import { unavailable } from '../problem.ts'

export interface GateOptions {
  /** Requests that may work at once. */
  width: number
  /** Requests that may wait; one more is turned away at once, so that memory stays flat. */
  waitingMax: number
  /** Milliseconds that a request waits to begin. */
  waitMs: number
  /** Milliseconds that its work may take, before the client is told to come again; whether it was done, is open then. */
  workMs: number
}

/** Runs work. @throws Problem `service_unavailable`, and what the work throws */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function createGate({ width, waitingMax, waitMs, workMs }: GateOptions): Gate {
  const permits = withTimeout(new Semaphore(width), waitMs)
  let waiting = 0

  const enter = async () => {
    if (!permits.isLocked()) return permits.acquire()
    if (waiting >= waitingMax) throw E_TIMEOUT
    waiting += 1
    try {
      return await permits.acquire()
    } finally {
      waiting -= 1
    }
  }

  return async (work) => {
    const [, leave] = await enter().catch((error: unknown) => {
      throw error === E_TIMEOUT ? unavailable() : error
    })
    // The permit is kept for as long as the work really takes, whoever still waits for its answer.
    return withDeadline(work().finally(leave), workMs)
  }
}

/** @throws Problem `service_unavailable` when `promise` takes longer */
export function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable()), ms)
  })
  return Promise.race([promise, deadline]).finally(() => clearTimeout(timer))
}
