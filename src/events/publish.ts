/** One attempt to bring an event to its endpoint: a signed POST, and what came of it. */

import type { Runtime } from '../kit/runtime.ts'
import { traceHeader } from '../kit/tracing.ts'
import { type Client, isCalledOff, isLate } from '../outbound/client.ts'
import { signatureOf } from '../outbound/signature.ts'
import type { ClaimedEvent } from '../store/webhooks/event.ts'

export interface PublishResult {
  /** When it began. */
  at: Date
  durationMs: number
  /** `gone`: the endpoint wants to be told nothing any more. */
  result: 'taken' | 'failed' | 'gone'
  /** Of the answer; null when none came. */
  status: number | null
  /** Why it failed, where the status does not say it. */
  error: string | null
  /** The beginning of the answer's body, as text; null when none came. */
  answer: string | null
  /** It has too much to do: it said so, or had not answered in time. */
  isBusy: boolean
  /** It was an error of this service: it tells nothing of the endpoint. */
  isOurs?: true
  retryAfterSeconds?: number | undefined
}

/** Never throws. @returns undefined when it was called off, because this process ends */
export type Publish = (delivery: ClaimedEvent) => Promise<PublishResult | undefined>

export interface PublishParts {
  client: Pick<Client, 'ask'>
  /** Those that sign now; none when they cannot be opened. */
  secretsOf: (endpoint: { accountId: string; id: string; sealed: Uint8Array }) => readonly string[]
  runtime: Pick<Runtime, 'now' | 'elapsedMs' | 'internalErrors'> & Partial<Pick<Runtime, 'tracing'>>
}

type Finding = Omit<PublishResult, 'at' | 'durationMs'>

export function createPublish({ client, secretsOf, runtime }: PublishParts): Publish {
  const ask = createAsk({ client, secretsOf, runtime })
  return async (delivery) => {
    const at = runtime.now()
    const startedAt = runtime.elapsedMs()
    const ended = (finding: Finding): PublishResult => ({
      at,
      durationMs: Math.round(runtime.elapsedMs() - startedAt),
      ...finding,
    })
    try {
      const finding = await ask(delivery, at)
      return finding && ended(finding)
    } catch (error) {
      const { accountId: account, endpointId: endpoint, eventId: event_id } = delivery
      runtime.internalErrors.note('event', error, { account, endpoint, event_id })
      return ended({ ...unanswered, error: 'an error of this service', isOurs: true })
    }
  }
}

function createAsk({ client, secretsOf, runtime }: PublishParts) {
  return async (
    { accountId, endpointId, eventId: id, url, sealed, body }: ClaimedEvent,
    at: Date,
  ): Promise<Finding | undefined> => {
    const secrets = secretsOf({ accountId, id: endpointId, sealed })
    if (secrets.length === 0) return { ...unanswered, error: 'its secret cannot be opened: rotate it' }
    const timestamp = Math.floor(at.getTime() / 1000)
    const answer = await client.ask({
      method: 'POST',
      url,
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
        ...traceHeader(runtime.tracing),
      },
      body,
    })
    if (isCalledOff(answer)) return undefined
    if (answer.kind !== 'answered') return { ...unanswered, error: answer.reason, isBusy: isLate(answer) }
    const { status, retryAfterSeconds } = answer
    return {
      result: toResult(status),
      status,
      error: status >= 300 && status < 400 ? 'redirects are not followed' : null,
      answer: textOf(answer.body),
      isBusy: status === 429,
      retryAfterSeconds,
    }
  }
}

const unanswered = { result: 'failed', status: null, answer: null, isBusy: false } as const

function toResult(status: number): PublishResult['result'] {
  if (status >= 200 && status < 300) return 'taken'
  return status === 410 ? 'gone' : 'failed'
}

/** What the database can keep of it. */
function textOf(body: Buffer): string {
  return body.toString().replaceAll('\0', '\u{fffd}')
}
