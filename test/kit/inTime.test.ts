import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inTime } from '../../src/kit/inTime.ts'

describe('work that is waited for within a time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('gives what it comes to in time, and leaves no timer behind', async () => {
    expect(await inTime(Promise.resolve('done'), 1000, () => 'late')).toBe('done')
    await expect(inTime(Promise.reject(new Error('broken')), 1000, () => 'late')).rejects.toThrow('broken')
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('gives what stands for it when it takes longer, and hears nothing of its end', async () => {
    const work = Promise.withResolvers<string>()
    const waited = inTime(work.promise, 1000, () => 'late')
    await vi.advanceTimersByTimeAsync(999)
    expect(await Promise.race([waited, 'waits'])).toBe('waits')
    await vi.advanceTimersByTimeAsync(1)
    expect(await waited).toBe('late')
    work.reject(new Error('broken afterwards'))
    await vi.advanceTimersByTimeAsync(0)
  })

  it('fails with what is thrown when it takes longer', async () => {
    const waited = inTime(new Promise(() => {}), 1000, () => {
      throw new Error('no answer')
    })
    const failed = expect(waited).rejects.toThrow('no answer')
    await vi.advanceTimersByTimeAsync(1000)
    await failed
  })
})

it('takes what came while the process was busy for longer than the time', async () => {
  // From here on, timers come before what the loop has ready.
  await nextTurn()
  const waited = inTime(nextTurn('done'), 1, () => 'late')
  const until = performance.now() + 5
  while (performance.now() < until);
  expect(await waited).toBe('done')
})
