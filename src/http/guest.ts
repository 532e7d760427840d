/** A door on the port of another: it has its own paths there, and all others are for the host. */
import type { IncomingMessage, RequestListener } from 'node:http'

export interface Guest {
  isFor: (request: Pick<IncomingMessage, 'method' | 'url'>) => boolean
  listener: RequestListener
}
