/** What processes ask each other, over a channel that the test holds. */
import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLine } from '../../../src/process/cluster/line.ts'

interface Calls {
  double: (value: number) => number
  fail: () => void
  hang: () => void
}

/** Both ends of a channel. What is sent goes as it does between processes: as JSON, and a moment later. */
function channel() {
  let isOpen = true
  const ends = [new EventEmitter(), new EventEmitter()] as const
  const endOf = (place: 0 | 1) =>
    Object.assign(ends[place], {
      isConnected: () => isOpen,
      send: (message: unknown) =>
        setImmediate(() => ends[1 - place]!.emit('message', JSON.parse(JSON.stringify(message)))),
    }) as unknown as Worker
  const close = () => {
    isOpen = false
    for (const end of ends) end.emit('disconnect')
  }
  return { here: endOf(0), there: endOf(1), close }
}

/** @returns `release` has the answer come for which one hangs */
function connected() {
  const { here, there, close } = channel()
  const { promise, resolve: release } = Promise.withResolvers<void>()
  createLine(there, {
    double: async (value: number) => value * 2,
    fail: async () => {
      throw Object.assign(new TypeError('with what a caller sent'), { code: 'E_NO' })
    },
    hang: () => promise,
  })
  return { ask: createLine<Calls>(here, {}), close, release }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a question to another process', () => {
  it('gets its own answer, however many are asked at once', async () => {
    const { ask } = connected()
    expect(await Promise.all([1, 2, 3].map((value) => ask('double', value)))).toEqual([2, 4, 6])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that fails there fails here, with the kind of the error and not its words', async () => {
    const { ask } = connected()
    await expect(ask('fail', undefined)).rejects.toThrow(/^a process could not do it: TypeError E_NO$/)
  })

  it('is over when it was not answered in time; an answer that comes late is for nobody', async () => {
    const { ask, release } = connected()
    const asked = expect(ask('hang', undefined)).rejects.toThrow('a process has not answered in time')
    vi.advanceTimersByTime(2000)
    await asked
    release()
    expect(await ask('double', 4)).toBe(8)
  })

  it('is over at once when the other process goes', async () => {
    const { ask, close } = connected()
    const asked = expect(ask('hang', undefined)).rejects.toThrow('a process has gone')
    close()
    await asked
  })

  it('is answered by nobody when the other process has gone before', async () => {
    const { ask, close } = connected()
    close()
    const asked = expect(ask('double', 1)).rejects.toThrow('a process has not answered in time')
    vi.advanceTimersByTime(2000)
    await asked
  })
})
