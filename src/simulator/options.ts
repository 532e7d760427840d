/** What can be set, and what it is when it is not. */
import type { ProviderFile } from '../delivery/channels/sms/providerFile.ts'
import { shippedProviders } from '../delivery/channels/sms/shipped.ts'
import type { Entry } from './journal.ts'
import type { MessageView } from './phones.ts'
import { standardTemplates, type TemplateInput } from './whatsapp/templates.ts'

export interface SimulatorOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  /** Names besides those of its own machine under which it is asked, without ports. */
  hosts: readonly string[]

  whatsappToken: string
  /** Signs WhatsApp's reports. */
  appSecret: string
  /** For WhatsApp's handshake. */
  verifyToken: string
  phoneNumberIds: readonly string[]
  businessAccountId: string
  /** Where the reports of every `phone_number_id` go that has no address of its own. */
  whatsappWebhook: string | undefined
  /** By `phone_number_id`, which may send then too. */
  whatsappWebhooks: Readonly<Record<string, string>>
  templates: readonly TemplateInput[]

  telegramToken: string
  /** For messages without a `callback_url`. Telegram itself reports those to nobody. */
  telegramWebhook: string | undefined

  /** The providers of SMS, as their files say. */
  smsProviders: readonly ProviderFile[]
  /** What connections to them have in their settings, by `<provider>.<setting>`; `simulated-<setting>` when left out. */
  smsSecrets: Readonly<Record<string, string>>
  /** By the name of a provider, for messages that name no address. */
  smsWebhooks: Readonly<Record<string, string>>

  /** Milliseconds before each report. */
  reportAfterMs: number
  /** Milliseconds for how long WhatsApp's reports are collected to go in one body. */
  reportWindowMs: number
  /** Times that a report is posted until it is answered 200. */
  attemptsMax: number
  /** Milliseconds before the second time; twice as many before each next one. */
  retryMs: number
  /** Reports to one address that are under way at once. */
  reportsAtOnceMax: number
  /** Milliseconds that the fault `slow` takes. */
  slowMs: number
  /** Hand-overs that are remembered. */
  keepMax: number

  /** For what is signed and shown. */
  now: () => Date
  /** Told of what a phone gets. */
  onMessage: ((phone: string, message: MessageView) => void) | undefined
  /** Told of what goes wrong. */
  onNote: (entry: Entry) => void
}

/** As tests want them: no waiting, and reports go nowhere until they are told where. */
export const standardOptions: SimulatorOptions = {
  host: '127.0.0.1',
  port: 0,
  hosts: [],
  whatsappToken: 'simulated-whatsapp-token',
  appSecret: 'simulated-app-secret',
  verifyToken: 'simulated-verify-token',
  phoneNumberIds: ['106540352242922'],
  businessAccountId: '102290129340398',
  whatsappWebhook: undefined,
  whatsappWebhooks: {},
  templates: standardTemplates,
  telegramToken: 'simulated-telegram-token',
  telegramWebhook: undefined,
  smsProviders: shippedProviders(),
  smsSecrets: {},
  smsWebhooks: {},
  reportAfterMs: 0,
  reportWindowMs: 0,
  attemptsMax: 10,
  retryMs: 0,
  reportsAtOnceMax: 16,
  slowMs: 8000,
  keepMax: 100_000,
  now: () => new Date(),
  onMessage: undefined,
  onNote: () => {},
}
