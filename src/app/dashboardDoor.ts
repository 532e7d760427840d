/** The people's door: the pages, and what is asked at the door. Loaded where it is open. */

import { createActCommit } from '../domain/access/act.ts'
import type { Secrets } from '../domain/access/secret.ts'
import { createTestCodes } from '../domain/channels/testCode.ts'
import type { Authenticators } from '../domain/people/authenticator.ts'
import { createCompanies } from '../domain/people/company.ts'
import { createFirstInvitations } from '../domain/people/firstInvitation.ts'
import { createKnownBrowsers } from '../domain/people/knownBrowser.ts'
import type { Passwords } from '../domain/people/password.ts'
import { createSignIns } from '../domain/people/signIn.ts'
import { createUserSessions } from '../domain/people/userSession.ts'
import type { Services } from '../http/api/handler.ts'
import { createDashboard, type DashboardParts } from '../http/dashboard/dashboard.ts'
import { createNetworkLimit } from '../http/dashboard/networkLimit.ts'
import { createOidc } from '../http/dashboard/oidc.ts'
import type { Guest } from '../http/guest.ts'
import { createHostCheck } from '../http/host.ts'
import { createFetch } from '../outbound/proxiedFetch.ts'
import type { Config } from '../settings/config.ts'
import { dashboardPath } from '../settings/ports.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Admin } from './admin.ts'
import { inviteFirst } from './firstInvitation.ts'
import type { FirstInvitation } from './greeting.ts'

export interface DashboardDoorParts extends Pick<DashboardParts, 'runtime' | 'apiUrl' | 'isStopping'> {
  admin: Admin
  /** For test codes. */
  services: Pick<Services, 'verifications'>
  commit: Commit
  secrets: Secrets
  /** One for the process: it works on few at once. */
  passwords: Passwords
  authenticators: Authenticators
}

export interface DashboardDoor extends Guest {
  /**
   * While no user can sign in, a link lets the first one in.
   *
   * @param port where the dashboard listens
   * @returns undefined when there is nothing to say
   */
  inviteFirst: (port: number) => Promise<FirstInvitation | undefined>
}

export function createDashboardDoor(config: Config, parts: DashboardDoorParts): DashboardDoor {
  const { admin, commit, secrets, passwords, authenticators, runtime, services } = parts
  const { dashboardHost, dashboardUrl, dashboardShare, oidc, outboundProxy: proxy } = config
  const acts = createActCommit(commit, { runtime })
  const firstInvitations = createFirstInvitations({ commit: acts, runtime, secrets })
  const browsers = createKnownBrowsers({ commit, secrets, runtime })
  const dashboard = createDashboard({
    ...parts,
    desk: {
      ...admin,
      connectionEdits: config.channelsInDashboard ? admin.connectionEdits : undefined,
      testCodes: createTestCodes({ commit: acts, runtime, send: services.verifications.send }),
      now: runtime.now,
    },
    entrance: {
      sessions: createUserSessions({ commit, runtime }),
      authenticators,
      browsers,
      signIns: createSignIns({ commit, runtime, passwords, authenticators, browsers, networks: createNetworkLimit() }),
      invitations: admin.invitations,
      company: oidc && {
        oidc: createOidc(oidc, { secrets, runtime, networks: createNetworkLimit(), fetch: createFetch(proxy) }),
        companies: createCompanies({ commit, runtime, account: oidc.account }),
      },
    },
    publicUrl: dashboardUrl,
    path: dashboardShare && dashboardPath,
    proxies: config.dashboardProxies,
    isForUs: createHostCheck([dashboardHost, ...(dashboardUrl ? [new URL(dashboardUrl).hostname] : [])]),
  })
  return {
    ...dashboard,
    inviteFirst: (port) => inviteFirst(config, { ...admin, firstInvitations }, port),
  }
}
