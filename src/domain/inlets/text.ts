/** Texts that another system wrote whole, with a code in them that we do not know: sent by connections that can carry a text. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { Problem } from '../../kit/problem.ts'
import type { Rule } from '../../store/sending/limit.ts'
import type { NewMessage } from '../../store/sending/message.ts'
import { sendTexts } from '../../store/sending/notification.ts'
import { sealContent } from '../sending/content.ts'
import type { Keyed, KeyedOutcome } from '../sending/idempotency.ts'
import { limitsOf, sendRefused, withoutCooldown } from '../sending/limit.ts'
import { messageIdPrefix } from '../sending/messageId.ts'
import { lookUpPhone } from '../sending/phone.ts'
import { firstLegOf, type SendInput, type SendParts } from '../sending/verification.ts'

export interface TextInput extends Keyed {
  caller: SendInput['caller']
  /** The id of the inlet that it comes through. */
  inlet: string
  phone: string
  text: string
}

export interface Texts {
  /**
   * Queues the text. The limits of codes to a phone hold for it, but for the cooldown.
   *
   * @returns or why not: but for the limits, before anything is asked of the database
   */
  send: (input: TextInput) => Promise<KeyedOutcome<{ id: string }, ErrorCodeOf<'sendVerification'>>>
}

export function createTexts(parts: SendParts): Texts {
  const { idempotency, secrets, policy, runtime } = parts
  const submitBy = (rules: Rule[]) => createSubmit(rules, parts)
  const submit = {
    live: submitBy(withoutCooldown(limitsOf('live', policy.limits).sends)),
    test: submitBy(limitsOf('test', policy.limits).sends),
  }

  return {
    send: async (input) => {
      const { accountId, mode, keyId } = input.caller
      const found = lookUpPhone(input.phone, policy.countriesAllowed)
      if (found instanceof Problem) return idempotency.refuse(input, found)
      const { country, one: phone } = found
      const way = (await policy.route({ accountId, mode, phone: input.phone, country })).notification({})
      if ('refused' in way) return idempotency.refuse(input, new Problem(way.refused))
      const id = `${messageIdPrefix}${runtime.newId()}`
      const to = input.phone === phone ? {} : { to: input.phone }
      const content = { kind: 'notification' as const, variables: {}, text: input.text, channels: {}, ...to }
      return submit[mode]({
        ...{ accountId, mode, keyId, id, phone, country, once: input.once, inlet: input.inlet },
        ...{ kind: 'notification' as const, status: 'queued' as const, route: way.connections },
        content: sealContent(secrets, { accountId, id }, content),
        at: runtime.now(),
        expiresAt: null,
        trace: runtime.tracing.current(),
      })
    },
  }
}

function createSubmit(rules: Rule[], { idempotency, dispatch }: SendParts) {
  return idempotency.share<NewMessage & Keyed, { id: string }, 'resend_cooldown' | 'send_limit_reached'>({
    conflictOf: ({ accountId, phone }) => `${accountId} ${phone}`,
    ownerOf: ({ accountId }) => accountId,
    work: async (tx, drafts) => {
      await dispatch(tx, drafts.map(firstLegOf), { mayBeMissing: true })
      const forbidden = await sendTexts(tx, drafts, rules)
      return drafts.map(({ id, at }) => {
        const times = forbidden.get(id)
        return times ? sendRefused(rules, times, at) : { id }
      })
    },
  })
}
