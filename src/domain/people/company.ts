/** People who sign in with their company: known by its provider's issuer and subject, and by nothing else. */

import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { findAccount, lockAccount } from '../../store/access/account.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import { endInvitationsBy } from '../../store/people/invitation.ts'
import {
  findUserByEmail,
  findUserBySubject,
  insertUser,
  lockEmail,
  lockUser,
  type UserRow,
  updateUser,
} from '../../store/people/user.ts'
import { type Note, writeNote } from '../access/act.ts'
import { firstStart, type Role } from '../access/actor.ts'
import { nameKey, requireName } from '../access/name.ts'
import { emailKey, requireEmail } from './email.ts'
import { awaitedSubject, changeRole } from './user.ts'
import { openUserSession } from './userSession.ts'

/** Whom the provider vouches for. */
export interface Identity {
  issuer: string
  /** Who it is there, for good. */
  subject: string
  name: string | undefined
  /** Only to show whom it is: it is no proof of being somebody who is here already. */
  email: string | undefined
  isEmailVerified: boolean
  /** What the provider's claim makes of the person; undefined: nothing here. */
  role: Role | undefined
  /** When the person proved there who it is: a provider lets people in for hours without asking. Undefined: it does not tell. */
  provedAt: Date | undefined
}

export interface Companies {
  /**
   * The first time, this makes the person; each time, the role is what the provider says, unless no owner would be left.
   *
   * @param from with `instead`, the session that the browser had: of the same person, it ends
   * @returns a session, pending when an authenticator's code is to come
   * @throws Refusal in the words for who tries
   */
  enter: (
    identity: Identity,
    from: { address: string; agent: string; instead?: string | undefined },
  ) => Promise<{ token: string; isPending: boolean }>
}

export interface CompanyParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'newId'>
  /** Into which those come who are new, by its name. */
  account: string
}

const never = new Date(0)

export function createCompanies({ commit, runtime, account }: CompanyParts): Companies {
  const note = createNote(runtime)
  const { first, again } = createComing({ runtime, note })

  return {
    enter: async (identity, { address, agent, instead }) => {
      const { role, provedAt = never } = identity
      if (!role) throw new Refusal('Your company gives you no role here. Ask the people who manage its sign-in.')
      const into = await findAccount(commit.reader, account, nameKey(account))
      if (!into) throw new Refusal(`There is no account "${account}".`)
      return commit.transaction(async (tx) => {
        const known = await findPerson(tx, subjectOf(identity), into.id)
        const user = known
          ? await again(tx, known, role, address)
          : await first(tx, { ...identity, role }, into.id, address)
        const opened = await openUserSession(tx, runtime, { user, provedAt, address, agent, instead })
        if (!opened.isPending) {
          await updateUser(tx, user, { signedInAt: runtime.now() })
          await note(tx, user, address, 'user.signed_in')
        }
        return opened
      })
    },
  }
}

/** Those who come for the first time, by another identity, and again. */
function createComing({ runtime, note }: Pick<CompanyParts, 'runtime'> & { note: ReturnType<typeof createNote> }) {
  return { first, again }

  async function first(
    tx: Tx,
    identity: Identity & { role: Role },
    accountId: string,
    address: string,
  ): Promise<UserRow> {
    const { role } = identity
    if (!identity.email || !identity.isEmailVerified) {
      throw new Refusal('Your company sends no verified email for you. Ask the people who manage its sign-in.')
    }
    const email = requireEmail(identity.email)
    const key = emailKey(email)
    await lockEmail(tx, key)
    const other = await findUserByEmail(tx, key)
    if (other?.oidcSubject === awaitedSubject && other.accountId === accountId) {
      return link(tx, other, { ...identity, email }, address)
    }
    if (other) throw new Refusal(takenBy(other, email))
    const user: UserRow = {
      ...{ accountId, id: `usr_${runtime.newId()}`, name: toName(identity.name, email), email, emailKey: key, role },
      ...{ passwordHash: null, totpSealed: null, totpStep: null, recoveryHashes: [], oidcSubject: subjectOf(identity) },
      ...{ createdAt: runtime.now(), signedInAt: null, disabledAt: null },
    }
    await insertUser(tx, user)
    await endInvitationsBy(tx, { accountId, name: firstStart.name }, runtime.now())
    await note(tx, user, address, 'user.joined', { role, email, issuer: identity.issuer })
    return user
  }

  /** An owner has said that whoever the company vouches for by this email is the person. */
  async function link(
    tx: Tx,
    found: UserRow,
    identity: Identity & { role: Role; email: string },
    address: string,
  ): Promise<UserRow> {
    const user = await again(tx, found, identity.role, address)
    await updateUser(tx, user, { oidcSubject: subjectOf(identity) })
    await note(tx, user, address, 'user.linked', { email: identity.email, issuer: identity.issuer })
    return user
  }

  async function again(tx: Tx, { accountId, id }: UserRow, role: Role, address: string): Promise<UserRow> {
    const user = await lockUser(tx, { accountId, id })
    if (!user || user.disabledAt) throw new Refusal('You are disabled here. Ask an owner of the account.')
    const changed = user.role === role ? undefined : await changeRole(tx, user, role, runtime.now())
    if (!changed) return user
    await note(tx, { ...user, role }, address, 'user.role_changed', { ...changed, by: 'company' })
    return { ...user, role }
  }
}

/** Takes hold of the account of the person. @param into for who is new: of two first times at once, the second finds the person */
async function findPerson(tx: Tx, subject: string, into: string): Promise<UserRow | undefined> {
  const known = await findUserBySubject(tx, subject)
  // It may be another account than the one into which the new come.
  await lockAccount(tx, known?.accountId ?? into)
  return known ?? findUserBySubject(tx, subject)
}

/** @returns writes down what a person did by coming */
function createNote(runtime: Pick<Runtime, 'now' | 'newId'>) {
  return (tx: Tx, user: UserRow, address: string, act: string, detail: Note['detail'] = {}): Promise<void> => {
    const { accountId, id, name, role } = user
    const actor = { kind: 'user', accountId, id, name, role, address } as const
    return writeNote(tx, actor, { accountId, act, subject: id, detail }, { runtime })
  }
}

/** No URL has a space. */
function subjectOf({ issuer, subject }: Identity): string {
  return `${issuer} ${subject}`
}

/** Never linked by an email alone: it would let in whoever the provider says has it. */
function takenBy({ oidcSubject }: UserRow, email: string): string {
  return oidcSubject === null
    ? `${email} is of a person who is here already, and signs in with a password.`
    : `${email} is of a person who is here already, by another identity at your company. Ask an owner of the account to link the person again.`
}

/** The email, where the name is none that could be told from others. */
function toName(name: string | undefined, email: string): string {
  try {
    return requireName('A person', name ?? '')
  } catch {
    return requireName('A person', email.slice(0, 64))
  }
}
