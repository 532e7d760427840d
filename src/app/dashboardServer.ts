/** The server of the people's port: the pages, and what is asked at the door. */

import { createActCommit } from '../domain/access/act.ts'
import type { Secrets } from '../domain/access/secret.ts'
import { createTestCodes } from '../domain/channels/testCode.ts'
import { createAuthenticators } from '../domain/people/authenticator.ts'
import { createCompanies } from '../domain/people/company.ts'
import { createKnownBrowsers } from '../domain/people/knownBrowser.ts'
import type { Passwords } from '../domain/people/password.ts'
import { createSignIns } from '../domain/people/signIn.ts'
import { createUserSessions } from '../domain/people/userSession.ts'
import type { Services } from '../http/api/handler.ts'
import { createDashboard, type DashboardParts } from '../http/dashboard/dashboard.ts'
import { createNetworkLimit } from '../http/dashboard/networkLimit.ts'
import { createOidc } from '../http/dashboard/oidc.ts'
import { createHostCheck } from '../http/host.ts'
import { type BoundedServer, type Listening, listen } from '../http/server.ts'
import type { Config } from '../settings/config.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Admin } from './admin.ts'
import { inviteFirst } from './dataFolder.ts'
import { urlOf } from './greeting.ts'

export interface DashboardServerParts
  extends Pick<DashboardParts, 'runtime' | 'apiUrl' | 'isStopping' | 'crowd' | 'timeouts'> {
  admin: Admin
  /** For test codes. */
  services: Pick<Services, 'verifications'>
  commit: Commit
  secrets: Secrets
  /** One for the process: it works on few at once. */
  passwords: Passwords
}

/** Seals what older secrets have sealed anew. @returns the server, which does not listen yet */
export async function createDashboardServer(config: Config, parts: DashboardServerParts): Promise<BoundedServer> {
  const { admin, commit, secrets, passwords, runtime, services } = parts
  const authenticators = createAuthenticators({ commit, secrets, runtime })
  const { resealed, unreadable } = await authenticators.reseal()
  if (resealed > 0) runtime.log.info({ authenticators: resealed }, 'encrypted again with the first secret')
  for (const { accountId, id } of unreadable) {
    runtime.log.error(
      { account_id: accountId, user: id },
      'an authenticator is sealed under a secret that is not held: a recovery code lets in, or users reset',
    )
  }
  const { dashboardHost, dashboardUrl, oidc } = config
  const browsers = createKnownBrowsers({ commit, secrets, runtime })
  return createDashboard({
    ...parts,
    desk: {
      ...admin,
      connectionEdits: config.channelsInDashboard ? admin.connectionEdits : undefined,
      testCodes: createTestCodes({
        commit: createActCommit(commit, { runtime }),
        runtime,
        send: services.verifications.send,
      }),
      now: runtime.now,
    },
    entrance: {
      sessions: createUserSessions({ commit, runtime }),
      authenticators,
      browsers,
      signIns: createSignIns({ commit, runtime, passwords, authenticators, browsers, networks: createNetworkLimit() }),
      invitations: admin.invitations,
      company: oidc && {
        oidc: createOidc(oidc, { secrets, runtime, networks: createNetworkLimit() }),
        companies: createCompanies({ commit, runtime, account: oidc.account }),
      },
    },
    publicUrl: dashboardUrl,
    proxies: config.dashboardProxies,
    isForUs: createHostCheck([dashboardHost, ...(dashboardUrl ? [new URL(dashboardUrl).hostname] : [])]),
  })
}

/**
 * Listens. While nobody can sign in, a link lets the first one in.
 *
 * @returns also the file that holds that link; undefined when there is an owner
 */
export async function openDashboard(
  config: Config,
  { admin, runtime }: Pick<DashboardServerParts, 'admin' | 'runtime'>,
  server: BoundedServer,
): Promise<Listening & { invitation: string | undefined }> {
  const listening = await listen(server, config.dashboardPort ?? 0, config.dashboardHost)
  const url = config.dashboardUrl ?? urlOf(config.dashboardHost, listening.port)
  const invitation = await inviteFirst(config, admin, url)
  if (invitation) {
    const said = 'nobody can sign in to the dashboard yet: the link for its first owner is in a file'
    runtime.log.info({ file: invitation }, said)
  }
  return { ...listening, invitation }
}
