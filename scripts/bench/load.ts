/** Callers in a process of their own, as seen from the one that steers them. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What is asked. Each `*` in the path or the body stands for a value, of which every request has its own. */
export interface Ask {
  method: 'GET' | 'POST'
  path: string
  key?: string
  /** Of Basic authentication, with the key as password; then the body is a form. */
  user?: string
  headers?: Record<string, string>
  body?: string
  /**
   * Phones from this index on; the same with the address and the user that go with each; or those of a list, each so many times,
   * and the list again when `again` is set.
   */
  values?: { phonesFrom: number } | { peopleFrom: number } | { list: string[]; times: number; again: boolean }
  /** Every answer has this status, and this text in its body; any will do when left out. */
  expected?: { status: number; text?: string }
  /** Keeps the `request_id` of every answer. */
  keepIds?: boolean
}

export interface Job extends Ask {
  port: number
  callers: number
  /** It ends after so many seconds, or so many requests, or when the list of values is used up. */
  secondsMax: number
  requestsMax?: number
  /** Whether a connection that the server closes is opened again. */
  reopens?: boolean
  /** Milliseconds between an answer and the next request of a caller; 0 when left out. */
  pauseMs?: number
}

export interface Outcome {
  seconds: number
  requests: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  /** Of answers that were not as expected, by status. */
  unexpected: Record<string, number>
  /** One of those. */
  example?: string
  ids: string[]
  /** Of the process that asked. */
  cpuSeconds: number
}

export interface Load {
  /** @throws Error when an answer was not as expected */
  run: (job: Job) => Promise<Outcome>
  end: () => void
}

export function startLoad(): Load {
  const child: ChildProcess = fork(join(import.meta.dirname, 'callers.ts'), { serialization: 'advanced' })
  const gone = once(child, 'exit').then(() => {
    throw new Error('the callers have ended')
  })
  gone.catch(() => {})
  return {
    run: async (job) => {
      child.send(job)
      const [told] = (await Promise.race([once(child, 'message'), gone])) as [Outcome | { failed: string }]
      if ('failed' in told) throw new Error(told.failed)
      if (Object.keys(told.unexpected).length > 0) {
        const counts = Object.entries(told.unexpected).map(([status, count]) => `${count} of status ${status}`)
        const { method, path, expected } = job
        throw new Error(
          `${method} ${path}: of ${told.requests} answers, ${counts.join(', ')} were not as expected ` +
            `(${expected?.status} ${expected?.text ?? ''}):\n${told.example}`,
        )
      }
      return told
    },
    end: () => child.disconnect(),
  }
}
