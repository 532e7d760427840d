/**
 * What a worker does every few seconds. It ends the codes whose time is over, so that endpoints and figures are told of it: readers
 * are told at once, without a sweep. It sends the notifications whose time has come. And it has tables analysed that PostgreSQL would
 * read whole. Each of these fails alone, and none waits for another.
 */
import { expireOverdue, type Move } from '../domain/sending/message.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Commit } from '../store/engine/commit.ts'
import { analyseOutgrown } from '../store/engine/outgrown.ts'
import type { Sweeps } from './worker.ts'

/** Verifications that one transaction ends. */
const expiredMax = 500

export interface SweepParts {
  commit: Commit
  move: Move
  /** Sends what was to go later, once that is due. */
  sendDue: () => Promise<void>
  runtime: Pick<Runtime, 'now'>
}

/** @returns the work of each part, by its name in the log */
export function createSweeps({ commit, move, sendDue, runtime }: SweepParts): Sweeps {
  return {
    'sweep: codes': async () => {
      while ((await commit.transaction((tx) => expireOverdue(tx, move, runtime.now(), expiredMax))) === expiredMax);
    },
    'sweep: due': sendDue,
    'sweep: tables': () => analyseOutgrown(commit),
  }
}
