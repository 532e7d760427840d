/** Which connections a message takes. */
import type { ErrorDetail } from '../../kit/problem.ts'
import type { Mode } from '../../store/schema/schema.ts'

export interface Destination {
  accountId: string
  mode: Mode
  phone: string
  /** ISO 3166-1 alpha-2; undefined for a number of no country. */
  country: string | undefined
  /** The only connection that is asked for; whichever there are, when left out. */
  through?: string | undefined
  /** The only kinds of connections that are asked for; all, when left out. */
  kinds?: ReadonlySet<string> | undefined
  /** The same, and the order in which they are asked. */
  order?: readonly string[] | undefined
  /** It goes later: a template that a provider does not send now may be good by then. */
  isForLater?: boolean
  /** Nothing is sent: connections that share messages give none out for it. */
  isPreview?: boolean
}

/** The ids of the connections in the order in which they are asked, or why none is: then nothing is made. */
export type Route<Refusal> =
  | { connections: readonly string[] /** Of the first. */; kind: string }
  | { refused: Refusal /** In place of the usual sentence. */; message?: string | undefined; details?: ErrorDetail[] }

/** What a notification is, as connections carry it. */
export interface Carried {
  text: string
  variables: Readonly<Record<string, string>>
  /** What the template says for each kind of connection. */
  channels: Readonly<Record<string, unknown>>
}

/** A template of the provider's own, and what fills it. */
export interface FilledTemplate {
  name: string
  language: string
  places: { part: 'header' | 'body' | 'button'; name?: string | undefined; value: string }[]
}

/** A connection of the account, with what it would send, or the end of a sentence that says why it would not. */
export type Considered = { connection: string; kind: string } & (
  | { refused: string }
  | { text: string }
  | { template: FilledTemplate }
)

/** The way to a phone, for what is to be carried there. */
export interface Way {
  /** @param digits of the code */
  verification: (digits: number) => Route<'no_channel' | 'resend_cooldown'>
  /** @param channels what the template says for each kind of connection */
  notification: (channels: Readonly<Record<string, unknown>>) => Route<'no_channel'>
  /** Every connection of the account: first those that carry it, in the order in which they are asked. */
  consider: (notification: Carried) => Considered[]
}

export type FindRoute = (destination: Destination) => Promise<Way>
