/** How accounts word their codes, as this process knows it: at most five seconds behind the database. */
import { createRemembered } from '../../../kit/remembered.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import { findWordings, type WordingRow } from '../../../store/wording.ts'
import type { OwnWording } from './codeText.ts'

export interface KnownWordings {
  /** @throws when the database is out of reach */
  of: (accountId: string) => Promise<OwnWording>
  /** Looks again at the next call: this process has changed it. */
  forget: (accountId: string) => void
}

/** What an account has that words nothing itself. */
export const noWording: WordingRow = { locale: null, domain: null, texts: {} }

const accountsMax = 10_000

export function createKnownWordings(parts: {
  commit: Pick<Commit, 'shareReads'>
  runtime: Pick<Runtime, 'elapsedMs'>
}): KnownWordings {
  const accounts = createRemembered<WordingRow | undefined, OwnWording>({
    now: parts.runtime.elapsedMs,
    keysMax: accountsMax,
    read: parts.commit.shareReads<string, WordingRow | undefined>({ work: findWordings }),
    // No wording is kept too, and not undefined: what is kept is read again in the background, and no send waits.
    keep: (found) => found ?? noWording,
  })
  return {
    of: async (accountId) => (await accounts.get(accountId)) ?? noWording,
    forget: accounts.forget,
  }
}
