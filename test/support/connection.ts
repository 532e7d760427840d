/** Connections of accounts for tests. */

import type { NewConnection } from '../../src/store/channels/connection.ts'
import { noCaps } from '../../src/store/channels/connection.ts'

/** One without secrets, of the default account if nothing else is said. */
export function newConnection(changes: Partial<NewConnection> & { id: string }): NewConnection {
  return {
    accountId: 'acct_default',
    position: 1,
    kind: 'sandbox',
    countries: null,
    failoverSeconds: null,
    ...noCaps,
    settings: {},
    sealed: null,
    byPerson: false,
    revision: 'first',
    updatedAt: new Date('2026-11-21T09:00:00.000Z'),
    ...changes,
  }
}
