/** A code on its way: may it be sent, and then send it. */
import { z } from 'zod'
import type { ChannelParts, Outcome, Outgoing } from '../../channel.ts'
import type { Gateway } from './gateway.ts'
import { payloadOf, requestId, toRequestPrice } from './report.ts'

export interface TelegramSendParts extends Pick<ChannelParts, 'runtime' | 'onBalance'> {
  gateway: Gateway
  /** Where reports are wanted, if they can come. */
  reportsUrl: string | undefined
  senderUsername: string | undefined
}

/** Where no report can come. Telegram delivers within a second, or when the phone is on again. */
const askAfterSeconds = [5, 15, 30, 60]
const [ttlSecondsMin, ttlSecondsMax] = [30, 3600]
const payloadBytesMax = 128

const able = z.object({
  request_id: requestId,
  remaining_balance: z.number().optional().catch(undefined),
  request_cost: z.unknown().optional(),
})
const taken = z.object({ request_id: requestId })

export async function sendByTelegram(message: Outgoing, parts: TelegramSendParts): Promise<Outcome> {
  const { gateway, reportsUrl, runtime } = parts
  // Its route was made when the connection was of another kind.
  if (message.content.kind !== 'verification') {
    return { kind: 'failed', code: 'rejected_by_channel', reason: 'Telegram carries codes only', isUnasked: true }
  }
  // Costs what the message costs, and the message is free then. It costs nothing when the number can not be reached.
  const check = await gateway.ask('checkSendAbility', { phone_number: message.phone }, able)
  // It may have been paid for in vain, but nothing left.
  if (!check.ok) return check.refusal.kind === 'unknown' ? { ...check.refusal, kind: 'retry' } : check.refusal
  const { request_id, remaining_balance } = check.result
  // The answer to the second call has one too, and it is 0: that call costs nothing.
  if (remaining_balance !== undefined) parts.onBalance?.(remaining_balance)
  const secondsLeft = message.expiresAt && (message.expiresAt.getTime() - runtime.now().getTime()) / 1000
  if (secondsLeft !== null && secondsLeft <= 0) return { kind: 'retry', reason: 'the code ran out meanwhile' }
  const sent = await gateway.ask(
    'sendVerificationMessage',
    {
      phone_number: message.phone,
      request_id,
      code: message.content.code,
      ttl: secondsLeft === null ? undefined : ttlOf(secondsLeft),
      payload: payload(message),
      callback_url: reportsUrl,
      sender_username: parts.senderUsername,
    },
    taken,
  )
  if (!sent.ok) return sent.refusal
  const price = toRequestPrice(check.result)
  const outcome = { kind: 'sent', providerMessageId: sent.result.request_id, ...(price && { price }) } as const
  return reportsUrl === undefined ? { ...outcome, askAfterSeconds } : outcome
}

/**
 * How long Telegram may take to deliver it: no longer than the code lasts. Telegram takes no less than half a minute, so
 * the last codes may arrive after they ran out; who enters one of them is told so.
 */
function ttlOf(secondsLeft: number): number {
  return Math.min(ttlSecondsMax, Math.max(ttlSecondsMin, Math.floor(secondsLeft)))
}

/** @returns undefined where it is longer than Telegram takes: its own id names the message as well */
function payload(message: Outgoing): string | undefined {
  const text = payloadOf(message)
  return Buffer.byteLength(text) <= payloadBytesMax ? text : undefined
}
