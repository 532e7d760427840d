/** Verifications: a code is made and sent. What comes after that is in `checks/`. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { Problem } from '../../kit/problem.ts'
import type { Rule } from '../../store/sending/limit.ts'
import type { NewMessage } from '../../store/sending/message.ts'
import { sendUnchecked } from '../../store/sending/notification.ts'
import { type NewVerification, sendVerifications } from '../../store/sending/verification.ts'
import type { SendDefaults } from '../../store/wording.ts'
import type { Caller } from '../access/authentication.ts'
import { sentBrand } from '../access/brand.ts'
import type { BlindIndex } from '../access/keyring.ts'
import type { CheckPolicy } from './checks/checkSteps.ts'
import { type CheckParts, type Checks, createChecks } from './checks/verificationCheck.ts'
import { type Content, sealContent } from './content.ts'
import type { Dispatch } from './dispatch.ts'
import type { Keyed, KeyedOutcome } from './idempotency.ts'
import { attemptsAllowed, type Limits, limitsOf, oneOfAPhone, withCooldown, withoutCooldown } from './limit.ts'
import { messageIdPrefix, messageIdsAround } from './messageId.ts'
import type { LookUpPhone } from './phone.ts'
import type { JudgedDraft, SendBudgets, SendRules } from './protection.ts'
import type { FindRoute, Route } from './route.ts'
import { type SendDraft, type SendKind, type SendOutcome, sendSteps } from './sendSteps.ts'
import { readSignals, type Signals, toKeptSignals } from './signals.ts'
import { type Autofill, type OwnWording, standardText, writeCodeText } from './wordings/codeText.ts'
import { readLocale } from './wordings/language.ts'

export interface SendPolicy extends CheckPolicy {
  /** Seconds that a code stays valid. */
  codeTtlSeconds: number
  lookUpPhone: LookUpPhone
  /** Characters that the text of a notification may have. */
  filledCharactersMax: number
  route: FindRoute
}

export interface SendParts extends CheckParts {
  /** How the account words its codes, and how often it sends them; a few seconds old at most. @throws when the database is out of reach */
  wordingOf: (accountId: string) => Promise<SendDefaults>
  lookup: Pick<BlindIndex, 'key'>
  dispatch: Dispatch
  rules: SendRules
  budgets: SendBudgets
  policy: SendPolicy
}

export interface Sent {
  id: string
  expiresInSeconds: number
  /** Of the connection that is asked first. */
  kind: string
}

export interface SendInput extends Keyed {
  caller: Pick<Caller, 'accountId' | 'mode'> & Pick<NewMessage, 'keyId'>
  /** A new one is made when left out. */
  id?: string
  /** The only connection that may carry it; whichever can, when left out. */
  through?: string
  /** The only kinds of connections that may carry it; all, when left out. */
  kinds?: ReadonlySet<string> | undefined
  /** The same, and the order in which they are asked. */
  channels?: readonly string[] | undefined
  phone: string
  /** Digits of the code that is made. */
  length: number
  /** In place of one that is made, with as many digits as it has. */
  code?: string | undefined
  brandName: string | undefined
  /** As its caller writes it. */
  locale?: string | undefined
  autofill?: Autofill | undefined
  /** What the caller knows of who asks. */
  signals?: Signals | undefined
  /** The id of the inlet that it comes through. Its system checks the code: no check here knows it. */
  inlet?: string | undefined
}

export interface Verifications extends Checks {
  /**
   * Makes a code and queues its message.
   *
   * @returns or why not: but for the limits, before anything is asked of the database
   */
  send: (input: SendInput) => Promise<KeyedOutcome<Sent, ErrorCodeOf<'sendVerification'>>>
}

export function createVerifications(parts: SendParts): Verifications {
  return { send: createSend(parts), ...createChecks(parts) }
}

function createSend(parts: SendParts): Verifications['send'] {
  const { idempotency, secrets, policy, events, runtime, wordingOf, rules } = parts
  const { codeTtlSeconds, lookUpPhone, limits, route } = policy
  const submit = createSubmits(parts)

  return async (given) => {
    const { accountId, mode } = given.caller
    const found = lookUpPhone(given.phone)
    if (found instanceof Problem) return idempotency.refuse(given, found)
    const input = readInput(given)
    if (input instanceof Problem) return idempotency.refuse(given, input)
    const { country, phone, numberKind } = found
    const about = toAbout(input, parts)
    const { through, kinds, channels: order } = input
    const finding = route({ accountId, mode, phone: input.phone, country, through, kinds, order })
    const asking = [finding, events.isAwaited(input.caller), wordingOf(accountId), rules.of(input.caller)] as const
    const [way, awaited, wording, inForce] = await Promise.all(asking)
    const taken = way.verification(input.code?.length ?? input.length)
    if ('refused' in taken) return idempotency.refuse(input, refusalBy(taken, limits))
    // How a code ends that is not checked here, only its own system knows.
    const course = { ...about, phone, country, route: taken.connections, awaited: awaited && input.inlet === undefined }
    return submit({
      ...toDraft(input, course, wording),
      inForce,
      // A send by one certain connection is a trial by somebody of the account.
      judging: input.through ? undefined : { numberKind, address: input.signals?.ip },
      firstKind: taken.kind,
      cooldownSeconds: wording.cooldownSeconds,
    })
  }

  function toDraft(
    { caller, once, phone: to, length, code: given, brandName: brand, locale: asked, autofill, inlet }: SendInput,
    course: Pick<NewMessage, 'id' | 'at' | 'phone' | 'country' | 'route' | 'awaited' | 'signals'>,
    wording: SendDefaults,
  ): Omit<Draft, 'inForce' | 'judging' | 'firstKind' | 'cooldownSeconds'> {
    const { accountId, mode, keyId } = caller
    const { id, at } = course
    const code = given ?? (mode === 'test' ? '0'.repeat(length) : runtime.randomDigits(length))
    const { hmac, keyId: codeKeyId } = secrets.sign('code', id, code)
    const locale = asked === undefined ? undefined : readLocale(asked)
    const named = brand ?? wording.brand ?? undefined
    const brandName = named && sentBrand(named)
    const said = { code, brandName, minutes: Math.floor(codeTtlSeconds / 60), locale, autofill }
    const content = { ...toContent(said, wording), ...(to !== course.phone && { to }) }
    return {
      ...{ accountId, mode, keyId, once, inlet },
      ...{ kind: 'verification' as const, status: 'sent' as const },
      ...course,
      codeHmac: hmac,
      codeKeyId,
      attemptsMax: attemptsAllowed(code.length),
      content: sealContent(secrets, { accountId, id }, content),
      expiresAt: new Date(at.getTime() + codeTtlSeconds * 1000),
      trace: runtime.tracing.current(),
    }
  }
}

/** @returns with its signals read; or what is wrong with it */
function readInput(given: SendInput): SendInput | Problem<'invalid_request'> {
  const signals = readSignals(given.signals)
  if (signals instanceof Problem) return signals
  return hostFault(given) ?? { ...given, signals }
}

/** With a test key, codes can be bound to a page on the developer's own machine. */
function hostFault({ caller: { mode }, autofill }: SendInput): Problem<'invalid_request'> | undefined {
  if (mode === 'test' || autofill?.domain?.toLowerCase() !== 'localhost') return undefined
  const message = 'must not be localhost with a live key: only pages of that phone itself would be offered the code'
  return new Problem('invalid_request', { details: [{ field: '/autofill/domain', code: 'wrong_format', message }] })
}

/** What is known of a send before anything is asked. */
function toAbout(
  { id, caller: { accountId }, signals, code, inlet }: SendInput,
  { runtime, lookup }: Pick<SendParts, 'runtime' | 'lookup'>,
) {
  return {
    id: id ?? `${messageIdPrefix}${runtime.newId()}`,
    at: runtime.now(),
    signals: toKeptSignals(lookup.key, {
      accountId,
      signals,
      ownCode: code !== undefined,
      unchecked: inlet !== undefined,
    }),
  }
}

/** What is sealed for the delivery: the code, and what it is said with. */
function toContent(said: Parameters<typeof writeCodeText>[0], wording: OwnWording): Content & { kind: 'verification' } {
  const { code, brandName } = said
  const text = writeCodeText(said, wording)
  const language = said.locale ?? wording.locale
  return {
    ...{ kind: 'verification', code, ...(brandName !== undefined && { brandName }) },
    ...(language !== null && { locale: language }),
    // The usual text is not kept beside what it is made of.
    ...(text !== standardText({ code, brandName }) && { text }),
  }
}

interface Draft extends NewVerification, JudgedDraft, Keyed {
  inlet?: string | undefined
  firstKind: string
  /** Of its account; that of all accounts when null. */
  cooldownSeconds: number | null
}

/** What limits hold is a matter of the mode, and of who checks the code. */
function createSubmits(parts: SendParts) {
  const { limits } = parts.policy
  const [live, test] = [limitsOf('live', limits).sends, limitsOf('test', limits).sends]
  const ofInlets = { live: createSubmitUnchecked(live, parts), test: createSubmitUnchecked(test, parts) }
  const ofTest = createSubmit(test, parts)
  // One for each cooldown that an account has: sends with different rules share no statement.
  const byCooldown = new Map<number | null, typeof ofTest>()
  return (draft: Draft) => {
    if (draft.inlet !== undefined) return ofInlets[draft.mode](draft)
    if (draft.mode === 'test') return ofTest(draft)
    const { cooldownSeconds: seconds } = draft
    const submit = byCooldown.get(seconds) ?? createSubmit(seconds === null ? live : withCooldown(live, seconds), parts)
    byCooldown.set(seconds, submit)
    return submit(draft)
  }
}

function createSubmit(limits: Rule[], parts: SendParts) {
  const { codeTtlSeconds, codeTtlSecondsMax } = parts.policy
  return shareSends<Draft, Sent>(parts, {
    limits,
    isChecked: true,
    insert: (tx, drafts) => {
      const times = drafts.map(({ at }) => at)
      return sendVerifications(tx, drafts, { rules: limits, pendingSpan: messageIdsAround(times, codeTtlSecondsMax) })
    },
    doneOf: sentOf(codeTtlSeconds),
  })
}

/** Of codes that another system checks: they are delivered, and replace no code that is pending here. */
function createSubmitUnchecked(limits: Rule[], parts: SendParts) {
  return shareSends<Draft, Sent>(parts, { ...unchecked(limits), doneOf: sentOf(parts.policy.codeTtlSeconds) })
}

/** How what another system checks is made, codes or texts. */
export function unchecked(limits: Rule[]): Omit<SendKind<NewMessage, never>, 'doneOf'> {
  const rules = withoutCooldown(limits)
  return { limits: rules, isChecked: false, insert: (tx, drafts) => sendUnchecked(tx, drafts, rules) }
}

function sentOf(expiresInSeconds: number) {
  return ({ id, firstKind: kind }: Draft): Sent => ({ id, expiresInSeconds, kind })
}

/** Sends share transactions, and are judged before: rules wait for no database. */
export function shareSends<Sending extends SendDraft, Done>(
  parts: Pick<SendParts, 'idempotency' | 'rules' | 'budgets' | 'dispatch'>,
  kind: SendKind<Sending, Done>,
) {
  const { idempotency, rules, budgets } = parts
  const submit = idempotency.share<Sending, SendOutcome<Done>>({
    ...oneOfAPhone,
    isIsolated: (draft) => budgets.isWithinAny(draft),
    steps: () => sendSteps(kind, parts),
  })
  return async (draft: Sending): Promise<SendOutcome<Done>> => {
    const judging = rules.judge(draft)
    if (!judging) return submit(draft)
    const evaluation = await judging
    try {
      return await submit({ ...draft, evaluation, findings: evaluation.findings })
    } finally {
      evaluation.end()
    }
  }
}

/** The refusals of a route that pass with time say when. */
function refusalBy<Code extends 'no_channel' | 'resend_cooldown'>(
  { refused: code, message, details }: Extract<Route<Code>, { refused: Code }>,
  limits: Limits,
): Problem<Code> {
  return new Problem(
    code,
    code === 'resend_cooldown'
      ? { retryAfterSeconds: limits.sends[0]?.seconds ?? 1 }
      : { message, ...(details && { details }) },
  )
}
