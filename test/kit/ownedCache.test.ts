import { expect, it } from 'vitest'
import { createOwnedCache } from '../../src/kit/ownedCache.ts'

it('forgets what was longest unused; an owner with more than its part makes room among its own', () => {
  const cache = createOwnedCache<number>(4, 2)
  const left = () => ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].filter((key) => cache.peek(key) !== undefined)
  // Alone, an owner may have all.
  for (const [at, key] of ['a1', 'a2', 'a3'].entries()) cache.add('a', key, at)
  cache.add('b', 'b1', 1)
  cache.get('a1')
  cache.add('a', 'a4', 4)
  expect(left()).toEqual(['a1', 'a3', 'b1'])
  // Whoever has less than its part takes the place of the oldest.
  cache.add('b', 'b2', 2)
  expect(left()).toEqual(['a1', 'b1', 'b2'])
  cache.add('c', 'c1', 1)
  cache.add('c', 'c2', 1)
  cache.add('c', 'c3', 1)
  expect([left(), cache.peek('c2'), cache.peek('c3')]).toEqual([['b2'], 1, 1])
})
