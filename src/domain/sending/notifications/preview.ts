/** Notifications that are looked at before they are sent: nothing is made, and nothing is counted. */
import type { ErrorCodeOf } from '../../../contract/operation.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Tx } from '../../../store/engine/session.ts'
import { isAnyOpen, type Step } from '../../../store/engine/step.ts'
import type { PhoneKey } from '../../../store/sending/limit.ts'
import { findNotified, findTemplatesFor } from '../../../store/sending/notification.ts'
import type { OptOutKey } from '../../../store/sending/optOut.ts'
import type { Keyed, KeyedOutcome } from '../idempotency.ts'
import { limitsOf, notificationRefused, secondsToWait } from '../limit.ts'
import type { PreviewedDraft } from '../protection.ts'
import type { Considered, Way } from '../route.ts'
import { countSegments, type Segments } from '../wordings/segments.ts'
import { fillTemplate } from '../wordings/templateText.ts'
import { languagesFor, localeFor, type NotifyInput, type NotifyParts, unknownTemplate } from './notification.ts'
import { readSendAt } from './schedule.ts'

export interface NotificationPreview {
  template: { slug: string; version: number; locale: string }
  /** Why a send would be refused now. */
  refusals: Problem[]
  channels: (Considered & { size?: Segments | undefined })[]
}

/** Looks at one before it is sent: what would be, and why not. */
export type PreviewNotification = (
  input: NotifyInput,
) => Promise<KeyedOutcome<NotificationPreview, ErrorCodeOf<'previewNotification'>>>

type Draft = Keyed &
  PreviewedDraft &
  PhoneKey &
  OptOutKey &
  ReturnType<typeof languagesFor> &
  Pick<NotifyInput, 'variables'> & {
    slug: string
    sendAt: Date | undefined
    /** Or why nothing is sent to that country. */
    way: Way | Problem
  }

type Refused = Problem<'unknown_template' | 'invalid_variables'>

export function createPreview(
  parts: Pick<NotifyParts, 'idempotency' | 'budgets' | 'optOuts' | 'policy' | 'rules' | 'runtime'>,
): PreviewNotification {
  const { idempotency, optOuts, policy, rules, runtime } = parts
  const submit = idempotency.share<Draft, NotificationPreview | Refused>({
    ownerOf: ({ accountId }) => accountId,
    steps: () => {
      const { claimKeys, keepAnswers } = idempotency.steps()
      return [claimKeys, lookAhead(parts), keepAnswers]
    },
  })
  return async ({ caller, phone: to, template: slug, variables, locale, sendAt: at, channels: order, once }) => {
    const { accountId, mode } = caller
    const now = runtime.now()
    const sendAt = readSendAt(at, now, policy.retentionDays)
    if (sendAt instanceof Problem) return idempotency.refuse({ once }, sendAt)
    const found = policy.lookUpPhone(to)
    if (found instanceof Problem && isInvalid(found)) return idempotency.refuse({ once }, found)
    const { phone, country } = found instanceof Problem ? { phone: to, country: undefined } : found
    const destination = { accountId, mode, phone: to, country, order, isPreview: true }
    const asked = found instanceof Problem ? found : policy.route(destination)
    const [way, inForce] = await Promise.all([asked, rules.of(caller)])
    const draft = { ...languagesFor(locale), slug, variables, at: now, sendAt, way, once }
    return submit({ ...optOuts.keyOf({ accountId, mode, phone }), phone, country, inForce, ...draft })
  }
}

function isInvalid(problem: Problem): problem is Problem<'invalid_phone'> {
  return problem.code === 'invalid_phone'
}

function lookAhead({
  policy,
  budgets,
}: Pick<NotifyParts, 'policy' | 'budgets'>): Step<Draft, NotificationPreview | Refused> {
  return {
    isNeeded: isAnyOpen,
    run: async (tx: Tx, group) => {
      const drafts = group.open()
      const templates = await findTemplatesFor(tx, drafts)
      const notified = await findNotified(tx, drafts)
      const spent = await budgets.findSpent(tx, drafts)
      for (const [place, draft] of drafts.entries()) {
        const template = templates[place]
        if (!template) {
          group.decide(draft, unknownTemplate())
          continue
        }
        const { locale, text, channels } = localeFor(draft.locale, template)
        const filled = fillTemplate(text, draft.variables, policy.filledCharactersMax)
        if (filled instanceof Problem) {
          group.decide(draft, filled)
          continue
        }
        const limits = limitsOf(draft.mode, policy.limits).notifications
        group.decide(draft, {
          template: { slug: draft.slug, version: template.version, locale },
          refusals: findRefusals(draft, channels, {
            ...template,
            ...{ notified: notified[place]!, spent: spent[place], limits },
          }),
          channels: considerChannels(draft, { ...filled, channels }),
        })
      }
    },
  }
}

/** In the order in which a send looks. Of one for later, what counts then is not known yet. */
function findRefusals(
  { way, at, sendAt }: Draft,
  channels: Readonly<Record<string, unknown>>,
  {
    isOptedOut,
    notified,
    spent,
    limits,
  }: {
    isOptedOut: boolean
    notified: Date[]
    spent: Problem | undefined
    limits: Parameters<typeof notificationRefused>[0]
  },
): Problem[] {
  if (way instanceof Problem) return [way]
  const route = way.notification(channels)
  const isLimited = !sendAt && secondsToWait(limits, notified, at) > 0
  return [
    ...(spent && !sendAt ? [spent] : []),
    ...(isOptedOut ? [new Problem('opted_out')] : []),
    ...('refused' in route
      ? [new Problem(route.refused, { message: route.message, ...(route.details && { details: route.details }) })]
      : []),
    ...(isLimited ? [notificationRefused(limits, notified, at)] : []),
  ]
}

function considerChannels(
  { way }: Draft,
  notification: Parameters<Way['consider']>[0],
): NotificationPreview['channels'] {
  if (way instanceof Problem) return []
  return way.consider(notification).map((one) => ('text' in one ? { ...one, size: countSegments(one.text) } : one))
}
