/** Codes that were made and checked elsewhere: who has checked one, tells here that it was right, so that rules can go by it. */
import type { ErrorCodeOf } from '../../../contract/operation.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import { isAnyOpen, type Step } from '../../../store/engine/step.ts'
import {
  confirmPosted,
  findGivenCodes,
  findGivenCodesByPhone,
  type GivenCode,
} from '../../../store/sending/confirmation.ts'
import type { PhoneKey } from '../../../store/sending/limit.ts'
import type { VerificationKey } from '../../../store/sending/verification.ts'
import type { Caller } from '../../access/authentication.ts'
import type { Keyed, KeyedOutcome } from '../idempotency.ts'
import { messageIdsAround } from '../messageId.ts'
import { onePhone } from '../phoneForm.ts'
import type { InForce, RightSend } from '../protection.ts'
import { oneVerification, over } from './checkSteps.ts'
import { type Approve, type Checked, toRightSend } from './verificationAttempt.ts'
import type { PhoneCheckParts } from './verificationCheckByPhone.ts'

export interface ConfirmInput extends Keyed {
  caller: Caller
  /** Of the verification; left out where its phone names it. */
  id?: string | undefined
  /** Names the newest code of those that were not made here. */
  phone?: string | undefined
}

/** @returns as a check; `attempts_exhausted` and `superseded` only of a code that is pending here */
export type ConfirmCode = (input: ConfirmInput) => Promise<KeyedOutcome<Checked, ErrorCodeOf<'confirmVerification'>>>

type ConfirmParts = Pick<PhoneCheckParts, 'idempotency' | 'rules' | 'policy' | 'runtime'> & {
  approve: Approve
  commit: Pick<Commit, 'shareReads'>
}

type NotFound = Problem<'verification_not_found'>

interface Draft extends VerificationKey, Keyed {
  inForce: InForce
  at: Date
}

export function createConfirmCode(parts: ConfirmParts): ConfirmCode {
  const { idempotency, rules, runtime, approve } = parts
  const find = createFind(parts)
  const submit = idempotency.share<Draft, Checked | NotFound>({
    ...oneVerification,
    steps: () => {
      const { claimKeys, keepAnswers } = idempotency.steps()
      return [claimKeys, confirmEach(parts), refuseOthers, keepAnswers]
    },
  })

  return async (input) => {
    const { caller, once } = input
    const { accountId, mode } = caller
    // Who made a code does not change: it can be asked before the transaction.
    const found = await find(input)
    if (!found) return idempotency.refuse(input, notFound())
    if (!found.isPosted) return approve({ caller, once, id: found.id })
    const inForce = await rules.of(caller)
    return submit({ accountId, mode, id: found.id, once, inForce, at: runtime.now() })
  }
}

function createFind({ commit, policy, runtime }: ConfirmParts) {
  const ownerOf = ({ accountId }: { accountId: string }) => accountId
  const byId = commit.shareReads<VerificationKey, GivenCode | undefined>({ ownerOf, work: findGivenCodes })
  const byPhone = commit.shareReads<PhoneKey & { at: Date }, GivenCode | undefined>({
    ownerOf,
    work: (reader, keys) => {
      const times = keys.map(({ at }) => at)
      return findGivenCodesByPhone(reader, keys, messageIdsAround(times, policy.codeTtlSecondsMax))
    },
  })
  return ({ caller: { accountId, mode }, id, phone }: ConfirmInput): Promise<GivenCode | undefined> =>
    id === undefined
      ? byPhone({ accountId, mode, phone: onePhone(phone!), at: runtime.now() })
      : byId({ accountId, mode, id })
}

function confirmEach({ rules }: Pick<ConfirmParts, 'rules'>): Step<Draft, Checked> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      const drafts = group.open()
      const confirmed = await confirmPosted(tx, drafts)
      const right: RightSend[] = []
      for (const [place, draft] of drafts.entries()) {
        const sent = confirmed[place]
        if (!sent) continue
        right.push(toRightSend(draft, sent))
        group.decide(draft, confirmedOf(draft))
      }
      rules.addVerified(tx, right)
    },
  }
}

const refuseOthers: Step<Draft, Checked | NotFound> = {
  isNeeded: isAnyOpen,
  run: async (tx, group) => {
    const drafts = group.open()
    const states = await findGivenCodes(tx, drafts)
    for (const [place, draft] of drafts.entries()) group.decide(draft, toRefusal(draft, states[place]))
  },
}

function confirmedOf({ id, at }: Draft): Checked {
  return { id, verified: true, at }
}

function toRefusal({ id, at }: Draft, state: GivenCode | undefined): Checked | NotFound {
  if (!state) return notFound()
  const reason = state.verified ? 'already_verified' : 'expired'
  return { ...over(reason, at), id }
}

function notFound(): NotFound {
  const message = 'No code to confirm was found. Codes that Watchword generated cannot be confirmed.'
  return new Problem('verification_not_found', { message })
}
