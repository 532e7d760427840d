/** Who may ask: by key, rate and scope. */
import type { IncomingMessage } from 'node:http'
import type { Authentication, Caller } from '../../domain/access/authentication.ts'
import { Problem } from '../../kit/problem.ts'

/** @throws Problem when the key is not good */
export type Authenticate = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Caller | Promise<Caller>

export function byBearerKey(authenticate: Authentication['authenticate']): Authenticate {
  return ({ headers: { authorization }, socket }) => {
    const key = authorization && /^bearer +(\S+)$/i.exec(authorization)?.[1]
    if (!key) throw missing
    return authenticate(key, socket.remoteAddress)
  }
}

/** Always the same, and made once: a crowd that sends no keys is to cost as little as it can. */
const missing = new Problem('missing_api_key')

/** @throws Problem `insufficient_scope` */
export function requireScope({ scopes }: Caller, scope: string): void {
  if (!scopes.includes(scope)) {
    throw new Problem('insufficient_scope', { message: `This key lacks the scope ${scope}.` })
  }
}
