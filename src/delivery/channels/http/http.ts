/** Any gateway that takes messages over HTTP: for SMS, a company's own messenger, or a test. Signed as events are. */
import { z } from 'zod'
import { countSegments } from '../../../domain/sending/wordings/segments.ts'
import { traceHeader } from '../../../kit/tracing.ts'
import { checked } from '../../../mapping/forms.ts'
import { createReadTime } from '../../../mapping/reportTime.ts'
import type { AddressGuard } from '../../../outbound/address.ts'
import { type ClientParts, createClient, type OutboundAnswer, parseAnswerJson } from '../../../outbound/client.ts'
import { parseSecret, signatureOf, verifySignature } from '../../../outbound/signature.ts'
import type { DeliveryErrorCode } from '../../../store/schema/schema.ts'
import type { ChannelParts, Kind, Outcome, Outgoing, Receipt } from '../../channel.ts'
import { parseReportJson, readForm, requireFew, toReportTime, wordOf } from '../../report.ts'
import { textOf } from '../../text.ts'

export interface HttpSettings {
  url: string
  /** The first is the new one while they are rotated: all sign, and all are good for a report. */
  secret: string[]
}

export interface HttpParts {
  /** Where a connection may lead. */
  guard: AddressGuard
  limits?: Pick<ClientParts, 'connectMs' | 'totalMs' | 'connectionsMax' | 'answerBytesMax'>
}

const standardLimits = { connectMs: 3000, totalMs: 8000, connectionsMax: 64, answerBytesMax: 65_536 }

export function createHttpKind({ guard, limits = standardLimits }: HttpParts): Kind<HttpSettings> {
  return {
    settings: createSettingsForm(guard),
    placesOf: ({ url }) => (typeof url === 'string' ? [{ path: ['url'], url }] : []),
    faultOfPlace: guard.faultOfPlace,
    fields: () => [
      {
        name: 'url',
        title: 'Address',
        about: 'Messages are posted to it. It must be https, or an address in a network that the operator has opened.',
        example: 'https://sms.internal/send',
        leads: true,
      },
      {
        name: 'secret',
        title: 'Secret',
        about: 'Signs the messages and the reports: whsec_ and 24 to 64 bytes in base64.',
        secret: true,
        form: 'pair',
      },
    ],
    words: {
      title: 'HTTP gateway',
      carries: 'Codes and all notifications',
      reports: 'Your gateway reports here what happened to each message, signed with the secret in your file.',
    },
    carries: () => true,
    open: ({ url, secret }, { accountId, runtime, answerMs: totalMs = limits.totalMs }: ChannelParts) => {
      const connectMs = Math.min(limits.connectMs, totalMs)
      const client = createClient({ ...limits, connectMs, totalMs, guard, now: runtime.now })
      return {
        send: async (message) => {
          // The same at every attempt of a leg, so that the gateway knows a repeat.
          const id = `${message.id}/${message.leg}`
          const timestamp = Math.floor(runtime.now().getTime() / 1000)
          const body = writeBody(message)
          const headers = {
            'Content-Type': 'application/json',
            'webhook-id': id,
            'webhook-timestamp': String(timestamp),
            'webhook-signature': signatureOf({ id, timestamp, body }, secret),
            ...traceHeader(runtime.tracing),
          }
          const outcome = toOutcome(await client.ask({ method: 'POST', url, headers, body }))
          if (outcome.kind !== 'sent') return outcome
          return { ...outcome, segments: countSegments(textOf(message.content)).segments }
        },
        verify: ({ headers, body }) => verifySignature(headers, body, secret, runtime.now()),
        parse: (body) =>
          requireFew([parseReportJson(body)].flat())
            .values()
            .map((one) => toReceipt(readForm(one, receiptForm), accountId, runtime.now())),
        close: client.close,
      }
    },
  }
}

function createSettingsForm(guard: AddressGuard): z.ZodType<HttpSettings> {
  const secret = checked(z.string(), (text) => {
    const parsed = parseSecret(text)
    return 'fault' in parsed ? parsed.fault : undefined
  })
  const error = 'must be a secret, or a list of two'
  return z.strictObject({
    url: checked(z.string(), guard.faultOfUrl),
    secret: z.union([secret, z.array(secret).min(1, error).max(2, error)], { error }).transform((one) => [one].flat()),
  })
}

function writeBody({ id, accountId: account, phone, content, expiresAt }: Outgoing): string {
  const front = { id, account, kind: content.kind, phone }
  const [text, end] = [textOf(content), { expires_at: expiresAt?.toISOString() }]
  if (content.kind === 'notification') {
    return JSON.stringify({ ...front, template: content.template, variables: content.variables, text, ...end })
  }
  return JSON.stringify({ ...front, text, code: content.code, ...end })
}

type Refusal = ({ kind: 'failed'; code: DeliveryErrorCode } | { kind: 'down' | 'retry' }) & { meaning: string }

/** By status. Each other one that is no success tells nothing of the message. */
const refusals: Readonly<Record<number, Refusal>> = {
  400: { kind: 'failed', code: 'rejected_by_channel', meaning: 'refused' },
  401: { kind: 'down', meaning: 'signature refused' },
  403: { kind: 'down', meaning: 'not permitted' },
  404: { kind: 'failed', code: 'not_on_channel', meaning: 'not known there' },
  410: { kind: 'failed', code: 'not_on_channel', meaning: 'not there any more' },
  422: { kind: 'failed', code: 'rejected_by_channel', meaning: 'refused' },
  429: { kind: 'retry', meaning: 'too many' },
  503: { kind: 'retry', meaning: 'not available' },
}

function toOutcome(answer: OutboundAnswer): Outcome {
  if (answer.kind === 'unsent') return { kind: 'retry', reason: answer.reason }
  if (answer.kind === 'unknown') return answer
  const { status, retryAfterSeconds } = answer
  if (status >= 200 && status < 300) return { kind: 'sent', ...takenAs(answer.body) }
  const { meaning, ...refusal } = refusals[status] ?? { kind: 'unknown' as const, meaning: 'no answer that is known' }
  const why = { reason: `${status} (${meaning})`, providerCode: String(status) }
  if (refusal.kind !== 'retry' || retryAfterSeconds === undefined) return { ...refusal, ...why }
  return { ...refusal, ...why, afterSeconds: retryAfterSeconds }
}

const takenForm = z.object({ provider_message_id: z.string().regex(/^[\x21-\x7e]{1,255}$/) })

/** Whatever else a success says, the gateway has the message. */
function takenAs(body: Buffer): { providerMessageId?: string } {
  const { data } = takenForm.safeParse(parseAnswerJson(body))
  return data ? { providerMessageId: data.provider_message_id } : {}
}

const receiptForm = z.object({
  /** As the body of the message has it. */
  id: z.string().regex(/^[\x21-\x7e]{1,64}$/),
  status: z.enum(['delivered', 'read', 'failed']),
  at: z.string().max(64).nullish(),
  error: z.string().max(1000).nullish(),
})

const readTime = createReadTime()

function toReceipt({ id, status, at, error }: z.infer<typeof receiptForm>, accountId: string, now: Date): Receipt {
  const receipt = { message: { accountId, id }, status, at: toReportTime(readTime(at ?? undefined), now) }
  if (status !== 'failed') return receipt
  const why = { errorCode: 'rejected_by_channel' as const, reason: 'reported as failed' }
  const providerCode = wordOf(error ?? undefined)
  return { ...receipt, ...why, ...(providerCode !== undefined && { providerCode }) }
}
