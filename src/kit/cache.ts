/** Values that are kept for the next time, up to a number of them. */
import { LRUCache } from 'lru-cache'

/**
 * The value that was not used for the longest time makes room for the next one. Memory grows with what is kept:
 * lru-cache's own `max` takes it at once, 200 KB for 10,000 places.
 *
 * @param max values
 */
export function createCache<Value extends NonNullable<unknown>>(
  max: number,
  more: Pick<LRUCache.OptionsBase<string, Value, unknown>, 'dispose'> = {},
): LRUCache<string, Value> {
  return new LRUCache({ ...more, maxSize: max, sizeCalculation: () => 1 })
}
