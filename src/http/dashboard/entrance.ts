/** What is asked and done at the door: by who is not signed in yet, and about being so. */
import type { Authenticators } from '../../domain/authenticator.ts'
import type { Companies } from '../../domain/company.ts'
import type { Invitations } from '../../domain/invitation.ts'
import type { SignIns } from '../../domain/signIn.ts'
import type { UserSessions } from '../../domain/userSession.ts'
import type { Oidc } from './oidc.ts'

export interface Entrance {
  signIns: SignIns
  sessions: UserSessions
  authenticators: Authenticators
  invitations: Pick<Invitations, 'look' | 'claim'>
  /** Undefined: people sign in with passwords alone. */
  company: { oidc: Oidc; companies: Companies } | undefined
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
