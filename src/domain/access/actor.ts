/** Who does something: what that person may do, and that it is written down. */

import type { EventEmitter } from 'node:events'
import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import { insertAudit } from '../../store/access/audit.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Reader, Tx } from '../../store/engine/session.ts'
import { findUser } from '../../store/people/user.ts'
import type { Role } from '../../store/schema/userSchema.ts'

export type { Role }

/** Each may do what those before it may. */
export const roles: readonly Role[] = ['viewer', 'developer', 'owner']

export function hasRole(own: Role, needed: Role): boolean {
  return roles.indexOf(own) >= roles.indexOf(needed)
}

/** The operator, on the machine itself, may do everything in every account. */
export interface Operator {
  kind: 'operator'
  /** What the audit calls it. */
  name: string
}

/** A person who is signed in: bound to one account, and to what the role may do there. */
export interface UserActor {
  kind: 'user'
  accountId: string
  id: string
  name: string
  role: Role
  /** Where the request comes from. */
  address: string
}

export type Actor = Operator | UserActor

/** One who asks for what the role does not let him do. */
export class Forbidden extends Refusal {}

export interface Note {
  accountId: string
  /** `<noun>.<past participle>`: `key.created`. */
  act: string
  /** The id or name of what it was done to. */
  subject: string
  /** What else is worth knowing. No secret, no code, no whole phone number. */
  detail?: Record<string, unknown>
}

/** Told of every act when it is committed: what keeps something of an account in memory looks at it anew. */
export type Changes = EventEmitter<{ act: [note: Note] }>

/** An actor, as the functions of the domain ask it. */
export interface By {
  actor: Actor
  may: (role: Role) => boolean
  /** Whether anything of that account is there for the actor: what is not, is told to be missing. */
  sees: (accountId: string) => boolean
  /** @throws Forbidden when the actor has not that role in that account */
  require: (role: Role, accountId: string) => void
  /** Writes an act down, in its own transaction. */
  note: (tx: Tx, note: Note) => Promise<void>
}

export interface ByParts extends Pick<Runtime, 'now' | 'newId'> {
  /** Nobody is told when left out. */
  changes?: Changes | undefined
}

export function createBy(actor: Actor, { now, newId, changes }: ByParts): By {
  const may = (role: Role) => actor.kind === 'operator' || hasRole(actor.role, role)
  const sees = (accountId: string) => actor.kind === 'operator' || actor.accountId === accountId
  return {
    actor,
    may,
    sees,
    require: (role, accountId) => {
      if (may(role) && sees(accountId)) return
      throw new Forbidden(`This needs the role ${role}. Ask an owner of the account for it.`)
    },
    note: (tx, note) => {
      tx.afterCommit(() => changes?.emit('act', note))
      const { accountId, act, subject, detail = {} } = note
      return insertAudit(tx, {
        ...{ accountId, id: `aud_${newId()}`, at: now(), act, subject, detail, name: actor.name },
        ...(actor.kind === 'user' ? { userId: actor.id, address: actor.address } : { userId: null, address: null }),
      })
    },
  }
}

/**
 * For what a person does. A request may be under way for long: each transaction looks first whether that person still is what
 * the request was judged by. Whoever gives another role or disables holds the account's row, as these do until their commit.
 *
 * @returns of which `transaction` throws Forbidden for somebody who was disabled, or has a lower role by now
 */
export function commitFor(actor: Actor, commit: Commit): Commit {
  if (actor.kind === 'operator') return commit
  return {
    ...commit,
    transaction: (work) =>
      commit.transaction(async (tx) => {
        await lockAccount(tx, actor.accountId)
        await requireStill(tx, actor)
        return work(tx)
      }),
  }
}

/** @throws Forbidden for a person who was disabled, or has a lower role than when the request came */
export async function requireStill(reader: Reader, actor: Actor): Promise<void> {
  if (actor.kind === 'operator') return
  const now = await findUser(reader, actor)
  if (!now || now.disabledAt || !hasRole(now.role, actor.role)) {
    throw new Forbidden('Your role was changed a moment ago, or you were disabled. Load the page again.')
  }
}
