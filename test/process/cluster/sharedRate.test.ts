/** The rate of a key where one process counts for all. */
import { describe, expect, it } from 'vitest'
import type { CountedKey } from '../../../src/http/api/throttle.ts'
import { createSharedRate } from '../../../src/process/cluster/sharedRate.ts'

const key = (keyId: string, mode: CountedKey['mode'] = 'live'): CountedKey => ({ accountId: 'acct_a', keyId, mode })

describe('a request of a key', () => {
  it('passes or not as the one says who counts, which is asked once for all requests of a moment', async () => {
    const asked: CountedKey[][] = []
    const count = createSharedRate(async (keys) => {
      asked.push(keys)
      return keys.map(({ keyId }) => keyId !== 'busy')
    })
    const keys = [key('one'), key('busy'), key('one', 'test'), key('other'), key('busy')]
    expect(await Promise.all(keys.map(count))).toEqual([true, false, true, true, false])
    expect(await count(key('busy'))).toBe(false)
    expect(asked).toEqual([keys, [key('busy')]])
  })

  it.each<[string, () => Promise<boolean[]>]>([
    ['nobody counts', () => Promise.reject(new Error('a process has gone'))],
    ['who counts fails at once', () => expect.unreachable()],
    ['who counts says nothing of it', async () => []],
  ])('is not refused because %s', async (_why, ask) => {
    const count = createSharedRate(ask)
    expect(await Promise.all([key('one'), key('other')].map(count))).toEqual([true, true])
    expect(await count(key('one'))).toBe(true)
  })
})
