/** What the database knows, remembered for a few seconds: keys, connections and listeners are asked for much more often. */
import { createCache } from './cache.ts'

/** Milliseconds after which a value is read again beside its use. */
const standardFreshMs = 2000
/** Milliseconds after which it is not used before it was read again: every process sees a change within 5 seconds. */
const standardStaleMs = 4000

export interface RememberedParts<Found, Value> {
  /** Milliseconds, by a clock that nobody sets. */
  now: () => number
  /** Keys that are remembered. As many again of which there is nothing: these never push out the others. */
  keysMax: number
  freshMs?: number
  staleMs?: number
  /** @param last what was known of the key before */
  read: (key: string, last: Value | undefined) => Promise<Found>
  /** @returns the value to remember; undefined says that there is nothing */
  keep: (found: Found, key: string, last: Value | undefined) => Value | undefined
  /** Told of a value that had to make room for others. */
  onEvicted?: (value: Value) => void
}

/** A value, or the knowledge that there is none. */
interface Entry<Value> {
  /** Before the database was asked, so the value is never older than its age. */
  readAt: number
  value: Value | undefined
}

export interface Remembered<Value> {
  /**
   * What is known and not stale. If it is no longer fresh, it is read again, and the caller does not wait. That there is
   * nothing, is not read again so: strangers may name as many keys as they like.
   */
  recent: (key: string) => Pick<Entry<Value>, 'value'> | undefined
  /** What is recent, or else what is read now. @throws what `read` throws */
  get: (key: string) => Promise<Value | undefined>
  /** Reads now, once for all who ask at the same time. @throws what `read` throws */
  read: (key: string) => Promise<Value | undefined>
  /** The same, with a read that begins after this call. @throws what `read` throws */
  readAnew: (key: string) => Promise<Value | undefined>
  /** The last value, however old. */
  last: (key: string) => Value | undefined
  /** The keys with a value. */
  keys: () => string[]
  /** The keys that are being read. */
  reading: ReadonlyMap<string, unknown>
  /** Uses nothing that was read before this call: neither for this key nor, without one, for any. */
  forget: (key?: string) => void
}

/**
 * `fetch` of lru-cache does not fit: a read takes a place while it lasts, so made-up keys would push out good ones; an age
 * counts from the end of a read; and what is deleted is gone, while the next read needs the last value.
 */
export function createRemembered<Found, Value>(parts: RememberedParts<Found, Value>): Remembered<Value> {
  const { now, freshMs = standardFreshMs, staleMs = standardStaleMs } = parts
  const memory = createMemory(parts)
  const { last } = memory
  const reading = new Map<string, Promise<Value | undefined>>()

  const begin = (key: string): Promise<Value | undefined> => {
    const readAt = now()
    const isCurrent = () => reading.get(key) === begun
    const begun: Promise<Value | undefined> = parts
      .read(key, last(key))
      .then((found) => {
        // Forgotten meanwhile, it may say what was before.
        if (!isCurrent()) return read(key)
        const value = parts.keep(found, key, last(key))
        memory.keep(key, { readAt, value })
        return value
      })
      .finally(() => {
        if (isCurrent()) reading.delete(key)
      })
    reading.set(key, begun)
    return begun
  }
  const read = (key: string) => reading.get(key) ?? begin(key)

  const recent = (key: string): Entry<Value> | undefined => {
    const entry = memory.find(key)
    const ageMs = entry ? now() - entry.readAt : Number.POSITIVE_INFINITY
    // Whoever comes when it is stale, is told what is wrong.
    if (ageMs >= freshMs && entry?.value !== undefined) read(key).catch(() => {})
    return ageMs < staleMs ? entry : undefined
  }

  return {
    recent,
    get: async (key) => {
      const entry = recent(key)
      return entry ? entry.value : read(key)
    },
    read,
    readAnew: async (key) => {
      await reading.get(key)?.catch(() => {})
      return read(key)
    },
    last,
    keys: memory.keys,
    reading,
    forget: (key) => {
      memory.outdate(key)
      if (key === undefined) reading.clear()
      else reading.delete(key)
    },
  }
}

function createMemory<Value>({ keysMax, onEvicted }: Pick<RememberedParts<unknown, Value>, 'keysMax' | 'onEvicted'>) {
  const known = createCache<Entry<Value>>(keysMax, {
    dispose: ({ value }, _key, reason) => {
      if (reason === 'evict' && value !== undefined) onEvicted?.(value)
    },
  })
  const nothing = createCache<Entry<Value>>(keysMax)
  return {
    find: (key: string) => known.get(key) ?? nothing.get(key),
    last: (key: string) => known.peek(key)?.value,
    keys: () => [...known.keys()],
    keep: (key: string, entry: Entry<Value>): void => {
      const [there, elsewhere] = entry.value === undefined ? [nothing, known] : [known, nothing]
      elsewhere.delete(key)
      there.set(key, entry)
    },
    /** The values stay: the next read goes on from them. */
    outdate: (key?: string): void => {
      for (const one of key === undefined ? [...known.keys()] : [key]) {
        const entry = known.peek(one)
        if (entry) entry.readAt = Number.NEGATIVE_INFINITY
      }
      if (key === undefined) nothing.clear()
      else nothing.delete(key)
    },
  }
}
