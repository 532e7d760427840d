/** The rate of a key where several processes serve it: one of them counts, and is asked for many requests at once. */
import type { CountedKey, CountRequest } from '../../http/api/throttle.ts'

/**
 * Gathers what one turn of the loop asks: the busier the process, the less a request costs.
 *
 * @param ask for keys, one for each request
 */
export function createSharedRate(ask: (keys: CountedKey[]) => Promise<boolean[]>): CountRequest {
  let gathered: { keys: CountedKey[]; answers: Promise<boolean[]> } | undefined

  const gather = () => {
    const keys: CountedKey[] = []
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      gathered = undefined
      return ask(keys)
    })
    return { keys, answers }
  }

  return async ({ accountId, keyId, mode }) => {
    gathered ??= gather()
    const place = gathered.keys.push({ accountId, keyId, mode }) - 1
    // Nobody is refused because nobody counts.
    return gathered.answers.then(
      (answers) => answers[place] ?? true,
      () => true,
    )
  }
}
