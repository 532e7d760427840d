/**
 * Binds the contract to the handlers: routes, key, scope, body, handler, in that order. What is not let through, is
 * refused: every hook of openapi-backend that would let a request pass by its absence is set here.
 */
import type { IncomingMessage } from 'node:http'
import { type Context, OpenAPIBackend, type Request } from 'openapi-backend'
import * as generated from '../../generated/validators.js'
import type { ApiKeys, Caller } from '../domain/apiKey.ts'
import { type Idempotency, isKept } from '../domain/idempotency.ts'
import { Problem } from '../problem.ts'
import type { Session } from '../store/connect.ts'
import { type Answer, failure, success } from './answer.ts'
import { type Body, readBody } from './body.ts'
import { contract, operationFacts } from './document.ts'
import type { Gate } from './gate.ts'
import type { Handlers, OperationId, Services } from './operation.ts'
import { invalidRequest } from './validation.ts'

/** One request on its way through. */
export interface Exchange {
  request: IncomingMessage
  traceId: string
  operationId?: OperationId
  caller?: Caller
  body?: Body
}

export interface Admission {
  /** @throws Problem when the key is not good */
  authenticate: ApiKeys['authenticate']
  /** Counts the request on the caller's key. @throws Problem `rate_limited` */
  throttle: (caller: Caller) => Promise<void>
}

/** A handler once its own types do not matter any more. */
type AnyOperation = (input: unknown, services: Services) => Promise<{ status: number; data: object }>

/** Answers one request. @throws Problem, or what a bug throws */
export type Contract = (exchange: Exchange) => Promise<Answer>

export interface BinderOptions {
  session: Session
  admission: Admission
  idempotency: Idempotency
  gate: Gate
  /** Answers in place of a handler that is not there. Undefined: every operation must have one. */
  unhandled?: ((context: Context, exchange: Exchange) => Answer | Promise<Answer>) | undefined
}

/** @throws Error naming the operations without a handler, unless there is an answer for them */
export async function bindContract(
  operations: Handlers,
  services: Services,
  { session, admission, idempotency, gate, unhandled }: BinderOptions,
): Promise<Contract> {
  const missing = missingHandlers(operations)
  if (missing.length > 0 && !unhandled) throw new Error(`src/operations has no handler for ${missing.join(', ')}`)
  const api = new OpenAPIBackend({
    definition: structuredClone(contract) as never,
    quick: true,
    strict: true,
    ignoreTrailingSlashes: false,
  })
  await api.init()
  useGeneratedValidators(api)

  api.registerSecurityHandler('bearerAuth', async (context: Context, exchange: Exchange) => {
    const caller = await admission.authenticate(presentedKey(exchange.request))
    await admission.throttle(caller)
    requireScope(caller, context)
    exchange.caller = caller
    return true
  })
  api.register({
    notFound: () => {
      throw new Problem('route_not_found', { message: 'There is no such path.' })
    },
    methodNotAllowed: (context: Context) => {
      const allow = methodsOf(api, context.request.path)
      throw new Problem('method_not_allowed', { message: `This path takes ${allow.join(', ')}.`, allow })
    },
    unauthorizedHandler: (context: Context) => {
      // openapi-backend takes whatever a security handler throws for a failed login; a database that is away is none.
      throw (context.security?.bearerAuth as { error?: unknown } | undefined)?.error ?? new Problem('missing_api_key')
    },
    postSecurityHandler: async (context: Context, exchange: Exchange) => {
      exchange.operationId = context.operation.operationId as OperationId
      if (!context.security?.authorized || !context.operation.requestBody) return
      exchange.body = await readBody(exchange.request)
    },
    validationFail: (context: Context) => {
      throw invalidRequest(context.validation.errors ?? [])
    },
    notImplemented: (context: Context, exchange: Exchange) => {
      if (!unhandled) throw new Error(`no handler for ${context.operation.operationId}`)
      return unhandled(context, exchange)
    },
  })
  for (const { operationId } of operationFacts) {
    if (!operations[operationId]) continue
    api.registerHandler(operationId, (context: Context, exchange: Exchange) =>
      // Only here: who still sends a body, holds no place at the database.
      gate(() => handle(operations[operationId] as AnyOperation, context, exchange)),
    )
  }

  return (exchange) => {
    const { method = '', url = '/', headers } = exchange.request
    const path = pathOf(url)
    requireDecodable(path)
    // openapi-backend reads the body from here, once the caller is known and `postSecurityHandler` has fetched it.
    const request = {
      method,
      path,
      headers,
      get body() {
        return exchange.body?.value
      },
    }
    return api.handleRequest(request as Request, exchange)
  }

  async function handle(operation: AnyOperation, context: Context, exchange: Exchange): Promise<Answer> {
    const { caller, body, operationId, traceId } = exchange
    // A contract without `security` on an operation would come here with no caller.
    if (!caller || !operationId) throw new Error('a request reached its handler without a caller')
    const run = async (on: Session) => {
      const input = { body: body?.value, path: context.request.params, caller, session: on }
      const { status, data } = await operation(input, services)
      return success(status, data)
    }
    const key = exchange.request.headers['idempotency-key']
    if (typeof key !== 'string' || !body) return run(session)

    const kept = await idempotency.once({ caller, operationId, key, body: body.bytes }, async (tx) => {
      try {
        return await run(tx)
      } catch (error) {
        if (error instanceof Problem && isKept(error.status)) return failure(error, traceId)
        throw error
      }
    })
    return kept.replayed ? { ...kept.answer, headers: { 'Idempotent-Replayed': 'true' } } : kept.answer
  }
}

/** The operations of the contract that have no handler yet. */
export function missingHandlers(operations: Handlers): OperationId[] {
  return operationFacts.map(({ operationId }) => operationId).filter((id) => !operations[id])
}

/** Puts the validators that were compiled at generation where openapi-backend would compile its own. */
function useGeneratedValidators(api: OpenAPIBackend): void {
  const validators: Record<string, generated.RequestValidator> = { ...generated }
  for (const { operationId } of operationFacts) {
    const validate = validators[operationId]
    if (!validate) throw new Error(`generated/ has no validator for ${operationId}; run npm run generate`)
    api.validator.requestValidators[operationId] = [validate as never]
  }
}

/** Of a request target in either form that a server must know: `/path?query` or `http://host/path?query`. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] || '/'
}

function requireDecodable(path: string): void {
  try {
    decodeURIComponent(path)
  } catch {
    throw new Problem('invalid_request', { message: 'The path is not percent-encoded UTF-8.' })
  }
}

function presentedKey({ headers }: IncomingMessage): string {
  const [, key] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (key === undefined) throw new Problem('missing_api_key')
  return key
}

function requireScope(caller: Caller, { operation }: Context): void {
  const scope = (operation as unknown as Record<string, unknown>)['x-required-scope']
  // An operation that names no scope is open to no key.
  if (typeof scope !== 'string' || !caller.scopes.includes(scope)) {
    throw new Problem('insufficient_scope', { message: `This key lacks the scope ${scope}.` })
  }
}

function methodsOf(api: OpenAPIBackend, path: string): string[] {
  const methods = operationFacts.map(({ method }) => method).filter((method) => matches(api, method, path))
  return [...new Set(methods)].map((method) => method.toUpperCase())
}

function matches(api: OpenAPIBackend, method: string, path: string): boolean {
  try {
    return api.router.matchOperation({ method, path, headers: {} }, true) !== undefined
  } catch {
    return false
  }
}
