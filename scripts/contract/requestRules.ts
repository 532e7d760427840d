/** The rules of requests: closed, bounded, repeatable, and nobody's without a key. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { operationsIn, takesIdempotencyKey } from './answers.ts'
import { suggestion } from './nearest.ts'
import { type Context, follow, type Json, type Location, type Resolved, walkTree } from './walk.ts'

/** What the service can read from a path, a query or a header, and knows the end of. */
export function requireParameters(root: Json, context: Context): void {
  for (const { parameters } of operationsIn(root, context))
    for (const parameter of parameters) requireParameter(parameter, context)
}

const numbers = ['integer', 'number']
const styles: Record<string, string> = { path: 'simple', query: 'form', header: 'simple' }

function requireParameter({ node, location }: Resolved, context: Context): void {
  const { in: place, name, required, style, schema } = node
  const { type, minimum, maximum, default: usual } = follow(context, schema, location.child(['schema'])).node
  const report = (message: string) => context.report({ message, location })
  if (type === 'array' || type === 'object') report(`${name} cannot be a list or an object: a parameter comes once`)
  else if (!['string', 'boolean', ...numbers].includes(String(type)))
    report(`${name} needs the type string, integer, number or boolean: its text is read as one of them`)
  if (style !== undefined && style !== styles[String(place)])
    report(`${name} cannot have a style: leave it out, the service takes what is sent as the value itself`)
  if (place === 'header' && /^(accept|authorization|content-type)$/i.test(String(name)))
    report(`${name} cannot be a parameter: OpenAPI has other places for it, and tools ignore it here`)
  if (!numbers.includes(String(type))) return
  if (!isExact(minimum) || !isExact(maximum)) report(`${name} needs a minimum and a maximum, neither beyond ${most}`)
  if (required !== true && usual === undefined)
    report(`${name} needs a default, for it may be left out; or required: true`)
}

const most = Number.MAX_SAFE_INTEGER

/** Whether JavaScript tells it from its neighbours. */
function isExact(bound: unknown): boolean {
  return typeof bound === 'number' && Math.abs(bound) <= most
}

function isExactInteger({ minimum, maximum, enum: values = [minimum, maximum] }: Json): boolean {
  return (values as unknown[]).every(isExact)
}

/** A format that is not known would be checked by no validator; what it means has to be said in another way. */
export function requireKnownFormat({ format }: Json, context: Context): void {
  if (format === undefined || String(format) in fullFormats) return
  const known = Object.keys(fullFormats)
  context.report({
    message: `${format} is no format that the service checks${suggestion(String(format), known)}: leave it out and add a pattern, or take one of ${known.join(', ')}`,
    location: context.location.child(['format']),
  })
}

/** Names on the wire have one form. */
export function requireSnakeCase(root: Json, context: Context): void {
  const report = (name: string, location: Location) =>
    context.report({
      message: `${name} is no name in snake_case, as all fields and parameters have: write ${toSnakeCase(name)}`,
      location,
    })
  walkTree(root, context, (node, location, key) => {
    // What an example has is judged by its schema.
    if (key === 'examples' || key === 'example') return false
    if (typeof node !== 'object' || node === null) return true
    const { properties, in: place, name } = node as { properties?: Json; in?: unknown; name?: unknown }
    for (const field of Object.keys(typeof properties === 'object' ? (properties ?? {}) : {})) {
      if (!isSnakeCase(field)) report(field, location.child(['properties', field]))
    }
    if ((place === 'query' || place === 'path') && !isSnakeCase(String(name)))
      report(String(name), location.child(['name']))
    return true
  })
}

function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
}

function isSnakeCase(name: string): boolean {
  return /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)
}

export function requireClosedRequests(root: Json, context: Context): void {
  for (const { node, location, parameters } of operationsIn(root, context)) {
    const body = resolveBody({ node, location }, context)
    const schemas = parameters.map((parameter) => ({
      schema: follow(context, parameter.node.schema, parameter.location.child(['schema'])),
      name: String(parameter.node.name),
    }))
    if (body) schemas.push({ schema: body, name: 'the body' })
    for (const { schema, name } of schemas) requireBounds(schema, name, context, [])
  }
}

/** Of a schema and all below it. What can be as large as its sender likes, somebody has to hold. */
function requireBounds(schema: Resolved, name: string, context: Context, above: string[]): void {
  const { node, location } = schema
  if (above.includes(location.absolutePointer)) return
  const report = (message: string) => context.report({ message: `${name} ${message}`, location })
  const { properties, items, additionalProperties: others } = node as { properties?: Json; items?: Json } & Json
  if (node.type === 'string' && !isBounded(node))
    report('has no end: add a maxLength, or an enum, or a pattern with an end')
  // Of a parameter, another rule says so.
  if (node.type === 'integer' && above.length > 0 && !isExactInteger(node))
    report(
      `needs a minimum and a maximum, neither beyond ${most}: JSON loses the last digits of what is larger, which is text`,
    )
  if (node.type === 'array' && node.maxItems === undefined) report('has no end: add maxItems')
  if (node.type === 'object') {
    const isMap = typeof others === 'object' && others !== null && node.maxProperties !== undefined
    if (others !== false && !isMap) report('is open: add additionalProperties: false, or, for a map, maxProperties')
  }
  const below = (part: unknown, path: (string | number)[], child: string) =>
    requireBounds(follow(context, part, location.child(path)), child, context, [...above, location.absolutePointer])
  for (const [field, part] of Object.entries(properties ?? {})) below(part, ['properties', field], field)
  if (items) below(items, ['items'], name)
  if (typeof others === 'object') below(others, ['additionalProperties'], name)
  for (const choice of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, part] of ((node[choice] ?? []) as unknown[]).entries()) below(part, [choice, index], name)
  }
}

function isBounded({ maxLength, enum: values, format, pattern }: Json): boolean {
  if (maxLength !== undefined || values !== undefined || ['date', 'date-time', 'uuid'].includes(String(format)))
    return true
  if (typeof pattern !== 'string' || !/^\^.*\$$/.test(pattern) || pattern.includes('|')) return false
  const bare = pattern.replaceAll(/\\./g, '_').replaceAll(/\[[^\]]*\]/g, '_')
  return !/[*+]|\{\d+,\}/.test(bare)
}

export function requireRepeatable(root: Json, context: Context): void {
  for (const operation of operationsIn(root, context)) {
    const { method, node, location, answers } = operation
    if (method === 'post' && !takesIdempotencyKey(operation))
      context.report({
        message: `${node.operationId} is a POST and takes no Idempotency-Key: add #/components/parameters/IdempotencyKey to its parameters`,
        location,
      })
    for (const { status, headers, location: at } of answers) {
      const isLater = status === '429' || status === '503'
      if (isLater && !('Retry-After' in headers))
        context.report({ message: `the answer ${status} needs the header Retry-After`, location: at })
    }
  }
}

/** The one that the service reads, in the contract that this rule is for. */
const scheme = 'bearerAuth'

/** A key is needed for everything, and each scope is one that keys can have. */
export function requireKeys(root: Json, context: Context): void {
  const schemes = ((root.components as Json | undefined)?.securitySchemes ?? {}) as Record<string, Json>
  const scopes = Object.values(schemes).flatMap((scheme) => Object.keys((scheme['x-scopes'] ?? {}) as Json))
  const needed = new Set<string>()
  const operations = operationsIn(root, context)
  // One fault of the root, and not one of each operation.
  const isRootAtFault = root.security === undefined && operations.every(({ node }) => node.security === undefined)
  if (isRootAtFault) {
    const message = 'no operation needs a key: the root has no security, and no operation has its own'
    context.report({ message, location: context.location.child(['security']) })
  }
  if (root.security && !isReadable(root.security as object[])) {
    const message = `the service reads the keys of ${scheme} alone: the root has one entry, ${scheme}, in security`
    context.report({ message, location: context.location.child(['security']) })
  }
  for (const { node, location } of operations) {
    const ways = (node.security ?? root.security ?? []) as object[]
    if (isRootAtFault) needed.add(String(node['x-required-scope']))
    else if (ways.length === 0 || ways.some((way) => Object.keys(way).length === 0))
      context.report({ message: `${node.operationId} is open to everybody: it has no security`, location })
    else if (node.security && !isReadable(ways))
      context.report({
        message: `${node.operationId} needs security with ${scheme} alone: the service reads no other scheme`,
        location: location.child(['security']),
      })
    const fields = listBodyFields({ node, location }, context)
    for (const { node: needing, location: at } of [{ node, location }, ...fields.filter(needsScope)]) {
      // Told by rule/every-operation-names-its-scope.
      if (needing['x-required-scope'] === undefined) continue
      const scope = String(needing['x-required-scope'])
      needed.add(scope)
      if (!scopes.includes(scope))
        context.report({
          message: `no key has the scope ${scope}: the x-scopes of a security scheme are ${scopes.join(', ')}${suggestion(scope, scopes)}`,
          location: at.child(['x-required-scope']),
        })
    }
  }
  const optional = Object.values(schemes).flatMap((one) => (one['x-optional-scopes'] ?? []) as string[])
  for (const scope of optional.filter((one) => !scopes.includes(one))) {
    const location = context.location.child(['components', 'securitySchemes'])
    context.report({
      message: `${scope} of x-optional-scopes is none of x-scopes${suggestion(scope, scopes)}`,
      location,
    })
  }
  for (const scope of scopes.filter((known) => !needed.has(known))) {
    const location = context.location.child(['components', 'securitySchemes'])
    context.report({ message: `no operation needs the scope ${scope} of x-scopes`, location })
  }
}

/** Whether there is the one way, and no other beside it. */
function isReadable(ways: readonly object[]): boolean {
  return ways.length === 1 && Object.keys(ways[0]!).join() === scheme
}

/** A field that excludes another one does so by the name of that field. */
export function requireKnownExclusions(root: Json, context: Context): void {
  for (const operation of operationsIn(root, context)) {
    const fields = listBodyFields(operation, context)
    const names = fields.map(({ name }) => name)
    for (const { node, location } of fields) {
      for (const other of ((node['x-excludes'] ?? []) as string[]).filter((one) => !names.includes(one)))
        context.report({
          message: `the body has no field ${other} to exclude${suggestion(other, names)}`,
          location: location.child(['x-excludes']),
        })
    }
  }
}

function needsScope({ node }: Resolved): boolean {
  return node['x-required-scope'] !== undefined
}

/** The fields of the body of an operation. */
function listBodyFields({ node, location }: Resolved, context: Context): (Resolved & { name: string })[] {
  const body = resolveBody({ node, location }, context)
  return Object.entries((body?.node.properties ?? {}) as Json).map(([name, part]) => ({
    name,
    ...follow(context, part, body!.location.child(['properties', name])),
  }))
}

/** The schema of the body of an operation; undefined where it takes none. */
function resolveBody({ node, location }: Resolved, context: Context): Resolved | undefined {
  const body = follow(context, node.requestBody, location.child(['requestBody']))
  const json = ((body.node.content ?? {}) as Record<string, Json>)['application/json']
  return json && follow(context, json.schema, body.location.child(['content', 'application/json', 'schema']))
}
