/** Who may call a sandbox. Everybody knows its key: elsewhere, a key has no place in a page. */
import cors from 'cors'
import { Problem } from '../kit/problem.ts'
import type { HostedRequest } from './host.ts'
import type { Middleware } from './middleware.ts'

const localOrigin = /^https?:\/\/(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Lets pages that are served on this machine call a sandbox. */
export function createLocalCors(): Middleware {
  return cors({ origin: localOrigin, exposedHeaders: '*', maxAge: 600 })
}

/** Refuses what was meant for another host. */
export function createHostGate(isForUs: (request: HostedRequest) => boolean): Middleware {
  return (request, _response, next) => {
    if (isForUs(request)) return next()
    const message =
      'This sandbox answers to the names of its own machine: ask localhost, or list the host in OPS_HOSTS.'
    next(new Problem('route_not_found', { status: 421, message }))
  }
}
