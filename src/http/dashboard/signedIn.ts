/** Who is signed in: the cookies that say so, and for how long a browser keeps them. */
import { browserSeconds } from '../../domain/people/knownBrowser.ts'
import { lifeMs, pendingMs, type SignedIn } from '../../domain/people/userSession.ts'
import type { Cookies } from './cookie.ts'
import { companySeconds } from './oidc.ts'

export type { SignedIn }

/** The name of the session's cookie. */
export const sessionCookie = 'watchword_session'
/** Of a session that waits for the authenticator's code. It opens no page, so the other one is not in its way. */
const pendingCookie = 'watchword_pending'

/** What was begun with the company's provider: it alone tells that the answer is for this browser. */
const companyCookie = 'watchword_company'
const [begunMax, begunBytesMax] = [5, 3500]

/** That somebody has signed in there: it outlives every session. */
const browserCookie = 'watchword_browser'

export interface SessionCookies {
  /** @returns the cookies of who has come in, or half-way */
  enter: (entered: { token: string; isPending: boolean }) => string[]
  leave: () => string[]
  endPending: () => string[]
  /** @returns the token of a session */
  current: (cookies: ReadonlyMap<string, string>) => string | undefined
  /** @returns the token of a session that waits for a code */
  pending: (cookies: ReadonlyMap<string, string>) => string | undefined
  browser: {
    set: (kept: string) => string
    read: (cookies: ReadonlyMap<string, string>) => string | undefined
  }
  /** Several tabs can be on their way to the company at once. */
  company: {
    /** @param sealed what the browser began, oldest first; the latest few are kept */
    keep: (sealed: readonly string[]) => string
    read: (cookies: ReadonlyMap<string, string>) => string[]
  }
}

export function createSessionCookies(cookies: Cookies): SessionCookies {
  return {
    enter: ({ token, isPending }) =>
      isPending
        ? [cookies.set(pendingCookie, token, pendingMs / 1000)]
        : [cookies.set(sessionCookie, token, lifeMs / 1000), cookies.clear(pendingCookie)],
    leave: () => [cookies.clear(sessionCookie), cookies.clear(pendingCookie)],
    endPending: () => [cookies.clear(pendingCookie)],
    current: (given) => cookies.read(given, sessionCookie),
    pending: (given) => cookies.read(given, pendingCookie),
    browser: {
      set: (kept) => cookies.set(browserCookie, kept, browserSeconds),
      read: (given) => cookies.read(given, browserCookie),
    },
    company: {
      keep: (sealed) =>
        sealed.length === 0
          ? cookies.clear(companyCookie)
          : cookies.set(companyCookie, keepLatest(sealed).join('.'), companySeconds),
      read: (given) => (cookies.read(given, companyCookie) ?? '').split('.').filter(Boolean),
    },
  }
}

/** @returns as many as a browser keeps in one cookie, which is 4096 bytes with its name; at least the last one */
function keepLatest(sealed: readonly string[]): readonly string[] {
  const fitting = sealed.slice(-begunMax)
  return fitting.length > 1 && fitting.join('.').length > begunBytesMax ? keepLatest(fitting.slice(1)) : fitting
}
