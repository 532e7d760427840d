/**
 * An `allOf` that says no more than one schema could: around a schema that is alone in it, because OpenAPI 3.0 lets nothing stand beside
 * a `$ref`, or around objects that add fields to each other.
 */

type Json = Record<string, unknown>

/** The same contract, in which that one schema stands in the place of each such `allOf`. */
export function withoutParts<Document extends object>(document: Document): Document {
  return unwrapped(document, document as Json) as Document
}

function unwrapped(node: unknown, document: Json): unknown {
  if (Array.isArray(node)) return node.map((member) => unwrapped(member, document))
  if (typeof node !== 'object' || node === null) return node
  const { allOf, ...beside } = node as Json
  const parts = Array.isArray(allOf) ? (allOf as Json[]) : []
  if (parts.length === 1 && Object.keys(beside).length === 0) return unwrapped(parts[0], document)
  const whole = parts.length === 1 ? described(parts[0]!, beside, document) : merged([...parts, beside], document)
  if (whole) return unwrapped(whole, document)
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, unwrapped(child, document)]))
}

/** What is said of a schema here may be something else than what is said of it where it has its name. */
const remarks = ['title', 'description', 'example', 'deprecated', 'externalDocs']

function described(part: Json, beside: Json, document: Json): Json | undefined {
  const target = resolved(part, document)
  const isSaidTwice = Object.keys(beside).some((keyword) => keyword in target && !remarks.includes(keyword))
  return isSaidTwice ? undefined : { ...target, ...beside }
}

/** One object with the fields of all; undefined where that is not the same. */
function merged(parts: Json[], document: Json): Json | undefined {
  const objects = parts.map((part) => flat(part, document))
  const beside = objects.at(-1)
  const fields = objects.flatMap((object) => Object.entries((object?.properties ?? {}) as Json))
  const isOneObject =
    objects.length > 2 &&
    objects.every((object) => object && Object.keys(object).every((keyword) => plain.includes(keyword))) &&
    objects.some((object) => object!.type === 'object') &&
    new Set(fields.map(([name]) => name)).size === fields.length
  if (!isOneObject) return undefined
  const required = [...new Set(objects.flatMap((object) => (object!.required ?? []) as string[]))]
  const properties = Object.fromEntries(fields)
  return { ...beside, type: 'object', ...(required.length > 0 && { required }), properties }
}

/** A part of a part is one of the whole. */
function flat(part: Json, document: Json): Json | undefined {
  const schema = resolved(part, document)
  const { allOf, ...beside } = schema
  return Array.isArray(allOf) ? merged([...(allOf as Json[]), beside], document) : schema
}

/** What is the same in one object as in several. A closed one would refuse the fields of the others. */
const plain = [...remarks, 'type', 'properties', 'required']

function resolved({ $ref, ...schema }: Json, document: Json): Json {
  if (typeof $ref !== 'string') return schema
  const names = $ref.slice(2).split('/')
  return resolved(names.reduce<unknown>((at, name) => (at as Json)[name], document) as Json, document)
}
