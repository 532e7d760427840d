/**
 * Browsers in which somebody has signed in before. What strangers do to a person's sign-in is not in the way there: wrong
 * passwords are counted for the browser alone, and it has a place beside those who are signed in. As OWASP's device cookies.
 */
import { hash } from 'node:crypto'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { findUser, findUserByEmail, type UserRow } from '../../store/people/user.ts'
import { aheadMaxSeconds } from '../../store/sending/limit.ts'
import type { Secrets } from '../access/secret.ts'

export interface KnownBrowsers {
  /**
   * After the user has signed in there, or has set a password.
   *
   * @returns what the browser keeps, which this service alone can read; undefined for who has no password
   */
  remember: (user: Pick<UserRow, 'accountId' | 'id'>) => Promise<string | undefined>
  /**
   * @param kept what a browser brings
   * @param emailKey of the address of mail that is typed there
   * @returns the browser's id; undefined when nobody with that address has signed in there lately, or the password is another
   *   one since. The database is asked only about what this service has made for that address
   */
  recognise: (kept: string | undefined, emailKey: string) => Promise<string | undefined>
}

export interface KnownBrowserParts {
  commit: Commit
  secrets: Pick<Secrets, 'seal' | 'open'>
  runtime: Pick<Runtime, 'now' | 'newId'>
}

/** Seconds for which a browser is known after a sign-in. */
export const browserSeconds = 90 * 24 * 3600
const context = 'known browser'

interface Kept {
  /** Of the browser: another one after each sign-in. */
  id: string
  emailKey: string
  /** Of the password, as it was then. */
  mark: string
  /** Milliseconds of Unix time. */
  at: number
}

export function createKnownBrowsers({ commit, secrets, runtime }: KnownBrowserParts): KnownBrowsers {
  const open = (sealed: string): Kept | undefined => {
    try {
      return JSON.parse(secrets.open(Buffer.from(sealed, 'base64url'), context)) as Kept
    } catch {
      return undefined
    }
  }

  return {
    remember: async (of) => {
      const user = await findUser(commit.reader, of)
      const mark = makeMark(user)
      if (!user || mark === undefined) return undefined
      const { emailKey } = user
      const kept: Kept = { id: `brw_${runtime.newId()}`, emailKey, mark, at: runtime.now().getTime() }
      return secrets.seal(JSON.stringify(kept), context).toString('base64url')
    },
    recognise: async (sealed, emailKey) => {
      const kept = sealed === undefined ? undefined : open(sealed)
      if (!kept || kept.emailKey !== emailKey || !isYoung(kept.at, runtime.now())) return undefined
      const user = await findUserByEmail(commit.reader, emailKey)
      return makeMark(user) === kept.mark ? kept.id : undefined
    },
  }
}

/** Another one for each password, as each has a salt of its own; undefined for who can not sign in with one. */
function makeMark(user: UserRow | undefined): string | undefined {
  if (!user?.passwordHash || user.disabledAt) return undefined
  return hash('sha256', `${user.id} ${user.passwordHash}`, 'base64')
}

/** What is further ahead was written by a clock that has been set back since. */
function isYoung(at: number, now: Date): boolean {
  const age = (now.getTime() - at) / 1000
  return age < browserSeconds && age >= -aheadMaxSeconds
}
