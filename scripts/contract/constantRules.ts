/** Booleans that are always the same: `x-always` says which, where an enum of one value breaks generators. */
import { answersIn } from './answers.ts'
import { listEvents } from './eventRules.ts'
import { type Context, follow, type Json, type Resolved } from './walk.ts'

/** The visitor of every schema. */
export function requireConstant(schema: Json, { report, location }: Context): void {
  const { 'x-always': always, type, example = always } = schema
  if (!('x-always' in schema)) return
  if (type !== 'boolean' || typeof always !== 'boolean')
    report({ message: 'x-always must be true or false, beside type: boolean', location })
  else if (example !== always) report({ message: `the example must be ${always}, as x-always says`, location })
}

/** What an example says where the schema leaves no choice. */
export function requireConstantExamples(root: Json, context: Context): void {
  for (const { content, location } of [...answersIn(root, context), ...listEvents(root, context)]) {
    const schema = follow(context, content.schema, location.child(['schema']))
    for (const [name, example] of Object.entries((content.examples ?? {}) as Json)) {
      const { node, location: at } = follow(context, example, location.child(['examples', name]))
      const wrong = differing(schema, node.value, context)
      if (wrong !== undefined)
        context.report({ message: `the example ${name} has another ${wrong} than x-always says`, location: at })
    }
  }
}

/** The name of the first field with another value than the constant; undefined where there is none. */
function differing({ node, location }: Resolved, value: unknown, context: Context): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const {
    properties = {},
    items,
    oneOf = [],
    discriminator,
  } = node as {
    properties?: Json
    items?: Json
    oneOf?: Json[]
    discriminator?: { propertyName: string; mapping?: Record<string, string> }
  }
  const below = (part: unknown, child: unknown) => differing(follow(context, part, location), child, context)
  if (Array.isArray(value)) return value.map((child) => below(items, child)).find(Boolean)
  const kind = (value as Json)[discriminator?.propertyName ?? '']
  const $ref = discriminator?.mapping?.[String(kind)]
  if (oneOf.length > 0) return $ref === undefined ? undefined : below({ $ref }, value)
  for (const [name, child] of Object.entries(value)) {
    const { 'x-always': always } = follow(context, properties[name], location).node
    if (always !== undefined && always !== child) return name
    const found = below(properties[name], child)
    if (found !== undefined) return found
  }
  return undefined
}
