/**
 * Accounts of which so much was counted that it takes long to read: each is asked about apart from all others, and has a limit of its
 * own for reads that nobody waits for any more. So what one account counts lets no send of another go unjudged.
 */
import { createLateWork, type LateWork } from '../../../kit/lateWork.ts'

export interface Apart {
  /** From now on, for a minute. */
  note: (accountId: string) => void
  /** The limit of an account that is apart; undefined for all others. */
  lateReadsOf: (accountId: string) => LateWork | undefined
}

const apartMs = 60_000

/** @param elapsedMs by a clock that nobody sets */
export function createApart(elapsedMs: () => number): Apart {
  const apart = new Map<string, { endsAt: number; lateReads: LateWork }>()
  return {
    note: (accountId) => {
      const lateReads = apart.get(accountId)?.lateReads ?? createLateWork(1)
      apart.set(accountId, { endsAt: elapsedMs() + apartMs, lateReads })
    },
    lateReadsOf: (accountId) => {
      const found = apart.get(accountId)
      if (found && found.endsAt <= elapsedMs()) apart.delete(accountId)
      return apart.get(accountId)?.lateReads
    },
  }
}
