/** What follows from a channel's answer: the next step of the message, and whether it is tried again. */
import type { Step } from '../domain/message.ts'
import type { Delivery } from '../store/message.ts'
import type { Outcome } from './channel.ts'

export interface Settlement {
  delivery: Delivery
  step: Step
  /** Ask again after so many seconds. */
  retryAfterSeconds?: number
}

/** Asks of one message to a channel before it is given up. With the waits below, about an hour. */
const attemptsMax = 20
const waitSecondsMax = 300

export function settlementOf(delivery: Delivery, outcome: Outcome, at: Date): Settlement {
  const { accountId, id, channel } = delivery
  const step = { accountId, id, at, attempted: true, erase: true }
  if (outcome.kind === 'failed') return { delivery, step: { ...step, status: 'failed', errorCode: outcome.code } }
  if (outcome.kind === 'retry') return retryOf(delivery, outcome, at)
  const { providerMessageId } = outcome
  const taken = { ...step, status: 'sent' as const, note: `taken by ${channel}` }
  return { delivery, step: providerMessageId === undefined ? taken : { ...taken, providerMessageId } }
}

function retryOf(delivery: Delivery, { reason, afterSeconds }: Outcome & { kind: 'retry' }, at: Date): Settlement {
  const { accountId, id, status, expiresAt } = delivery
  const attempt = delivery.attempts + 1
  const step = { accountId, id, at, attempted: true }
  if (attempt >= attemptsMax) {
    return { delivery, step: { ...step, status: 'failed', errorCode: 'channel_unavailable', erase: true } }
  }
  const retryAfterSeconds = afterSeconds ?? waitSeconds(id, attempt)
  const inTime = !expiresAt || at.getTime() + retryAfterSeconds * 1000 < expiresAt.getTime()
  const tried = { ...step, status, note: `attempt ${attempt}: ${reason}`, erase: !inTime }
  // Without time for another attempt the code just runs out; its status says so when it has.
  return inTime ? { delivery, step: tried, retryAfterSeconds } : { delivery, step: tried }
}

/** Doubles with each attempt, up to five minutes, and is spread by the id's random part so that retries don't march in step. */
function waitSeconds(id: string, attempt: number): number {
  const spread = (id.charCodeAt(id.length - 1) % 8) / 8
  return Math.min(waitSecondsMax, 2 ** (attempt - 1) * (1 + spread))
}
