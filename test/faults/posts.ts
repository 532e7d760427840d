/** What is posted one after the other, each for another phone, while something else happens. */
import { setTimeout as wait } from 'node:timers/promises'

export interface Posts<Said> {
  /** @returns what was said for each phone. @throws what went wrong with one of them */
  stop: () => Promise<Map<string, Said>>
}

/** @param post has a number of its own each time, from 2,000,000 on, and returns when it was accepted */
export function startPosts<Said>(
  restMs: number,
  post: (number: number) => Promise<[phone: string, said: Said]>,
): Posts<Said> {
  const accepted = new Map<string, Said>()
  let stopping = false
  const postAll = async () => {
    for (let number = 2_000_000; !stopping; number++) {
      accepted.set(...(await post(number)))
      await wait(restMs)
    }
  }
  const posting = postAll()
  // What went wrong comes out of `stop`.
  posting.catch(() => {})
  return {
    stop: async () => {
      stopping = true
      await posting
      return accepted
    },
  }
}
