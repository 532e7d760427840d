/** Verifications: a code is made, sent and checked. Whether a code was right is decided here and nowhere else. */
import type { ErrorCodeOf } from '../contract/operation.ts'
import { Problem, unavailable } from '../problem.ts'
import type { Runtime } from '../runtime.ts'
import { findSends, type PhoneKey } from '../store/limit.ts'
import { insertMessages, type NewMessage } from '../store/message.ts'
import type { Mode } from '../store/schema.ts'
import type { Tx } from '../store/session.ts'
import {
  type Attempt,
  endVerifications,
  findVerifications,
  holdUndecided,
  replaceVerifications,
  settleAnswers,
  takeAttempts,
  type VerificationKey,
  type VerificationState,
} from '../store/verification.ts'
import type { Caller } from './authentication.ts'
import { sealContent } from './content.ts'
import type { Addressed, Dispatch } from './dispatch.ts'
import type { Decided, Events } from './event.ts'
import type { Idempotency, Keyed, Outcome } from './idempotency.ts'
import { attemptsAllowed, byMode, type Limits, limitsOf, secondsToWait, sendRefused } from './limit.ts'
import { lookUpPhone } from './phone.ts'
import type { FindRoute } from './route.ts'
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
  route: FindRoute
}

export interface SendParts {
  idempotency: Idempotency
  dispatch: Dispatch
  secrets: Secrets
  policy: SendPolicy
  confirm: Confirm
  events: Pick<Events, 'isAwaited' | 'tellDecided'>
  runtime: Runtime
}

/** Providers that wish to know when a code was right. */
export interface Confirm {
  isWished: (caller: Caller) => Promise<boolean>
  /** Goes with the commit. */
  add: (tx: Tx, list: readonly { accountId: string; id: string; code: string }[]) => Promise<void>
}

export interface Sent {
  id: string
  expiresInSeconds: number
}

export interface SendInput extends Keyed {
  caller: Caller
  phone: string
  length: number
  brandName: string | undefined
}

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

export interface Verifications {
  /**
   * Makes a code and queues its message.
   *
   * @returns or why not: but for the limits, before anything is asked of the database
   */
  send: (input: SendInput) => Promise<Outcome<Sent, ErrorCodeOf<'sendVerification'>>>
  /**
   * Counts an attempt, then compares.
   *
   * @returns or why no attempt was taken
   */
  check: (input: CheckInput) => Promise<Outcome<Checked, ErrorCodeOf<'checkVerification'>>>
  /** Ends a verification before its time. */
  cancel: (input: CancelInput) => Promise<Outcome<Cancelled, ErrorCodeOf<'cancelVerification'>>>
}

export function createVerifications(parts: SendParts): Verifications {
  return { send: createSend(parts), check: createCheck(parts), cancel: createCancel(parts) }
}

function createSend({ idempotency, dispatch, secrets, policy, events, runtime }: SendParts): Verifications['send'] {
  const { codeTtlSeconds, countriesAllowed, limits, route } = policy
  const submit = idempotency.share<ReturnType<typeof draftOf>, Sent, 'resend_cooldown' | 'send_limit_reached'>({
    conflictOf: ({ accountId, mode, phone }) => `${accountId} ${mode} ${phone}`,
    work: async (tx, drafts) => {
      const pending = new Set<string>()
      for (const [mode, list] of byMode(drafts)) {
        for (const id of await replaceVerifications(tx, list, limitsOf(mode, limits).sends)) pending.add(id)
      }
      const made = drafts.filter(({ id }) => pending.has(id))
      const refusals = await refusalsOf(
        tx,
        drafts.filter(({ id }) => !pending.has(id)),
        limits,
      )
      insertMessages(tx, made)
      await dispatch(tx, made.map(firstLegOf))
      return drafts.map(({ id }) => refusals.get(id) ?? { id, expiresInSeconds: codeTtlSeconds })
    },
  })

  return async (input) => {
    const { accountId, mode } = input.caller
    const found = lookUpPhone(input.phone, countriesAllowed)
    if (found instanceof Problem) return idempotency.refuse(input, found)
    const { country } = found
    const finding = route({ accountId, mode, phone: input.phone, country })
    const [way, awaited] = await Promise.all([finding, events.isAwaited(input.caller)])
    const taken = way.verification()
    if ('refused' in taken) return idempotency.refuse(input, refusalBy(taken.refused, limits))
    return submit(draftOf(input, { country, route: taken.connections, awaited }))
  }

  function draftOf(
    { caller, once, phone, length, brandName }: SendInput,
    course: Pick<NewMessage, 'country' | 'route' | 'awaited'>,
  ) {
    const { accountId, mode } = caller
    const at = runtime.now()
    const id = `req_${runtime.newId()}`
    const code = mode === 'test' ? '0'.repeat(length) : runtime.randomDigits(length)
    const { hmac, keyId } = secrets.sign('code', id, code)
    const content = { kind: 'verification' as const, code, ...(brandName !== undefined && { brandName }) }
    return {
      accountId,
      mode,
      phone,
      id,
      at,
      once,
      kind: 'verification' as const,
      status: 'sent' as const,
      ...course,
      codeHmac: hmac,
      codeKeyId: keyId,
      attemptsMax: attemptsAllowed(length),
      content: sealContent(secrets, { accountId, id }, content),
      expiresAt: new Date(at.getTime() + codeTtlSeconds * 1000),
      trace: runtime.tracing.current(),
    }
  }
}

async function refusalsOf(tx: Tx, drafts: (PhoneKey & { id: string; at: Date })[], limits: Limits) {
  const sends = drafts.length > 0 ? await findSends(tx, drafts) : []
  return new Map(
    drafts.map(({ id, mode, at }, index) => {
      const { sends: rules } = limitsOf(mode, limits)
      return [id, sendRefused(rules, sends[index]?.sentAt ?? [], at)]
    }),
  )
}

/** The refusals of a route that pass with time say when. */
function refusalBy<Code extends 'no_channel' | 'resend_cooldown'>(code: Code, limits: Limits): Problem<Code> {
  return new Problem(code, code === 'resend_cooldown' ? { retryAfterSeconds: limits.sends[0]?.seconds ?? 1 } : {})
}

/** Where a new message goes first. */
export function firstLegOf({ accountId, id, mode, route }: NewMessage): Addressed {
  return { accountId, id, mode, leg: 1, connection: route[0]! }
}

/** Why no attempt was taken. */
type CheckRefusal = Problem<'verification_not_found' | 'check_limit_reached' | 'service_unavailable'>

interface Guess extends VerificationKey, Keyed {
  code: string
  isConfirmWished: boolean
  at: Date
}

function createCheck({ idempotency, secrets, policy, confirm, events, runtime }: SendParts): Verifications['check'] {
  const submit = idempotency.share<Guess, Checked, CheckRefusal['code']>({
    conflictOf: ({ accountId, mode, id }) => `${accountId} ${mode} ${id}`,
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
    const attempts = await takeAttempts(tx, guesses, rules)
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
      outcomes.set(guess, refusalOf(states[index], guess.at, rules))
    })
    const ends = decisions.filter((decision) => !late.has(decision))
    await settleEnds(tx, ends, { confirm, events })
  }
}

/** An attempt that ends its verification. */
interface Decision {
  guess: Guess
  attempt: Attempt
  verified: boolean
}

/**
 * Those whose verifications time ends at the same moment, and was first: endpoints are told of one end. Where none are to be
 * told of it, nobody has to wait for the answer to this.
 */
async function findLate(tx: Tx, decisions: readonly Decision[]): Promise<ReadonlySet<Decision>> {
  const awaited = decisions.filter(({ attempt }) => attempt.awaited)
  if (awaited.length === 0) return new Set()
  const held = await holdUndecided(
    tx,
    awaited.map(({ guess }) => guess),
  )
  return new Set(awaited.filter((_decision, index) => !held[index]))
}

async function settleEnds(
  tx: Tx,
  decisions: readonly Decision[],
  { confirm, events }: Pick<SendParts, 'confirm' | 'events'>,
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

function createCancel({ idempotency, runtime }: SendParts): Verifications['cancel'] {
  type Draft = VerificationKey & Keyed & { at: Date }
  const submit = idempotency.share<Draft, Cancelled, 'verification_not_found'>({
    conflictOf: ({ accountId, mode, id }) => `${accountId} ${mode} ${id}`,
    work: async (tx, drafts) => {
      const ended = await endVerifications(tx, drafts)
      const states = await findVerifications(tx, drafts)
      return drafts.map(({ id }, index) =>
        states[index] ? { id, cancelled: ended[index] === true } : new Problem('verification_not_found'),
      )
    },
  })

  return ({ caller: { accountId, mode }, once, id }) => submit({ accountId, mode, id, once, at: runtime.now() })
}

/** Why no attempt could be taken. */
function refusalOf(
  state: VerificationState | undefined,
  at: Date,
  rules: Limits['wrongCodes'],
): Checked | CheckRefusal {
  if (!state) return new Problem('verification_not_found')
  const wait = secondsToWait(rules, state.wrongAt, at)
  if (wait > 0) return new Problem('check_limit_reached', { retryAfterSeconds: wait })
  const reason = reasonOf(state, at)
  // It was pending no more when the attempt was to be taken, and is pending now: another's work on it came to nothing.
  return reason ? { verified: false, at, reason, attemptsRemaining: 0 } : unavailable()
}

function reasonOf(state: VerificationState, at: Date): RefusalReason | undefined {
  if (state.verified) return 'already_verified'
  if (state.isOver || state.expiresAt <= at) return 'expired'
  if (state.superseded) return 'superseded'
  if (state.attemptsLeft <= 0) return 'attempts_exhausted'
  return undefined
}
