/** A door on the port of another: it has its own paths there, and all others are for the host. */
import type { IncomingMessage, RequestListener } from 'node:http'

export interface Guest {
  isFor: (request: Pick<IncomingMessage, 'method' | 'url'>) => boolean
  listener: RequestListener
}

/** Where no door has all other paths. */
export function createHost(guests: readonly Guest[]): RequestListener {
  return (request, response) => {
    const guest = guests.find(({ isFor }) => isFor(request))
    if (guest) guest.listener(request, response)
    else response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not found"}')
  }
}
