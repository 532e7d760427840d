/** The rules of versions: the contract is in OpenAPI 3.0 or 3.1, and the service serves it in both. */
import type { Context, Json } from './walk.ts'

export function requireVersion({ openapi }: Json, context: Context): void {
  if (/^3\.[01]\.\d+$/.test(String(openapi))) return
  context.report({
    message: `OpenAPI ${openapi} is not supported yet: write 3.0.3 or 3.1.1, with events in x-webhooks (3.0) or webhooks (3.1)`,
    location: context.location.child(['openapi']),
  })
}

/** Keywords of 3.1 that say of a value what 3.0 cannot. */
const withoutForm = [
  ...[
    'if',
    'then',
    'else',
    'prefixItems',
    'contains',
    'minContains',
    'maxContains',
    'patternProperties',
    'propertyNames',
  ],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties', 'contentEncoding'],
  ...['contentMediaType', 'contentSchema', '$defs', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$schema'],
]
const why = 'has no form in OpenAPI 3.0, which the service serves too, and which many generators of clients read'

/** The visitor of every schema. */
export function requireFormOfSchema(schema: Json, context: Context): void {
  const report = (what: string, key: string) =>
    context.report({ message: `${what} ${why}`, location: context.location.child([key]) })
  for (const keyword of withoutForm) if (keyword in schema) report(keyword, keyword)
  const types = [schema.type].flat()
  const others = types.filter((type) => type !== 'null')
  if (others.length > 1) report(`a type of ${others.join(' or ')}`, 'type')
  if (types.includes('null') && others.length === 0)
    report('a type that is null alone (write [string, "null"], or leave the field out)', 'type')
}

export function requireFormOfRoot(root: Json, context: Context): void {
  const { info, jsonSchemaDialect } = root as {
    info?: { summary?: unknown; license?: Json }
    jsonSchemaDialect?: unknown
  }
  const report = (...path: string[]) =>
    context.report({ message: `${path.join('.')} ${why}`, location: context.location.child(path) })
  if (info?.summary !== undefined) report('info', 'summary')
  if (info?.license?.identifier !== undefined) report('info', 'license', 'identifier')
  if (jsonSchemaDialect !== undefined) report('jsonSchemaDialect')
}
