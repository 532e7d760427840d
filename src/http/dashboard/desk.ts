/** What a person who is signed in can ask of the domain, and do. Each function knows who it is. */
import type { UserActor } from '../../domain/access/actor.ts'
import type { Administration } from '../../domain/administration.ts'

export interface Desk extends Omit<Administration, 'accounts' | 'connections' | 'endpoints'> {
  /** By the database's clock. */
  now: () => Date
  /** But for what the service alone needs. */
  endpoints: Omit<Administration['endpoints'], 'openSecrets' | 'recordOutcomes' | 'reseal'>
  connections: Pick<Administration['connections'], 'list'>
}

/** @returns the domain for that person: what the role does not allow is refused there, and each act is written down */
export type DeskOf = (actor: UserActor) => Desk
