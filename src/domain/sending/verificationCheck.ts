/** Codes that were sent are checked, or cancelled. Whether a code was right is decided here and nowhere else. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { Problem, unavailable } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { Mode } from '../../store/schema/schema.ts'
import {
  type CheckAttempt,
  endVerifications,
  findVerifications,
  holdUndecided,
  settleAnswers,
  takeAttempts,
  type VerificationKey,
  type VerificationState,
} from '../../store/sending/verification.ts'
import type { Caller } from '../access/authentication.ts'
import { createMissingSecret } from '../access/missingSecret.ts'
import type { Secrets } from '../access/secret.ts'
import type { Decided, Events } from '../webhooks/event.ts'
import type { Idempotency, Keyed, KeyedOutcome } from './idempotency.ts'
import { byMode, type Limits, limitsOf, secondsToWait } from './limit.ts'
import type { Move } from './message.ts'

export type Checked =
  | { verified: true; at: Date }
  | { verified: false; at: Date; reason: RefusalReason; attemptsRemaining: number }

type RefusalReason = 'incorrect_code' | 'attempts_exhausted' | 'expired' | 'already_verified' | 'superseded'

export interface CheckInput extends Keyed {
  caller: Caller
  id: string
  code: string
}

export interface CancelInput extends Keyed {
  caller: Caller
  id: string
}

export interface Cancelled {
  id: string
  /** False when it was over before. */
  cancelled: boolean
}

export interface Checks {
  /**
   * Counts an attempt, then compares.
   *
   * @returns or why no attempt was taken
   */
  check: (input: CheckInput) => Promise<KeyedOutcome<Checked, ErrorCodeOf<'checkVerification'>>>
  /** Ends a verification before its time. */
  cancel: (input: CancelInput) => Promise<KeyedOutcome<Cancelled, ErrorCodeOf<'cancelVerification'>>>
}

/** Providers that wish to know when a code was right. */
export interface Confirm {
  isWished: (caller: Caller) => Promise<boolean>
  /** Goes with the commit. */
  add: (tx: Tx, list: readonly { accountId: string; id: string; code: string }[]) => Promise<void>
}

export interface CheckParts {
  idempotency: Idempotency
  move: Move
  secrets: Secrets
  policy: { limits: Limits }
  confirm: Confirm
  events: Pick<Events, 'isAwaited' | 'tellDecided'>
  runtime: Runtime
}

export function createChecks(parts: CheckParts): Checks {
  return { check: createCheck(parts), cancel: createCancel(parts) }
}

/** Why no attempt was taken. */
type CheckRefusal = Problem<'verification_not_found' | 'check_limit_reached' | 'service_unavailable'>

interface Guess extends VerificationKey, Keyed {
  code: string
  isConfirmWished: boolean
  at: Date
}

function createCheck({ idempotency, secrets, policy, confirm, events, runtime }: CheckParts): Checks['check'] {
  const missingSecret = createMissingSecret(runtime.log)
  const submit = idempotency.share<Guess, Checked, CheckRefusal['code']>({
    conflictOf: ({ accountId, mode, id }) => `${accountId} ${mode} ${id}`,
    ownerOf: ({ accountId }) => accountId,
    work: async (tx, guesses) => {
      const outcomes = new Map<Guess, Checked | CheckRefusal>()
      for (const [mode, list] of byMode(guesses)) await checkAll(tx, list, mode, outcomes)
      return guesses.map((guess) => outcomes.get(guess) as Checked | CheckRefusal)
    },
  })

  return async ({ caller, once, id, code }) => {
    const { accountId, mode } = caller
    const isConfirmWished = await confirm.isWished(caller)
    return submit({ accountId, mode, id, code, once, isConfirmWished, at: runtime.now() })
  }

  async function checkAll(tx: Tx, guesses: Guess[], mode: Mode, outcomes: Map<Guess, Checked | CheckRefusal>) {
    const { wrongCodes: rules } = limitsOf(mode, policy.limits)
    const attempts = await takeAttempts(tx, guesses, { rules, keyIds: secrets.keyIds })
    const untaken: Guess[] = []
    const decisions: Decision[] = []
    guesses.forEach((guess, index) => {
      const attempt = attempts[index]
      const { id, code, at } = guess
      if (!attempt) {
        untaken.push(guess)
        return
      }
      const verified = secrets.verify('code', attempt.codeHmac, attempt.codeKeyId, id, code)
      const attemptsRemaining = attempt.attemptsMax - attempt.number
      const isLast = attemptsRemaining === 0
      const reason = isLast ? 'attempts_exhausted' : 'incorrect_code'
      if (verified || isLast) decisions.push({ guess, attempt, verified })
      outcomes.set(guess, verified ? { verified, at } : { verified, at, reason, attemptsRemaining })
    })
    const late = await findLate(tx, decisions)
    for (const { guess, verified } of late) {
      if (verified) outcomes.set(guess, { verified: false, at: guess.at, reason: 'expired', attemptsRemaining: 0 })
    }
    const states = untaken.length > 0 ? await findVerifications(tx, untaken) : []
    untaken.forEach((guess, index) => {
      outcomes.set(guess, refusalOf(states[index], guess.at, rules) ?? undecidable(states[index]!))
    })
    const ends = decisions.filter((decision) => !late.has(decision))
    await settleEnds(tx, ends, { confirm, events })
  }

  /** Or it was pending no more when the attempt was to be taken, and is pending now: another's work on it came to nothing. */
  function undecidable({ codeKeyId }: VerificationState): CheckRefusal {
    return secrets.holds(codeKeyId) ? unavailable() : missingSecret(codeKeyId)
  }
}

/** An attempt that ends its verification. */
interface Decision {
  guess: Guess
  attempt: CheckAttempt
  verified: boolean
}

/**
 * Those whose verifications time ends at the same moment, and was first: endpoints are told of one end. Where none are to be
 * told of it, nobody has to wait for the answer to this.
 */
async function findLate(tx: Tx, decisions: readonly Decision[]): Promise<ReadonlySet<Decision>> {
  if (!decisions.some(({ attempt }) => attempt.awaited)) return new Set()
  // All that will be written of this mode, in one order with whoever settles them: two rounds of locks could close a circle.
  const written = decisions.filter(({ verified, attempt }) => verified || attempt.awaited)
  const held = await holdUndecided(
    tx,
    written.map(({ guess }) => guess),
  )
  return new Set(written.filter(({ attempt }, index) => attempt.awaited && !held[index]))
}

async function settleEnds(
  tx: Tx,
  decisions: readonly Decision[],
  { confirm, events }: Pick<CheckParts, 'confirm' | 'events'>,
): Promise<void> {
  const right = decisions
    .filter(({ verified }) => verified)
    .map(({ guess, attempt: { phone } }) => ({ ...guess, phone }))
  const exhausted = decisions.filter(({ verified, attempt }) => !verified && attempt.awaited)
  settleAnswers(tx, { right, exhausted: exhausted.map(({ guess }) => guess) })
  events.tellDecided(tx, decisions.map(decidedBy))
  await confirm.add(
    tx,
    right.filter(({ isConfirmWished }) => isConfirmWished),
  )
}

/** The last attempt and the right one come once for a verification, however many guess at once. */
function decidedBy({ guess: { accountId, mode, id, at }, attempt: { status }, verified }: Decision): Decided {
  return { accountId, mode, id, at, status, verified }
}

function createCancel({ idempotency, move, runtime }: CheckParts): Checks['cancel'] {
  type Draft = VerificationKey & Keyed & { at: Date }
  const submit = idempotency.share<Draft, Cancelled, 'verification_not_found'>({
    conflictOf: ({ accountId, mode, id }) => `${accountId} ${mode} ${id}`,
    ownerOf: ({ accountId }) => accountId,
    work: async (tx, drafts) => {
      const ended = await endVerifications(tx, drafts)
      const over = drafts.filter((_draft, index) => ended[index])
      // A state and no time: no clock that goes back, and none that is behind, brings it to life again.
      await move(
        tx,
        over.map(({ accountId, id, at }) => ({ accountId, id, status: 'expired', at, note: 'cancelled' })),
      )
      const states = await findVerifications(tx, drafts)
      return drafts.map(({ id }, index) =>
        states[index] ? { id, cancelled: ended[index] === true } : new Problem('verification_not_found'),
      )
    },
  })

  return ({ caller: { accountId, mode }, once, id }) => submit({ accountId, mode, id, once, at: runtime.now() })
}

/** Why no attempt could be taken; undefined when it is pending. */
function refusalOf(
  state: VerificationState | undefined,
  at: Date,
  rules: Limits['wrongCodes'],
): Checked | CheckRefusal | undefined {
  if (!state) return new Problem('verification_not_found')
  const wait = secondsToWait(rules, state.wrongAt, at)
  if (wait > 0) return new Problem('check_limit_reached', { retryAfterSeconds: wait })
  const reason = reasonOf(state, at)
  return reason && { verified: false, at, reason, attemptsRemaining: 0 }
}

function reasonOf(state: VerificationState, at: Date): RefusalReason | undefined {
  if (state.verified) return 'already_verified'
  if (state.isOver || state.expiresAt <= at) return 'expired'
  if (state.superseded) return 'superseded'
  if (state.attemptsLeft <= 0) return 'attempts_exhausted'
  return undefined
}
