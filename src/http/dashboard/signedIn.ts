/** Who is signed in, as a page needs to know it. */
import type { UserActor } from '../../domain/actor.ts'

export interface SignedIn {
  /** Of the session. */
  id: string
  actor: UserActor
  /** The account's name. */
  account: string
  email: string
  /** When the person proved last who it is. */
  provedAt: Date
}

/**
 * @param address where the request comes from
 * @returns undefined for a token that opens nothing (any more)
 */
export type FindSession = (token: string, address: string) => Promise<SignedIn | undefined>

/** The name of the session's cookie. */
export const sessionCookie = 'watchword_session'
