/** Customers' endpoints, as seen from the process that steers them. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** By those that do not hang. */
export interface Received {
  count: number
  /** Milliseconds by the receivers' own clock. */
  firstAt: number
  lastAt: number
  /** Requests that were open at the same time, those that hang too. */
  most: number
}

export interface Receivers {
  pid: number
  urls: string[]
  look: () => Promise<Received>
  end: () => void
}

/** @param hangingEvery one of so many never answers, the first one first */
export async function startReceivers(count: number, hangingEvery: number): Promise<Receivers> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'receiving.ts'), [String(count), String(hangingEvery)])
  const [{ urls }] = (await once(child, 'message')) as [{ urls: string[] }]
  return {
    pid: child.pid!,
    urls,
    look: async () => {
      child.send({})
      const [received] = (await once(child, 'message')) as [Received]
      return received
    },
    end: () => child.disconnect(),
  }
}
