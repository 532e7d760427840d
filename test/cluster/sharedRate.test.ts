/** The rate of a key where one process counts for all. */
import { describe, expect, it } from 'vitest'
import { createSharedRate } from '../../src/cluster/sharedRate.ts'

describe('a request of a key', () => {
  it('passes or not as the one says who counts, which is asked once for all requests of a moment', async () => {
    const asked: string[][] = []
    const count = createSharedRate(async (keyIds) => {
      asked.push(keyIds)
      return keyIds.map((id) => id !== 'busy')
    })
    const ids = ['one', 'busy', 'one', 'other', 'busy']
    expect(await Promise.all(ids.map(count))).toEqual([true, false, true, true, false])
    expect(await count('busy')).toBe(false)
    expect(asked).toEqual([ids, ['busy']])
  })

  it.each<[string, () => Promise<boolean[]>]>([
    ['nobody counts', () => Promise.reject(new Error('a process has gone'))],
    ['who counts fails at once', () => expect.unreachable()],
    ['who counts says nothing of it', async () => []],
  ])('is not refused because %s', async (_why, ask) => {
    const count = createSharedRate(ask)
    expect(await Promise.all(['one', 'other'].map(count))).toEqual([true, true])
    expect(await count('one')).toBe(true)
  })
})
