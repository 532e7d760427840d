/** A schema that is alone in an `allOf` is that schema: what stands beside it, where OpenAPI 3.0 lets nothing stand beside a `$ref`. */

type Json = Record<string, unknown>

/** The same contract, in which each such schema stands in the place of its `allOf`. */
export function withoutLoneParts<Document extends object>(document: Document): Document {
  return unwrapped(document, document as Json) as Document
}

function unwrapped(node: unknown, document: Json): unknown {
  if (Array.isArray(node)) return node.map((member) => unwrapped(member, document))
  if (typeof node !== 'object' || node === null) return node
  const { allOf, ...beside } = node as Json
  const [part, ...others] = Array.isArray(allOf) ? (allOf as Json[]) : []
  if (part && others.length === 0) {
    if (Object.keys(beside).length === 0) return unwrapped(part, document)
    const target = resolved(part, document)
    const isSaidTwice = Object.keys(beside).some((keyword) => keyword in target && !remarks.includes(keyword))
    if (!isSaidTwice) return unwrapped({ ...target, ...beside }, document)
  }
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, unwrapped(child, document)]))
}

/** What is said of a schema here may be something else than what is said of it where it has its name. */
const remarks = ['title', 'description', 'example', 'deprecated', 'externalDocs']

function resolved({ $ref, ...schema }: Json, document: Json): Json {
  if (typeof $ref !== 'string') return schema
  const names = $ref.slice(2).split('/')
  return resolved(names.reduce<unknown>((at, name) => (at as Json)[name], document) as Json, document)
}
