/** The rate of a key where several processes serve it: one of them counts, and is asked for many requests at once. */
import type { CountRequest } from '../http/api/throttle.ts'

/**
 * Gathers what one turn of the loop asks: the busier the process, the less a request costs.
 *
 * @param ask for the ids of keys, one for each request
 */
export function createSharedRate(ask: (keyIds: string[]) => Promise<boolean[]>): CountRequest {
  let gathered: { keyIds: string[]; answers: Promise<boolean[]> } | undefined

  const gather = () => {
    const keyIds: string[] = []
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      gathered = undefined
      return ask(keyIds)
    })
    return { keyIds, answers }
  }

  return async (keyId) => {
    gathered ??= gather()
    const place = gathered.keyIds.push(keyId) - 1
    // Nobody is refused because nobody counts.
    return gathered.answers.then(
      (answers) => answers[place] ?? true,
      () => true,
    )
  }
}
