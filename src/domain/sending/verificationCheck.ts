/** Codes that were sent are checked, cancelled, or looked at. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { Problem, unavailable } from '../../kit/problem.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { Mode } from '../../store/schema/schema.ts'
import {
  endVerifications,
  findVerifications,
  takeAttempts,
  type VerificationKey,
  type VerificationState,
} from '../../store/sending/verification.ts'
import {
  findStandings,
  findStandingsByPhone,
  type VerificationStanding,
} from '../../store/sending/verificationStanding.ts'
import type { Caller } from '../access/authentication.ts'
import { createMissingSecret } from '../access/missingSecret.ts'
import type { ReceiptWish } from '../access/signedReceipt.ts'
import type { Keyed, KeyedOutcome } from './idempotency.ts'
import { byMode, type Limits, limitsOf, secondsToWait } from './limit.ts'
import type { Move } from './message.ts'
import { messageIdsAround } from './messageId.ts'
import { onePhone } from './phoneForm.ts'
import {
  type Approve,
  type Checked,
  type CheckWishes,
  createCompare,
  type EndInput,
  type Over,
  type OverReason,
  wishesOf,
} from './verificationAttempt.ts'
import { type CheckByPhone, createCheckByPhone, type PhoneCheckParts } from './verificationCheckByPhone.ts'
import { type ConfirmCode, createConfirmCode } from './verificationConfirmation.ts'

export interface CheckInput extends Keyed {
  caller: Caller
  id: string
  code: string
  /** Wanted if the code is right. */
  receipt?: ReceiptWish | undefined
}

export interface Cancelled {
  id: string
  /** False when it was over before. */
  cancelled: boolean
  at: Date
}

export interface Checks extends Standings {
  /**
   * Counts an attempt, then compares.
   *
   * @returns or why no attempt was taken
   */
  check: (input: CheckInput) => Promise<KeyedOutcome<Checked, ErrorCodeOf<'checkVerification'>>>
  /** Ends a verification as if its right code came. The caller has compared a code of his own. */
  approve: Approve
  /** The same for the code that is pending for a phone. */
  checkByPhone: CheckByPhone
  /** Ends a verification before its time. */
  cancel: (input: EndInput) => Promise<KeyedOutcome<Cancelled, ErrorCodeOf<'cancelVerification'>>>
  /** Counts a code as right that was not made here, as its caller says who has checked it. */
  confirm: ConfirmCode
  /** What is answered where a verification is named in another way, and there is none: under a key, the same for a repeat. */
  notFound: (keyed: Keyed) => Promise<KeyedOutcome<never, 'verification_not_found'>>
}

/** How verifications stand. Each function also finds one that is over. */
export interface Standings {
  /** @returns undefined for one that this account does not have in this mode; also one that is over */
  find: (input: { caller: Pick<Caller, 'accountId' | 'mode'>; id: string }) => Promise<VerificationStanding | undefined>
  /** The last one of a phone; undefined where none can be pending. */
  findByPhone: (input: {
    caller: Pick<Caller, 'accountId' | 'mode'>
    phone: string
  }) => Promise<VerificationStanding | undefined>
}

export interface CheckParts extends PhoneCheckParts {
  commit: Pick<Commit, 'shareReads'>
  move: Move
}

export function createChecks(parts: CheckParts): Checks {
  const check = createCheck(parts)
  return {
    ...check,
    checkByPhone: createCheckByPhone(parts),
    cancel: createCancel(parts),
    confirm: createConfirmCode({ ...parts, ...check }),
    ...createStandings(parts),
    notFound: async (keyed) =>
      (await parts.idempotency.refuse(keyed, new Problem('verification_not_found'))) as KeyedOutcome<
        never,
        'verification_not_found'
      >,
  }
}

/** Why no attempt was taken. */
type CheckRefusal = Problem<'verification_not_found' | 'check_limit_reached' | 'service_unavailable'>

interface Guess extends VerificationKey, Keyed, CheckWishes {
  code: string
  isApproved?: boolean
  at: Date
}

function createCheck(parts: CheckParts): Pick<Checks, 'check' | 'approve'> {
  const { idempotency, secrets, policy, runtime, knownRules } = parts
  const compare = createCompare(parts)
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

  return {
    check: async (input) => {
      const { caller, once, id, code } = input
      const { accountId, mode } = caller
      const wishes = await wishesOf(input, parts)
      if (wishes instanceof Problem) return idempotency.refuse(input, wishes)
      return submit({ accountId, mode, id, code, once, ...wishes, at: runtime.now() })
    },
    approve: async ({ caller, once, id }) => {
      const { accountId, mode } = caller
      const { written: counters } = await knownRules.of(caller)
      // No provider is told of a code that nobody entered here.
      const wishes: CheckWishes = { isConfirmWished: false, counters, receipt: undefined }
      return submit({ accountId, mode, id, code: '', isApproved: true, once, ...wishes, at: runtime.now() })
    },
  }

  async function checkAll(tx: Tx, guesses: Guess[], mode: Mode, outcomes: Map<Guess, Checked | CheckRefusal>) {
    const { wrongCodes: rules } = limitsOf(mode, policy.limits)
    const attempts = await takeAttempts(tx, guesses, { rules, keyIds: secrets.keyIds })
    const untaken = guesses.filter((_guess, index) => !attempts[index])
    const taken = guesses.flatMap((guess, index) => {
      const attempt = attempts[index]
      return attempt ? [{ ...guess, attempt, guess }] : []
    })
    const compared = await compare(tx, taken)
    taken.forEach(({ guess, id, at }, index) => {
      outcomes.set(guess, { ...(compared[index] ?? over('expired', at)), id })
    })
    const states = untaken.length > 0 ? await findVerifications(tx, untaken) : []
    untaken.forEach((guess, index) => {
      outcomes.set(guess, refusalOf(guess, states[index], rules) ?? undecidable(states[index]!))
    })
  }

  /** No attempt was taken, and it is pending: its secret is missing, or another transaction held it and then came to nothing. */
  function undecidable({ codeKeyId }: VerificationState): CheckRefusal {
    return secrets.holds(codeKeyId) ? unavailable() : missingSecret(codeKeyId)
  }
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
      return drafts.map(({ id, at }, index) =>
        states[index] ? { id, cancelled: ended[index] === true, at } : new Problem('verification_not_found'),
      )
    },
  })

  return ({ caller: { accountId, mode }, once, id }) => submit({ accountId, mode, id, once, at: runtime.now() })
}

/** Why no attempt could be taken; undefined when it is pending. */
function refusalOf(
  { id, at }: Pick<Guess, 'id' | 'at'>,
  state: VerificationState | undefined,
  rules: Limits['wrongCodes'],
): Checked | CheckRefusal | undefined {
  if (!state) return new Problem('verification_not_found')
  const wait = secondsToWait(rules, state.wrongAt, at)
  if (wait > 0) return new Problem('check_limit_reached', { retryAfterSeconds: wait })
  const reason = reasonOf(state, at)
  return reason && { ...over(reason, at), id }
}

function over(reason: OverReason, at: Date): Over {
  return { verified: false, at, reason, attemptsRemaining: 0, wasOver: true }
}

function reasonOf(state: VerificationState, at: Date): OverReason | undefined {
  if (state.verified) return 'already_verified'
  if (state.isOver || state.expiresAt <= at) return 'expired'
  if (state.superseded) return 'superseded'
  if (state.attemptsLeft <= 0) return 'attempts_exhausted'
  return undefined
}

function createStandings({ commit, policy, runtime }: CheckParts): Standings {
  const ownerOf = ({ accountId }: { accountId: string }) => accountId
  const byId = commit.shareReads({ ownerOf, work: findStandings })
  const byPhone = commit.shareReads<
    Parameters<typeof findStandingsByPhone>[1][number],
    VerificationStanding | undefined
  >({
    ownerOf,
    work: (reader, keys) => {
      const times = keys.map(({ at }) => at)
      return findStandingsByPhone(reader, keys, messageIdsAround(times, policy.codeTtlSecondsMax))
    },
  })
  return {
    find: ({ caller: { accountId, mode }, id }) => byId({ accountId, mode, id, at: runtime.now() }),
    findByPhone: ({ caller: { accountId, mode }, phone }) =>
      byPhone({ accountId, mode, phone: onePhone(phone), at: runtime.now() }),
  }
}
