/** Attempts that were taken. Whether a code was right is decided here and nowhere else. */
import type { ErrorCodeOf } from '../../../contract/operation.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Tx } from '../../../store/engine/session.ts'
import type { ConfirmedSend } from '../../../store/sending/confirmation.ts'
import { findCarriers } from '../../../store/sending/message.ts'
import {
  type CheckAttempt,
  holdUndecided,
  settleAnswers,
  type VerificationKey,
} from '../../../store/sending/verification.ts'
import type { Caller } from '../../access/authentication.ts'
import type { Secrets } from '../../access/secret.ts'
import { type OrderReceipt, type ReceiptOrder, type ReceiptWish, signReceipt } from '../../access/signedReceipt.ts'
import type { Decided, Events } from '../../webhooks/event.ts'
import type { Keyed, KeyedOutcome } from '../idempotency.ts'
import type { InForce, RightSend, SendRules } from '../protection.ts'

/** What a caller wants of a check beside its answer. */
export interface CheckWishes extends Pick<Keyed, 'keepsSealed'> {
  isConfirmWished: boolean
  /** What the account's rules count by. */
  inForce: InForce
  /** Undefined: none was asked for. */
  receipt: ReceiptOrder | undefined
}

export interface WishParts {
  confirm: Confirm
  rules: Pick<SendRules, 'of'>
  orderReceipt: OrderReceipt
}

/** Asked before an attempt is taken: none is used up where a wish cannot be granted. */
export async function findWishes(
  { caller, phone, receipt: wish }: { caller: Caller; phone?: string; receipt?: ReceiptWish | undefined },
  { confirm, orderReceipt, rules }: WishParts,
): Promise<CheckWishes | Problem<'invalid_request' | 'service_unavailable'>> {
  const order = await orderReceipt(caller.mode, wish)
  if (order instanceof Problem) return order
  const [isConfirmWished, inForce] = await Promise.all([confirm.isWished(caller), rules.of(caller)])
  return { isConfirmWished, inForce, receipt: order && { ...order, phone }, keepsSealed: order !== undefined }
}

export interface TakenAttempt extends VerificationKey, CheckWishes {
  code: string
  /** The caller, who made the code, says that it was right; `code` is empty then. A code that was made here counts as wrong. */
  isApproved?: boolean
  at: Date
  attempt: CheckAttempt
}

export type Compared =
  | ({ verified: true; at: Date } & ReceiptOutcome)
  | { verified: false; at: Date; reason: 'incorrect_code' | 'attempts_exhausted'; attemptsRemaining: number }

export type Checked = (Compared | Over) & { id: string }

/** No code was compared: it was over before. */
export interface Over {
  verified: false
  at: Date
  reason: OverReason
  attemptsRemaining: 0
  wasOver: true
}

export type OverReason = 'attempts_exhausted' | 'expired' | 'already_verified' | 'superseded'

/** What is asked of a verification besides to compare a code. */
export interface EndInput extends Keyed {
  caller: Caller
  id: string
}

/** Ends a verification whose code its caller has compared. */
export type Approve = (input: EndInput) => Promise<KeyedOutcome<Checked, ErrorCodeOf<'checkVerification'>>>

/** Of a right code: the receipt, or why there is none; neither where none was asked for. */
export interface ReceiptOutcome {
  receipt?: string
  receiptUnavailable?: 'custom_code'
}

/** Providers that wish to know when a code was right. */
export interface Confirm {
  isWished: (caller: Caller) => Promise<boolean>
  /** Goes with the commit. */
  add: (tx: Tx, list: readonly { accountId: string; id: string; code: string }[]) => Promise<void>
}

export interface ComparePolicy {
  /** Digits that a code may have which is made here. */
  lengths: { min: number; max: number }
}

export interface CompareParts {
  policy: ComparePolicy
  secrets: Secrets
  confirm: Confirm
  events: Pick<Events, 'isAwaited' | 'tellDecided'>
  rules: Pick<SendRules, 'addVerified'>
}

/**
 * Compares each code, and settles the verifications that are over by that.
 *
 * @returns nothing of a right code whose verification time ended at the same moment
 */
export async function compareCodes(
  tx: Tx,
  taken: readonly TakenAttempt[],
  parts: CompareParts,
): Promise<ReadonlyMap<TakenAttempt, Compared>> {
  const decisions = taken.map((of): Decision => ({ ...of, of, verified: isRight(of, parts) }))
  const ends = decisions.filter((one) => one.verified || attemptsRemaining(one) === 0)
  const late = await findLate(tx, ends)
  await settleEnds(
    tx,
    ends.filter((one) => !late.has(one)),
    parts,
  )
  const receipts = await signReceipts(
    tx,
    ends.filter((one) => one.verified && !late.has(one)),
  )
  const inTime = decisions.filter((one) => !one.verified || !late.has(one))
  return new Map(inTime.map((one) => [one.of, toCompared(one, receipts.get(one))]))
}

function isRight({ id, mode, code, isApproved, attempt }: TakenAttempt, { secrets, policy }: CompareParts): boolean {
  if (isApproved) return isOwnCode(attempt)
  const isSent = (one: string) => secrets.verify('code', attempt.codeHmac, attempt.codeKeyId, id, one)
  if (isSent(code)) return true
  // In test mode, all zeros stands for a code that the caller gave: one that was not made here.
  return mode === 'test' && /^0+$/.test(code) && !zerosOf(policy.lengths).some(isSent)
}

/** Whether its caller made the code. */
function isOwnCode({ signals }: CheckAttempt): boolean {
  return signals?.ownCode === true
}

/** The codes of test mode that are made here. */
function zerosOf({ min, max }: ComparePolicy['lengths']): string[] {
  return Array.from({ length: max - min + 1 }, (_, more) => '0'.repeat(min + more))
}

interface Decision extends TakenAttempt {
  of: TakenAttempt
  verified: boolean
}

function attemptsRemaining({ attempt }: Decision): number {
  return attempt.attemptsMax - attempt.number
}

function toCompared(decision: Decision, receipt: ReceiptOutcome = {}): Compared {
  const { verified, at } = decision
  if (verified) return { verified, at, ...receipt }
  const left = attemptsRemaining(decision)
  return { verified, at, reason: left === 0 ? 'attempts_exhausted' : 'incorrect_code', attemptsRemaining: left }
}

/**
 * Those whose verifications have ended by time at the same moment: endpoints are told of that end, and of no second one. Nothing
 * is asked where no endpoint is to be told.
 */
async function findLate(tx: Tx, ends: readonly Decision[]): Promise<ReadonlySet<Decision>> {
  if (!ends.some(({ attempt }) => attempt.awaited)) return new Set()
  // Locks all that will be written, in the order that everybody uses: two rounds of locks could close a circle.
  const written = ends.filter(({ verified, attempt }) => verified || attempt.awaited)
  const held = await holdUndecided(tx, written)
  return new Set(written.filter(({ attempt }, index) => attempt.awaited && !held[index]))
}

/** For the right codes with which one was asked for. It proves that the phone got the code: a caller needs no phone to know its own. */
async function signReceipts(tx: Tx, right: readonly Decision[]): Promise<ReadonlyMap<Decision, ReceiptOutcome>> {
  const asked = right.filter(({ receipt }) => receipt !== undefined)
  const made = asked.filter(({ attempt }) => !isOwnCode(attempt))
  const carriers = made.length === 0 ? [] : await findCarriers(tx, made)
  const signed = await Promise.all(
    made.map(({ receipt, attempt: { phone }, ...facts }, index) =>
      signReceipt(receipt as ReceiptOrder, { ...facts, phone, connection: carriers[index] as string }),
    ),
  )
  const receipts = new Map(made.map((one, index) => [one, { receipt: signed[index] as string }]))
  return new Map(asked.map((one) => [one, receipts.get(one) ?? { receiptUnavailable: 'custom_code' }]))
}

async function settleEnds(
  tx: Tx,
  ends: readonly Decision[],
  { confirm, events, rules }: Pick<CompareParts, 'confirm' | 'events' | 'rules'>,
): Promise<void> {
  const right = ends.filter(({ verified }) => verified).map((one) => ({ ...one, phone: one.attempt.phone }))
  const exhausted = ends.filter(({ verified, attempt }) => !verified && attempt.awaited)
  settleAnswers(tx, { right, exhausted })
  rules.addVerified(
    tx,
    right.map((one) => toRightSend(one, one.attempt)),
  )
  events.tellDecided(tx, ends.map(decidedBy))
  await confirm.add(
    tx,
    right.filter(({ isConfirmWished }) => isConfirmWished),
  )
}

/** @param sent as it is kept */
export function toRightSend(
  { accountId, mode, inForce }: Pick<RightSend, 'accountId' | 'mode' | 'inForce'>,
  { phone, country, signals, sentAt }: ConfirmedSend,
): RightSend {
  return {
    ...{ accountId, mode, inForce, phone, sentAt: new Date(sentAt) },
    ...{ country: country ?? undefined, signals: signals ?? undefined },
  }
}

/** The last attempt and the right one come once for a verification, however many guess at once. */
function decidedBy({ accountId, mode, id, at, attempt: { status }, verified }: Decision): Decided {
  return { accountId, mode, id, at, status, verified }
}
