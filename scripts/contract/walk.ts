/** What a rule of the lint sees of the contract: its places, and what stands there. */

export type Json = Record<string, unknown>

export interface Location {
  pointer: string
  child: (names: (string | number)[]) => Location
}

export interface Resolved {
  node: Json
  location: Location
}

export interface Context {
  location: Location
  resolve: (ref: Json) => { node?: unknown; location?: Location }
  report: (problem: { message: string; location?: Location }) => void
}

/** What a place of the document holds, behind a reference if it is one; nothing where there is nothing. */
export function follow(context: Context, value: unknown, location: Location): Resolved {
  const node = (value ?? {}) as Json
  if (!('$ref' in node)) return { node, location }
  const found = context.resolve(node)
  return { node: (found.node ?? {}) as Json, location: found.location ?? location }
}
