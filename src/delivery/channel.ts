/** The port to a messaging application. What it answers is data; what it throws is a bug. */
import type { z } from 'zod'
import type { Finding } from '../domain/channels/connectionCheck.ts'
import type { FieldsOf, KindWords, Place } from '../domain/channels/connectionEntry.ts'
import type { Content } from '../domain/sending/content.ts'
import type { InboundReply } from '../domain/sending/phones/reply.ts'
import type { FilledTemplate } from '../domain/sending/route.ts'
import type { ProviderTemplate } from '../domain/templates/providerTemplate.ts'
import type { ProviderTemplateName, TemplateWord } from '../domain/templates/templateFault.ts'
import type { PlacedFault } from '../kit/reading/formFaults.ts'
import type { Log, Runtime } from '../kit/runtime.ts'
import type { DeliveryErrorCode, Price } from '../store/schema/schema.ts'

export interface Outgoing {
  accountId: string
  /** The message's id. With `leg` it names a hand-over: a channel gives both to its provider, so that its reports can name them. */
  id: string
  /** The place of the connection in the message's route; 1 for the first. */
  leg: number
  /** The connection that is asked. */
  connection: string
  phone: string
  content: Content
  /** On this leg; 1 for the first. */
  attempt: number
  expiresAt: Date | null
}

/**
 * `reason` goes into the timeline, after the connection's id and a colon: a short text of our own, in which nothing stands
 * that the provider was asked. `providerCode` is the provider's own code: 1 to 100 visible ASCII characters.
 */
interface Why {
  reason: string
  providerCode?: string
}

interface Refused extends Why {
  /** It was found out here, and the provider was not asked: nothing is told of that by it. */
  isUnasked?: true
}

export type Outcome =
  /**
   * The provider took it, which does not mean that it arrives.
   * `providerMessageId`: 1 to 255 visible ASCII characters; a provider's id of another form is left out.
   * `askAfterSeconds`: where no report can come, `ask` is called after each of these until it has a final answer.
   * `segments`: SMS that the text takes, where the channel sends it as a text.
   * `price`: what the provider charges, where its answer says so.
   */
  | { kind: 'sent'; providerMessageId?: string; askAfterSeconds?: readonly number[]; segments?: number; price?: Price }
  /**
   * Refused before anything was sent: it is asked again, after so many seconds at least if the provider names them. With
   * `isOfRecipient`, others would not have been refused.
   */
  | ({ kind: 'retry'; afterSeconds?: number; isOfRecipient?: true } & Refused)
  /** This recipient can not be reached so. With `opted_out`, it may be of marketing alone. */
  | ({ kind: 'failed'; code: DeliveryErrorCode; isMarketingAlone?: true } & Refused)
  /** The operator must act: token, payment. With `template`, it is about that template of the provider's alone. */
  | ({ kind: 'down'; template?: string } & Refused)
  /** An error of this service, which tells nothing of the provider. `isUnsent`: nothing left. */
  | ({ kind: 'fault'; isUnsent: boolean } & Why)
  /** It left, and no answer came that tells what became of it. */
  | ({ kind: 'unknown' } & Refused)

/** Whose report it is. */
export interface Reporter {
  accountId: string
  connection: string
}

/** What a provider reports, as it came. */
export interface Report {
  /** Left out, it came by the queue of the service itself, with no request. */
  method?: string
  /** The path and the query of the request, not decoded. */
  target?: string
  /** Names in lower case. One that came more than once has all of its values, with commas between. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * What a provider reports of a message, in any order, late and more than once. The ids are the provider's word: whether
 * there is such a message is found out later. The time is one that `timeOf` lets pass.
 */
export interface Receipt extends Partial<Why> {
  /** Where one report tells of several connections: that of this message. */
  connection?: string
  /** The message, where the provider names it by what we told it. */
  message?: { accountId: string; id: string }
  /** The message by the id that the provider gave it; used where `message` is missing. */
  providerMessageId?: string
  /** The message by the address that the report came to; used where neither of those is known. */
  orMessage?: { accountId: string; id: string }
  /** `sent` where the message is named alone: that the provider took it is news only when its answer was lost. */
  status: 'sent' | 'delivered' | 'read' | 'failed'
  at: Date
  /** What the provider charges by now. It counts in the place of what it said before. */
  price?: Price
  /** With `delivered` or `read`, of a text of several SMS: which of them, and how many there are. It arrived when all have. */
  part?: { id: string; of: number }
  /** Nothing but the price is news. */
  isPriceAlone?: true
  /** The provider cannot know whether it arrived: `delivered` and `read` stand in the timeline, and nothing follows from them. */
  isHearsay?: boolean
  /** With `failed`. */
  errorCode?: DeliveryErrorCode
  /** With `opted_out`: of marketing, and nothing else. */
  isMarketingAlone?: true
  /** With `failed`: the operator must act, as after the outcome `down`; on the connection, or on that template alone. */
  down?: 'connection' | 'template'
}

/** What a provider tells of one of its templates. */
export interface TemplateNews {
  template: ProviderTemplateName
  word: TemplateWord
}

/** What a report may tell: of a message, what a person answered to one, or of a template. */
export type ReportPart = Receipt | InboundReply | TemplateNews

export type { Finding, InboundReply }

/** A template of the account that a channel has settings for. */
export interface CheckedTemplate {
  slug: string
  settings: unknown
}

/** A connection of an account, as its kind opens it. */
export interface Channel {
  /** Messages handed over a second, over all processes together; undefined: as many as come. */
  perSecond?: number
  /** Messages that it is asked to send at once; 64 when left out. */
  atOnceMax?: number
  /** The same hand-over twice is one to the provider. */
  dedupes?: boolean
  /**
   * Answers within 10 seconds: a claimed job is taken to be lost some time after that. It does not follow a provider to
   * another address, and gives the same ids to it at every attempt.
   *
   * @throws what the service itself fails with, its database included; every answer of a provider is an outcome
   */
  send: (message: Outgoing) => Promise<Outcome>
  /**
   * Whether a report is the provider's own, by its signature over the raw bytes, in constant time, before it is parsed.
   * Headers are anybody's: whatever is in them, it answers.
   */
  verify: (report: Report) => boolean
  /** No report ever comes: a code's time to be delivered begins when the provider has taken it. */
  isUnreported?: boolean
  /** What becomes of each message that its provider takes is reported: where no report comes, something is not set up. */
  isReported?: boolean
  /** The first report of each message comes so soon, whatever becomes of it; undefined where nothing says so. */
  reportedWithinSeconds?: number | undefined
  /**
   * What a report tells of messages, and what people answered to them, read one after the other as they are asked for: all of
   * them at once would hold the process. Undefined for a part of it that tells nothing: to look at it takes time, too.
   *
   * @param target as in the report: a provider may say something there
   * @throws UnreadableReport, also while it is read, when it is not of the provider's form; OverlongReport when it tells of more
   * than `reportItemsMax` messages; nothing else
   */
  parse: (body: Buffer, target?: string) => Iterable<ReportPart | undefined>
  /** The answer to a provider that asks whether the address of the reports is ours; undefined refuses it. */
  handshake?: (query: URLSearchParams) => string | undefined
  /** What became of a message that was taken, asked of the provider; undefined while that is open. @throws for an error of the service alone */
  ask?: (providerMessageId: string) => Promise<Receipt | undefined>
  /** Tells the provider that its code was right; for its figures. @throws for an error of the service alone */
  confirm?: (providerMessageId: string, code: string) => Promise<void>
  /** Asks the provider whether what is configured is good. @throws for an error of the service alone */
  check?: (templates: readonly CheckedTemplate[]) => Promise<Finding[]>
  /** The templates that the provider has, or why they could not be read. @throws for an error of the service alone */
  templates?: () => Promise<{ templates: ProviderTemplate[] } | { fault: string }>
  /**
   * What the provider's list says of its templates that these of the account name, in their order; or why that tells nothing, as
   * the end of a sentence. @throws for an error of the service alone
   */
  watch?: (templates: readonly unknown[]) => Promise<{ words: TemplateWord[] } | { unread: string }>
  /** Why a code is not even made for that phone; undefined lets it pass. */
  refuses?: (phone: string) => 'resend_cooldown' | undefined
  /** Ends its open connections; what is under way is called off. */
  close?: () => Promise<void>
}

/** What a connection is opened with, beside its settings. */
export interface ChannelParts {
  accountId: string
  connection: string
  /** Where the world reaches the API, without a slash at the end; undefined when that is not known. */
  publicUrl: string | undefined
  /** The last part of the address of its reports, where its kind has one. */
  reportToken?: string | undefined
  runtime: Pick<Runtime, 'now'> & Partial<Pick<Runtime, 'tracing'>>
  log: Log
  /** Milliseconds in which `send` has an outcome, whatever its provider does; 8,000 when left out. */
  answerMs?: number
  /** Told of the provider's remaining balance, in its own currency; for a metric. */
  onBalance?: (amount: number) => void
}

/** A kind of connection: what may be configured, and how a connection is opened. */
export interface Kind<Settings extends object = object> {
  /** The members of an entry beside `id`, `kind`, `countries` and `failover_seconds`. Strict; messages without the values. */
  settings: z.ZodType<Settings>
  /** What a new entry is refused for, while a connection that was kept with it before can still be opened. */
  entryFaults?: (entry: Readonly<Record<string, unknown>>) => readonly PlacedFault[]
  /** The members of `settings` as people fill them in: all of them, for an entry that has those in it so far. */
  fields: FieldsOf
  /**
   * Who reports, by the settings of a connection; undefined where they do not tell. The address that its reports come to then
   * ends with a token, and another who reports gets another token. Left out, there is none.
   */
  reporterOf?: (settings: Readonly<Record<string, unknown>>) => string | undefined
  /** Where an entry says that messages go. Left out, or without any, they go where its kind or a shipped provider is. */
  placesOf?: (entry: Readonly<Record<string, unknown>>) => readonly Place[]
  /** What is wrong with a place, with the addresses that its name has now. Left out, all places are good. */
  faultOfPlace?: (url: string) => Promise<string | undefined>
  /** Reads ahead what takes long to read of its settings: an account's connections are opened in one go. */
  prepare?: (settings: Readonly<Record<string, unknown>>) => void
  /** Whether each message tells its provider where to report: without `PUBLIC_URL`, no report comes then. */
  tellsAddress?: (settings: Readonly<Record<string, unknown>>) => boolean
  /** It answers at once: nothing outside of the service is asked. */
  isLocal?: boolean
  /** What a template of the account may say for this kind, as the member of the kind's name; default: none. */
  template?: z.ZodType
  /** The variables that it names there, with their places; what it says may be anything. */
  templateVariables?: (said: unknown) => { path: PropertyKey[]; variable: string }[]
  words?: KindWords
  /**
   * Whether it can carry a message: `digits` is how many the code has, `template` is what the message's template says for this
   * kind, undefined for nothing.
   */
  carries: (message: { kind: 'verification'; digits: number } | { kind: 'notification'; template: unknown }) => boolean
  /** The template of the provider's own that it sends in place of a text, filled; or why it would not send it. It sends texts where left out. */
  fill?: (template: unknown, variables: Readonly<Record<string, string>>) => FilledTemplate | { refused: string }
  /** The template of the provider's own that a template of the account names; undefined for none. Its connections have `watch`. */
  templateName?: (template: unknown) => ProviderTemplateName | undefined
  open(settings: Settings, parts: ChannelParts): Channel
  /** The same for what people of an account wrote, and not the operator. Left out, there is no difference. */
  forPeople?: Pick<Kind<Settings>, 'settings' | 'faultOfPlace' | 'open'> | undefined
}

/** By the name that `kind` has in a list of connections. */
export type Kinds = Readonly<Record<string, Kind>>
