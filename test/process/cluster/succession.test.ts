/** Whether and when a process that ended is started again, by a clock that the test moves. */
import { describe, expect, it } from 'vitest'
import { createSuccession } from '../../../src/process/cluster/succession.ts'

function place() {
  let now = 0
  const nextOf = createSuccession(() => now)
  let soonEnded = 0
  /** One that ends after so long. @returns milliseconds until the next begins; undefined when there is none */
  return ({ livedMs, isServing, serving }: { livedMs: number; isServing: boolean; serving: number }) => {
    const startedAt = now
    now += livedMs
    const next = nextOf({ startedAt, isServing, soonEnded }, serving)
    if (next) [now, soonEnded] = [now + next.afterMs, next.soonEnded]
    return next?.afterMs
  }
}

describe('a process that ended', () => {
  it('is started again soon, and later each time that it ends soon, up to ten seconds', () => {
    const end = place()
    const soon = { livedMs: 1000, isServing: true, serving: 1 }
    const rests = Array.from({ length: 9 }, () => end(soon))
    expect(rests).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
    expect(end({ ...soon, livedMs: 60_000 })).toBe(100)
  })

  it('is not started again when none serves and five failed to start in a minute', () => {
    const end = place()
    const failed = { livedMs: 500, isServing: false, serving: 0 }
    expect(Array.from({ length: 5 }, () => end(failed))).toEqual([100, 200, 400, 800, undefined])
  })

  it('is started again for ever while another serves, or when it served itself', () => {
    const [beside, alone] = [place(), place()]
    for (let count = 0; count < 50; count++) {
      expect(beside({ livedMs: 500, isServing: false, serving: 1 })).toBeDefined()
      expect(alone({ livedMs: 500, isServing: true, serving: 0 })).toBeDefined()
    }
  })
})
