/**
 * The response guard: outside production, an answer that the contract does not describe becomes a 500 and a line in the
 * log. It looks at answers only; requests have one judge, the generated validators.
 */
import type { RequestHandler } from 'express'
import { Problem } from '../problem.ts'
import type { Log } from '../runtime.ts'
import { failure } from './answer.ts'
import type { Exchange } from './binder.ts'
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
      onError: (error, body, request) => {
        const exchange = request.res?.locals.exchange as Exchange | undefined
        // It finds routes more loosely than the binder does; what belongs to no operation has no description to break.
        if (!exchange?.operationId) return
        const faults = error.errors.map(({ path, message }) => `${path}: ${message}`)
        log.error({ trace_id: exchange.traceId, faults: [error.message, ...faults] }, 'an answer breaks the contract')
        // The answer is about to be written: it is changed where it stands.
        const answer = failure(new Problem('internal_error'), exchange.traceId)
        request.res?.status(answer.status)
        Object.assign(body, answer.body)
      },
    },
  }) as RequestHandler[]
  return guard.map((handle) => (request, response, next) => {
    let answering = false
    handle(request, response, () => {
      // What it says of a request is not asked for. Called again, it could not judge the answer to a request that it cannot
      // read: then the answer goes out as it is, past the guard.
      if (answering) {
        response.json(response.locals.body)
        return
      }
      answering = true
      next()
    })
  })
}

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
