/** How many refusals endpoints are told of. */
import { expect, it } from 'vitest'
import { createTellable } from '../../../src/domain/webhooks/tellable.ts'

const owner = { accountId: 'acct_default', mode: 'live' } as const

it('60 refusals of an account are told at once, then one a second, also when the clock is set back', () => {
  let elapsed = 5000
  const wall = { at: Date.parse('2026-11-21T09:00:00Z') }
  const mayTell = createTellable({ elapsedMs: () => elapsed, ...{ now: () => new Date(wall.at) } })
  const toldOf = (count: number) => Array.from({ length: count }, () => mayTell(owner)).filter(Boolean).length
  expect(toldOf(100)).toBe(60)
  // The clock is set back by an hour, and a minute goes by.
  wall.at -= 3_600_000
  elapsed += 60_000
  expect(toldOf(100)).toBe(60)
  elapsed += 1000
  expect(toldOf(2)).toBe(1)
})
