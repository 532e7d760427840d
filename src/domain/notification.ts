/** Notifications: a template is filled and queued. */
import type { ErrorCodeOf } from '../contract/operation.ts'
import { Problem } from '../problem.ts'
import { findSends, type PhoneKey } from '../store/limit.ts'
import { insertMessages, type NewMessage } from '../store/message.ts'
import { reserveNotifications } from '../store/notification.ts'
import type { Tx } from '../store/session.ts'
import { findTemplates, type TemplateText } from '../store/template.ts'
import type { Caller } from './authentication.ts'
import { sealContent } from './content.ts'
import type { Keyed, Outcome } from './idempotency.ts'
import { byMode, type Limits, limitsOf, secondsToWait } from './limit.ts'
import { lookUpPhone } from './phone.ts'
import type { Way } from './route.ts'
import { fillTemplate } from './template.ts'
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
  send: (input: NotifyInput) => Promise<Outcome<{ id: string }, ErrorCodeOf<'sendNotification'>>>
}

/** Why a draft comes to nothing. */
type Refusal = Problem<'unknown_template' | 'invalid_variables' | 'no_channel' | 'send_limit_reached'>

export function createNotifications({ idempotency, dispatch, secrets, policy, runtime }: SendParts): Notifications {
  type Draft = ReturnType<typeof draftOf>

  const submit = idempotency.share<Draft, { id: string }, Refusal['code']>({
    conflictOf: ({ accountId, mode, phone }) => `${accountId} ${mode} ${phone}`,
    work: async (tx, drafts) => {
      const outcomes = new Map<Draft, Refusal>()
      const templates = await findTemplates(tx, drafts)
      const filled = drafts.flatMap((draft, index) => {
        const message = messageOf(draft, templates[index])
        if (!(message instanceof Problem)) return { draft, message }
        outcomes.set(draft, message)
        return []
      })
      const complete = filled.map(({ draft }) => draft)
      const refusals = await reserve(tx, complete, policy.limits)
      const made = filled.filter(({ draft }) => !refusals.has(draft)).map(({ message }) => message)
      insertMessages(tx, made)
      await dispatch(tx, made.map(firstLegOf))
      return drafts.map((draft) => outcomes.get(draft) ?? refusals.get(draft) ?? { id: draft.id })
    },
  })

  return {
    send: async (input) => {
      const { accountId, mode } = input.caller
      const found = lookUpPhone(input.phone, policy.countriesAllowed)
      if (found instanceof Problem) return idempotency.refuse(input, found)
      const { country } = found
      return submit(draftOf(input, country, await policy.route({ accountId, mode, phone: input.phone, country })))
    },
  }

  function draftOf({ caller, template: slug, ...input }: NotifyInput, country: string | undefined, way: Way) {
    const { accountId, mode } = caller
    const made = { id: `req_${runtime.newId()}`, at: runtime.now(), trace: runtime.tracing.current() }
    return { accountId, mode, ...input, country, slug, way, ...made }
  }

  function messageOf(draft: Draft, template: TemplateText | undefined): NewMessage | Refusal {
    if (!template) return unknownTemplate()
    const { accountId, id, mode, phone, country, at, slug, variables, way, trace } = draft
    const filled = fillTemplate(template.text, variables, policy.filledCharactersMax)
    if (filled instanceof Problem) return filled
    const { channels } = template
    const route = way.notification(channels)
    if ('refused' in route) return new Problem(route.refused)
    const content = sealContent(secrets, draft, { kind: 'notification', template: slug, ...filled, channels })
    const message = { accountId, id, mode, phone, country, template: slug, route: route.connections, at, content }
    return { ...message, kind: 'notification', status: 'queued', expiresAt: null, trace }
  }
}

/** Counts each draft on its phone. @returns why those that a limit forbids are refused */
async function reserve<Draft extends PhoneKey & { at: Date }>(
  tx: Tx,
  drafts: Draft[],
  limits: Limits,
): Promise<Map<Draft, Problem<'send_limit_reached'>>> {
  const refusals = new Map<Draft, Problem<'send_limit_reached'>>()
  for (const [mode, list] of byMode(drafts)) {
    const { notifications: rules } = limitsOf(mode, limits)
    const reserved = await reserveNotifications(tx, list, rules)
    const refused = list.filter(
      (draft) => !reserved.some(({ accountId, phone }) => accountId === draft.accountId && phone === draft.phone),
    )
    const sends = refused.length > 0 ? await findSends(tx, refused) : []
    refused.forEach((draft, index) => {
      const wait = secondsToWait(rules, sends[index]?.notifiedAt ?? [], draft.at)
      refusals.set(draft, new Problem('send_limit_reached', { retryAfterSeconds: Math.max(1, wait) }))
    })
  }
  return refusals
}

function unknownTemplate(): Problem<'unknown_template'> {
  return new Problem('unknown_template', {
    details: [{ field: '/template', code: 'unknown', message: 'names no template of this account' }],
  })
}
