/** Which refusals are told of: an attack makes very many, and what is told of each is kept for weeks. */
import { createCache } from '../../kit/cache.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Mode } from '../../store/schema/schema.ts'

/** Of an account in a mode, so many at once, and then one in so many milliseconds. */
const burst = 60
const restMs = 1000
const accountsMax = 10_000

/** @returns whether one more may be told of */
export function createTellable({
  elapsedMs,
}: Pick<Runtime, 'elapsedMs'>): (one: { accountId: string; mode: Mode }) => boolean {
  /** When as many can be told of at once as ever, in milliseconds by a clock that nobody sets. */
  const freeAt = createCache<number>(accountsMax)
  return ({ accountId, mode }) => {
    const key = `${accountId} ${mode}`
    const at = elapsedMs()
    const next = Math.max(freeAt.get(key) ?? 0, at) + restMs
    if (next - at > burst * restMs) return false
    freeAt.set(key, next)
    return true
  }
}
