/** What a rule of `redocly diff` sees: one change, and who meets it. */

/** One place of the contract, as it was or as it is. */
interface Side {
  key: string | number
  type: { name: string }
  value: unknown
  parent?: Side
  /** What stands there, where there is a reference. */
  resolved?: Side
}

export interface Change {
  kind: 'added' | 'removed' | 'modified'
  property?: string
  base?: { value: unknown }
  revision?: { value: unknown }
  node: Pair
}

/** A place as it was and as it is; one of the two is not there when it is new or gone. */
export interface Pair {
  base?: Side
  revision?: Side
  parent?: Pair
}

export interface Visit {
  report: (finding: { message: string }) => void
  /** Who reads what stands here; both, of a schema that is in requests and in answers. */
  getDirections: () => ('request' | 'response')[]
}

/** What stood there before; nothing where nothing did. */
export function before({ node: { base } }: Pick<Change, 'node'>): Record<string, unknown> {
  return ((base?.resolved ?? base)?.value ?? {}) as Record<string, unknown>
}

/** Of a field, or of a schema with a name: " of `name`", or nothing. */
export function formatOwner({ node: { base, revision } }: Pick<Change, 'node'>): string {
  const side = revision ?? base
  const { key, parent } = side?.resolved ?? side ?? {}
  return ['SchemaProperties', 'NamedSchemas'].includes(parent?.type.name ?? '') ? ` of \`${key}\`` : ''
}

/** Of a form in `oneOf`, `anyOf` or `allOf`: the name of its schema, or its type. */
export function findPartName({ base, revision }: Pair): string {
  const side = revision ?? base
  const { title, type = 'any' } = ((side?.resolved ?? side)?.value ?? {}) as Record<string, unknown>
  return String(side?.resolved?.key ?? title ?? type)
}

/** The values of a list that another does not have. */
export function lacking(list: unknown, other: unknown): unknown[] {
  const known = Array.isArray(other) ? other : []
  return Array.isArray(list) ? list.filter((value) => !known.includes(value)) : []
}
