/** The people of accounts, and all that they sign in with, on a database that others may share. */
import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { commitOptions } from '../../src/app/admin.ts'
import { createActCommit } from '../../src/domain/access/act.ts'
import { type Actor, commandLine, type Role } from '../../src/domain/access/actor.ts'
import { createSecrets } from '../../src/domain/access/secret.ts'
import { createAuthenticators } from '../../src/domain/people/authenticator.ts'
import { createFirstInvitations } from '../../src/domain/people/firstInvitation.ts'
import { createInvitations } from '../../src/domain/people/invitation.ts'
import { createKnownBrowsers } from '../../src/domain/people/knownBrowser.ts'
import { createPasswords } from '../../src/domain/people/password.ts'
import { createSignIns, type NetworkLimit } from '../../src/domain/people/signIn.ts'
import { createUsers } from '../../src/domain/people/user.ts'
import { createUserSessions, type SignedIn } from '../../src/domain/people/userSession.ts'
import { createNetworkLimit } from '../../src/http/dashboard/networkLimit.ts'
import { listAudit } from '../../src/store/access/audit.ts'
import { type Commit, createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import { findUserByEmail, type UserRow } from '../../src/store/people/user.ts'
import { acting } from './acting.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { type TestRuntime, testRuntime } from './runtime.ts'

export const password = 'correct horse battery staple'
export const from = { address: '203.0.113.7', agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }

/** Nobody was ever given one of these. */
export const notTokens = ['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`, ' '.repeat(43)]

export interface PeopleOptions {
  secrets?: string[]
  networks?: NetworkLimit
  runtime?: TestRuntime
}

export type People = ReturnType<typeof peopleOn>

/** @returns what is done by the operator; `as` is for somebody who is signed in */
export function peopleOn(commit: Commit, options: PeopleOptions = {}) {
  const runtime = options.runtime ?? testRuntime()
  const secrets = createSecrets(options.secrets ?? ['a secret for tests of enough characters'])
  let worked = 0
  const passwords = createPasswords(async (text, salt) => {
    worked += 1
    return createHash('sha256').update(text).update(salt).digest()
  })
  const parts = { commit, runtime, passwords }
  const sessions = createUserSessions(parts)
  const authenticators = createAuthenticators({ commit, runtime, secrets })
  const networks = options.networks ?? createNetworkLimit()
  const browsers = createKnownBrowsers({ commit, runtime, secrets })
  const administered = { ...parts, commit: createActCommit(commit, { runtime }) }
  const admin = { users: createUsers(administered), invitations: createInvitations(administered) }
  const actsOf = (actor: Actor) => acting(admin, actor)
  return {
    runtime,
    sessions,
    authenticators,
    networks,
    browsers,
    firstInvitations: createFirstInvitations({ ...administered, secrets }),
    signIns: createSignIns({ ...parts, authenticators, networks, browsers }),
    ...actsOf(commandLine),
    as: ({ actor }: SignedIn) => actsOf(actor),
    /** How often a password was worked on. */
    work: () => worked,
    find: (token: string) => sessions.find(token, from.address),
    pending: (token: string) => sessions.findPending(token, from.address),
  }
}

/** A database of its own for a file of tests. */
export async function openPeople() {
  const test = await createDatabase()
  const database = await connect(test.settings)
  const commit = createCommit(database, commitOptions(database))
  return {
    test,
    commit,
    close: async () => {
      await database.close()
      await test.drop()
    },
  }
}

let accounts = 0

export async function newAccount({ sql }: TestDatabase): Promise<string> {
  accounts += 1
  const id = `acct_${accounts}`
  await sql`insert into account (id, name, name_key, created_at) values (${id}, ${id}, ${id}, now())`
  return id
}

export interface Joined {
  user: UserRow
  email: string
  token: string
  /** Signed in, with a proof as old as the clock says. */
  of: SignedIn
}

let names = 0

/** Somebody who has come by an invitation, and is signed in. */
export async function join(
  commit: Commit,
  people: People,
  { accountId, role = 'owner', name = 'Ada Lovelace' }: { accountId: string; role?: Role; name?: string },
): Promise<Joined> {
  names += 1
  const email = `person-${names}@example.com`
  const { token } = await people.invitations.make({ accountId, role, email: null })
  const claimed = await people.invitations.claim({ token, name, email, password, ...from })
  const of = await people.find(claimed!.token)
  return { user: (await findUserByEmail(commit.reader, email))!, email, token: claimed!.token, of: of! }
}

/** Signs in with the password. @returns what came of it, and the token when it was right */
export async function signIn(people: People, email: string, text = password, address = from.address) {
  const answer = await people.signIns.signIn({ email, password: text, address, agent: from.agent })
  return { kind: answer.kind, token: 'token' in answer ? answer.token : undefined, answer }
}

/** Sets up an authenticator for somebody who is signed in. @returns what makes its codes, and those for recovery */
export async function enrol(people: People, of: SignedIn) {
  const { secret, sealed } = await people.authenticators.begin(of)
  const codeAt = (seconds: number) => codeOf(secret, people.runtime.now().getTime() + seconds * 1000)
  const recovery = await people.authenticators.confirm(of, sealed, codeAt(0))
  return { secret, recovery: recovery!, codeAt }
}

/** @param at milliseconds of Unix time */
export function codeOf(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })
}

/** What is said of what is refused. */
export function refusal(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'was done',
    (error: Error) => error.message,
  )
}

/** Who did what, in no order: one moment has many. */
export async function acts({ reader }: Commit, accountId: string): Promise<string[]> {
  const rows = await listAudit(reader, accountId, { before: undefined, count: 100 })
  return rows.map(({ name, act }) => `${name}: ${act}`).toSorted()
}
