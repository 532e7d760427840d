/** What somebody does: in a transaction that looks whether he still may, and written down in it. */

import type { EventEmitter } from 'node:events'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import { insertAudit } from '../../store/access/audit.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Reader, Tx } from '../../store/engine/session.ts'
import { findUser } from '../../store/people/user.ts'
import { type Actor, Forbidden, hasRole } from './actor.ts'

/** Of the ids of acts, which rise with their times. */
export const auditIdPrefix = 'aud_'

export interface Note {
  accountId: string
  /** `<noun>.<past participle>`: `key.created`. */
  act: string
  /** The id or name of what it was done to. */
  subject: string
  /** What else is worth knowing. No secret, no code, no whole phone number. */
  detail?: Record<string, unknown>
}

/** Told of every act when it is committed: what keeps something of an account in memory looks at it again. */
export type Changes = EventEmitter<{ act: [note: Note] }>

/** Writes an act down, with who has done it. */
export type WriteNote = (note: Note) => Promise<void>

export interface ActCommit extends Commit {
  /**
   * For what an actor does. A request may be under way for long: each transaction looks first whether a person still is what
   * the request was judged by. Whoever gives another role or disables holds the account's row, as these do until their commit.
   *
   * @returns of which `transaction` throws Forbidden for somebody who was disabled, or has a lower role by now
   */
  as: (actor: Actor) => {
    transaction: <Result>(work: (tx: Tx, note: WriteNote) => Promise<Result>) => Promise<Result>
  }
}

export interface ActParts {
  runtime: Pick<Runtime, 'now' | 'newId'>
  /** No one is told when left out. */
  changes?: Changes | undefined
}

export function createActCommit(commit: Commit, parts: ActParts): ActCommit {
  return {
    ...commit,
    as: (actor) => ({
      transaction: (work) =>
        commit.transaction(async (tx) => {
          if (actor.kind === 'user') {
            await lockAccount(tx, actor.accountId)
            await requireStill(tx, actor)
          }
          return work(tx, (note) => writeNote(tx, actor, note, parts))
        }),
    }),
  }
}

/** For who does something before he is let in, or by it. */
export function writeNote(tx: Tx, actor: Actor, note: Note, { runtime, changes }: ActParts): Promise<void> {
  tx.afterCommit(() => changes?.emit('act', note))
  const { accountId, act, subject, detail = {} } = note
  return insertAudit(tx, {
    ...{
      accountId,
      id: `${auditIdPrefix}${runtime.newId()}`,
      at: runtime.now(),
      act,
      subject,
      detail,
      name: actor.name,
    },
    ...(actor.kind === 'user' ? { userId: actor.id, address: actor.address } : { userId: null, address: null }),
  })
}

/** @throws Forbidden for a person who was disabled, or has a lower role than when the request came */
export async function requireStill(reader: Reader, actor: Actor): Promise<void> {
  if (actor.kind !== 'user') return
  const now = await findUser(reader, actor)
  if (!now || now.disabledAt || !hasRole(now.role, actor.role)) {
    throw new Forbidden('Your role was changed a moment ago, or you were disabled. Load the page again.')
  }
}
