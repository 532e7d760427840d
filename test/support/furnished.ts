/** An account in which everything is there, and every text that somebody else may write is hostile. */
import { sql } from 'drizzle-orm'
import { scopes } from '../../src/contract/document.ts'
import { defaultAccount } from '../../src/domain/account.ts'
import { newPhone, startServer, type TestServer } from './server.ts'
import { signIn } from './visitor.ts'

export interface Furnished {
  server: TestServer
  /** A page's path with the ids of what is there. @throws Error for a place that nothing is known of: add it below */
  pathOf: (pattern: string) => string
  close: () => Promise<void>
}

export const hostile = `"><img src=x onerror=alert(1)>`

export async function furnish(): Promise<Furnished> {
  const server = await startServer({ config: { dashboardPort: 0 } })
  const { id: accountId } = await server.app.accounts.require(defaultAccount)
  const { row: key } = await server.app.apiKeys.create({
    accountId,
    name: hostile,
    mode: 'live',
    scopes,
    expiresAt: null,
  })
  const { userId } = await signIn(server, 'viewer', { name: hostile })
  await server.app.invitations.make({ accountId, role: 'owner', email: `${hostile.replaceAll(' ', '')}@example.com` })
  await server.query(sql`update connection set rests_until = ${server.runtime.now().toISOString()}::timestamptz + interval '1 hour',
    rest_reason = ${hostile} where account_id = ${accountId}`)
  await server.live.send(newPhone())
  await server.app.countingLoop.runOnce()
  const places: Record<string, string> = {
    '/keys/:id/roll': `/keys/${key.id}/roll`,
    '/people/:id': `/people/${userId}`,
  }
  return {
    server,
    pathOf: (pattern) => {
      const path = pattern.includes(':') ? places[pattern] : pattern
      if (path === undefined)
        throw new Error(`No test knows a place of ${pattern}: add one to test/support/furnished.ts.`)
      return path
    },
    close: server.close,
  }
}
