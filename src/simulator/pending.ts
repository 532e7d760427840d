/** What is under way: time that passes, and work that somebody may wait for. */

export interface Pending {
  /** @returns what ends the piece of work, however often it is called */
  begin: () => () => void
  /** Resolves when nothing is under way. */
  idle: () => Promise<void>
  /** Resolves after so many milliseconds, or at the end. @returns whether work may go on */
  wait: (ms: number) => Promise<boolean>
  /** Calls off every wait, those to come too. */
  end: () => void
}

export function createPending(): Pending {
  const underWay = new Set<object>()
  const timers = new Map<NodeJS.Timeout, () => void>()
  let waiting: (() => void)[] = []
  let ended = false

  return {
    begin: () => {
      const work = {}
      underWay.add(work)
      return () => {
        underWay.delete(work)
        if (underWay.size > 0) return
        for (const resolve of waiting) resolve()
        waiting = []
      }
    },
    idle: () => (underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    wait: (ms) => {
      if (ended || ms === 0) return Promise.resolve(!ended)
      return new Promise((resolve) => {
        const done = () => {
          timers.delete(timer)
          resolve(!ended)
        }
        const timer = setTimeout(done, ms)
        timers.set(timer, done)
      })
    },
    end: () => {
      ended = true
      for (const [timer, done] of timers) {
        clearTimeout(timer)
        done()
      }
    },
  }
}
