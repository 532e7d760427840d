/** What a group of checks does in its one transaction. The order is that of locks: phones before messages. */
import { Problem, unavailable } from '../../../kit/problem.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { isAnyOpen, type Step } from '../../../store/engine/step.ts'
import type { PhoneKey } from '../../../store/sending/limit.ts'
import {
  type PhoneAttempt,
  type PhoneAttemptOptions,
  takeAttemptsByPhone,
} from '../../../store/sending/pendingVerification.ts'
import {
  findVerifications,
  takeAttempts,
  type VerificationKey,
  type VerificationState,
} from '../../../store/sending/verification.ts'
import type { MissingSecret } from '../../access/missingSecret.ts'
import type { Idempotency, Keyed, KeyRefusal, Replay } from '../idempotency.ts'
import { byMode, type Limits, limitsOf, secondsToWait } from '../limit.ts'
import { messageIdsAround } from '../messageId.ts'
import {
  type Checked,
  type CheckWishes,
  type Compared,
  type CompareParts,
  type ComparePolicy,
  compareCodes,
  type Over,
  type OverReason,
  type TakenAttempt,
} from './verificationAttempt.ts'

/** A code that is said to be that of a verification. */
export interface Guess extends VerificationKey, Keyed, CheckWishes {
  code: string
  isApproved?: boolean
  at: Date
}

/** A code that is said to be the one that is pending for a phone. */
export interface PhoneGuess extends PhoneKey, Keyed, CheckWishes {
  code: string
  at: Date
}

/** Why no attempt was taken. */
export type CheckRefusal = 'verification_not_found' | 'check_limit_reached' | 'service_unavailable'

export type CheckedByPhone = Compared & { id: string }

type Refused = Problem<CheckRefusal | KeyRefusal> | Replay

export interface CheckPolicy extends ComparePolicy {
  limits: Limits
  /** No code was ever valid for longer, whatever was set when it was made. */
  codeTtlSecondsMax: number
}

export interface CheckStepParts extends CompareParts {
  idempotency: Pick<Idempotency, 'steps'>
  policy: CheckPolicy
  missingSecret: MissingSecret
}

/** How checks share transactions: none has two of one verification, since neither would see the other; accounts take turns. */
export const oneVerification = {
  conflictOf: ({ accountId, mode, id }: VerificationKey) => `${accountId} ${mode} ${id}`,
  ownerOf: ({ accountId }: VerificationKey) => accountId,
}

export function checkSteps(parts: CheckStepParts): Step<Guess, Checked | Refused>[] {
  const { claimKeys, keepAnswers } = parts.idempotency.steps()
  const taken = new Map<Guess, TakenAttempt>()
  return [
    // Repeats get their first answer.
    claimKeys,
    // An attempt is counted before its code is compared: of many guesses at once, none is free.
    takeEach(parts, taken),
    // A right code ends its verification, and so does the last attempt.
    compareEach(parts, taken, (guess) => ({ ...over('expired', guess.at), id: guess.id })),
    // The others are unknown or over, or their phones have had too many wrong codes.
    refuseOthers(parts),
    keepAnswers,
  ]
}

export function checkByPhoneSteps(parts: CheckStepParts): Step<PhoneGuess, CheckedByPhone | Refused>[] {
  const { claimKeys, keepAnswers } = parts.idempotency.steps()
  const taken = new Map<PhoneGuess, TakenAttempt>()
  return [
    // Repeats get their first answer.
    claimKeys,
    // As above. What can have no attempt is refused by what the same statement has found.
    takeEachByPhone(parts, taken),
    // A right code ends its verification, and so does the last attempt.
    compareEach(parts, taken, nonePending),
    keepAnswers,
  ]
}

function takeEach(
  { secrets: { keyIds }, policy }: CheckStepParts,
  taken: Map<Guess, TakenAttempt>,
): Step<Guess, Checked | Refused> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      for (const [mode, guesses] of byMode(group.open())) {
        const { wrongCodes: rules } = limitsOf(mode, policy.limits)
        const attempts = await takeAttempts(tx, guesses, { rules, keyIds })
        for (const [place, guess] of guesses.entries()) {
          const attempt = attempts[place]
          if (attempt) taken.set(guess, { ...guess, attempt })
        }
      }
    },
  }
}

function takeEachByPhone(
  parts: CheckStepParts,
  taken: Map<PhoneGuess, TakenAttempt>,
): Step<PhoneGuess, CheckedByPhone | Refused> {
  const { secrets, policy } = parts
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      for (const [mode, guesses] of byMode(group.open())) {
        const { wrongCodes: rules } = limitsOf(mode, policy.limits)
        const times = guesses.map(({ at }) => at)
        const pendingSpan = messageIdsAround(times, policy.codeTtlSecondsMax)
        const attempts = await attemptAll(tx, guesses, { rules, keyIds: secrets.keyIds, pendingSpan })
        for (const guess of guesses) {
          const one = attempts.get(guess)
          if (one?.found === 'taken') taken.set(guess, { ...guess, id: one.id, attempt: one.attempt })
          else group.decide(guess, toPhoneRefusal(guess, one, parts))
        }
      }
    },
  }
}

type PhoneAttempts = ReadonlyMap<PhoneGuess, PhoneAttempt | undefined>

/** The first statement locks the phones, so the second one sees what was made meanwhile. */
async function attemptAll(
  tx: Tx,
  guesses: readonly PhoneGuess[],
  options: PhoneAttemptOptions,
): Promise<PhoneAttempts> {
  const attemptOnce = async (list: readonly PhoneGuess[]): Promise<PhoneAttempts> => {
    const attempts = await takeAttemptsByPhone(tx, list, options)
    return new Map(list.map((guess, place) => [guess, attempts[place]]))
  }
  const attempts = await attemptOnce(guesses)
  const changed = guesses.filter((guess) => attempts.get(guess)?.found === 'changed')
  return changed.length === 0 ? attempts : new Map([...attempts, ...(await attemptOnce(changed))])
}

function toPhoneRefusal(
  { mode, phone, code, at }: PhoneGuess,
  attempt: PhoneAttempt | undefined,
  { secrets, policy, missingSecret }: CheckStepParts,
): Problem<CheckRefusal> {
  // As much work as a code that is compared: the time of the answer tells nothing.
  secrets.sign('code', phone, code)
  if (attempt?.found !== 'untaken') return nonePending()
  const wait = secondsToWait(limitsOf(mode, policy.limits).wrongCodes, attempt.wrongAt, at)
  if (wait > 0) return new Problem('check_limit_reached', { retryAfterSeconds: wait })
  if (!attempt.isPending) return nonePending()
  return secrets.holds(attempt.codeKeyId) ? unavailable() : missingSecret(attempt.codeKeyId)
}

function nonePending(): Problem<'verification_not_found'> {
  return new Problem('verification_not_found', { message: 'No code is pending for this phone.' })
}

/** @param tooLate what is answered to a right code whose verification time ended at the same moment */
function compareEach<Draft, TooLate>(
  parts: CheckStepParts,
  taken: ReadonlyMap<Draft, TakenAttempt>,
  tooLate: (draft: Draft) => TooLate,
): Step<Draft, CheckedByPhone | TooLate> {
  return {
    isNeeded: () => taken.size > 0,
    run: async (tx, group) => {
      const compared = await compareCodes(tx, [...taken.values()], parts)
      for (const [draft, attempt] of taken) {
        const one = compared.get(attempt)
        group.decide(draft, one ? { ...one, id: attempt.id } : tooLate(draft))
      }
    },
  }
}

function refuseOthers({ secrets, policy, missingSecret }: CheckStepParts): Step<Guess, Checked | Refused> {
  /** No attempt was taken, and it is pending: its secret is missing, or another transaction held it and then came to nothing. */
  const undecidable = ({ codeKeyId }: VerificationState) =>
    secrets.holds(codeKeyId) ? unavailable() : missingSecret(codeKeyId)
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      const guesses = group.open()
      const states = await findVerifications(tx, guesses)
      for (const [place, guess] of guesses.entries()) {
        const state = states[place]
        const { wrongCodes: rules } = limitsOf(guess.mode, policy.limits)
        group.decide(guess, toRefusal(guess, state, rules) ?? undecidable(state!))
      }
    },
  }
}

/** Why no attempt could be taken; undefined when it is pending. */
function toRefusal(
  { id, at }: Pick<Guess, 'id' | 'at'>,
  state: VerificationState | undefined,
  rules: Limits['wrongCodes'],
): Checked | Problem<CheckRefusal> | undefined {
  if (!state) return new Problem('verification_not_found')
  const wait = secondsToWait(rules, state.wrongAt, at)
  if (wait > 0) return new Problem('check_limit_reached', { retryAfterSeconds: wait })
  const reason = toReason(state, at)
  return reason && { ...over(reason, at), id }
}

/** Of a verification that cannot be checked any more. */
export function over(reason: OverReason, at: Date): Over {
  return { verified: false, at, reason, attemptsRemaining: 0, wasOver: true }
}

function toReason(state: VerificationState, at: Date): OverReason | undefined {
  if (state.verified) return 'already_verified'
  if (state.isOver || state.expiresAt <= at) return 'expired'
  if (state.superseded) return 'superseded'
  if (state.attemptsLeft <= 0) return 'attempts_exhausted'
  return undefined
}
