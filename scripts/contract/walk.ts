/** What a rule of the lint sees of the contract, which may be in several files: its places, and what stands there. */
import { asOpenApi30 } from './openapi31.ts'

export type Json = Record<string, unknown>

export interface Location {
  source: { absoluteRef: string }
  pointer: string
  /** The pointer, with the file in front. */
  absolutePointer: string
  child: (names: (string | number)[]) => Location
}

export interface Resolved {
  node: Json
  location: Location
}

export interface Context {
  location: Location
  /** @param from the file that the reference stands in; left out, that of `location` */
  resolve: (ref: Json, from?: string) => { node?: unknown; location?: Location }
  report: (problem: { message: string; location?: Location }) => void
}

/**
 * What a place of the document holds, behind a reference if it is one, in the words of OpenAPI 3.0; nothing where there is
 * nothing.
 */
export function follow(context: Context, value: unknown, location: Location): Resolved {
  const node = (value ?? {}) as Json
  if (!isReference(node)) return { node: asOpenApi30(node), location }
  const found = context.resolve(node, location.source.absoluteRef)
  return { node: asOpenApi30(withSiblings(node, (found.node ?? {}) as Json)), location: found.location ?? location }
}

const merged = new WeakMap<Json, Json>()

/** What a reference leads to, with what OpenAPI 3.1 lets stand beside it; the same object each time. */
function withSiblings(reference: Json, target: Json): Json {
  const { $ref: _followed, ...siblings } = reference
  if (Object.keys(siblings).length === 0) return target
  const whole = merged.get(reference) ?? { ...target, ...siblings }
  merged.set(reference, whole)
  return whole
}

export function isReference(node: unknown): node is { $ref: string } {
  return typeof node === 'object' && node !== null && '$ref' in node && typeof node.$ref === 'string'
}

/**
 * Every value of the contract, in all files that references lead to; an object once.
 *
 * @param visit is given the key that the value stands under; if it answers `false`, what is below is left out
 */
export function walkTree(
  root: Json,
  context: Context,
  visit: (node: unknown, location: Location, key: string) => unknown,
): void {
  const seen = new Set<object>()
  const look = (node: unknown, location: Location, key: string): void => {
    if (typeof node === 'object' && node !== null && seen.has(node)) return
    if (visit(node, location, key) === false || typeof node !== 'object' || node === null) return
    seen.add(node)
    for (const [name, child] of Object.entries(node)) look(child, location.child([name]), name)
    if (!isReference(node)) return
    const target = follow(context, node, location)
    look(target.node, target.location, key)
  }
  look(root, context.location, '')
}

/** The schemas that have a name, by it: in `components` of a document, or alone in a file that has the name. */
export function namedSchemas(root: Json, context: Context): Map<string, Resolved> {
  const named = new Map<string, Resolved>()
  walkTree(root, context, (node, location) => {
    if (!isReference(node)) return
    const target = follow(context, node, location)
    const name = nameOfSchema(target.location)
    if (name !== undefined) named.set(name, target)
  })
  return named
}

/** What the bundled contract calls the schema of a place; undefined if it is a part of another one. */
export function nameOfSchema(location: Location): string | undefined {
  return /^#\/components\/schemas\/([^/]+)$/.exec(location.pointer)?.[1] ?? nameOfFile(location)
}

/** Without its ending; undefined where the place is not a whole file. */
export function nameOfFile({ pointer, source: { absoluteRef } }: Location): string | undefined {
  return pointer === '#/' ? /([^/\\]+)\.\w+$/.exec(absoluteRef)?.[1] : undefined
}
