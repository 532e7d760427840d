/** What an answer of WhatsApp comes to. It is told by the code in its body, never by the HTTP status. */
import { z } from 'zod'
import { type OutboundAnswer, parseAnswerJson } from '../../../outbound/client.ts'
import type { DeliveryErrorCode } from '../../../store/schema/schema.ts'
import type { Outcome } from '../../channel.ts'

export type Verdict =
  | { kind: 'retry'; afterSeconds?: number; isOfRecipient?: true }
  | { kind: 'unknown' }
  | { kind: 'failed'; code: DeliveryErrorCode; isMarketingAlone?: true }
  | { kind: 'down'; of: 'connection' | 'template' }

/** A code of WhatsApp's, with its subcode if that makes a difference (`100/33`), or a range of codes (`200-299`). */
interface Row {
  verdict: Verdict
  /** Each with what it means, in our words. */
  codes: Readonly<Record<string, string>>
}

/** As WhatsApp's list of error codes has them: developers.facebook.com, WhatsApp Business Platform, error codes. */
export const classification: readonly Row[] = [
  {
    verdict: { kind: 'retry' },
    codes: {
      4: 'too many requests of the app',
      80007: 'too many requests of the business account',
      130429: 'too many messages a second',
      131016: 'service overloaded',
      131057: 'business account in maintenance',
      133016: 'too many registrations of the number',
    },
  },
  // A business may send one message in 6 seconds to the same person.
  {
    verdict: { kind: 'retry', afterSeconds: 6, isOfRecipient: true },
    codes: { 131056: 'too many messages to this person' },
  },
  {
    verdict: { kind: 'unknown' },
    codes: {
      1: 'unknown error',
      2: 'service away for a moment',
      131000: 'something went wrong',
      135000: 'unknown error with the template',
    },
  },
  { verdict: { kind: 'failed', code: 'not_on_channel' }, codes: { 131026: 'not on WhatsApp' } },
  {
    verdict: { kind: 'failed', code: 'rejected_by_channel' },
    codes: {
      130472: 'the number is part of an experiment',
      130497: 'the business may not write to this country',
      131021: 'the recipient is the sender',
      131030: 'not a number that the test number may write to',
      131047: 'more than 24 hours since the person wrote',
      131049: 'held back to spare the person',
      131062: 'not possible for this recipient',
    },
  },
  {
    verdict: { kind: 'failed', code: 'opted_out', isMarketingAlone: true },
    codes: { 131050: 'the person wants no marketing messages' },
  },
  {
    verdict: { kind: 'down', of: 'connection' },
    codes: {
      0: 'access token not accepted',
      3: 'the app may not do this',
      10: 'permission missing',
      33: 'phone number is gone',
      '100/33': 'no such phone number id, or the token may not use it',
      190: 'access token has expired',
      '200-299': 'permission missing',
      368: 'blocked for breaking a policy',
      131005: 'access denied',
      131031: 'business account locked',
      131037: 'display name not approved',
      131042: 'payment missing',
      131045: 'phone number not registered with its certificate',
      131048: 'too many messages were reported as spam',
      131064: 'limited because of wrong template categories',
      133010: 'phone number not registered',
    },
  },
  {
    verdict: { kind: 'down', of: 'template' },
    codes: {
      100: 'invalid parameter',
      131008: 'parameter missing',
      131009: 'parameter not valid',
      132000: 'wrong number of parameters',
      132001: 'no such template in this language',
      132005: 'text too long',
      132007: 'breaks a policy',
      132008: 'parameters of another form',
      132012: 'parameters of another form',
      132015: 'template paused',
      132016: 'template disabled',
      137000: 'too many parameters',
    },
  },
]

const verdicts = new Map(
  classification.flatMap(({ verdict, codes }) =>
    Object.entries(codes).flatMap(([code, meaning]) =>
      codesIn(code).map((one) => [one, { verdict, meaning }] as const),
    ),
  ),
)

function codesIn(code: string): string[] {
  const [from = '', to] = code.split('-')
  if (to === undefined) return [code]
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => String(Number(from) + index))
}

/** WhatsApp's id of a message; one that the store would not take is none. */
export const wamid = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/)
  .optional()
  .catch(undefined)

/** As answers and reports have it. */
export const errorForm = z.object({
  code: z.int(),
  error_subcode: z.int().optional().catch(undefined),
  is_transient: z.boolean().optional().catch(undefined),
})

export interface GraphFault {
  verdict: Verdict
  providerCode: string
  /** The code, and what it means. */
  reason: string
}

/**
 * A code that is not known is a fault of the message, so that it is not sent for ever; unless WhatsApp says that it will
 * pass: then the message may have left.
 */
export function findGraphFault(error: z.infer<typeof errorForm>): GraphFault {
  const { code, error_subcode: subcode, is_transient: isTransient } = error
  const known = verdicts.get(`${code}/${subcode}`) ?? verdicts.get(String(code))
  const { verdict, meaning } = known ?? {
    verdict: isTransient ? ({ kind: 'unknown' } as const) : ({ kind: 'failed', code: 'rejected_by_channel' } as const),
    meaning: 'a code that is not known here',
  }
  return { verdict, providerCode: String(code), reason: `${code} (${meaning})` }
}

const refusedForm = z.object({ error: errorForm })
const takenForm = z.object({ messages: z.tuple([z.object({ id: wamid })], z.unknown()) })

/** @param template what was asked for */
export function toGraphOutcome(answer: OutboundAnswer, template: string): Outcome {
  if (answer.kind === 'unsent') return { kind: 'retry', reason: answer.reason }
  if (answer.kind === 'unknown') return { kind: 'unknown', reason: answer.reason }
  const body = parsed(answer)
  // Looked for first: what does not fit a form costs much more to find out than what does.
  const refused = isRefusal(body) ? refusedForm.safeParse(body).data : undefined
  if (refused) return refusal(findGraphFault(refused.error), template, answer.retryAfterSeconds)
  const taken = takenForm.safeParse(body).data
  if (!taken || answer.status >= 300) return { kind: 'unknown', reason: `status ${answer.status} with an unknown body` }
  const { id } = taken.messages[0]
  return { kind: 'sent', ...(id !== undefined && { providerMessageId: id }) }
}

function isRefusal(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'error' in body
}

function refusal({ verdict, ...why }: GraphFault, template: string, retryAfterSeconds = 0): Outcome {
  if (verdict.kind === 'retry') {
    const afterSeconds = Math.max(verdict.afterSeconds ?? 0, retryAfterSeconds)
    return { ...verdict, ...(afterSeconds > 0 && { afterSeconds }), ...why }
  }
  if (verdict.kind === 'down') return { kind: 'down', ...(verdict.of === 'template' && { template }), ...why }
  return { ...verdict, ...why }
}

/** What an answer says, as JSON; undefined when it is none. */
export function parsed(answer: OutboundAnswer): unknown {
  if (answer.kind !== 'answered' || answer.truncated) return undefined
  return parseAnswerJson(answer.body)
}
