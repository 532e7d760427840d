/** Notifications: a template is filled and queued. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { Problem } from '../../kit/problem.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { Mode } from '../../store/schema/schema.ts'
import type { NewMessage } from '../../store/sending/message.ts'
import { findTemplatesFor, type RecipientTemplate, sendNotifications } from '../../store/sending/notification.ts'
import type { Caller } from '../access/authentication.ts'
import { apartWithinBudgets, type WithinBudgets } from '../protection/budget/dayBudgets.ts'
import type { RulesInForce } from '../protection/known.ts'
import { fillTemplate } from '../templates/template.ts'
import { sealContent } from './content.ts'
import { type Keyed, type KeyedOutcome, workSteps } from './idempotency.ts'
import { limitsOf, notificationRefused, oneOfAPhone } from './limit.ts'
import { messageIdPrefix } from './messageId.ts'
import type { OptOuts } from './phones/optOut.ts'
import type { Way } from './route.ts'
import { firstLegOf, type SendParts } from './verification.ts'

export interface NotifyInput extends Keyed {
  caller: Caller
  phone: string
  template: string
  variables: Readonly<Record<string, string | number | boolean>>
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
  inForce: RulesInForce
}

/** Why a draft comes to nothing. */
type Refusal = Problem<'opted_out' | 'unknown_template' | 'invalid_variables' | 'no_channel' | 'send_limit_reached'>

export interface NotifyParts
  extends Pick<SendParts, 'idempotency' | 'dispatch' | 'knownRules' | 'secrets' | 'policy' | 'runtime'> {
  withinBudgets: WithinBudgets
  optOuts: Pick<OptOuts, 'keyOf'>
}

export function createNotifications(parts: NotifyParts): Notifications {
  const { idempotency, withinBudgets, optOuts, dispatch, knownRules, secrets, policy, runtime } = parts
  type Draft = ReturnType<typeof draftOf>

  const submitOf = (mode: Mode) =>
    apartWithinBudgets(() =>
      idempotency.share<Draft, { id: string } | Refusal | Problem<'budget_spent'>>({
        ...oneOfAPhone,
        steps: () =>
          workSteps(idempotency.steps(), (tx, drafts) =>
            withinBudgets(tx, drafts, (own, some) => makeAll(own, some, mode)),
          ),
      }),
    )
  // What rules hold, is a matter of the mode.
  const submit = { live: submitOf('live'), test: submitOf('test') }

  return {
    send: async (input) => {
      const { accountId, mode } = input.caller
      const found = policy.lookUpPhone(input.phone)
      if (found instanceof Problem) return idempotency.refuse(input, found)
      const { country, phone } = found
      const asked = policy.route({ accountId, mode, phone: input.phone, country })
      const [way, inForce] = await Promise.all([asked, knownRules.of(input.caller)])
      return submit[mode](draftOf(input, { phone, country, way, inForce }))
    },
  }

  async function makeAll(tx: Tx, drafts: Draft[], mode: Mode): Promise<({ id: string } | Refusal)[]> {
    const templates = await findTemplatesFor(tx, drafts)
    const made = drafts.map((draft, index) => messageOf(draft, templates[index]))
    const messages = made.filter((message) => !(message instanceof Problem))
    if (messages.length > 0) await dispatch(tx, messages.map(firstLegOf), { mayBeMissing: true })
    const { notifications: rules } = limitsOf(mode, policy.limits)
    const forbidden = messages.length > 0 ? await sendNotifications(tx, messages, rules) : undefined
    return made.map((message) => {
      if (message instanceof Problem) return message
      const times = forbidden?.get(message.id)
      return times ? notificationRefused(rules, times.all, message.at) : { id: message.id }
    })
  }

  function draftOf({ caller, template: slug, phone: to, ...input }: NotifyInput, course: Course) {
    const { accountId, mode, keyId } = caller
    const made = { id: `${messageIdPrefix}${runtime.newId()}`, at: runtime.now(), trace: runtime.tracing.current() }
    return { ...optOuts.keyOf({ accountId, mode, phone: course.phone }), keyId, ...input, to, ...course, slug, ...made }
  }

  function messageOf(draft: Draft, template: RecipientTemplate | undefined): NewMessage | Refusal {
    if (!template || template.isOptedOut) return template ? new Problem('opted_out') : unknownTemplate()
    const { accountId, id, mode, keyId, phone, to, country, at, slug, variables, way, trace } = draft
    const filled = fillTemplate(template.text, variables, policy.filledCharactersMax)
    if (filled instanceof Problem) return filled
    const { channels } = template
    const route = way.notification(channels)
    if ('refused' in route) return new Problem(route.refused)
    const [kind, other] = ['notification' as const, to !== phone && { to }]
    const content = sealContent(secrets, draft, { kind, template: slug, ...filled, channels, ...other })
    const message = { accountId, id, mode, phone, country, template: slug, route: route.connections, at, content }
    return { ...message, keyId, kind, status: 'queued', expiresAt: null, trace }
  }
}

function unknownTemplate(): Problem<'unknown_template'> {
  return new Problem('unknown_template', {
    details: [{ field: '/template', code: 'unknown', message: 'names no template of this account' }],
  })
}
