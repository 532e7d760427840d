import { describe, expect, it } from 'vitest'
import { createClock } from '../../../src/store/engine/postgres/clock.ts'

/** Milliseconds by the server's clock when `elapsed` is 0. */
const start = Date.parse('2026-11-21T09:00:00.000Z')

function setUp() {
  let elapsed = 1000
  const clock = createClock(() => elapsed)
  return {
    clock,
    pass: (ms: number) => {
      elapsed += ms
    },
    /** Asks a server that is `ahead` of `start`, with this much on the way there and back. */
    ask: (ahead: number, there: number, back: number) => {
      const askedAt = elapsed
      elapsed += there + back
      clock.note(start + ahead + askedAt + there, askedAt, elapsed)
    },
    /** By how much it is ahead of the server. */
    error: (ahead: number) => clock.now().getTime() - (start + ahead + elapsed),
  }
}

describe("the database's time", () => {
  it('is that of this machine until the database has told it', () => {
    expect(Math.abs(setUp().clock.now().getTime() - Date.now())).toBeLessThan(1000)
  })

  it('is wrong by half of what the question took, at most, however far the machine is from it', () => {
    const { ask, error } = setUp()
    ask(500_000, 30, 10)
    expect(Math.abs(error(500_000))).toBeLessThanOrEqual(20)
  })

  it('gets better with each quick answer, and no worse with slow ones', () => {
    const { ask, error } = setUp()
    ask(0, 400, 0)
    ask(0, 1, 1)
    expect(Math.abs(error(0))).toBeLessThanOrEqual(2)
    ask(0, 3000, 0)
    ask(0, 0, 3000)
    expect(Math.abs(error(0))).toBeLessThanOrEqual(2)
  })

  it('goes on as time passes while the database is away', () => {
    const { ask, pass, error } = setUp()
    ask(-120_000, 1, 1)
    pass(3_600_000)
    expect(Math.abs(error(-120_000))).toBeLessThanOrEqual(1)
  })

  it.each([3_600_000, -3_600_000, 50, -50])(
    'follows its clock when that is set, or another server takes over: %i ms',
    (step) => {
      const { ask, error } = setUp()
      ask(0, 1, 1)
      ask(step, 1, 1)
      expect(Math.abs(error(step))).toBeLessThanOrEqual(2)
    },
  )
})
