/** What people who are signed in can ask of the domain, and do. It is told who: what the role does not allow is refused there. */
import type { Administration } from '../../domain/administration.ts'
import type { ConnectionEdits } from '../../domain/channels/connectionEdit.ts'
import type { TestCodes } from '../../domain/channels/testCode.ts'

export interface Desk
  extends Omit<Administration, 'accounts' | 'connections' | 'connectionEdits' | 'endpoints' | 'inlets' | 'replays'> {
  /** What their own account sets for all its codes. */
  accounts: Pick<Administration['accounts'], 'own' | 'set'>
  /** By the database's clock. */
  now: () => Date
  /** But for what the service alone needs. */
  endpoints: Omit<Administration['endpoints'], 'openSecrets' | 'recordOutcomes' | 'reseal'>
  connections: Pick<Administration['connections'], 'list' | 'rotate' | 'stranded'>
  inlets: Pick<Administration['inlets'], 'list'>
  /** Undefined: the list of channels is left to the command line. */
  connectionEdits: ConnectionEdits | undefined
  testCodes: TestCodes
}
