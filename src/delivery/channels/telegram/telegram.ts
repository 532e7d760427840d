/** Telegram's Gateway: codes to those who have Telegram. It says at once who has not. */
import { z } from 'zod'
import type { AddressGuard } from '../../../outbound/address.ts'
import { createClient } from '../../../outbound/client.ts'
import type { Channel, ChannelParts, Finding, Kind } from '../../channel.ts'
import { readJson } from '../../report.ts'
import { baseUrlForm, baseUrlPlace } from '../baseUrl.ts'
import { type Answered, createGateway, type Gateway } from './gateway.ts'
import { createTelegramVerify, requestStatus, toReceipt } from './report.ts'
import { sendByTelegram } from './send.ts'

const standardUrl = 'https://gatewayapi.telegram.org'

const settings = {
  /** Of gateway.telegram.org. The characters are those of RFC 6750. */
  access_token: z.string().regex(/^[A-Za-z0-9\-._~+/]{8,500}=*$/, 'must be a token of gateway.telegram.org'),
  /** The verified channel that a code comes from; Telegram's own when left out. */
  sender_username: z
    .string()
    .regex(/^[A-Za-z]\w{3,31}$/, 'must be the user name of a channel, without @')
    .optional(),
}

const settingsForm = (guard: AddressGuard) =>
  z.strictObject({ ...settings, base_url: baseUrlForm(guard).default(standardUrl) })

type Settings = z.infer<ReturnType<typeof settingsForm>>

/** @param guard where a connection may lead */
export function createTelegramKind({ guard }: { guard: AddressGuard }): Kind<Settings> {
  return {
    settings: settingsForm(guard),
    placesOf: baseUrlPlace,
    faultOfPlace: guard.faultOfPlace,
    fields: () => [
      {
        name: 'access_token',
        title: 'Access token',
        about: 'From gateway.telegram.org/account/api.',
        secret: true,
      },
      {
        name: 'sender_username',
        title: 'Sender',
        about: 'The user name of a verified channel of yours, without @. Codes come from it.',
        example: 'acme_codes',
        optional: true,
      },
      {
        name: 'base_url',
        title: 'Address of the API',
        about: 'Only if you use a relay or a simulator. Without a slash at the end.',
        optional: true,
        standard: standardUrl,
        leads: true,
      },
    ],
    words: { title: 'Telegram', carries: 'Codes only, of 4 to 8 digits' },
    carries: (message) => message.kind === 'verification' && message.digits >= 4 && message.digits <= 8,
    open: (opened, parts) => open(opened, parts, guard),
  }
}

const connectMs = 3000
/** For the two calls of a send together. */
const standardAnswerMs = 8000
/** Calls under way at once: to send, as many as messages are handed over at once, and all others. */
const [sendingMax, askingMax] = [64, 16]
/** No request has it. */
const madeUpId = '0'

function open(settings: Settings, parts: ChannelParts, guard: AddressGuard): Channel {
  const { accountId, runtime, publicUrl, answerMs = standardAnswerMs } = parts
  const token = settings.access_token
  // Telegram reports to https only, and would refuse the message.
  const reportsUrl = publicUrl?.startsWith('https://')
    ? `${publicUrl}/providers/${accountId}/${parts.connection}`
    : undefined
  const totalMs = answerMs / 2
  const toGateway = (connectionsMax: number) => {
    const client = createClient({
      ...{ connectMs: Math.min(connectMs, totalMs), totalMs, connectionsMax, answerBytesMax: 65_536 },
      ...{ guard, now: runtime.now },
    })
    return createGateway({ client, baseUrl: settings.base_url, token })
  }
  const gateway = toGateway(sendingMax)
  // Of its own: to wait behind these would make a send last longer than it may.
  const asking = toGateway(askingMax)
  return {
    send: (message) =>
      sendByTelegram(message, { ...parts, gateway, reportsUrl, senderUsername: settings.sender_username }),
    verify: createTelegramVerify(token, runtime.now),
    parse: (body) => [toReceipt(readJson(body, requestStatus), { accountId, now: runtime.now() }) ?? []].flat(),
    ask: async (providerMessageId) => {
      const asked = { request_id: providerMessageId }
      const answer = await asking.ask('checkVerificationStatus', asked, requestStatus)
      if (!answer.ok || answer.result.request_id !== providerMessageId) return undefined
      const receipt = toReceipt(answer.result, { accountId, now: runtime.now() })
      return receipt?.status === 'sent' ? undefined : receipt
    },
    confirm: async (providerMessageId, code) => {
      await asking.ask('checkVerificationStatus', { request_id: providerMessageId, code }, z.unknown())
    },
    check: () => check(asking, reportsUrl),
    close: async () => {
      await Promise.all([gateway.close(), asking.close()])
    },
  }
}

/** Of what is configured, the token alone can be tried without a call that costs. */
async function check(gateway: Gateway, reportsUrl: string | undefined): Promise<Finding[]> {
  const reports: Finding = reportsUrl
    ? { level: 'good', text: `reports come to ${reportsUrl}` }
    : {
        level: 'warning',
        text: 'PUBLIC_URL is not set, or not https: there are no reports, so Telegram is asked for statuses',
      }
  return [tokenFinding(await gateway.ask('checkVerificationStatus', { request_id: madeUpId }, z.unknown())), reports]
}

function tokenFinding(answer: Answered<unknown>): Finding {
  // That there is no such request, only who has a good token is told.
  if (answer.ok || answer.refusal.providerCode === 'REQUEST_ID_INVALID') return { level: 'good', text: 'token taken' }
  const { kind, reason } = answer.refusal
  if (kind === 'down') return { level: 'bad', text: reason }
  if (kind === 'failed') return { level: 'warning', text: `token not refused, but: ${reason}` }
  return { level: 'bad', text: `no answer about the token: ${reason}` }
}
