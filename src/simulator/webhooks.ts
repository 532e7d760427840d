/** Where reports go; it may change while the simulator runs. */

export interface WebhookSettings {
  /** Of every `phone_number_id` that has none of its own. */
  whatsapp?: string | undefined
  /** By `phone_number_id`. */
  numbers?: Readonly<Record<string, string>>
  /** For messages that name no address. */
  telegram?: string | undefined
  /** By the name of an SMS provider, for messages that name no address. */
  sms?: Readonly<Record<string, string>>
}

export interface Webhooks {
  /** Changes those that are named. */
  set: (settings: WebhookSettings) => void
  whatsapp: (phoneNumberId: string) => string | undefined
  telegram: () => string | undefined
  sms: (provider: string) => string | undefined
  /** Every `phone_number_id` that has an address of its own. */
  numbers: () => string[]
  /** Every address that WhatsApp reports to, once. */
  ofWhatsapp: () => string[]
}

export function createWebhooks(first: WebhookSettings): Webhooks {
  let current = first
  return {
    set: (settings) => {
      const numbers = { ...current.numbers, ...settings.numbers }
      current = { ...current, ...settings, numbers, sms: { ...current.sms, ...settings.sms } }
    },
    whatsapp: (id) => current.numbers?.[id] ?? current.whatsapp,
    telegram: () => current.telegram,
    sms: (provider) => current.sms?.[provider],
    numbers: () => Object.keys(current.numbers ?? {}),
    ofWhatsapp: () =>
      [...new Set([current.whatsapp, ...Object.values(current.numbers ?? {})])].filter((url) => url !== undefined),
  }
}
