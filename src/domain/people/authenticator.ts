/** Authenticator apps: a code of six digits every 30 seconds (RFC 6238), and recovery codes for who has lost it. */
import { randomInt } from 'node:crypto'
import type { TOTP } from 'otpauth'
import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { typedCode } from '../../kit/typed.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import {
  lockUser,
  sealedUsers,
  type UserKey,
  type UserRow,
  updateUser,
  useRecovery,
  useStep,
} from '../../store/people/user.ts'
import { writeNote } from '../access/act.ts'
import { openSealed, type Resealed, reseal } from '../access/reseal.ts'
import type { Secrets } from '../access/secret.ts'
import { tokenHash } from './token.ts'
import { requireProof, type SignedIn } from './userSession.ts'

/** What an app is shown, and what the confirmation brings back. */
export interface Enrolment {
  /** `otpauth://…`, for a picture that the app reads. */
  uri: string
  /** The secret in base32, for who types it. */
  secret: string
  /** The same, sealed for this user and ten minutes: nothing is kept until a code confirms it. */
  sealed: string
}

export interface Authenticators {
  /** @throws Refusal when there is an authenticator already, ProofNeeded */
  begin: (of: SignedIn) => Promise<Enrolment>
  /** The same again, after a wrong code. @throws Refusal when the ten minutes are over */
  again: (of: SignedIn, sealed: string) => Promise<Enrolment>
  /**
   * Has the code asked for at every sign-in from now on.
   *
   * @returns the recovery codes, for the only time; undefined when the code is wrong
   * @throws Refusal when the ten minutes are over, or there is an authenticator already, ProofNeeded
   */
  confirm: (of: SignedIn, sealed: string, code: string) => Promise<string[] | undefined>
  /** @throws Refusal when there is none, ProofNeeded */
  remove: (of: SignedIn) => Promise<void>
  /** Others in place of all recovery codes. @returns them, for the only time @throws Refusal when there is no authenticator, ProofNeeded */
  renewCodes: (of: SignedIn) => Promise<string[]>
  /** Uses a code, of the app or for recovery, which works once. @returns undefined when it is wrong, or was used */
  use: (tx: Tx, user: UserRow, code: string) => Promise<Used | undefined>
  /** Seals again what is sealed under another than the first secret. Where none opens it, recovery codes still work. */
  reseal: () => Promise<Resealed>
}

export interface Used {
  by: 'app' | 'recovery'
  /** Recovery codes that are left; undefined when none was used. */
  left?: number
}

export interface AuthenticatorParts {
  commit: Commit
  secrets: Secrets
  runtime: Pick<Runtime, 'now' | 'newId'>
}

/** What the app calls it. */
const issuer = 'Watchword'
const enrolmentMs = 10 * 60_000
/** Steps before and after the present one that are good too: clocks differ, and typing takes time. */
const window = 1
const recoveryCount = 10
const recoveryLetters = 24
/** Crockford's base32: no letters that are taken for digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Loaded when somebody signs in with an app: it takes 4 MB, and most processes see nobody. */
const otpauth = () => import('otpauth')

export function createAuthenticators({ commit, secrets, runtime }: AuthenticatorParts): Authenticators {
  const change = createChange({ commit, runtime })

  return {
    begin: async (of) => {
      requireProof(of, runtime.now())
      if (of.hasAuthenticator) throw hasOne()
      const { Secret } = await otpauth()
      const secret = new Secret({ size: 20 }).base32
      const endsAt = runtime.now().getTime() + enrolmentMs
      const sealed = secrets.seal(JSON.stringify({ secret, endsAt }), enrolmentOf(of.actor)).toString('base64url')
      return { uri: (await createTotp(secret, of.email)).toString(), secret, sealed }
    },
    again: async (of, sealed) => {
      const secret = secretIn(secrets, sealed, of.actor, runtime.now())
      return { uri: (await createTotp(secret, of.email)).toString(), secret, sealed }
    },
    confirm: async (of, sealed, code) => {
      requireProof(of, runtime.now())
      const secret = secretIn(secrets, sealed, of.actor, runtime.now())
      const step = await findStep(secret, code, runtime.now())
      if (step === undefined) return undefined
      const totpSealed = secrets.seal(secret, contextOf(of.actor))
      const codes = newCodes()
      await change(of, 'authenticator.added', (row) => {
        if (row.totpSealed) throw hasOne()
        return { totpSealed, totpStep: step, recoveryHashes: codes.map(makeHash) }
      })
      return codes
    },
    remove: (of) =>
      change(of, 'authenticator.removed', (row) => {
        if (!row.totpSealed) throw hasNone()
        return { totpSealed: null, totpStep: null, recoveryHashes: [] }
      }),
    renewCodes: async (of) => {
      const codes = newCodes()
      await change(of, 'recovery_codes.renewed', (row) => {
        if (!row.totpSealed) throw hasNone()
        return { recoveryHashes: codes.map(makeHash) }
      })
      return codes
    },
    use: async (tx, user, code) => {
      const digits = typedCode(code)
      if (!/^\d{6}$/.test(digits)) {
        const left = await useRecovery(tx, user, makeHash(code))
        return left === undefined ? undefined : { by: 'recovery', left }
      }
      const secret = user.totpSealed ? openSealed(secrets, user.totpSealed, contextOf(user)) : undefined
      const step = secret === undefined ? undefined : await findStep(secret, digits, runtime.now())
      return step !== undefined && (await useStep(tx, user, step)) ? { by: 'app' } : undefined
    },
    reseal: () => reseal(commit, secrets, { contextOf, ...sealedUsers }),
  }
}

/** @returns changes the user's row after a fresh proof, and writes it down */
function createChange({ commit, runtime }: Pick<AuthenticatorParts, 'commit' | 'runtime'>) {
  return async (of: SignedIn, act: string, changesOf: (row: UserRow) => Partial<UserRow>): Promise<void> => {
    requireProof(of, runtime.now())
    await commit.transaction(async (tx) => {
      const row = await lockUser(tx, of.actor)
      if (!row || row.disabledAt) throw new Refusal(`There is no user ${of.actor.id}.`)
      await updateUser(tx, of.actor, changesOf(row))
      await writeNote(tx, of.actor, { accountId: row.accountId, act, subject: row.id }, { runtime })
    })
  }
}

/** @throws Refusal when it is of another user, or its time is over */
function secretIn(secrets: Secrets, sealed: string, key: UserKey, now: Date): string {
  const plain = openSealed(secrets, Buffer.from(sealed, 'base64url'), enrolmentOf(key))
  const kept = plain === undefined ? undefined : (JSON.parse(plain) as { secret: string; endsAt: number })
  if (!kept || !(kept.endsAt > now.getTime())) {
    throw new Refusal('This picture has expired. Start again with a new one.')
  }
  return kept.secret
}

async function createTotp(secret: string, label = ''): Promise<TOTP> {
  const { Secret, TOTP } = await otpauth()
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })
}

/** @returns the step that the code is of; undefined when it is wrong */
async function findStep(secret: string, code: string, now: Date): Promise<number | undefined> {
  const token = typedCode(code)
  if (!/^\d{6}$/.test(token)) return undefined
  const totp = await createTotp(secret)
  const timestamp = now.getTime()
  const delta = totp.validate({ token, timestamp, window })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

/** 120 random bits each, in six groups: with so many, a plain hash is enough. */
function newCodes(): string[] {
  const letters = () => Array.from({ length: recoveryLetters }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: recoveryCount }, () => letters().replaceAll(/.{4}(?=.)/g, '$&-'))
}

/** However it is written: without hyphens, in capitals, with letters that are taken for digits. */
function makeHash(code: string): string {
  const plain = typedCode(code).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return tokenHash(plain)
}

function contextOf({ accountId, id }: UserKey): string {
  return `authenticator/${accountId}/${id}`
}

function enrolmentOf({ accountId, id }: UserKey): string {
  return `enrolment/${accountId}/${id}`
}

function hasOne(): Refusal {
  return new Refusal('There is an authenticator already.')
}

function hasNone(): Refusal {
  return new Refusal('There is no authenticator.')
}
