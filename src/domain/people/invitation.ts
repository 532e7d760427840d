/** Links that let somebody in, or set a new password. Whoever holds one may use it, once, within a day. */

import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import type { Tx } from '../../store/engine/session.ts'
import {
  endInvitation,
  endInvitationsBy,
  endPasswordLinks,
  findInvitations,
  type InvitationRow,
  insertInvitation,
  listInvitations,
  useInvitation,
} from '../../store/people/invitation.ts'
import { forgetProofs } from '../../store/people/signIn.ts'
import {
  findUser,
  findUserByEmail,
  insertUser,
  lockEmail,
  lockUser,
  type UserKey,
  type UserRow,
  updateUser,
} from '../../store/people/user.ts'
import { endUserSessions } from '../../store/people/userSession.ts'
import { type ActCommit, type WriteNote, writeNote } from '../access/act.ts'
import { type Actor, firstStart, type Role, requireRole, sees } from '../access/actor.ts'
import { requireName } from '../access/name.ts'
import { emailHash, emailKey, requireTypedEmail } from './email.ts'
import type { Passwords } from './password.ts'
import { isToken, newToken, tokenHash } from './token.ts'
import { missing } from './user.ts'
import { openUserSession } from './userSession.ts'

/** A link as it is listed. The token is not there any more. */
export type Invitation = Omit<InvitationRow, 'hash' | 'usedAt'>

/** @param token for the only time: for the URL's fragment, which no server sees */
export type Invited = Invitation & { token: string }

/** What its holder is shown before it is used. */
export interface Offer {
  /** Its name. */
  account: string
  invitedBy: string
  role: Role
  /** Whom it is for; null when anybody who holds it may come. */
  email: string | null
  /** Whose password it sets, by name; null when it makes a user. */
  user: string | null
}

export interface InvitationClaim {
  token: string
  password: string
  /** Both left out when it sets a password. The address is that of the invitation when that has one. */
  name?: string
  email?: string
  /** Where the request comes from. */
  address: string
  /** The browser, as it names itself. */
  agent: string
}

export interface Invitations {
  /** @throws Refusal when the address of mail is none, or is of a user of the account; Forbidden */
  make: (actor: Actor, input: { accountId: string; role: Role; email: string | null }) => Promise<Invited>
  /** For a forgotten password; ends such links that were made before. @throws Refusal when there is no such user, or it is disabled; Forbidden */
  makeForPassword: (actor: Actor, key: UserKey) => Promise<Invited>
  /** Those that can still be used, the latest first. @throws Forbidden */
  list: (actor: Actor, accountId: string) => Promise<Invitation[]>
  /** @throws Refusal when it cannot be used any more, Forbidden */
  end: (actor: Actor, accountId: string, id: string) => Promise<void>
  /** @returns undefined when it cannot be used: there is none, it was used, its time is over, or its maker is no owner any more */
  look: (token: string) => Promise<Offer | undefined>
  /**
   * Uses it, and signs in whom it is for: of two at once, one.
   *
   * @returns a session, pending when an authenticator's code is to come; undefined when it cannot be used any more
   * @throws Refusal when name, address of mail or password is none, or somebody has that address; it can be used still
   */
  claim: (input: InvitationClaim) => Promise<{ token: string; isPending: boolean } | undefined>
}

export interface InvitationParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now' | 'newId'>
  passwords: Passwords
}

const dayMs = 24 * 3600 * 1000

export function createInvitations(parts: InvitationParts): Invitations {
  const { commit, runtime } = parts
  const insert = createInsert(parts)
  const find = createFind(parts)

  return {
    make: async (actor, { accountId, role, email: text }) => {
      requireRole(actor, 'owner', accountId)
      const email = text === null ? null : requireTypedEmail(text)
      const known = email === null ? undefined : await findUserByEmail(commit.reader, emailKey(email))
      // Of other accounts nothing is told. Who claims it will hear that the address is taken.
      if (known?.accountId === accountId)
        throw new Refusal(`${known.email} belongs to ${known.name}, who is here already.`)
      return commit
        .as(actor)
        .transaction((tx, note) => insert({ tx, actor, note }, { accountId, role, email, userId: null }))
    },
    makeForPassword: async (actor, key) => {
      const { accountId } = key
      if (!sees(actor, accountId)) throw missing(key)
      requireRole(actor, 'owner', accountId)
      return commit.as(actor).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const user = await lockUser(tx, key)
        if (!user) throw missing(key)
        if (user.disabledAt) throw new Refusal(`${user.name} is disabled.`)
        await endPasswordLinks(tx, key, runtime.now())
        return insert({ tx, actor, note }, { accountId, role: user.role, email: user.email, userId: user.id })
      })
    },
    list: async (actor, accountId) => {
      requireRole(actor, 'owner', accountId)
      return (await listInvitations(commit.reader, accountId, runtime.now())).map(invitationOf)
    },
    end: async (actor, accountId, id) => {
      requireRole(actor, 'owner', accountId)
      await commit.as(actor).transaction(async (tx, note) => {
        if (!(await endInvitation(tx, accountId, id, runtime.now()))) throw new Refusal(`There is no invitation ${id}.`)
        await note({ accountId, act: 'invitation.ended', subject: id })
      })
    },
    look: async (token) => {
      const found = await find(token)
      if (!found) return undefined
      const { accountId, account, invitedBy, role, email, userId } = found
      const user = userId === null ? undefined : await findUser(commit.reader, { accountId, id: userId })
      return { account, invitedBy, role, email, user: user?.name ?? null }
    },
    claim: (input) => claim(parts, find, input),
  }
}

/** The token stands in the fragment, which no server and no proxy sees. @param url of the dashboard, without a slash at the end */
export function linkOf(url: string, token: string): string {
  return `${url}/invitation#${token}`
}

/** @param tokenOf what the token of an invitation is; a random one when left out */
export function createInsert(
  { runtime }: Pick<InvitationParts, 'runtime'>,
  tokenOf: (made: Pick<InvitationRow, 'id' | 'email'>) => string = newToken,
) {
  return async (
    { tx, actor, note }: { tx: Tx; actor: Actor; note: WriteNote },
    input: Pick<InvitationRow, 'accountId' | 'role' | 'email' | 'userId'>,
  ): Promise<Invited> => {
    const [id, createdAt] = [`inv_${runtime.newId()}`, runtime.now()]
    const token = tokenOf({ ...input, id })
    const made = {
      ...{ ...input, id, invitedBy: actor.name, createdAt },
      invitedById: actor.kind === 'user' ? actor.id : null,
      expiresAt: new Date(createdAt.getTime() + dayMs),
    }
    await insertInvitation(tx, { ...made, hash: tokenHash(token), usedAt: null })
    const { accountId, role, email, userId } = made
    await note({
      ...{ accountId, act: userId === null ? 'invitation.created' : 'password_link.created', subject: userId ?? id },
      detail: { role, ...(email !== null && { email }) },
    })
    return { ...made, token }
  }
}

type Find = (token: string) => Promise<Awaited<ReturnType<typeof findInvitations>>[number]>

function createFind({ commit, runtime }: Pick<InvitationParts, 'commit' | 'runtime'>): Find {
  // Those of a moment are asked for in one statement: whatever strangers send, most connections are left to others.
  const read = commit.shareReads<string, Awaited<ReturnType<Find>>>({
    work: (reader, hashes) => findInvitations(reader, hashes, runtime.now()),
  })
  return async (token) => (isToken(token) ? read(tokenHash(token)) : undefined)
}

async function claim(parts: InvitationParts, find: Find, input: InvitationClaim) {
  const { commit, runtime, passwords } = parts
  const { token, password, address, agent } = input
  const offered = await find(token)
  if (!offered) return undefined
  const person = offered.userId === null ? toPerson(input, offered) : undefined
  // The work is only for who holds a link.
  const passwordHash = await passwords.hash(password)
  return commit.transaction(async (tx) => {
    // In the order of all who change people: the account, a person, the links. Who disables the maker comes before, or after.
    await lockAccount(tx, offered.accountId)
    const known = offered.userId === null ? undefined : await lockUser(tx, { ...offered, id: offered.userId })
    const used = await useInvitation(tx, tokenHash(token), runtime.now())
    if (!used) return undefined
    const user = person
      ? await join(tx, { ...person, accountId: used.accountId, role: used.role, passwordHash })
      : await setPassword(tx, known, passwordHash)
    const opened = await openUserSession(tx, runtime, { user, address, agent })
    const { accountId, id, name, role } = user
    const detail = { invitation: used.id, invitedBy: used.invitedBy, ...(person && { role, email: user.email }) }
    const note = { accountId, act: person ? 'user.joined' : 'user.password_set', subject: id, detail }
    await writeNote(tx, { kind: 'user', accountId, id, name, role, address }, note, { runtime })
    return opened
  })

  async function join(tx: Tx, made: Person & Pick<UserRow, 'accountId' | 'role' | 'passwordHash'>): Promise<UserRow> {
    await lockEmail(tx, made.emailKey)
    if (await findUserByEmail(tx, made.emailKey))
      throw new Refusal(`A user with the address ${made.email} already exists.`)
    const at = runtime.now()
    const row: UserRow = {
      ...{ ...made, id: `usr_${runtime.newId()}`, createdAt: at, signedInAt: at, disabledAt: null },
      ...{ totpSealed: null, totpStep: null, recoveryHashes: [], oidcSubject: null },
    }
    await insertUser(tx, row)
    await endInvitationsBy(tx, { accountId: made.accountId, name: firstStart.name }, at)
    return row
  }

  async function setPassword(tx: Tx, user: UserRow | undefined, passwordHash: string): Promise<UserRow> {
    if (!user || user.disabledAt) throw new Refusal('This link does not work any more. Ask an owner of the account.')
    const signedInAt = user.totpSealed ? user.signedInAt : runtime.now()
    await updateUser(tx, user, { passwordHash, signedInAt })
    await endUserSessions(tx, user)
    await endPasswordLinks(tx, user, runtime.now())
    for (const counted of [emailHash(user.emailKey), user.id]) forgetProofs(tx, counted)
    return user
  }
}

type Person = Pick<UserRow, 'name' | 'email' | 'emailKey'>

/** @throws Refusal */
function toPerson(input: InvitationClaim, { email: invited }: Pick<InvitationRow, 'email'>): Person {
  const email = requireTypedEmail(invited ?? input.email ?? '')
  return { name: requireName('A person', input.name ?? ''), email, emailKey: emailKey(email) }
}

function invitationOf({ hash: _hash, usedAt: _usedAt, ...rest }: InvitationRow): Invitation {
  return rest
}
