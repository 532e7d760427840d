/**
 * What a worker does every few seconds. It ends the codes whose time is over, so that endpoints and figures are told of it: readers
 * are told at once, without a sweep. It sends the notifications whose time has come. And it has tables analysed that PostgreSQL would read whole.
 */
import { expireOverdue, type Move } from '../domain/sending/message.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import { analyseOutgrown } from '../store/engine/outgrown.ts'

/** Verifications that one transaction ends. */
const expiredMax = 500

export interface SweepParts {
  commit: Commit
  move: Move
  /** Sends what was to go later, once that is due. */
  sendDue: () => Promise<void>
  runtime: Pick<Runtime, 'now'>
}

export function createSweep({ commit, move, sendDue, runtime }: SweepParts): () => Promise<void> {
  return async () => {
    while ((await commit.transaction((tx) => expireOverdue(tx, move, runtime.now(), expiredMax))) === expiredMax);
    await sendDue()
    await analyseOutgrown(commit)
  }
}
