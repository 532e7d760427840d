/** The port to a messaging application. What it answers is data; what it throws is a bug. */
import type { Content } from '../domain/content.ts'
import type { ErrorCode } from '../problem.ts'
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
  /** `providerMessageId`: 1 to 255 visible ASCII characters; a provider's id of another form is left out. */
  | { kind: 'sent'; providerMessageId?: string }
  /**
   * Try again, after so many seconds if the provider asks for it. `reason` goes into the timeline: a short sentence of our
   * own, in which nothing of the provider's answer stands, because that may quote what it was asked.
   */
  | { kind: 'retry'; reason: string; afterSeconds?: number }
  | { kind: 'failed'; code: DeliveryErrorCode }

/** What a provider posts, as it came. */
export interface Report {
  /** Names in lower case. One that came more than once has all of its values, with commas between. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * What a provider reports of a message, in any order, late and more than once. The ids are the provider's word: whether
 * there is such a message is found out later. The time is one that `timeOf` lets pass.
 */
export interface Receipt {
  accountId: string
  id: string
  status: 'delivered' | 'read' | 'failed'
  at: Date
  /** With `failed`. */
  errorCode?: DeliveryErrorCode
}

export interface Channel {
  /**
   * Answers within 10 seconds: a claimed job is taken to be lost some time after that. It does not follow a provider to
   * another address, and gives the same id to it at every attempt.
   *
   * @throws what the service's own database throws; every answer of a provider is an outcome
   */
  send: (message: Outgoing) => Promise<Outcome>
  /**
   * Whether a report is the provider's own, by its signature over the raw bytes, in constant time, before it is parsed.
   * Headers are anybody's: whatever is in them, it answers.
   */
  verify: (report: Report) => boolean
  /** @throws UnreadableReport, and nothing else, when the body is not of the provider's form */
  parse: (body: Buffer) => Receipt[]
  /** Why a code is not even made for that phone; undefined lets it pass. */
  refuses?: (phone: string) => ErrorCode | undefined
}

/** By the name that a message carries. */
export type Channels = Readonly<Record<string, Channel>>
