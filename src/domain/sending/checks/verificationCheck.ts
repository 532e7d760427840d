/** Codes that were sent are checked, cancelled, or looked at. */
import type { ErrorCodeOf } from '../../../contract/operation.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import { isAnyOpen, type Step } from '../../../store/engine/step.ts'
import { endVerifications, findVerifications, type VerificationKey } from '../../../store/sending/verification.ts'
import {
  findStandings,
  findStandingsByPhone,
  type VerificationStanding,
} from '../../../store/sending/verificationStanding.ts'
import type { Caller } from '../../access/authentication.ts'
import { createMissingSecret } from '../../access/missingSecret.ts'
import type { ReceiptWish } from '../../access/signedReceipt.ts'
import { endCancelled } from '../cancellation.ts'
import type { Keyed, KeyedOutcome } from '../idempotency.ts'
import type { Move } from '../message.ts'
import { messageIdsAround } from '../messageId.ts'
import { onePhone } from '../phoneForm.ts'
import { type CheckRefusal, checkSteps, type Guess, oneVerification } from './checkSteps.ts'
import { type Approve, type Checked, type CheckWishes, type EndInput, findWishes } from './verificationAttempt.ts'
import { type CheckByPhone, createCheckByPhone, type PhoneCheckParts } from './verificationCheckByPhone.ts'
import { type ConfirmCode, createConfirmCode } from './verificationConfirmation.ts'

export interface CheckInput extends EndInput {
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

function createCheck(parts: CheckParts): Pick<Checks, 'check' | 'approve'> {
  const { idempotency, runtime, rules } = parts
  const stepParts = { ...parts, missingSecret: createMissingSecret(runtime.log) }
  const submit = idempotency.share<Guess, Checked | Problem<CheckRefusal>>({
    ...oneVerification,
    steps: () => checkSteps(stepParts),
  })

  return {
    check: async (input) => {
      const { caller, once, id, code } = input
      const { accountId, mode } = caller
      const wishes = await findWishes(input, parts)
      if (wishes instanceof Problem) return idempotency.refuse(input, wishes)
      return submit({ accountId, mode, id, code, once, ...wishes, at: runtime.now() })
    },
    approve: async ({ caller, once, id }) => {
      const { accountId, mode } = caller
      const inForce = await rules.of(caller)
      // No provider is told of a code that was not entered here.
      const wishes: CheckWishes = { isConfirmWished: false, inForce, receipt: undefined }
      return submit({ accountId, mode, id, code: '', isApproved: true, once, ...wishes, at: runtime.now() })
    },
  }
}

type Ending = VerificationKey & Keyed & { at: Date }

function createCancel({ idempotency, move, runtime }: CheckParts): Checks['cancel'] {
  const submit = idempotency.share<Ending, Cancelled | Problem<'verification_not_found'>>({
    ...oneVerification,
    steps: () => {
      const { claimKeys, keepAnswers } = idempotency.steps()
      return [claimKeys, endVerification(move), keepAnswers]
    },
  })
  return ({ caller: { accountId, mode }, once, id }) => submit({ accountId, mode, id, once, at: runtime.now() })
}

function endVerification(move: Move): Step<Ending, Cancelled | Problem<'verification_not_found'>> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      const drafts = group.open()
      // A state and no time: no clock that goes back, and none that is behind, brings it to life again.
      const ended = await endCancelled(tx, move, drafts, await endVerifications(tx, drafts))
      const states = await findVerifications(tx, drafts)
      for (const [place, draft] of drafts.entries()) {
        const { id, at } = draft
        const outcome = states[place] ? { id, cancelled: ended.has(draft), at } : new Problem('verification_not_found')
        group.decide(draft, outcome)
      }
    },
  }
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
