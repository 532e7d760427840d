/** The rule of defaults. */
import { ajv } from './ajv.ts'
import { withExclusiveBounds } from './exclusiveBounds.ts'
import { type Context, follow, type Json } from './walk.ts'

/** The keywords that say which values there may be; what is below has defaults of its own. */
const limits = [
  ...['type', 'nullable', 'enum', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
]

/** The visitor of every schema: a default is filled in before a request is judged, so one that is wrong refuses every request. */
export function requireFittingDefault(schema: Json, context: Context): void {
  const { default: usual, allOf = [] } = schema
  if (usual === undefined) return
  const parts = (allOf as unknown[]).map((part) => follow(context, part, context.location).node)
  const fault = [schema, ...parts].map((part) => findFault(usual, part)).find(Boolean)
  if (fault === undefined) return
  context.report({
    message: `the default ${JSON.stringify(usual)} does not fit its own schema: it ${fault}`,
    location: context.location.child(['default']),
  })
}

/** Undefined where the value fits, and where its schema cannot be read, of which other rules tell. */
function findFault(value: unknown, schema: Json): string | undefined {
  const { 'x-ecma-pattern': pattern = schema.pattern } = schema
  const own = Object.entries({ ...schema, pattern }).filter(([key, set]) => limits.includes(key) && set !== undefined)
  try {
    const isFitting = ajv.validate(withExclusiveBounds(Object.fromEntries(own)), value)
    if (isFitting) return undefined
  } catch {
    return undefined
  }
  const [{ keyword, message, params } = {} as never] = ajv.errors ?? []
  return keyword === 'enum' ? `must be one of ${params.allowedValues.join(', ')}` : message
}
