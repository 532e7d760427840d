/** Texts that another system wrote whole, with a code in them that we do not know: sent by connections that can carry a text. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { Problem } from '../../kit/problem.ts'
import type { Rule } from '../../store/sending/limit.ts'
import { sealContent } from '../sending/content.ts'
import type { Keyed, KeyedOutcome } from '../sending/idempotency.ts'
import { limitsOf } from '../sending/limit.ts'
import { messageIdPrefix } from '../sending/messageId.ts'
import type { SendDraft } from '../sending/sendSteps.ts'
import { type Signals, toKeptSignals } from '../sending/signals.ts'
import { type SendInput, type SendParts, shareSends, unchecked } from '../sending/verification.ts'

export interface TextInput extends Keyed {
  caller: SendInput['caller']
  /** The id of the inlet that it comes through. */
  inlet: string
  phone: string
  text: string
  /** What the post says of who asks. */
  signals: Signals | undefined
}

export interface Texts {
  /**
   * Queues the text, as urgent as a code and for as long as a code is good. The limits of codes to a phone hold for it, but for the
   * cooldown. Its account's rules judge it as a code that is not checked here.
   *
   * @returns or why not: but for the limits and the rules, before anything is asked of the database
   */
  send: (input: TextInput) => Promise<KeyedOutcome<{ id: string }, ErrorCodeOf<'sendVerification'>>>
}

export function createTexts(parts: SendParts): Texts {
  const { idempotency, secrets, policy, runtime, lookup, rules } = parts
  const submitBy = (limits: Rule[]) =>
    shareSends<SendDraft, { id: string }>(parts, { ...unchecked(limits), doneOf: ({ id }) => ({ id }) })
  const submit = {
    live: submitBy(limitsOf('live', policy.limits).sends),
    test: submitBy(limitsOf('test', policy.limits).sends),
  }

  return {
    send: async (input) => {
      const { caller, once, text, inlet } = input
      const { accountId, mode, keyId } = caller
      const fault = lengthFault(text, policy.filledCharactersMax)
      if (fault) return idempotency.refuse(input, fault)
      const found = policy.lookUpPhone(input.phone)
      if (found instanceof Problem) return idempotency.refuse(input, found)
      const { country, phone, numberKind } = found
      const [id, at] = [`${messageIdPrefix}${runtime.newId()}`, runtime.now()]
      const signals = toKeptSignals(lookup.key, { accountId, signals: input.signals, ownCode: true, unchecked: true })
      const [route, inForce] = await Promise.all([
        policy.route({ accountId, mode, phone: input.phone, country }),
        rules.of(caller),
      ])
      const way = route.notification({})
      if ('refused' in way) return idempotency.refuse(input, new Problem(way.refused, { message: way.message }))
      const to = input.phone === phone ? {} : { to: input.phone }
      const content = { kind: 'notification' as const, variables: {}, text, channels: {}, ...to }
      return submit[mode]({
        ...{ accountId, mode, id, at, phone, country, keyId, once, inlet, signals },
        ...{ inForce, judging: { numberKind, address: input.signals?.ip } },
        ...{ kind: 'notification' as const, status: 'queued' as const, route: way.connections },
        content: sealContent(secrets, { accountId, id }, content),
        // Only its system knows how long the code in it is good: it gets the time of one of ours.
        expiresAt: new Date(at.getTime() + policy.codeTtlSeconds * 1000),
        trace: runtime.tracing.current(),
      })
    },
  }
}

/** @param charactersMax code points, as of a template that is filled */
function lengthFault(text: string, charactersMax: number): Problem<'invalid_request'> | undefined {
  if (text.length <= charactersMax || Array.from(text).length <= charactersMax) return undefined
  const message = `must have at most ${charactersMax} characters`
  return new Problem('invalid_request', { details: [{ field: '/text', code: 'too_long', message }] })
}
