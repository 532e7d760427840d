/** A simulator, a receiver of its reports, and who sends by it, over real HTTP. */

import { type SimulatorOptions, standardOptions } from '../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { type Asked, type Behaviour, type Provider, startProvider } from './provider.ts'

export interface Simulated extends Simulator {
  receiver: Provider
  /** Sends a code by WhatsApp. @param changes in the body, at the top */
  whatsapp: (phone: string, changes?: object, headers?: Record<string, string>) => Promise<Wired>
  /** Asks Telegram's Gateway. */
  telegram: (method: string, body: object, headers?: Record<string, string>) => Promise<Wired>
  /** Sends a code by Telegram. @param changes in the body */
  sendByTelegram: (phone: string, changes?: object) => Promise<Wired>
  /** Does what an operator does. */
  admin: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Wired>
  /** What the receiver got, as soon as all is there. */
  reported: () => Promise<Asked[]>
  /** Every status that the receiver got, in order, as the providers tell them. */
  statuses: () => Promise<string[]>
}

export interface Wired {
  status: number
  text: string
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: whatever a provider answers
  json: any
}

export const code = '046813'
export const reference = 'acct_default/req_01JD0000000000000000000000/2'

export async function startSimulated(
  options: Partial<SimulatorOptions> = {},
  behaviour: Behaviour = { status: 200 },
): Promise<Simulated> {
  const receiver = await startProvider(behaviour)
  const simulator = await createSimulator({
    whatsappWebhook: `${receiver.url}/wa`,
    telegramWebhook: `${receiver.url}/tg`,
    ...options,
  })
  const { url } = simulator
  const post = (path: string, body: object, token: string, headers: Record<string, string>) =>
    ask(url + path, 'POST', body, { Authorization: `Bearer ${token}`, 'User-Agent': 'watchword/0.1.0', ...headers })
  const reported = async () => {
    await simulator.settled()
    return receiver.asked
  }
  const telegram: Simulated['telegram'] = (method, body, headers = {}) =>
    post(`/${method}`, body, standardOptions.telegramToken, headers)
  return {
    ...simulator,
    receiver,
    whatsapp: (phone, changes = {}, headers = {}) =>
      post('/v23.0/106540352242922/messages', codeMessage(phone, changes), standardOptions.whatsappToken, headers),
    telegram,
    sendByTelegram: (phone, changes = {}) =>
      telegram('sendVerificationMessage', { phone_number: phone, code, ttl: 600, payload: reference, ...changes }),
    admin: (method, path, body, headers = {}) => ask(`${url}/_simulator${path}`, method, body, headers),
    reported,
    statuses: async () => (await reported()).flatMap(({ body }) => statusesIn(body)),
    close: async () => {
      await simulator.close()
      await receiver.close()
    },
  }
}

export function codeMessage(phone: string, changes: object = {}, onButton = code): object {
  const text = (text: string) => [{ type: 'text', text }]
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: phone,
    type: 'template',
    biz_opaque_callback_data: reference,
    template: {
      name: 'auth_copy_code',
      language: { policy: 'deterministic', code: 'en_US' },
      components: [
        { type: 'body', parameters: text(code) },
        { type: 'button', sub_type: 'url', index: '0', parameters: text(onButton) },
      ],
    },
    ...changes,
  }
}

/** @throws TypeError when no answer comes */
export async function ask(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Wired> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  return { status: response.status, text, headers: response.headers, json: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of a report of either provider. */
export function statusesIn(body: string): string[] {
  const report = JSON.parse(body)
  if (report.delivery_status) return [report.delivery_status.status]
  return statusObjectsIn(body).map(({ status }) => status)
}

// biome-ignore lint/suspicious/noExplicitAny: as WhatsApp tells them
export function statusObjectsIn(body: string): any[] {
  // biome-ignore lint/suspicious/noExplicitAny: the same
  return JSON.parse(body).entry.flatMap((entry: any) => entry.changes.flatMap((change: any) => change.value.statuses))
}
