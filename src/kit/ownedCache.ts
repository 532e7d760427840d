/** Values that owners keep in common, up to a number of them. */
import { createCache } from './cache.ts'

export interface OwnedCache<Value> {
  get: (key: string) => Value | undefined
  /** @param key one that is not there */
  add: (owner: string, key: string, value: Value) => void
  /** @returns the value without using it */
  peek: (key: string) => Value | undefined
}

/**
 * The value that was not used for the longest time makes room for the next one. Once all places are taken, an owner with `ownerMax` of
 * them makes room among its own: it pushes out no value of another.
 *
 * @param max values
 */
export function createOwnedCache<Value>(max: number, ownerMax: number): OwnedCache<Value> {
  // Not in sets, although these keep an order: to find the first of one takes as long as all are that were taken out of it.
  const owners = new Map<string, ReturnType<typeof createCache<{ key: string }>>>()
  const cache = createCache<{ owner: string; value: Value }>(max, {
    dispose: ({ owner }, key) => {
      const own = owners.get(owner)
      own?.delete(key)
      if (own?.size === 0) owners.delete(owner)
    },
  })
  return {
    get: (key) => {
      const found = cache.get(key)
      if (!found) return undefined
      owners.get(found.owner)?.get(key)
      return found.value
    },
    add: (owner, key, value) => {
      const own = owners.get(owner) ?? createCache<{ key: string }>(max)
      if (cache.size >= max && own.size >= ownerMax) cache.delete(own.pop()!.key)
      owners.set(owner, own.set(key, { key }))
      cache.set(key, { owner, value })
    },
    peek: (key) => cache.peek(key)?.value,
  }
}
