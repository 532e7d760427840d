/** Notifications: a template is filled and queued. */
import type { ErrorCodeOf } from '../../../contract/operation.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import type { RecipientTemplate } from '../../../store/sending/notification.ts'
import type { Caller } from '../../access/authentication.ts'
import { sealContent } from '../content.ts'
import type { Keyed, KeyedOutcome } from '../idempotency.ts'
import { limitsOf, oneOfAPhone } from '../limit.ts'
import type { Move } from '../message.ts'
import { messageIdPrefix } from '../messageId.ts'
import type { OptOuts } from '../phones/optOut.ts'
import type { InForce } from '../protection.ts'
import type { Way } from '../route.ts'
import type { SendParts } from '../verification.ts'
import { chooseLanguage, likeLanguages, readLocale } from '../wordings/language.ts'
import { fillTemplate } from '../wordings/templateText.ts'
import { type NotifyDraft, type NotifyOutcome, type NotifyRefusal, notifySteps, scheduleSteps } from './notifySteps.ts'
import { type CancelledNotification, createCancelScheduled, readSendAt } from './schedule.ts'
import type { NewNotification, SentNotification } from './sentNotification.ts'

export interface NotifyInput extends Keyed {
  caller: Caller
  phone: string
  template: string
  variables: Readonly<Record<string, string | number | boolean>>
  /** Which language of the template, as systems write it; its default one where this names none. */
  locale?: string | undefined
  /** The caller's own name for it. */
  reference?: string | undefined
  /** Seconds after which no connection is asked any more. */
  expiresInSeconds?: number | undefined
  /** When it is to go, ISO 8601. */
  sendAt?: string | undefined
  /** The only kinds of connections that may carry it, in order; all, in the account's order, when left out. */
  channels?: readonly string[] | undefined
}

interface CancelInput extends Keyed {
  caller: Caller
  id: string
}

export interface Notifications {
  /**
   * Fills the template and queues the message.
   *
   * @returns or why not: `invalid_phone` and `country_not_allowed` before anything is asked of the database
   */
  send: (input: NotifyInput) => Promise<KeyedOutcome<SentNotification, ErrorCodeOf<'sendNotification'>>>
  /** Ends one that waits for its time. */
  cancel: (input: CancelInput) => Promise<KeyedOutcome<CancelledNotification, ErrorCodeOf<'cancelNotification'>>>
}

/** What is found out about the phone, how it is reached, and what budgets there are. */
interface Course {
  phone: string
  country: string | undefined
  way: Way
  inForce: InForce
  sendAt: Date | undefined
  order: readonly string[] | undefined
}

export interface NotifyParts
  extends Pick<SendParts, 'idempotency' | 'dispatch' | 'rules' | 'budgets' | 'secrets' | 'runtime'> {
  optOuts: Pick<OptOuts, 'keyOf'>
  policy: SendParts['policy'] & { retentionDays: number }
  move: Move
}

export function createNotifications(parts: NotifyParts): Notifications {
  const { idempotency, budgets, rules, optOuts, policy, runtime } = parts
  const fill = (draft: Draft, template: RecipientTemplate | undefined) => buildMessage(draft, template, parts)

  const toSubmit = (mode: Mode) => {
    const kind = { limits: limitsOf(mode, policy.limits).notifications, fill }
    return idempotency.share<Draft, NotifyOutcome>({
      ...oneOfAPhone,
      isIsolated: (draft) => budgets.isWithinAny(draft),
      steps: () => notifySteps(kind, parts),
    })
  }
  // What limits hold, is a matter of the mode.
  const submit = { live: toSubmit('live'), test: toSubmit('test') }
  const schedule = idempotency.share<Draft, NotifyOutcome>({
    ownerOf: ({ accountId }) => accountId,
    steps: () => scheduleSteps(fill, parts),
  })
  const cancel = createCancelScheduled(parts)

  return {
    send: async ({ sendAt: at, channels: order, ...input }) => {
      const { accountId, mode } = input.caller
      const sendAt = readSendAt(at, runtime.now(), policy.retentionDays)
      if (sendAt instanceof Problem) return idempotency.refuse(input, sendAt)
      const found = policy.lookUpPhone(input.phone)
      if (found instanceof Problem) return idempotency.refuse(input, found)
      const { country, phone } = found
      const isForLater = sendAt !== undefined
      const asked = policy.route({ accountId, mode, phone: input.phone, country, order, isForLater })
      const [way, inForce] = await Promise.all([asked, rules.of(input.caller)])
      const draft = toDraft(input, { phone, country, way, inForce, sendAt, order })
      return sendAt ? schedule(draft) : submit[mode](draft)
    },
    cancel: ({ caller: { accountId, mode }, once, id }) => cancel({ accountId, mode, id, once, at: runtime.now() }),
  }

  function toDraft(
    { caller, template: slug, phone: to, locale: asked, ...input }: Omit<NotifyInput, 'sendAt' | 'channels'>,
    course: Course,
  ): Draft {
    const { accountId, mode, keyId } = caller
    const made = { id: `${messageIdPrefix}${runtime.newId()}`, at: runtime.now(), trace: runtime.tracing.current() }
    return {
      ...optOuts.keyOf({ accountId, mode, phone: course.phone }),
      keyId,
      ...input,
      ...languagesFor(asked),
      to,
      ...course,
      slug,
      ...made,
    }
  }
}

/** The language that was asked for, and those of a template that may stand for it. */
export function languagesFor(
  asked: string | undefined,
): Pick<NotifyDraft, 'languages'> & { locale: string | undefined } {
  const locale = asked === undefined ? undefined : readLocale(asked)
  return { locale, languages: locale === undefined ? undefined : likeLanguages(locale) }
}

/** What is asked for, with what is found out about it. */
interface Draft extends NotifyDraft, Course, Pick<NotifyInput, 'variables' | 'reference' | 'expiresInSeconds'> {
  /** BCP 47. */
  locale: string | undefined
  phone: string
  country: string | undefined
  /** As the caller writes it. */
  to: string
  keyId: string | null
  trace: string | undefined
}

function buildMessage(
  draft: Draft,
  template: RecipientTemplate | undefined,
  { policy, secrets }: Pick<NotifyParts, 'policy' | 'secrets'>,
): NewNotification | Problem<NotifyRefusal> {
  if (!template) return unknownTemplate()
  const { accountId, id, mode, keyId, phone, to, country, at, slug, variables, way, trace } = draft
  const { reference, sendAt, expiresInSeconds, order } = draft
  // Of one for later it is asked when it goes.
  if (template.isOptedOut && !sendAt) return new Problem('opted_out')
  const { locale, text, channels } = localeFor(draft.locale, template)
  const filled = fillTemplate(text, variables, policy.filledCharactersMax)
  if (filled instanceof Problem) return filled
  const route = way.notification(channels)
  if ('refused' in route) {
    const { refused, message, details } = route
    return new Problem(refused, { message, ...(details && { details }) })
  }
  const [kind, other] = ['notification' as const, to !== phone && { to }]
  const content = sealContent(secrets, draft, { kind, template: slug, ...filled, channels, order, ...other })
  const expiresAt = expiresInSeconds === undefined ? null : new Date((sendAt ?? at).getTime() + expiresInSeconds * 1000)
  return {
    ...{ accountId, id, mode, keyId, kind, phone, country, route: route.connections, content },
    ...{ template: slug, templateVersion: template.version, templateLocale: locale },
    ...{ status: 'queued', at, sendAt, expiresAt, reference, trace },
  }
}

/** What a template says in the language that was asked for, or else in its default one. */
export function localeFor(asked: string | undefined, { text, channels, defaultLocale, others }: RecipientTemplate) {
  const own = { locale: defaultLocale, text, channels }
  if (asked === undefined || others === null) return own
  const locale = chooseLanguage(asked, [defaultLocale, ...Object.keys(others)])?.language ?? defaultLocale
  return locale === defaultLocale ? own : { locale, ...others[locale]! }
}

export function unknownTemplate(): Problem<'unknown_template'> {
  return new Problem('unknown_template', {
    details: [{ field: '/template', code: 'unknown', message: 'names no template of this account' }],
  })
}
