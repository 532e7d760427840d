/** The port to a messaging application. What it answers is data; what it throws is a bug. */
import type { Content } from '../domain/content.ts'
import type { DeliveryErrorCode } from '../store/schema.ts'

export interface Outgoing {
  accountId: string
  /** The message's id. A channel gives it to its provider, so that a repeated send changes nothing. */
  id: string
  phone: string
  content: Content
  /** 1 for the first. */
  attempt: number
  expiresAt: Date | null
}

export type Outcome =
  | { kind: 'sent'; providerMessageId?: string }
  /** Try again, after so many seconds if the provider asks for it. `reason` goes into the timeline: no personal data. */
  | { kind: 'retry'; reason: string; afterSeconds?: number }
  | { kind: 'failed'; code: DeliveryErrorCode }

/** What a provider reports of a message, in any order, late and more than once. */
export interface Receipt {
  accountId: string
  id: string
  status: 'delivered' | 'read' | 'failed'
  at: Date
  /** With `failed`. */
  errorCode?: DeliveryErrorCode
}

export interface Channel {
  /** Answers within 10 seconds: a claimed job is taken to be lost some time after that. */
  send: (message: Outgoing) => Promise<Outcome>
  /** @throws when the provider's payload is not of its form */
  parseReceipts: (payload: unknown) => Receipt[]
}

/** By the name that a message carries. */
export type Channels = Readonly<Record<string, Channel>>
