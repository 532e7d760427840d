/** Checks the code that is pending for a phone, for callers who keep no request id. */
import type { ErrorCodeOf } from '../../../contract/operation.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { Caller } from '../../access/authentication.ts'
import { createMissingSecret } from '../../access/missingSecret.ts'
import type { ReceiptWish } from '../../access/signedReceipt.ts'
import type { Idempotency, Keyed, KeyedOutcome } from '../idempotency.ts'
import { onePhone } from '../phoneForm.ts'
import type { SendRules } from '../protection.ts'
import {
  type CheckedByPhone,
  type CheckPolicy,
  type CheckRefusal,
  checkByPhoneSteps,
  type PhoneGuess,
} from './checkSteps.ts'
import { type CompareParts, findWishes, type WishParts } from './verificationAttempt.ts'

export interface PhoneCheckInput extends Keyed {
  caller: Caller
  phone: string
  code: string
  /** Wanted if the code is right. */
  receipt?: ReceiptWish | undefined
}

export type CheckByPhone = (
  input: PhoneCheckInput,
) => Promise<KeyedOutcome<CheckedByPhone, ErrorCodeOf<'checkVerificationByPhone'>>>

export interface PhoneCheckParts extends CompareParts, WishParts {
  rules: Pick<SendRules, 'of' | 'addVerified'>
  idempotency: Idempotency
  policy: CheckPolicy
  runtime: Runtime
}

export function createCheckByPhone(parts: PhoneCheckParts): CheckByPhone {
  const { idempotency, runtime } = parts
  const stepParts = { ...parts, missingSecret: createMissingSecret(runtime.log) }
  const submit = idempotency.share<PhoneGuess, CheckedByPhone | Problem<CheckRefusal>>({
    conflictOf: ({ accountId, mode, phone }) => `${accountId} ${mode} ${phone}`,
    ownerOf: ({ accountId }) => accountId,
    steps: () => checkByPhoneSteps(stepParts),
  })

  return async (input) => {
    const { once, code } = input
    const { accountId, mode } = input.caller
    const wishes = await findWishes(input, parts)
    if (wishes instanceof Problem) return idempotency.refuse(input, wishes)
    return submit({ accountId, mode, phone: onePhone(input.phone), code, once, ...wishes, at: runtime.now() })
  }
}
