/**
 * WhatsApp, Telegram and the providers of SMS on this machine: takes what the service sends, shows what each phone gets, reports as the real ones
 * do, and breaks as it is told to. It keeps everything in memory and knows nothing of the service.
 */
import { createHostCheck } from '../http/host.ts'
import { administer } from './admin.ts'
import { createChaos } from './chaos.ts'
import { type Control, createControl } from './control.ts'
import { createEvents } from './events.ts'
import { createExchange } from './exchange.ts'
import { createJournal } from './journal.ts'
import { type SimulatorOptions, standardOptions } from './options.ts'
import { createPage } from './page/page.ts'
import { createPending } from './pending.ts'
import { messageView, Phones } from './phones.ts'
import { createPoster } from './poster.ts'
import type { Incoming, Reply } from './reply.ts'
import { createSimulatorServer, listen } from './server.ts'
import { createSlowness } from './slowness.ts'
import { createSms, pathOf } from './sms/sms.ts'
import { createTelegram } from './telegram/telegram.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'
import { createTellTemplate } from './whatsapp/templateNews.ts'
import { createTemplates } from './whatsapp/templates.ts'
import { createWhatsapp } from './whatsapp/whatsapp.ts'

export interface Simulator extends Control {
  port: number
  /** The `base_url` of WhatsApp and Telegram. */
  url: string
  /** What a connection to an SMS provider has in its settings: where it is simulated, and what it is known by. */
  sms: (provider: string) => { base_url: string; settings: Readonly<Record<string, string>> }
  /** Calls off what is under way: reports that wait are lost. */
  close: () => Promise<void>
}

/** @throws what the system says when the address cannot be listened on */
export async function createSimulator(given: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const options = { ...standardOptions, ...given }
  const parts = createParts(options)
  const { sms, control, answer, heldMs, events, pending, poster } = parts
  const isForUs = createHostCheck([options.host, ...options.hosts])
  const server = createSimulatorServer({ answer, isForUs, heldMs, slowMs: options.slowMs, pending })
  const port = await listen(server, options.port, options.host)
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`
  return {
    ...control,
    port,
    url,
    sms: (provider) => ({
      base_url: `${url}${pathOf(provider)}`,
      settings: sms.providers.get(provider)?.expected ?? {},
    }),
    close: async () => {
      pending.end()
      events.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, poster.close()])
    },
  }
}

function createParts(options: SimulatorOptions) {
  const { now, onNote, onMessage, keepMax, attemptsMax, retryMs, reportAfterMs, reportWindowMs } = options
  const events = createEvents()
  const onChange = events.changed
  const pending = createPending()
  const journal = createJournal({
    now,
    onNote: (entry) => {
      onNote(entry)
      onChange()
    },
  })
  const phones = new Phones({
    keepMax,
    now,
    onChange,
    onTake: (handOver) => onMessage?.(handOver.phone, messageView(handOver)),
  })
  const chaos = createChaos()
  const slowness = createSlowness()
  const poster = createPoster({ attemptsMax, retryMs, atOnceMax: options.reportsAtOnceMax, pending, journal })
  const exchange = createExchange({ phones, chaos, pending, reportAfterMs })
  const templates = createTemplates(options.templates)
  const webhooks = toWebhooks(options)
  const common = { poster, exchange, phones, journal, now }
  const whatsapp = createWhatsapp({
    ...common,
    token: options.whatsappToken,
    appSecret: options.appSecret,
    businessAccountId: options.businessAccountId,
    mayFrom: (id) => options.phoneNumberIds.includes(id) || webhooks.numbers().includes(id),
    templates,
    webhookOf: webhooks.whatsapp,
    windowMs: reportWindowMs,
  })
  const telegram = createTelegram({ ...common, token: options.telegramToken, webhook: webhooks.telegram })
  const { smsProviders: files, smsSecrets: secrets } = options
  const sms = createSms({ ...common, files, secrets, webhookOf: webhooks.sms })
  const control = createControl({
    ...{ phones, chaos, slowness, webhooks, templates, exchange, poster, pending, onChange },
    wires: { whatsapp, telegram, sms },
    tellTemplate: createTellTemplate({ ...options, urls: webhooks.ofWhatsapp, poster }),
    verifyToken: options.verifyToken,
  })
  const page = createPage({ control, phones, journal, events })
  const isOwn = ({ path }: Incoming) => path === '/' || path === ownPath || path.startsWith(`${ownPath}/`)
  const answer = (incoming: Incoming): Reply | Promise<Reply> => {
    if (!isOwn(incoming))
      return sms.answer(incoming) ?? whatsapp.answer(incoming) ?? telegram.answer(incoming) ?? notFound
    const path = incoming.path === '/' ? '/' : incoming.path.slice(ownPath.length)
    return page(incoming) ?? administer({ control, templates }, incoming, path)
  }
  const heldMs = (incoming: Incoming): number => (isOwn(incoming) ? 0 : slowness.next())
  return { sms, control, answer, heldMs, events, pending, poster }
}

const ownPath = '/_simulator'
const notFound: Reply = { status: 404, value: { error: 'No simulated provider has such a path.' } }

function toWebhooks(options: SimulatorOptions): Webhooks {
  const { whatsappWebhook: whatsapp, whatsappWebhooks: numbers, telegramWebhook: telegram, smsWebhooks: sms } = options
  return createWebhooks({ whatsapp, numbers, telegram, sms })
}
