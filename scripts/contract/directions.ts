/** What one side alone sends: of a field that is `readOnly`, only answers know, and of one that is `writeOnly`, only requests. */
import type { Json } from './walk.ts'

/** A schema as requests are held to it, also where it requires what is `readOnly`. It has no references. */
export function asRequested<Schema>(schema: Schema): Schema {
  return withoutMarked(schema, 'readOnly')
}

/** A schema as answers and events are held to it, also where it requires what is `writeOnly`. It has no references. */
export function asAnswered<Schema>(schema: Schema): Schema {
  return withoutMarked(schema, 'writeOnly')
}

function withoutMarked<Node>(node: Node, mark: string): Node {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((member) => withoutMarked(member, mark)) as Node
  const { properties, required } = node as { properties?: Record<string, Json>; required?: unknown }
  const marked = Object.keys(properties ?? {}).filter((name) => isMarked(properties![name], mark))
  const isKept = ([name]: [string, unknown]) => !marked.includes(name)
  const kept: Json = {
    ...node,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).filter(isKept)) }),
    ...(Array.isArray(required) && { required: required.filter((name) => !marked.includes(name)) }),
  }
  return Object.fromEntries(Object.entries(kept).map(([key, child]) => [key, withoutMarked(child, mark)])) as Node
}

/** Where something stands beside a reference, OpenAPI 3.0 has the mark in an `allOf`. */
function isMarked(schema: unknown, mark: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { [mark]: own, allOf = [] } = schema as Json
  return own === true || (allOf as unknown[]).some((part) => isMarked(part, mark))
}
