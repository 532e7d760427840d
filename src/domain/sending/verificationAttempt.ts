/** Attempts that were taken. Whether a code was right is decided here and nowhere else. */
import type { Tx } from '../../store/engine/session.ts'
import {
  type CheckAttempt,
  holdUndecided,
  settleAnswers,
  type VerificationKey,
} from '../../store/sending/verification.ts'
import type { Caller } from '../access/authentication.ts'
import type { Secrets } from '../access/secret.ts'
import type { Decided, Events } from '../webhooks/event.ts'

export interface TakenAttempt extends VerificationKey {
  code: string
  isConfirmWished: boolean
  at: Date
  attempt: CheckAttempt
}

export type Compared =
  | { verified: true; at: Date }
  | { verified: false; at: Date; reason: 'incorrect_code' | 'attempts_exhausted'; attemptsRemaining: number }

/** Providers that wish to know when a code was right. */
export interface Confirm {
  isWished: (caller: Caller) => Promise<boolean>
  /** Goes with the commit. */
  add: (tx: Tx, list: readonly { accountId: string; id: string; code: string }[]) => Promise<void>
}

export interface CompareParts {
  secrets: Secrets
  confirm: Confirm
  events: Pick<Events, 'isAwaited' | 'tellDecided'>
}

/**
 * Compares each code, and settles the verifications that are over by that.
 *
 * @returns undefined for a right code whose verification time ended at the same moment
 */
export type Compare = (tx: Tx, taken: readonly TakenAttempt[]) => Promise<(Compared | undefined)[]>

export function createCompare({ secrets, confirm, events }: CompareParts): Compare {
  return async (tx, taken) => {
    const decisions = taken.map((one): Decision => {
      const { id, code, attempt } = one
      return { ...one, verified: secrets.verify('code', attempt.codeHmac, attempt.codeKeyId, id, code) }
    })
    const ends = decisions.filter((one) => one.verified || attemptsRemaining(one) === 0)
    const late = await findLate(tx, ends)
    await settleEnds(
      tx,
      ends.filter((one) => !late.has(one)),
      { confirm, events },
    )
    return decisions.map((one) => (one.verified && late.has(one) ? undefined : comparedOf(one)))
  }
}

interface Decision extends TakenAttempt {
  verified: boolean
}

function attemptsRemaining({ attempt }: Decision): number {
  return attempt.attemptsMax - attempt.number
}

function comparedOf(decision: Decision): Compared {
  const { verified, at } = decision
  if (verified) return { verified, at }
  const left = attemptsRemaining(decision)
  return { verified, at, reason: left === 0 ? 'attempts_exhausted' : 'incorrect_code', attemptsRemaining: left }
}

/**
 * Those whose verifications time ends at the same moment, and was first: endpoints are told of one end. Where none are to be
 * told of it, nobody has to wait for the answer to this.
 */
async function findLate(tx: Tx, ends: readonly Decision[]): Promise<ReadonlySet<Decision>> {
  if (!ends.some(({ attempt }) => attempt.awaited)) return new Set()
  // All that will be written of this mode, in one order with whoever settles them: two rounds of locks could close a circle.
  const written = ends.filter(({ verified, attempt }) => verified || attempt.awaited)
  const held = await holdUndecided(tx, written)
  return new Set(written.filter(({ attempt }, index) => attempt.awaited && !held[index]))
}

async function settleEnds(
  tx: Tx,
  ends: readonly Decision[],
  { confirm, events }: Pick<CompareParts, 'confirm' | 'events'>,
): Promise<void> {
  const right = ends.filter(({ verified }) => verified).map((one) => ({ ...one, phone: one.attempt.phone }))
  const exhausted = ends.filter(({ verified, attempt }) => !verified && attempt.awaited)
  settleAnswers(tx, { right, exhausted })
  events.tellDecided(tx, ends.map(decidedBy))
  await confirm.add(
    tx,
    right.filter(({ isConfirmWished }) => isConfirmWished),
  )
}

/** The last attempt and the right one come once for a verification, however many guess at once. */
function decidedBy({ accountId, mode, id, at, attempt: { status }, verified }: Decision): Decided {
  return { accountId, mode, id, at, status, verified }
}
