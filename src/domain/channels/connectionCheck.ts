/** What the providers of an account's connections say of what is configured. */

import type { Actor } from '../access/actor.ts'

/** What is said of one thing that is configured. */
export interface Finding {
  level: 'good' | 'warning' | 'bad'
  text: string
  /** The slug of the account's template that it is about. */
  template?: string
}

/** Of one connection. */
export interface CheckedConnection {
  id: string
  kind: string
  findings: Finding[]
}

export interface CheckLimits {
  /** Milliseconds for each connection; as long as its provider takes when left out. */
  withinMs?: number
  /** The slug of the only template that is asked about: then connections that it says nothing for are left out. */
  template?: string
}

/**
 * Asks the providers of an account's connections, in their order, whether what is configured is good.
 *
 * @throws Refusal when there is no such template, Forbidden
 */
export type CheckConnections = (actor: Actor, accountId: string, limits?: CheckLimits) => Promise<CheckedConnection[]>
