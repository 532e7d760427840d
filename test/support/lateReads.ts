/** Answers of the database that are on their way for as long as a test wants. */
import type { Commit } from '../../src/store/engine/commit.ts'

interface Held {
  /** Resolves when the database has answered. */
  arrived: Promise<void>
  /** Lets the answer through. */
  release: () => void
}

/** @returns holds back what is read next by what is made with its commit */
export function createLateReads(commit: Commit): { commit: Commit; holdNext: () => Held } {
  let next: { arrived: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | undefined
  const shareReads: Commit['shareReads'] = (question) => {
    const ask = commit.shareReads(question)
    return async (draft) => {
      const held = next
      next = undefined
      const outcome = await ask(draft)
      held?.arrived.resolve()
      await held?.released.promise
      return outcome
    }
  }
  return {
    commit: { ...commit, shareReads },
    holdNext: () => {
      const held = { arrived: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() }
      next = held
      return { arrived: held.arrived.promise, release: held.released.resolve }
    },
  }
}
