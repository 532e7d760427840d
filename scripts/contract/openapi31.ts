/**
 * A contract may be written in OpenAPI 3.0 or in 3.1. All that reads it reads 3.0: here, each form of 3.1 becomes the one that means
 * the same there. What has none is refused by the lint.
 */
type Json = Record<string, unknown>

const known = new WeakMap<Json, Json>()

/** A schema as 3.0 writes it, without what is below it: the same object each time, and the schema itself if it is of 3.0. */
export function asOpenApi30(schema: Json): Json {
  const made = known.get(schema) ?? (isOf31(schema) ? madeOpenApi30(schema) : schema)
  known.set(schema, made)
  return made
}

function isOf31(schema: Json): boolean {
  const { type, examples, exclusiveMinimum, exclusiveMaximum } = schema
  const isBound = [exclusiveMinimum, exclusiveMaximum].some((bound) => typeof bound === 'number')
  return isBound || Array.isArray(type) || Array.isArray(examples) || 'const' in schema
}

function madeOpenApi30(schema: Json): Json {
  const bounds = { ...mergeBounds('minimum', schema, Math.max), ...mergeBounds('maximum', schema, Math.min) }
  return { ...Object.fromEntries(Object.entries(schema).flatMap(translateKeyword)), ...bounds }
}

/** One keyword with its value, in the words of 3.0. */
function translateKeyword([keyword, value]: [string, unknown]): [string, unknown][] {
  if (keyword === 'type' && Array.isArray(value)) {
    const [type, ...others] = value.filter((one) => one !== 'null')
    return [[keyword, others.length > 0 ? value : type], ...(value.includes('null') ? [nullable] : [])]
  }
  // 3.0 has lists of one value, and no word of its own for a boolean that is always the same.
  if (keyword === 'const') return [typeof value === 'boolean' ? ['x-always', value] : ['enum', [value]]]
  // It has one example; the served form of 3.1 has all of them again.
  if (keyword === 'examples' && Array.isArray(value))
    return [['example', value[0]], ...(value.length > 1 ? [['x-examples', value] satisfies [string, unknown]] : [])]
  return [[keyword, value]]
}

const nullable: [string, unknown] = ['nullable', true]

/** Of two bounds, the one that leaves less. */
function mergeBounds(keyword: string, schema: Json, lesser: (a: number, b: number) => number): Json {
  const name = `exclusive${keyword.charAt(0).toUpperCase()}${keyword.slice(1)}`
  const { [keyword]: bound, [name]: exclusive } = schema
  if (typeof exclusive !== 'number') return {}
  const isExclusive = typeof bound !== 'number' || lesser(bound, exclusive) === exclusive
  return { [keyword]: isExclusive ? exclusive : bound, [name]: isExclusive }
}

/** Below these, keys are names of what is there, and no keywords. */
const named = [
  ...[
    'paths',
    'webhooks',
    'x-webhooks',
    'responses',
    'content',
    'headers',
    'examples',
    'encoding',
    'links',
    'callbacks',
  ],
  ...['properties', 'schemas', 'parameters', 'requestBodies', 'securitySchemes', 'pathItems', 'variables', 'mapping'],
]
/** What stands there is a value, whatever it looks like. */
const values = ['example', 'default', 'enum', 'const', 'value']
/** Extensions of this contract that are schemas. */
const schemas = ['x-error-response', 'x-webhook-event']

/**
 * The whole of a contract as 3.0 writes it.
 *
 * @param contract in one document, of either version
 */
export function inOpenApi30<Document extends Json>(contract: Document): Document {
  if (/^3\.0\./.test(String(contract.openapi))) return contract
  const { webhooks, components, ...others } = contract as Json
  const { pathItems: _inlined, ...kept } = (components ?? {}) as Json
  const [own, extensions] = [false, true].map((isExtension) =>
    Object.fromEntries(Object.entries(others).filter(([key]) => key.startsWith('x-') === isExtension)),
  )
  // In the order in which a contract of 3.0 is bundled.
  const events = webhooks === undefined ? {} : { 'x-webhooks': webhooks }
  const whole = { ...own, openapi: '3.0.3', paths: own!.paths ?? {}, ...events, components: kept, ...extensions }
  return converted(whole, contract) as Document
}

/** Whether a line of the contract says that it is in OpenAPI 3.0. One in an odd form may be so all the same. */
export function isTextOf30(text: string): boolean {
  return /^\s*\{?\s*["']?openapi["']?\s*:\s*["']?3\.0\b/m.test(text)
}

function converted(node: unknown, contract: Json, isNamed = false): unknown {
  if (Array.isArray(node)) return node.map((member) => converted(member, contract))
  if (typeof node !== 'object' || node === null) return node
  const own = isNamed ? (node as Json) : asOpenApi30(withoutSiblings(withOwnSchema(node as Json, contract), contract))
  return Object.fromEntries(
    Object.entries(own).map(([key, child]) => {
      const isValue = values.includes(key) || (key.startsWith('x-') && ![...named, ...schemas].includes(key))
      if (!isNamed && isValue) return [key, child]
      return [key, converted(child, contract, !isNamed && named.includes(key))]
    }),
  )
}

/** A parameter has no `allOf`: its text is read by the type of its schema. */
function withOwnSchema(node: Json, contract: Json): Json {
  const { $ref, ...siblings } = (node.schema ?? {}) as Json
  if (!('in' in node) || typeof $ref !== 'string' || Object.keys(siblings).length === 0) return node
  return { ...node, schema: { ...resolveTarget($ref, contract), ...siblings } }
}

/** What 3.1 lets stand beside a reference: beside an `allOf` of a schema, and in what else is referred to. */
function withoutSiblings(node: Json, contract: Json): Json {
  const { $ref, ...siblings } = node
  if (typeof $ref !== 'string') return node
  const isPathItem = $ref.startsWith('#/components/pathItems/')
  if (Object.keys(siblings).length === 0 && !isPathItem) return node
  if ($ref.startsWith('#/components/schemas/')) return { allOf: [{ $ref }], ...siblings }
  return withoutSiblings({ ...resolveTarget($ref, contract), ...siblings }, contract)
}

function resolveTarget($ref: string, contract: Json): Json {
  const names = $ref
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>((at, name) => (at as Json)[name], contract) as Json
}
