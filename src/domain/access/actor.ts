/** Who does something, and what that person may do. */

import { Refusal } from '../../kit/refusal.ts'
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

/** Who runs commands on that machine. */
export const commandLine: Operator = { kind: 'operator', name: 'command line' }
/** What the service does by itself. */
export const theService: Operator = { kind: 'operator', name: 'service' }
/** What invites the first owner, while the service starts: by this name its links are known. */
export const firstStart: Operator = { kind: 'operator', name: 'first start' }

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

/** A program: the scopes of its API key say what it may do, and each door asks for them. */
export interface ProgramActor {
  kind: 'program'
  accountId: string
  name: string
  role: 'developer'
}

export function programOf({ accountId, keyId }: { accountId: string; keyId: string }): ProgramActor {
  return { kind: 'program', accountId, name: `API key ${keyId}`, role: 'developer' }
}

export type Actor = Operator | UserActor | ProgramActor

/** One who asks for what the role does not let him do. */
export class Forbidden extends Refusal {}

/** What is not of an account that the actor sees, is told to be missing. */
export function sees(actor: Actor, accountId: string): boolean {
  return actor.kind === 'operator' || actor.accountId === accountId
}

/** Where all that the actor sees is; undefined: in every account. */
export function seenAccount(actor: Actor): string | undefined {
  return actor.kind === 'operator' ? undefined : actor.accountId
}

export function may(actor: Actor, role: Role): boolean {
  return actor.kind === 'operator' || hasRole(actor.role, role)
}

/** @throws Forbidden for everybody else */
export function requireOperator(actor: Actor): void {
  if (actor.kind !== 'operator') throw new Forbidden('Only who has the machine may do this.')
}

/** @throws Forbidden when the actor has not that role in that account */
export function requireRole(actor: Actor, role: Role, accountId: string): void {
  if (may(actor, role) && sees(actor, accountId)) return
  throw new Forbidden(`This needs the role ${role}. Ask an owner of the account for it.`)
}
