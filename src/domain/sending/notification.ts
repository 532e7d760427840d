/** Notifications: a template is filled and queued. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { Problem } from '../../kit/problem.ts'
import type { Mode } from '../../store/schema/schema.ts'
import type { NewMessage } from '../../store/sending/message.ts'
import type { RecipientTemplate } from '../../store/sending/notification.ts'
import type { Caller } from '../access/authentication.ts'
import { sealContent } from './content.ts'
import type { Keyed, KeyedOutcome } from './idempotency.ts'
import { limitsOf, oneOfAPhone } from './limit.ts'
import { messageIdPrefix } from './messageId.ts'
import { type NotifyOutcome, type NotifyRefusal, notifySteps } from './notifySteps.ts'
import type { OptOuts } from './phones/optOut.ts'
import type { InForce } from './protection.ts'
import type { Way } from './route.ts'
import type { SendParts } from './verification.ts'
import { fillTemplate } from './wordings/templateText.ts'

export interface NotifyInput extends Keyed {
  caller: Caller
  phone: string
  template: string
  variables: Readonly<Record<string, string | number | boolean>>
  /** The caller's own name for it. */
  reference?: string | undefined
  /** Seconds after which no connection is asked any more. */
  expiresInSeconds?: number | undefined
}

export interface Notifications {
  /**
   * Fills the template and queues the message.
   *
   * @returns or why not: `invalid_phone` and `country_not_allowed` before anything is asked of the database
   */
  send: (input: NotifyInput) => Promise<KeyedOutcome<{ id: string }, ErrorCodeOf<'sendNotification'>>>
}

/** What is found out about the phone, how it is reached, and what budgets there are. */
interface Course {
  phone: string
  country: string | undefined
  way: Way
  inForce: InForce
}

export interface NotifyParts
  extends Pick<SendParts, 'idempotency' | 'dispatch' | 'rules' | 'budgets' | 'secrets' | 'policy' | 'runtime'> {
  optOuts: Pick<OptOuts, 'keyOf'>
}

export function createNotifications(parts: NotifyParts): Notifications {
  const { idempotency, budgets, rules, optOuts, secrets, policy, runtime } = parts
  type Draft = ReturnType<typeof draftOf>

  const submitOf = (mode: Mode) => {
    const kind = { limits: limitsOf(mode, policy.limits).notifications, fill: messageOf }
    return idempotency.share<Draft, NotifyOutcome>({
      ...oneOfAPhone,
      isIsolated: (draft) => budgets.isWithinAny(draft),
      steps: () => notifySteps(kind, parts),
    })
  }
  // What limits hold, is a matter of the mode.
  const submit = { live: submitOf('live'), test: submitOf('test') }

  return {
    send: async (input) => {
      const { accountId, mode } = input.caller
      const found = policy.lookUpPhone(input.phone)
      if (found instanceof Problem) return idempotency.refuse(input, found)
      const { country, phone } = found
      const asked = policy.route({ accountId, mode, phone: input.phone, country })
      const [way, inForce] = await Promise.all([asked, rules.of(input.caller)])
      return submit[mode](draftOf(input, { phone, country, way, inForce }))
    },
  }

  function draftOf({ caller, template: slug, phone: to, ...input }: NotifyInput, course: Course) {
    const { accountId, mode, keyId } = caller
    const made = { id: `${messageIdPrefix}${runtime.newId()}`, at: runtime.now(), trace: runtime.tracing.current() }
    return { ...optOuts.keyOf({ accountId, mode, phone: course.phone }), keyId, ...input, to, ...course, slug, ...made }
  }

  function messageOf(draft: Draft, template: RecipientTemplate | undefined): NewMessage | Problem<NotifyRefusal> {
    if (!template) return unknownTemplate()
    if (template.isOptedOut) return new Problem('opted_out')
    const { accountId, id, mode, keyId, phone, to, country, at, slug, variables, way } = draft
    const filled = fillTemplate(template.text, variables, policy.filledCharactersMax)
    if (filled instanceof Problem) return filled
    const { channels } = template
    const route = way.notification(channels)
    if ('refused' in route) return new Problem(route.refused, { message: route.message })
    const [kind, other] = ['notification' as const, to !== phone && { to }]
    const content = sealContent(secrets, draft, { kind, template: slug, ...filled, channels, ...other })
    const message = { accountId, id, mode, phone, country, template: slug, route: route.connections, at, content }
    const { reference, expiresInSeconds, trace } = draft
    const expiresAt = expiresInSeconds === undefined ? null : new Date(at.getTime() + expiresInSeconds * 1000)
    return { ...message, reference, keyId, kind, status: 'queued', expiresAt, trace }
  }
}

function unknownTemplate(): Problem<'unknown_template'> {
  return new Problem('unknown_template', {
    details: [{ field: '/template', code: 'unknown', message: 'names no template of this account' }],
  })
}
