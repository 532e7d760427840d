/** A request as it came, and the answer to it, as data. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Fate } from './faults.ts'

export interface Incoming {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  /** What is sent as JSON. */
  value?: unknown
  /** In place of JSON; `headers` say what it is. */
  text?: string
  /** What becomes of it on its way; it arrives when left out. */
  fate?: Fate | undefined
  /** Awaited before it is given. */
  before?: () => Promise<unknown>
  /** Called once it was given, or nobody is there any more to take it. */
  after?: () => void
  /** In place of all that: gets the response to itself. */
  open?: (response: ServerResponse) => void
}

/** @returns undefined when the text is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The token of `Authorization: Bearer …`. */
export function bearerOf({ headers }: Incoming): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
}
