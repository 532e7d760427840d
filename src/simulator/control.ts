/** What can be done to the simulator: by a test that made it, by the admin paths, by its page. */
import type { Chaos, ChaosSettings } from './chaos.ts'
import type { Exchange } from './exchange.ts'
import { findFault, type Status, type WireName, wireNames } from './faults.ts'
import type { Pending } from './pending.ts'
import type { Phones, PhoneView } from './phones.ts'
import type { Posted, Poster } from './poster.ts'
import type { Slowness, SlownessSettings } from './slowness.ts'
import type { WebhookSettings, Webhooks } from './webhooks.ts'
import type { TellTemplate } from './whatsapp/templateNews.ts'
import type { TemplateChange, TemplateInput, Templates } from './whatsapp/templates.ts'
import { shakeHands } from './whatsapp/whatsapp.ts'
import type { Wire } from './wire.ts'

export interface Control {
  /** Every phone with all that it was handed; the one that got something last comes last. */
  phones: () => PhoneView[]
  phone: (phone: string) => PhoneView
  /** Forgets one phone, its fault included; all of them when none is named. */
  forget: (phone?: string) => void
  /**
   * Gives a phone a fault.
   *
   * @param fault null leaves it to the number again
   * @param wire on that one alone; on all that the fault is about when left out
   * @throws UnknownFault
   */
  setFault: (phone: string, fault: string | null, wire?: WireName) => void
  /** @param settings null ends it. @throws UnknownFault */
  chaos: (settings: ChaosSettings | null) => void
  /** @param settings null ends it */
  slow: (settings: SlownessSettings | null) => void
  /** Where reports go from now on. */
  pointAt: (webhooks: WebhookSettings) => void
  /** @throws ZodError */
  putTemplate: (template: TemplateInput) => void
  /**
   * Gives a template another status or category, and posts that once to each of WhatsApp's webhooks.
   *
   * @returns what each answered; undefined when there is no such template
   */
  changeTemplate: (change: TemplateChange) => Promise<Posted[] | undefined>
  /**
   * Reports a message once, by hand. Of Telegram, `failed` is `expired`.
   *
   * @param code with `failed`. Of WhatsApp, 131026 when left out; by SMS what it means, as `unreachable`
   * @returns undefined when there is no such message, or nowhere to report it to
   */
  report: (id: string, status: Status, code?: string) => Promise<Posted | undefined>
  /**
   * Answers a message, as a person does on the phone.
   *
   * @returns undefined when there is no such message, its provider hands on no replies, or there is nowhere to post them to
   */
  reply: (id: string, text: string) => Promise<Posted | undefined>
  /** Asks each of WhatsApp's webhooks whether it is the receiver's. `fault`: why it is not */
  shakeHands: () => Promise<{ url: string; fault?: string }[]>
  /** Resolves when every report that is due was answered, or given up. */
  settled: () => Promise<void>
  state: () => State
}

export interface State {
  phones: number
  taken: number
  refused: number
  reports: Poster['counts']
  chaos: ChaosSettings | null
  slowness: SlownessSettings | null
}

export class UnknownFault extends Error {
  override readonly name = 'UnknownFault'
}

export interface ControlParts {
  phones: Phones
  chaos: Chaos
  slowness: Slowness
  webhooks: Webhooks
  templates: Templates
  tellTemplate: TellTemplate
  exchange: Exchange
  wires: Record<WireName, Wire>
  poster: Poster
  pending: Pending
  verifyToken: string
  onChange: () => void
}

export function createControl(parts: ControlParts): Control {
  const { phones, chaos, slowness, webhooks, templates, exchange, wires, poster, pending, verifyToken, onChange } =
    parts
  return {
    phones: () => phones.views(),
    phone: (phone) => phones.view(phone),
    forget: (phone) => phones.forget(phone),
    setFault: (phone, fault, wire) => {
      const about = fault === null ? wireNames : findWires(fault)
      if (wire && !about.includes(wire)) throw new UnknownFault(`${fault} is no fault of ${wire}.`)
      phones.setFault(phone, wire ? [wire] : about, fault ?? undefined)
    },
    chaos: (settings) => {
      for (const name of settings?.faults ?? []) findWires(name)
      chaos.set(settings ?? undefined)
      onChange()
    },
    slow: (settings) => {
      slowness.set(settings ?? undefined)
      onChange()
    },
    pointAt: webhooks.set,
    putTemplate: templates.put,
    changeTemplate: async ({ name, language, status, category }) => {
      const before = templates.find(name, language)
      if (!before) return undefined
      const after = { ...before, ...(status && { status }), ...(category && { category }) }
      templates.put(after)
      return parts.tellTemplate(before, after)
    },
    report: async (id, status, code) => {
      const message = phones.find(id)
      if (!message) return undefined
      const { wire } = message
      const told = wire === 'telegram' && status === 'failed' ? 'expired' : status
      const failure = told === 'failed' ? { code: code ?? (wire === 'whatsapp' ? '131026' : undefined) } : {}
      return exchange.tell(message, { status: told, ...failure, attemptsMax: 1 }, wires[wire].report)
    },
    reply: async (id, text) => {
      const message = phones.find(id)
      return message && wires[message.wire].reply?.(message, text)
    },
    shakeHands: () =>
      Promise.all(
        webhooks.ofWhatsapp().map(async (url) => {
          const fault = await shakeHands(poster, url, verifyToken)
          return { url, ...(fault !== undefined && { fault }) }
        }),
      ),
    settled: pending.idle,
    state: () => ({
      ...phones.counts(),
      reports: { ...poster.counts },
      chaos: chaos.settings() ?? null,
      slowness: slowness.settings() ?? null,
    }),
  }
}

/** @throws UnknownFault */
function findWires(name: string): readonly WireName[] {
  const fault = findFault(name)
  if (!fault) throw new UnknownFault(`There is no fault "${name}".`)
  return wireNames.filter((wire) => fault[wire])
}
