/** Refuses what was meant for another host. For a sandbox alone: everybody knows its key. */
import { Problem } from '../../kit/problem.ts'
import type { Addressed } from '../host.ts'
import type { Middleware } from './api.ts'

export function createHostGate(isForUs: (request: Addressed) => boolean): Middleware {
  return (request, _response, next) => {
    if (isForUs(request)) return next()
    const message =
      'This sandbox answers to the names of its own machine: ask localhost, or list the host in OPS_HOSTS.'
    next(new Problem('route_not_found', { status: 421, message }))
  }
}
