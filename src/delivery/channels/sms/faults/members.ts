/** The members of a part of a file in which other things may be wrong; none of what has no members. */
export type Members = Readonly<Record<string, unknown>>

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}
