/** The people of an account: who they are, what they may do, and when they may no longer. */

import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import type { Tx } from '../../store/engine/session.ts'
import { endLinksMadeBy, endPasswordLinks } from '../../store/people/invitation.ts'
import {
  disableUser,
  findUserByEmail,
  listAllUsers,
  listUsers,
  lockUser,
  setRole,
  type UserKey,
  type UserRow,
  updateUser,
} from '../../store/people/user.ts'
import { endAllUserSessions, endUserSessions } from '../../store/people/userSession.ts'
import type { ActCommit } from '../access/act.ts'
import { type Actor, type Role, requireRole, sees } from '../access/actor.ts'
import { requireName } from '../access/name.ts'
import { bareEmail, emailKey } from './email.ts'
import type { Passwords } from './password.ts'
import { ProofNeeded, renewUserSession, requireProof, type SignedIn } from './userSession.ts'

/** Somebody as others see him: nothing that he proves himself with. */
export interface User extends Pick<UserRow, 'accountId' | 'id' | 'name' | 'email' | 'role'> {
  hasPassword: boolean
  hasAuthenticator: boolean
  createdAt: Date
  signedInAt: Date | null
  disabledAt: Date | null
}

export interface Users {
  /** In the order of their names, disabled ones too. @throws Forbidden */
  list: (actor: Actor, accountId: string) => Promise<User[]>
  /** Of all accounts that the actor sees. @throws Forbidden */
  listAll: (actor: Actor) => Promise<(User & { account: string })[]>
  /** @throws Refusal when nobody whom the actor sees has that address of mail, Forbidden */
  require: (actor: Actor, email: string) => Promise<User>
  /**
   * At once; ends the links that the user made, unless it makes an owner.
   *
   * @throws Refusal when there is no such user, or no owner would be left, Forbidden
   */
  setRole: (actor: Actor, key: UserKey, role: Role) => Promise<void>
  /**
   * Ends all sessions at once, and all links that the user made.
   *
   * @throws Refusal when there is no such user, or no owner would be left, Forbidden
   */
  disable: (actor: Actor, key: UserKey) => Promise<void>
  /** @throws Refusal when there is no such user, Forbidden */
  enable: (actor: Actor, key: UserKey) => Promise<void>
  /**
   * Forgets by which identity a person comes from the company: the next one with a verified email that is the person's is it.
   *
   * @throws Refusal when there is no such user, or one who is disabled, Forbidden
   */
  relink: (actor: Actor, key: UserKey) => Promise<void>
  /** Ends all sessions of one. @throws Refusal when there is no such user, Forbidden */
  signOut: (actor: Actor, key: UserKey) => Promise<void>
  /** Ends all sessions of an account, the actor's own too. @returns how many there were @throws Forbidden */
  signOutAll: (actor: Actor, accountId: string) => Promise<number>
  /** For who has lost it and the recovery codes: the password alone is asked for then. @throws Refusal when there is none, Forbidden */
  removeAuthenticator: (actor: Actor, key: UserKey) => Promise<void>
  /** One's own name. @throws Refusal when it is none */
  rename: (of: SignedIn, name: string) => Promise<void>
  /**
   * One's own password. Ends all other sessions, and links that would set it.
   *
   * @returns the session's new token @throws Refusal when the password is none, or there was none before; ProofNeeded
   */
  changePassword: (of: SignedIn, password: string) => Promise<string>
}

/** Stands for the identity of a person whom an owner has let be linked again. No issuer begins so. */
export const awaitedSubject = ''

export interface UserParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now' | 'newId'>
  passwords: Passwords
}

export function createUsers(parts: UserParts): Users {
  const { commit, runtime } = parts
  const change = createChange(commit)

  return {
    list: async (actor, accountId) => {
      requireRole(actor, 'owner', accountId)
      return (await listUsers(commit.reader, accountId)).map(toUser)
    },
    listAll: async (actor) => {
      const found = (await listAllUsers(commit.reader)).filter(({ accountId }) => sees(actor, accountId))
      for (const { accountId } of found) requireRole(actor, 'owner', accountId)
      return found.map((row) => ({ ...toUser(row), account: row.account }))
    },
    require: async (actor, email) => {
      const found = await findUserByEmail(commit.reader, emailKey(bareEmail(email)))
      if (!found || !sees(actor, found.accountId)) throw new Refusal(`There is no user ${email}.`)
      requireRole(actor, 'owner', found.accountId)
      return toUser(found)
    },
    setRole: (actor, key, role) =>
      change(actor, key, 'user.role_changed', async (tx, row) => {
        const changed = await changeRole(tx, row, role, runtime.now())
        if (!changed) throw lastOwner(row)
        return changed
      }),
    disable: (actor, key) =>
      change(actor, key, 'user.disabled', async (tx, row) => {
        if (!(await disableUser(tx, key, runtime.now()))) throw lastOwner(row)
        await endUserSessions(tx, key)
        await endPasswordLinks(tx, key, runtime.now())
        return endLinks(tx, key, runtime.now())
      }),
    enable: (actor, key) =>
      change(actor, key, 'user.enabled', async (tx) => {
        await updateUser(tx, key, { disabledAt: null })
        return {}
      }),
    relink: (actor, key) => change(actor, key, 'user.relinked', (tx, row) => awaitIdentity(tx, key, row)),
    signOut: (actor, key) =>
      change(actor, key, 'user.signed_out', async (tx) => ({ sessions: await endUserSessions(tx, key) })),
    signOutAll: async (actor, accountId) => {
      requireRole(actor, 'owner', accountId)
      return commit.as(actor).transaction(async (tx, note) => {
        const sessions = await endAllUserSessions(tx, accountId)
        await note({ accountId, act: 'account.signed_out', subject: accountId, detail: { sessions } })
        return sessions
      })
    },
    removeAuthenticator: (actor, key) =>
      change(actor, key, 'authenticator.removed', async (tx, row) => {
        if (!row.totpSealed) throw new Refusal(`${row.name} has no authenticator.`)
        await updateUser(tx, key, { totpSealed: null, totpStep: null, recoveryHashes: [] })
        return {}
      }),
    rename: (of, text) => rename(parts, of, text),
    changePassword: (of, password) => changePassword(parts, of, password),
  }
}

/**
 * Whoever does so holds the account's row. Who is no owner any more has no link open.
 *
 * @returns what the audit tells of it; undefined when no owner would be left
 */
export async function changeRole(
  tx: Tx,
  user: UserRow,
  to: Role,
  at: Date,
): Promise<Record<string, unknown> | undefined> {
  if (!(await setRole(tx, user, to))) return undefined
  return { from: user.role, to, ...(to !== 'owner' && (await endLinks(tx, user, at))) }
}

async function endLinks(tx: Tx, key: UserKey, at: Date): Promise<{ linksEnded?: number }> {
  const linksEnded = await endLinksMadeBy(tx, key, at)
  return linksEnded > 0 ? { linksEnded } : {}
}

/** @returns does something to a user under the account's lock, and writes down what it gives, beside who it was done to */
function createChange(commit: ActCommit) {
  type Work = (tx: Tx, row: UserRow) => Promise<Record<string, unknown>>
  return async (actor: Actor, key: UserKey, act: string, work: Work): Promise<void> => {
    if (!sees(actor, key.accountId)) throw missing(key)
    requireRole(actor, 'owner', key.accountId)
    await commit.as(actor).transaction(async (tx, note) => {
      // Two owners who do this to each other come one after the other.
      await lockAccount(tx, key.accountId)
      const row = await lockUser(tx, key)
      if (!row) throw missing(key)
      const detail = { name: row.name, ...(await work(tx, row)) }
      await note({ accountId: key.accountId, act, subject: key.id, detail })
    })
  }
}

async function rename({ commit }: UserParts, { actor }: SignedIn, text: string): Promise<void> {
  const name = requireName('A person', text)
  await commit.as(actor).transaction(async (tx, note) => {
    await updateUser(tx, actor, { name })
    const { accountId, id: subject, name: from } = actor
    await note({ accountId, act: 'user.renamed', subject, detail: { from, to: name } })
  })
}

async function changePassword(
  { commit, runtime, passwords }: UserParts,
  of: SignedIn,
  password: string,
): Promise<string> {
  requireProof(of, runtime.now())
  if (!of.hasPassword) throw new Refusal('You sign in with your company. An owner can make you a link for a password.')
  const passwordHash = await passwords.hash(password)
  const { actor } = of
  return commit.as(actor).transaction(async (tx, note) => {
    const { accountId, id: subject } = actor
    await lockUser(tx, actor)
    const token = await renewUserSession(tx, of, runtime.now())
    if (token === undefined) throw new ProofNeeded('You were signed out. Sign in, then try again.')
    await updateUser(tx, actor, { passwordHash })
    await endUserSessions(tx, actor, of.id)
    await endPasswordLinks(tx, actor, runtime.now())
    await note({ accountId, act: 'user.password_changed', subject })
    return token
  })
}

function toUser(row: UserRow): User {
  const { accountId, id, name, email, role, passwordHash, totpSealed, createdAt, signedInAt, disabledAt } = row
  return {
    ...{ accountId, id, name, email, role, createdAt, signedInAt, disabledAt },
    ...{ hasPassword: passwordHash !== null, hasAuthenticator: totpSealed !== null },
  }
}

export function missing({ id }: UserKey): Refusal {
  return new Refusal(`There is no user ${id}.`)
}

async function awaitIdentity(tx: Tx, key: UserKey, { name, disabledAt }: UserRow): Promise<{ sessions: number }> {
  if (disabledAt) throw new Refusal(`${name} is disabled.`)
  await updateUser(tx, key, { oidcSubject: awaitedSubject })
  return { sessions: await endUserSessions(tx, key) }
}

function lastOwner({ name }: UserRow): Refusal {
  return new Refusal(`${name} is the last owner who can sign in. Make another user an owner first.`)
}
