/** Who is signed in: for how long, and how fresh the proof is. The token itself is never kept. */

import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { UserRow } from '../../store/people/user.ts'
import { lockUser } from '../../store/people/user.ts'
import {
  endUserSession,
  endUserSessions,
  findUserSessions,
  insertUserSession,
  type KnownSession,
  listUserSessions,
  proveUserSession,
  type SessionProof,
  touchUserSession,
  type UserSessionRow,
} from '../../store/people/userSession.ts'
import { aheadMaxSeconds } from '../../store/sending/limit.ts'
import { writeNote } from '../access/act.ts'
import type { UserActor } from '../access/actor.ts'
import { isToken, newToken, tokenHash } from './token.ts'

/** A session whose time is not over, with its user; the actor is where the request comes from. */
export interface SignedIn extends KnownSession {
  /** SHA-256 of the token, in base64. */
  hash: string
  actor: UserActor
}

/** One of somebody's own sessions, as it is shown. */
export type ListedSession = Pick<UserSessionRow, 'id' | 'createdAt' | 'seenAt' | 'address' | 'agent'>

/** A sensitive act is asked for, and the last proof is too old: the user is to prove again who he is. */
export class ProofNeeded extends Refusal {}

export interface UserSessions {
  /**
   * Asked with each page: one statement.
   *
   * @param address where the request comes from
   * @param isSeen false when a page asks by itself: of that, no session goes on
   * @returns undefined when the token opens nothing: it is none, its time is over, the user is disabled, or the code of the
   *   authenticator is still to come
   */
  find: (token: string, address: string, isSeen?: boolean) => Promise<SignedIn | undefined>
  /** One that waits for the code of the authenticator, and opens nothing else. */
  findPending: (token: string, address: string) => Promise<SignedIn | undefined>
  /** Those of the user that still open something, the one that was seen last first. */
  list: (of: SignedIn) => Promise<ListedSession[]>
  /** Signs out: the session itself, or another one of its user. @throws Refusal when there is no such session */
  end: (of: SignedIn, id?: string) => Promise<void>
  /** Signs the user out everywhere else. @returns in how many sessions that was */
  endOthers: (of: SignedIn) => Promise<number>
}

export interface UserSessionParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'newId' | 'log'>
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const idleMs = 12 * hourMs
/** From the sign-in on, whatever is asked. */
export const lifeMs = 7 * 24 * hourMs
/** To take the telephone out, and read a code off it. */
export const pendingMs = 10 * minuteMs
const provedMs = 10 * minuteMs
/** Between two writes of when it was seen. */
const touchMs = minuteMs

export function createUserSessions({ commit, runtime }: UserSessionParts): UserSessions {
  // Those of a moment are asked for in one statement: whatever strangers send, most connections are left to others.
  const read = commit.shareReads<string, KnownSession | undefined>({ work: findUserSessions })
  const look = async (token: string, address: string): Promise<SignedIn | undefined> => {
    if (!isToken(token)) return undefined
    const hash = tokenHash(token)
    const found = await read(hash)
    if (!found || !isAlive(found, runtime.now())) return undefined
    const { accountId, userId: id, name, role } = found
    return { ...found, hash, actor: { kind: 'user', accountId, id, name, role, address } }
  }

  return {
    find: async (token, address, isSeen = true) => {
      const found = await look(token, address)
      if (!found || found.isPending) return undefined
      if (isSeen) await touch(found)
      return found
    },
    findPending: async (token, address) => {
      const found = await look(token, address)
      return found?.isPending ? found : undefined
    },
    list: async ({ actor }) => {
      const found = await listUserSessions(commit.reader, actor)
      return found.filter((row) => !row.isPending && isAlive(row, runtime.now())).map(listed)
    },
    end: (of, id = of.id) =>
      commit.transaction(async (tx) => {
        if (!(await endUserSession(tx, of.actor, id))) throw new Refusal(`There is no session ${id}.`)
        await noteAct(of, 'user.signed_out', tx)
      }),
    endOthers: (of) =>
      commit.transaction(async (tx) => {
        await lockUser(tx, of.actor)
        const count = await endUserSessions(tx, of.actor, of.id)
        await noteAct(of, 'user.signed_out', tx, { sessions: count })
        return count
      }),
  }

  /** That it fails is no reason to refuse the user. */
  async function touch(found: SignedIn): Promise<void> {
    const now = runtime.now().getTime()
    if (now - found.seenAt.getTime() < touchMs) return
    await commit
      .transaction((tx) => touchUserSession(tx, found, new Date(now), new Date(now - touchMs)))
      .catch((error: unknown) => runtime.log.warn({ err: error }, 'could not save when a session was last seen'))
  }

  function noteAct({ actor }: SignedIn, act: string, tx: Tx, detail: Record<string, unknown> = {}): Promise<void> {
    const { accountId, id } = actor
    return writeNote(tx, actor, { accountId, act, subject: id, detail }, { runtime })
  }
}

/** @throws ProofNeeded when the last proof is not fresh enough for a sensitive act */
export function requireProof(of: SignedIn, now: Date): void {
  if (!isProved(of, now)) throw new ProofNeeded('Show again that it is you, then try again.')
}

export interface Opening {
  user: Pick<UserRow, 'accountId' | 'id' | 'totpSealed'>
  /** When the user proved who he is; just now when left out. */
  provedAt?: Date
  /** The session that the browser had: of the same user, it ends, unless the authenticator's code is still to come. */
  instead?: string | undefined
  address: string
  /** The browser, as it names itself. */
  agent: string
}

/** What a browser says of itself is cut: it may say as much as it likes. */
const agentLengthMax = 300

/**
 * Whoever does so holds the user's row.
 *
 * @returns the token, for the only time, and whether the code of the authenticator is still to come
 */
export async function openUserSession(
  tx: Tx,
  runtime: Pick<Runtime, 'now' | 'newId'>,
  { user: { accountId, id: userId, totpSealed }, provedAt, instead, address, agent }: Opening,
): Promise<{ token: string; isPending: boolean }> {
  const [token, isPending, at] = [newToken(), totpSealed !== null, runtime.now()]
  if (instead !== undefined && !isPending) await endUserSession(tx, { accountId, id: userId }, instead)
  await insertUserSession(tx, {
    ...{ accountId, id: `ses_${runtime.newId()}`, userId, hash: tokenHash(token), isPending },
    ...{ createdAt: at, seenAt: at, provedAt: provedAt ?? at, address, agent: printable(agent) },
  })
  return { token, isPending }
}

/**
 * The user has proved who he is: the old token opens nothing any more.
 *
 * @returns the new token, for the only time; undefined when the session is gone, or was proved by another request
 */
export async function renewUserSession(tx: Tx, of: SignedIn, at: Date): Promise<string | undefined> {
  const token = newToken()
  const proof: SessionProof = { hash: of.hash, anew: tokenHash(token), isPending: of.isPending, at }
  return (await proveUserSession(tx, of, proof)) ? token : undefined
}

function isAlive(row: Pick<UserSessionRow, 'isPending' | 'createdAt' | 'seenAt'>, now: Date): boolean {
  if (row.isPending) return isWithin(row.createdAt, pendingMs, now)
  return isWithin(row.createdAt, lifeMs, now) && isWithin(row.seenAt, idleMs, now)
}

/** Whether the last proof is fresh enough for a sensitive act. */
export function isProved({ provedAt }: Pick<SignedIn, 'provedAt'>, now: Date): boolean {
  return isWithin(provedAt, provedMs, now)
}

/** What is further ahead was written by a clock that has been set back since: it would be so for as long as that was ahead. */
function isWithin(at: Date, ms: number, now: Date): boolean {
  const age = now.getTime() - at.getTime()
  return age < ms && age >= -aheadMaxSeconds * 1000
}

function listed({ id, createdAt, seenAt, address, agent }: UserSessionRow): ListedSession {
  return { id, createdAt, seenAt, address, agent }
}

function printable(agent: string): string {
  return agent.toWellFormed().replaceAll(/\p{C}/gu, '').slice(0, agentLengthMax).toWellFormed()
}
