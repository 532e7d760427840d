/** Ends the codes whose time is over, so that endpoints and figures are told of it. Readers are told at once, without a sweep. */
import { expireOverdue, type Move } from '../domain/sending/message.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'

/** Verifications that one transaction ends. */
const expiredMax = 500

export interface SweepParts {
  commit: Commit
  move: Move
  runtime: Pick<Runtime, 'now'>
}

export function createSweep({ commit, move, runtime }: SweepParts): () => Promise<void> {
  return async () => {
    while ((await commit.transaction((tx) => expireOverdue(tx, move, runtime.now(), expiredMax))) === expiredMax);
  }
}
