/**
 * The response guard: outside production, an answer that the contract does not describe becomes a 500 and a line in the
 * log. It looks at answers only; requests have one judge, the generated validators.
 */
import type { RequestHandler } from 'express'
import type { Log } from '../runtime.ts'
import { contract } from './document.ts'

export async function createGuard(log: Log): Promise<RequestHandler[]> {
  // Loaded here, so that production does not.
  const { middleware } = await import('express-openapi-validator')
  const guard = middleware({
    apiSpec: closed(structuredClone(contract)) as never,
    validateApiSpec: false,
    validateRequests: false,
    validateSecurity: false,
    fileUploader: false,
    ignoreUndocumented: true,
    validateResponses: {
      onError: (error, _body, request) => {
        const faults = error.errors.map(({ path, message }) => `${path}: ${message}`)
        log.error({ method: request.method, faults: [error.message, ...faults] }, 'an answer breaks the contract')
        throw new BrokenAnswer('an answer breaks the contract')
      },
    },
  }) as RequestHandler[]
  // What it says of a request is not asked for: such a request just has no guard.
  return guard.map((handle) => (request, response, next) => {
    handle(request, response, (error?: unknown) => next(error instanceof BrokenAnswer ? error : undefined))
  })
}

class BrokenAnswer extends Error {}

/**
 * The contract lets answers grow; clients have to bear fields that they do not know. What this version sends, though, is
 * exactly what is described: the guard refuses a field that is not.
 */
export function closed<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node
  for (const child of Object.values(node)) closed(child)
  if ('properties' in node && 'type' in node && node.type === 'object' && !('additionalProperties' in node)) {
    Object.assign(node, { additionalProperties: false })
  }
  return node
}
