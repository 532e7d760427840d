/** Starts callers' stories at an even rate, whatever becomes of those that are under way. */
import type { Client } from './client.ts'
import { callerAt } from './phones.ts'
import type { Story } from './story.ts'

export interface Load {
  /** Requests a second from now on, about. */
  setRate: (perSecond: number) => void
  /** As many stories as may be at once, so many at a time. @returns requests a second */
  measureTop: (seconds: number, callers: number) => Promise<number>
  /** Stories that were not started because too many were open. */
  skipped: () => number
  /** Starts no more, and resolves when those that are under way have ended. */
  stop: () => Promise<void>
}

export interface LoadParts {
  client: Client
  story: (index: number) => Story
  live: (story: Story, phone: string) => Promise<void>
}

/** As when nothing answers for half a minute. */
const openMax = 2000
const tickMs = 20
const lateMsMax = 500
/** Until the first stories tell. */
const requestsEachFirst = 4

export function startLoad({ client, story, live }: LoadParts): Load {
  const open = new Set<Promise<void>>()
  let [begun, skipped, isStopping] = [0, 0, false]
  let timer: NodeJS.Timeout | undefined
  const begin = (): Promise<void> => {
    const index = begun++
    const one = live(story(index), callerAt(index)).finally(() => open.delete(one))
    open.add(one)
    return one
  }
  /** What a story asks, without what had to be asked again. */
  const requestsEach = () => {
    const { requests, repeated } = client.counts()
    return begun < 100 ? requestsEachFirst : (requests - repeated) / (begun - open.size / 2)
  }
  const caller = async (until: number) => {
    while (performance.now() < until && !isStopping) await begin()
  }
  return {
    setRate: (perSecond) => {
      let owed = 0
      let last = performance.now()
      clearInterval(timer)
      timer = setInterval(() => {
        const now = performance.now()
        // What could not be started while the machine stood still, is not made up for all at once.
        const seconds = Math.min(now - last, lateMsMax) / 1000
        owed += seconds * (perSecond / requestsEach())
        last = now
        for (; owed >= 1; owed--) {
          if (open.size < openMax) begin()
          else skipped++
        }
      }, tickMs)
    },
    measureTop: async (seconds, callers) => {
      const [before, startedAt] = [client.counts().requests, performance.now()]
      await Promise.all(Array.from({ length: callers }, () => caller(startedAt + seconds * 1000)))
      return ((client.counts().requests - before) / (performance.now() - startedAt)) * 1000
    },
    skipped: () => skipped,
    stop: async () => {
      isStopping = true
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}
