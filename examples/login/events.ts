/** Keeps what Watchword tells about each message, so that the page can say whether it has arrived. */
import type { RequestHandler } from 'express'
import { Webhook } from 'standardwebhooks'
import type { components } from './watchword.ts'

const { WATCHWORD_WEBHOOK_SECRET } = process.env
if (!WATCHWORD_WEBHOOK_SECRET) throw new Error('Set WATCHWORD_WEBHOOK_SECRET to the secret of your endpoint, whsec_…')
const webhook = new Webhook(WATCHWORD_WEBHOOK_SECRET)

interface Known {
  type: string
  timestamp: string
}

/** The newest event of each request. In production, this is a table: then every process has it, and no restart loses it. */
const newest = new Map<string, Known>()
const knownMax = 10_000

/** @returns the type of the newest event; undefined when none has come yet */
export function deliveryOf(requestId: string): string | undefined {
  return newest.get(requestId)?.type
}

export const receiveEvents: RequestHandler = (request, response) => {
  let event: components['schemas']['WebhookEvent']
  try {
    event = webhook.verify(request.body, request.headers as Record<string, string>) as typeof event
  } catch {
    return void response.sendStatus(401)
  }
  if ('request_id' in event.data) keep(event.data.request_id, event)
  response.sendStatus(204)
}

/** Events may come twice, and in another order than they happened. */
function keep(requestId: string, { type, timestamp }: Known): void {
  const known = newest.get(requestId)
  if (known && known.timestamp > timestamp) return
  newest.delete(requestId)
  newest.set(requestId, { type, timestamp })
  for (const oldest of newest.keys()) {
    if (newest.size <= knownMax) break
    newest.delete(oldest)
  }
}
