/** What is asked and done at the door: by who is not signed in yet, and about being so. */
import type { Authenticators } from '../../domain/people/authenticator.ts'
import type { Companies } from '../../domain/people/company.ts'
import type { Invitations } from '../../domain/people/invitation.ts'
import type { KnownBrowsers } from '../../domain/people/knownBrowser.ts'
import type { SignIns } from '../../domain/people/signIn.ts'
import type { UserSessions } from '../../domain/people/userSession.ts'
import type { Oidc } from './oidc.ts'
import type { SessionCookies } from './signedIn.ts'

export interface Entrance {
  signIns: SignIns
  sessions: UserSessions
  browsers: KnownBrowsers
  authenticators: Authenticators
  invitations: Pick<Invitations, 'look' | 'claim'>
  /** Undefined: people sign in with passwords alone. */
  company: { oidc: Oidc; companies: Companies } | undefined
}

/** A browser in which somebody comes in. */
interface Entering {
  entrance: Pick<Entrance, 'sessions' | 'browsers'>
  sessionCookies: Pick<SessionCookies, 'enter' | 'browser'>
  address: string
}

/** @returns the cookies of who has come in with a password, or half-way: who is in, is known in that browser from now on */
export async function cookiesOfEntry(
  { entrance, sessionCookies, address }: Entering,
  entered: { token: string; isPending: boolean },
): Promise<string[]> {
  const { sessions, browsers } = entrance
  const session = entered.isPending ? undefined : await sessions.find(entered.token, address)
  const kept = session && (await browsers.remember(session.actor))
  return [...sessionCookies.enter(entered), ...(kept === undefined ? [] : [sessionCookies.browser.set(kept)])]
}

/**
 * Where one was going.
 *
 * @returns a path of the dashboard; the overview for what is none
 */
export function nextOf(wanted: string | null | undefined): string {
  // A browser takes `//host` and `/\host` for another site, and passes over tabs and line ends on the way.
  return wanted && /^\/(?![/\\])[!-~]*$/.test(wanted) ? wanted : '/'
}
