/** How accounts word and send their codes, as this process knows it: at most five seconds behind the database. */
import { createRemembered } from '../../../kit/remembered.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import { findSendDefaults, type SendDefaults, type WordingRow } from '../../../store/wording.ts'

export interface KnownWordings {
  /** @throws when the database is out of reach */
  of: (accountId: string) => Promise<SendDefaults>
  /** Looks again at the next call: this process has changed it. */
  forget: (accountId: string) => void
}

/** What an account has that words nothing itself. */
export const noWording: WordingRow = { locale: null, domain: null, texts: {} }
const noDefaults: SendDefaults = { ...noWording, brand: null, cooldownSeconds: null }

const accountsMax = 10_000

export function createKnownWordings(parts: {
  commit: Pick<Commit, 'shareReads'>
  runtime: Pick<Runtime, 'elapsedMs'>
}): KnownWordings {
  const accounts = createRemembered<SendDefaults | undefined, SendDefaults>({
    now: parts.runtime.elapsedMs,
    keysMax: accountsMax,
    read: parts.commit.shareReads<string, SendDefaults | undefined>({ work: findSendDefaults }),
    // No wording is kept too, and not undefined: what is kept is read again in the background, and no send waits.
    keep: (found) => found ?? noDefaults,
  })
  return {
    of: async (accountId) => (await accounts.get(accountId)) ?? noDefaults,
    forget: accounts.forget,
  }
}
