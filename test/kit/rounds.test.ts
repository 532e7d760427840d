import { describe, expect, it, vi } from 'vitest'
import { createRounds } from '../../src/kit/loop.ts'
import { createRuntime } from '../../src/kit/runtime.ts'

const { log } = createRuntime('silent')

describe('rounds', () => {
  it('follow each other, also one that failed, and rest for as long as a round says', async () => {
    const ends = [async () => Promise.reject(new Error('away')), async () => undefined, async () => 1_000_000]
    const work = vi.fn(() => ends[work.mock.calls.length - 1]!())
    const rounds = createRounds({ log, name: 'test', restMs: 1, work })
    rounds.start()
    rounds.start()
    await expect.poll(() => work.mock.calls.length).toBe(3)
    await rounds.stop()
    expect(work).toHaveBeenCalledTimes(3)
  })

  it('rest before the first one where they are to, and stop at once while they rest', async () => {
    const work = vi.fn(async () => undefined)
    const rounds = createRounds({ log, name: 'test', restMs: 1_000_000, restsFirst: true, work })
    rounds.start()
    await rounds.stop()
    expect(work).not.toHaveBeenCalled()
  })

  it('stop when the one under way is done, which is told of the stop', async () => {
    const end = Promise.withResolvers<undefined>()
    let signal: AbortSignal | undefined
    const work = (told: AbortSignal) => {
      signal = told
      return end.promise
    }
    const rounds = createRounds({ log, name: 'test', restMs: 1000, work })
    rounds.start()
    const stopped = rounds.stop()
    expect(signal?.aborted).toBe(true)
    expect(await Promise.race([stopped.then(() => 'stopped'), 'works'])).toBe('works')
    end.resolve(undefined)
    await stopped
  })
})
