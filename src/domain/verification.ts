/** Verifications: a code is made, sent and checked. Whether a code was right is decided here and nowhere else. */
import { Problem } from '../problem.ts'
import type { Runtime } from '../runtime.ts'
import { type Session, transaction } from '../store/connect.ts'
import {
  type Attempt,
  findSends,
  findVerification,
  insertVerifications,
  settleRightAnswer,
  takeAttempts,
} from '../store/phone.ts'
import type { Queue } from '../store/queue.ts'
import type { Caller } from './apiKey.ts'
import { sealContent } from './content.ts'
import { attemptsAllowed, type Limits, limitsOf, secondsToWait, sendRefused } from './limit.ts'
import { requirePhone, testOutcome } from './phone.ts'
import type { Secrets } from './secret.ts'

export interface SendPolicy {
  /** Seconds that a code stays valid. */
  codeTtlSeconds: number
  /** ISO 3166-1 alpha-2 codes; undefined allows all. */
  countriesAllowed: ReadonlySet<string> | undefined
  /** What holds for live keys. */
  limits: Limits
  /** Characters that the text of a notification may have. */
  filledCharactersMax: number
  /** The channel of live messages; those of test keys go to the sandbox. */
  channel: string
}

export type CheckOutcome =
  | { verified: true; at: Date }
  | { verified: false; at: Date; reason: RefusalReason; attemptsRemaining: number }

type RefusalReason = 'incorrect_code' | 'attempts_exhausted' | 'expired' | 'already_verified' | 'superseded'

export interface Verifications {
  /**
   * Makes a code and queues its message, in one transaction.
   *
   * @throws Problem `invalid_phone`, `country_not_allowed`, `resend_cooldown`, `send_limit_reached`
   */
  send: (
    session: Session,
    caller: Caller,
    input: { phone: string; length: number; brandName: string | undefined },
  ) => Promise<{ id: string; expiresInSeconds: number }>
  /**
   * Counts an attempt, then compares.
   *
   * @throws Problem `verification_not_found`, `check_limit_reached`
   */
  check: (session: Session, caller: Caller, id: string, code: string) => Promise<CheckOutcome>
}

export function createVerifications(
  runtime: Runtime,
  secrets: Secrets,
  queue: Pick<Queue, 'add'>,
  policy: SendPolicy,
): Verifications {
  return {
    send: async (session, caller, { phone, length, brandName }) => {
      requirePhone(phone, policy.countriesAllowed)
      const isTest = caller.mode === 'test'
      const rules = limitsOf(caller.mode, policy.limits).sends
      if (isTest && testOutcome(phone) === 'cooldown') {
        throw new Problem('resend_cooldown', { retryAfterSeconds: policy.limits.sends[0]?.seconds ?? 1 })
      }
      const at = runtime.now()
      const key = { accountId: caller.accountId, mode: caller.mode, phone }
      const id = `req_${runtime.newId()}`
      const code = isTest ? '0'.repeat(length) : runtime.randomDigits(length)
      const { hmac, keyId } = secrets.sign('code', id, code)
      const content = { kind: 'verification' as const, code, ...(brandName === undefined ? {} : { brandName }) }
      const draft = {
        ...key,
        id,
        channel: isTest ? 'sandbox' : policy.channel,
        codeHmac: hmac,
        codeKeyId: keyId,
        attemptsMax: attemptsAllowed(length),
        content: sealContent(secrets, { accountId: caller.accountId, id }, content),
        at,
        expiresAt: new Date(at.getTime() + policy.codeTtlSeconds * 1000),
      }
      await transaction(session, async (tx) => {
        const made = await insertVerifications(tx, [draft], rules)
        if (made.length === 0) throw sendRefused(rules, (await findSends(tx, key)).sentAt, at)
        await queue.add(tx, 'deliver', [{ data: { accountId: caller.accountId, id } }])
      })
      return { id, expiresInSeconds: policy.codeTtlSeconds }
    },

    check: async (session, caller, id, code) => {
      const rules = limitsOf(caller.mode, policy.limits).wrongCodes
      // A second round is needed only when the phone's state changed between an attempt refused and its reason read.
      for (;;) {
        const at = runtime.now()
        const [attempt] = await takeAttempts(
          session,
          [{ accountId: caller.accountId, mode: caller.mode, id, at }],
          rules,
        )
        const outcome = attempt
          ? await compare(session, caller, attempt, code, at)
          : await refusal(session, caller, id, at, rules)
        if (outcome) return outcome
      }
    },
  }

  async function compare(
    session: Session,
    caller: Caller,
    attempt: Attempt,
    code: string,
    at: Date,
  ): Promise<CheckOutcome | undefined> {
    const { id, phone, codeHmac, codeKeyId, number, attemptsMax } = attempt
    if (!secrets.verify('code', codeHmac, codeKeyId, id, code)) {
      const attemptsRemaining = attemptsMax - number
      return {
        verified: false,
        at,
        reason: attemptsRemaining === 0 ? 'attempts_exhausted' : 'incorrect_code',
        attemptsRemaining,
      }
    }
    const key = { accountId: caller.accountId, mode: caller.mode, phone }
    const won = await settleRightAnswer(session, key, id, number, at)
    return won ? { verified: true, at } : refusal(session, caller, id, at, [])
  }

  async function refusal(
    session: Session,
    caller: Caller,
    id: string,
    at: Date,
    rules: Limits['wrongCodes'],
  ): Promise<CheckOutcome | undefined> {
    const state = await findVerification(session, caller.accountId, caller.mode, id)
    if (!state) throw new Problem('verification_not_found')
    const wait = secondsToWait(rules, state.wrongAt, at)
    if (wait > 0) throw new Problem('check_limit_reached', { retryAfterSeconds: wait })
    const reason = state.verified
      ? 'already_verified'
      : state.expiresAt <= at
        ? 'expired'
        : state.superseded
          ? 'superseded'
          : state.attemptsLeft <= 0
            ? 'attempts_exhausted'
            : undefined
    return reason && { verified: false, at, reason, attemptsRemaining: 0 }
  }
}
