/** Which connections a message takes. */
import type { ErrorCode } from '../problem.ts'
import type { Mode } from '../store/schema.ts'

export interface Destination {
  accountId: string
  mode: Mode
  phone: string
  /** ISO 3166-1 alpha-2; undefined for a number of no country. */
  country: string | undefined
}

/** What a connection is asked whether it can carry it. `channels`: what the template says for each kind of connection. */
export type Load = { kind: 'verification' } | { kind: 'notification'; channels: Readonly<Record<string, unknown>> }

/** The ids of the connections in the order in which they are asked, or why none is: then nothing is made. */
export type Route = { connections: readonly string[] } | { refused: ErrorCode }

/** @returns the way to that phone, for whatever is to be carried there */
export type FindRoute = (destination: Destination) => Promise<(load: Load) => Route>
