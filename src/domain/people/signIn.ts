/** How people prove who they are: the password, then the authenticator's code. Guesses are few, and tell nothing. */
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import { findProofs, giveBackProof, takeProof } from '../../store/people/signIn.ts'
import { findUser, findUserByEmail, lockUser, type UserRow, updateUser } from '../../store/people/user.ts'
import { type Note, writeNote } from '../access/act.ts'
import { secondsToWait } from '../sending/limit.ts'
import type { Authenticators } from './authenticator.ts'
import { bareEmail, emailHash, emailKey } from './email.ts'
import type { KnownBrowsers } from './knownBrowser.ts'
import type { Asker, IsRight, Passwords } from './password.ts'
import { openUserSession, renewUserSession, type SignedIn } from './userSession.ts'

/** Wrong proofs from a network, whoever they are of. */
export interface NetworkLimit {
  /**
   * Counts one as wrong, before it is looked at.
   *
   * @returns 0 when it may be looked at, and is to be given back or kept; else whole seconds to wait, and then it does not count
   */
  take: (address: string) => Promise<number>
  /** It was right, or was not looked at. */
  giveBack: (address: string) => Promise<void>
  /** It was wrong. */
  keep: (address: string) => void
}

/** The same words whatever was wrong: who guesses learns nothing of whom there is. */
export type SignInRefused = { kind: 'wrong' } | { kind: 'wait'; seconds: number }

/** @param token for the only time; what the browser had before opens nothing more */
export type NewSession = { kind: 'entered'; token: string; isPending: boolean }

export interface SignIns {
  /** With a password. @returns a session, pending when the authenticator's code is to come */
  signIn: (input: Credentials) => Promise<NewSession | SignInRefused>
  /**
   * With the authenticator's code, or one for recovery.
   *
   * @param of a pending session
   * @returns `over` when it has ended meanwhile: the user begins again
   */
  confirm: (of: SignedIn, code: string) => Promise<NewSession | SignInRefused | { kind: 'over' }>
  /** Proves again who it is, with the password; who has none, with a code. */
  prove: (of: SignedIn, proof: string) => Promise<NewSession | SignInRefused | { kind: 'over' }>
}

export interface Credentials {
  email: string
  password: string
  /** Where the request comes from. */
  address: string
  /** The browser, as it names itself. */
  agent: string
  /** What it was given to keep when somebody signed in there before. */
  browser?: string | undefined
}

export interface SignInParts {
  commit: Commit
  runtime: Pick<Runtime, 'now' | 'newId'>
  passwords: Passwords
  authenticators: Pick<Authenticators, 'use'>
  networks: NetworkLimit
  browsers: Pick<KnownBrowsers, 'recognise'>
}

/** For an address of mail, whether anybody has it or not; for a known browser; for the codes of a user; for the proofs of a session. */
const rules = [{ count: 5, seconds: 15 * 60 }]
/** Milliseconds for which one that was wrong counts. */
export const proofsKeptMs = Math.max(...rules.map(({ seconds }) => seconds)) * 1000

export function createSignIns(parts: SignInParts): SignIns {
  const { commit, runtime, browsers } = parts
  const counted = createCounted(parts)
  const log = createEntryLog(parts)

  return {
    signIn: async ({ email, password, address, agent, browser }) => {
      const key = emailKey(bareEmail(email))
      const known = await browsers.recognise(browser, key)
      const guess: Guess = known
        ? { of: known, address: undefined, asker: 'known' }
        : { of: emailHash(key), address, asker: 'stranger' }
      return counted(guess, async (giveBack, isRight) => {
        const user = await findUserByEmail(commit.reader, key)
        const kept = keptOf(user)
        if (!(await isRight(password, kept)) || !user) return { kind: 'wrong' }
        return commit.transaction(async (tx) => {
          const now = await lockUser(tx, user)
          // Somebody may have disabled the user meanwhile, or set another password.
          if (!now || keptOf(now) !== kept) return { kind: 'wrong' }
          const opened = await openUserSession(tx, runtime, { user: now, address, agent })
          if (!opened.isPending) await log.enter(tx, { ...now, address })
          giveBack(tx)
          return { kind: 'entered', ...opened }
        })
      })
    },
    confirm: (of, code) =>
      // Of the user: who knows the password can have as many sessions as he likes.
      counted({ of: of.actor.id, address: of.actor.address, asker: 'known' }, (giveBack) =>
        commit.transaction(async (tx) => {
          const user = await lockUser(tx, of.actor)
          if (!user || user.disabledAt) return { kind: 'over' }
          if (!(await log.use(tx, of, user, code))) return { kind: 'wrong' }
          giveBack(tx)
          const token = await renewUserSession(tx, of, runtime.now())
          if (token === undefined) return { kind: 'over' }
          await log.enter(tx, { ...user, address: of.actor.address })
          return { kind: 'entered', token, isPending: false }
        }),
      ),
    prove: (of, proof) =>
      counted({ of: of.id, address: of.actor.address, asker: 'known' }, async (giveBack, isRight) => {
        const kept = keptOf(await findUser(commit.reader, of.actor))
        if (kept !== undefined && !(await isRight(proof, kept))) return { kind: 'wrong' }
        return commit.transaction(async (tx) => {
          const user = await lockUser(tx, of.actor)
          if (!user || user.disabledAt || keptOf(user) !== kept) return { kind: 'over' }
          if (kept === undefined && !(await log.use(tx, of, user, proof))) return { kind: 'wrong' }
          giveBack(tx)
          const token = await renewUserSession(tx, of, runtime.now())
          return token === undefined ? { kind: 'over' } : { kind: 'entered', token, isPending: false }
        })
      }),
  }
}

type Comer = Pick<UserRow, 'accountId' | 'id' | 'name' | 'role'> & { address: string }

/** Writes down who came in, and with what. */
function createEntryLog({ runtime, authenticators }: SignInParts) {
  const note = (tx: Tx, comer: Comer, act: string, detail: Note['detail'] = {}): Promise<void> => {
    const { accountId, id, name, role, address } = comer
    const actor = { kind: 'user', accountId, id, name, role, address } as const
    return writeNote(tx, actor, { accountId, act, subject: id, detail }, { runtime })
  }
  return {
    enter: async (tx: Tx, comer: Comer): Promise<void> => {
      await updateUser(tx, comer, { signedInAt: runtime.now() })
      await note(tx, comer, 'user.signed_in')
    },
    /** @returns whether the code was right */
    use: async (tx: Tx, of: SignedIn, user: UserRow, code: string): Promise<boolean> => {
      const used = await authenticators.use(tx, user, code)
      if (used?.by === 'recovery') await note(tx, of.actor, 'recovery_code.used', { left: used.left })
      return used !== undefined
    },
  }
}

/** Of somebody who may not come in, no password is right. */
function keptOf(user: UserRow | undefined): string | undefined {
  return user && !user.disabledAt ? (user.passwordHash ?? undefined) : undefined
}

/** What anybody may do is counted apart from what only some may: no stranger is to shut out who is signed in. */
interface Guess {
  /** What it is counted under: the hash of an address of mail, or the id of a browser, a user or a session. */
  of: string
  /** Undefined: its network does not count, and is not in its way. */
  address: string | undefined
  asker: Asker
}

/** @returns does what is asked unless too many were wrong; it is counted as wrong until it is given back, with the commit */
function createCounted(parts: SignInParts) {
  const { networks, passwords } = parts
  const tryOnce = createTry(parts)
  return async <T extends { kind: string }>(
    { of, address, asker }: Guess,
    work: Work<T>,
  ): Promise<T | SignInRefused> => {
    const seconds = address === undefined ? 0 : await networks.take(address)
    if (seconds > 0) return { kind: 'wait', seconds }
    const look = (isRight: IsRight) => tryOnce(of, (giveBack) => work(giveBack, isRight))
    // Before anything is written: a crowd that finds no place leaves nothing behind.
    const answer = await passwords.admit(asker, look).catch(async (error: unknown) => {
      // Nobody was found wrong: while there is no place, or no database, a whole office comes again and again.
      if (address !== undefined) await networks.giveBack(address)
      throw error
    })
    if (address === undefined) return answer
    // Who does not wait as told counts as well: each of these asks the database.
    if (['wrong', 'wait'].includes(answer.kind)) networks.keep(address)
    else await networks.giveBack(address)
    return answer
  }
}

type GiveBack = (tx: Tx) => void
type Work<T> = (giveBack: GiveBack, isRight: IsRight) => Promise<T>

function createTry({ commit, runtime }: SignInParts) {
  return async <T>(of: string, work: (giveBack: GiveBack) => Promise<T>): Promise<T | SignInRefused> => {
    const at = runtime.now()
    if (!(await commit.transaction((tx) => takeProof(tx, of, at, rules)))) {
      const times = await findProofs(commit.reader, of)
      return { kind: 'wait', seconds: Math.max(1, secondsToWait(rules, times, runtime.now())) }
    }
    return work((tx) => giveBackProof(tx, of, at)).catch(async (error: unknown) => {
      // It was not looked at, or nobody is told what came of it: who is right is not to wait for that.
      await commit.transaction(async (tx) => giveBackProof(tx, of, at)).catch(() => {})
      throw error
    })
  }
}
