/** Checks the code that is pending for a phone, for callers who keep no request id. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { Problem, unavailable } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { Mode } from '../../store/schema/schema.ts'
import type { PhoneKey } from '../../store/sending/limit.ts'
import {
  type PhoneAttempt,
  type PhoneAttemptOptions,
  takeAttemptsByPhone,
} from '../../store/sending/pendingVerification.ts'
import type { Caller } from '../access/authentication.ts'
import { createMissingSecret } from '../access/missingSecret.ts'
import type { ReceiptWish } from '../access/signedReceipt.ts'
import type { Idempotency, Keyed, KeyedOutcome } from './idempotency.ts'
import { byMode, type Limits, limitsOf, secondsToWait } from './limit.ts'
import { messageIdsAround } from './messageId.ts'
import { onePhone } from './phoneForm.ts'
import {
  type CheckWishes,
  type Compared,
  type CompareParts,
  type ComparePolicy,
  createCompare,
  type WishParts,
  wishesOf,
} from './verificationAttempt.ts'

export interface PhoneCheckInput extends Keyed {
  caller: Caller
  phone: string
  code: string
  /** Wanted if the code is right. */
  receipt?: ReceiptWish | undefined
}

export type CheckedByPhone = Compared & { id: string }

export type CheckByPhone = (
  input: PhoneCheckInput,
) => Promise<KeyedOutcome<CheckedByPhone, ErrorCodeOf<'checkVerificationByPhone'>>>

export interface CheckPolicy extends ComparePolicy {
  limits: Limits
  /** No code was ever valid for longer, whatever was set when it was made. */
  codeTtlSecondsMax: number
}

export interface PhoneCheckParts extends CompareParts, WishParts {
  idempotency: Idempotency
  policy: CheckPolicy
  runtime: Runtime
}

type PhoneCheckRefusal = Problem<'verification_not_found' | 'check_limit_reached' | 'service_unavailable'>

interface PhoneGuess extends PhoneKey, Keyed, CheckWishes {
  code: string
  at: Date
}

export function createCheckByPhone(parts: PhoneCheckParts): CheckByPhone {
  const { idempotency, secrets, policy, runtime } = parts
  const compare = createCompare(parts)
  const missingSecret = createMissingSecret(runtime.log)
  const submit = idempotency.share<PhoneGuess, CheckedByPhone, PhoneCheckRefusal['code']>({
    conflictOf: ({ accountId, mode, phone }) => `${accountId} ${mode} ${phone}`,
    ownerOf: ({ accountId }) => accountId,
    work: async (tx, guesses) => {
      const outcomes = new Map<PhoneGuess, CheckedByPhone | PhoneCheckRefusal>()
      for (const [mode, list] of byMode(guesses)) await checkAll(tx, list, mode, outcomes)
      return guesses.map((guess) => outcomes.get(guess) as CheckedByPhone | PhoneCheckRefusal)
    },
  })

  return async (input) => {
    const { once, code } = input
    const { accountId, mode } = input.caller
    const wishes = await wishesOf(input, parts)
    if (wishes instanceof Problem) return idempotency.refuse(input, wishes)
    return submit({ accountId, mode, phone: onePhone(input.phone), code, once, ...wishes, at: runtime.now() })
  }

  async function checkAll(
    tx: Tx,
    guesses: PhoneGuess[],
    mode: Mode,
    outcomes: Map<PhoneGuess, CheckedByPhone | PhoneCheckRefusal>,
  ): Promise<void> {
    const { wrongCodes: rules } = limitsOf(mode, policy.limits)
    const times = guesses.map(({ at }) => at)
    const pendingSpan = messageIdsAround(times, policy.codeTtlSecondsMax)
    const attempts = await attemptAll(tx, guesses, { rules, keyIds: secrets.keyIds, pendingSpan })
    const taken = guesses.flatMap((guess, index) => {
      const one = attempts[index]
      return one?.found === 'taken' ? [{ ...guess, id: one.id, attempt: one.attempt, guess }] : []
    })
    const compared = await compare(tx, taken)
    taken.forEach(({ guess, id }, index) => {
      const one = compared[index]
      outcomes.set(guess, one ? { ...one, id } : nonePending())
    })
    guesses.forEach((guess, index) => {
      if (!outcomes.has(guess)) outcomes.set(guess, refusalOf(guess, attempts[index], rules))
    })
  }

  function refusalOf(
    { phone, code, at }: PhoneGuess,
    attempt: PhoneAttempt | undefined,
    rules: Limits['wrongCodes'],
  ): PhoneCheckRefusal {
    // As much work as a code that is compared: the time of the answer tells nothing.
    secrets.sign('code', phone, code)
    if (attempt?.found !== 'untaken') return nonePending()
    const wait = secondsToWait(rules, attempt.wrongAt, at)
    if (wait > 0) return new Problem('check_limit_reached', { retryAfterSeconds: wait })
    if (!attempt.isPending) return nonePending()
    return secrets.holds(attempt.codeKeyId) ? unavailable() : missingSecret(attempt.codeKeyId)
  }
}

/** The first statement locks the phones, so the second one sees what was made meanwhile. */
async function attemptAll(
  tx: Tx,
  guesses: readonly PhoneGuess[],
  options: PhoneAttemptOptions,
): Promise<(PhoneAttempt | undefined)[]> {
  const attempts = await takeAttemptsByPhone(tx, guesses, options)
  const changed = guesses.filter((_guess, index) => attempts[index]?.found === 'changed')
  if (changed.length === 0) return attempts
  const again = await takeAttemptsByPhone(tx, changed, options)
  return guesses.map((guess, index) => {
    const place = changed.indexOf(guess)
    return place < 0 ? attempts[index] : again[place]
  })
}

function nonePending(): Problem<'verification_not_found'> {
  return new Problem('verification_not_found', { message: 'No code is pending for this phone.' })
}
