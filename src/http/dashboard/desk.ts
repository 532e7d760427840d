/** What people who are signed in can ask of the domain, and do. It is told who: what the role does not allow is refused there. */
import type { Administration } from '../../domain/administration.ts'

export interface Desk extends Omit<Administration, 'accounts' | 'connections' | 'endpoints'> {
  /** By the database's clock. */
  now: () => Date
  /** But for what the service alone needs. */
  endpoints: Omit<Administration['endpoints'], 'openSecrets' | 'recordOutcomes' | 'reseal'>
  connections: Pick<Administration['connections'], 'list'>
}
