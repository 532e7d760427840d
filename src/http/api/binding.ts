/**
 * Binds the contract to the handlers, once at start. openapi-backend knows the operations, their security and which
 * handler belongs to which; what it would work out anew for each request stands in a table here.
 */
import { OpenAPIBackend, type Operation } from 'openapi-backend'
import * as generated from '../../../generated/validators.js'
import { type BodyField, contract, operationFacts, type ParameterTypes } from '../../contract/document.ts'
import type { OperationId } from '../../contract/operation.ts'
import { Problem } from '../../kit/problem.ts'
import type { Authenticate } from './admission.ts'
import type { Handler, Handlers } from './handler.ts'

/** An operation with all that a request for it passes. */
export interface Binding {
  operationId: OperationId
  authenticate: Authenticate
  requiredScope: string
  takesBody: boolean
  fields: readonly BodyField[]
  parameterTypes: ParameterTypes
  validate: generated.RequestValidator
  /** Undefined: it has none yet. */
  handler: Handler<OperationId> | undefined
  /** As openapi-backend knows it. */
  operation: Operation
  api: OpenAPIBackend
}

export interface OperationRoute {
  binding: Binding
  /** The values of the path's parameters, decoded. */
  path: Record<string, string>
}

/** @throws Problem `route_not_found`, `method_not_allowed`, `invalid_request` */
export type FindOperation = (method: string, path: string) => OperationRoute

/** @throws Error where an operation would be open to everybody, or has no validator */
export async function bindContract(handlers: Handlers, authenticate: Authenticate): Promise<FindOperation> {
  const api = new OpenAPIBackend({ definition: structuredClone(contract) as never, quick: true, strict: true })
  await api.init()
  // Strict: it refuses a handler or a scheme that the contract does not have.
  api.registerSecurityHandler('bearerAuth', authenticate as never)
  for (const [id, handler] of Object.entries(handlers)) api.registerHandler(id, (() => handler) as never)
  const paths = Map.groupBy(api.router.getOperations() as Operation[], ({ path }) => path)
  const places = [...paths].map(([path, operations]) => {
    const byMethod = new Map(operations.map((operation) => [operation.method, bind(api, operation, handlers)]))
    return { path, byMethod, allow: [...byMethod.keys()].map((method) => method.toUpperCase()), match: matcherOf(path) }
  })
  const exact = new Map(places.map((place) => [place.path, place]))
  // The more of a path is written out, the sooner it is tried.
  const withParameters = places
    .filter(({ path }) => path.includes('{'))
    .toSorted((one, other) => literalOf(other.path).length - literalOf(one.path).length)

  const find = (path: string) => {
    const place = exact.get(path)
    if (place) return { place, values: {} }
    for (const place of withParameters) {
      const values = place.match(path)
      if (values) return { place, values }
    }
    throw routeNotFound()
  }

  return (method, target) => {
    const { place, values } = find(decodable(target))
    const binding = place.byMethod.get(method.toLowerCase())
    if (binding) return { binding, path: values }
    const { allow } = place
    throw new Problem('method_not_allowed', { message: `This path takes ${allow.join(', ')}.`, allow })
  }
}

export function routeNotFound(): Problem {
  return new Problem('route_not_found', { message: 'There is no such path.' })
}

/** The operations of the contract that have no handler yet. */
export function missingHandlers(operations: Handlers): OperationId[] {
  return operationFacts.map(({ operationId }) => operationId).filter((id) => !operations[id])
}

function bind(api: OpenAPIBackend, operation: Operation, handlers: Handlers): Binding {
  const operationId = operation.operationId as OperationId
  const facts = operationFacts.find((one) => one.operationId === operationId)
  const validate = (generated as Record<string, generated.RequestValidator>)[operationId]
  if (!facts || !validate) throw new Error(`generated/ has no validator for ${operationId}; run npm run generate`)
  if (!facts.requiredScope) throw new Error(`${operationId} names no scope`)
  return {
    operationId,
    authenticate: securityOf(api, operation),
    requiredScope: facts.requiredScope,
    takesBody: facts.takesBody,
    fields: facts.fields,
    parameterTypes: facts.parameterTypes,
    validate,
    handler: handlers[operationId] as Handler<OperationId> | undefined,
    operation,
    api,
  }
}

function securityOf(api: OpenAPIBackend, { operationId, security = [] }: Operation): Authenticate {
  const [scheme, ...others] = security.flatMap((requirement) => Object.keys(requirement))
  const handler = scheme === undefined ? undefined : api.securityHandlers[scheme]
  if (!handler || others.length > 0 || security.length !== 1) {
    throw new Error(`${operationId} must ask for exactly one kind of security, and one that the service has`)
  }
  return handler as unknown as Authenticate
}

const parameter = /\{([^}]+)\}/g

function literalOf(path: string): string {
  return path.replace(parameter, '')
}

function matcherOf(path: string): (given: string) => Record<string, string> | undefined {
  const names = Array.from(path.matchAll(parameter), ([, name]) => name as string)
  const literals = path.split(/\{[^}]+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const form = new RegExp(`^${literals.join('([^/]+)')}$`)
  return (given) => {
    const found = form.exec(given)
    return found
      ? Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] as string)]))
      : undefined
  }
}

function decodable(path: string): string {
  if (!path.includes('%')) return path
  try {
    decodeURIComponent(path)
    return path
  } catch {
    throw new Problem('invalid_request', { message: 'The path is not percent-encoded UTF-8.' })
  }
}
