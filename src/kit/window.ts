/** What is counted by a name, in one span of time after the other. All names begin with nothing together. */
import type { Runtime } from './runtime.ts'

export interface Window {
  /** @returns how many there were before */
  add: (name: string, count: number) => number
  of: (name: string) => number
}

export function createWindow(windowMs: number, elapsedMs: Runtime['elapsedMs']): Window {
  const counts = new Map<string, number>()
  let begunAt = elapsedMs()
  const of = (name: string) => {
    if (elapsedMs() - begunAt >= windowMs) {
      counts.clear()
      begunAt = elapsedMs()
    }
    return counts.get(name) ?? 0
  }
  return {
    of,
    add: (name, count) => {
      const before = of(name)
      counts.set(name, before + count)
      return before
    },
  }
}
