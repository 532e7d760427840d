/**
 * Binds a contract to its handlers, once at start. openapi-backend knows the operations, their security and which
 * handler belongs to which; what it would work out again for each request stands in a table here.
 */
import { OpenAPIBackend, type Operation } from 'openapi-backend'
import type { RequestValidator } from '../../../generated/validators.js'
import type { BodyField, ConstantHeaders, ParameterTypes } from '../../contract/facts.ts'
import { Problem } from '../../kit/problem.ts'
import type { Authenticate } from './admission.ts'
import type { AnyHandler, AnyHandlers } from './handler.ts'
import type { Wire } from './wire.ts'

/** An operation with all that a request for it passes. */
export interface Binding {
  operationId: string
  authenticate: Authenticate
  requiredScope: string
  takesBody: boolean
  bodyBytesMax: number | undefined
  fields: readonly BodyField[]
  parameterTypes: ParameterTypes
  constantHeaders: ConstantHeaders
  validate: RequestValidator
  /** Undefined: it has none yet. */
  handler: AnyHandler | undefined
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

interface BindingParts {
  wire: Pick<Wire, 'document' | 'facts' | 'validators' | 'scheme'>
  handlers: AnyHandlers
  authenticate: Authenticate
}

/** @throws Error where an operation would be open to everybody, or has no validator */
export async function bindContract({ wire, handlers, authenticate }: BindingParts): Promise<FindOperation> {
  const api = new OpenAPIBackend({ definition: structuredClone(wire.document) as never, quick: true, strict: true })
  await api.init()
  // Strict: it refuses a handler or a scheme that the contract does not have.
  api.registerSecurityHandler(wire.scheme, authenticate as never)
  for (const [id, handler] of Object.entries(handlers)) api.registerHandler(id, (() => handler) as never)
  const paths = Map.groupBy(api.router.getOperations() as Operation[], ({ path }) => path)
  const places = [...paths].map(([path, operations]) => {
    const byMethod = new Map(
      operations.map((operation) => [operation.method, bind(api, operation, { wire, handlers })]),
    )
    return {
      path,
      byMethod,
      allow: [...byMethod.keys()].map((method) => method.toUpperCase()),
      match: createMatcher(path),
    }
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
    return undefined
  }

  /** @throws Problem which also says what was meant, where that is only a matter of slashes */
  const findOrRefuse = (path: string) => {
    const found = find(path)
    if (found) return found
    const meant = find(path.replace(/\/+/g, '/').replace(/\/$/, ''))
    throw meant ? new Problem('route_not_found', { message: slashFault(meant.place.path) }) : routeNotFound()
  }

  return (method, target) => {
    const { place, values } = findOrRefuse(decodable(target))
    const binding = place.byMethod.get(method.toLowerCase())
    if (binding) return { binding, path: values }
    const { allow } = place
    throw new Problem('method_not_allowed', { message: `This path takes ${allow.join(', ')}.`, allow })
  }
}

/** Base URLs often end with a slash, and the paths of a contract begin with one. */
function slashFault(path: string): string {
  return `There is no such path. The same with single slashes, and none at its end, is ${path}.`
}

export function routeNotFound(): Problem {
  return new Problem('route_not_found', { message: 'There is no such path.' })
}

/** The operations of a contract that have no handler yet. */
export function missingHandlers(handlers: AnyHandlers, { facts }: Pick<Wire, 'facts'>): string[] {
  return facts.map(({ operationId }) => operationId).filter((id) => !handlers[id])
}

function bind(
  api: OpenAPIBackend,
  operation: Operation,
  { wire, handlers }: Pick<BindingParts, 'wire' | 'handlers'>,
): Binding {
  const { operationId = '' } = operation
  const facts = wire.facts.find((one) => one.operationId === operationId)
  const validate = wire.validators[operationId]
  if (!facts || !validate) throw new Error(`generated/ has no validator for ${operationId}; run npm run generate`)
  if (!facts.requiredScope) throw new Error(`${operationId} names no scope`)
  return {
    operationId,
    authenticate: createSecurity(api, operation),
    requiredScope: facts.requiredScope,
    takesBody: facts.takesBody,
    bodyBytesMax: facts.bodyBytesMax,
    fields: facts.fields,
    parameterTypes: facts.parameterTypes,
    constantHeaders: facts.constantHeaders,
    validate,
    handler: handlers[operationId],
    operation,
    api,
  }
}

function createSecurity(api: OpenAPIBackend, { operationId, security = [] }: Operation): Authenticate {
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

function createMatcher(path: string): (given: string) => Record<string, string> | undefined {
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
