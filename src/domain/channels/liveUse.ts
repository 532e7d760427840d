/** Which connections of an account carry live messages: those that reach no phone stand in for no other. */

export interface LiveUseParts {
  /** By the names of kinds; one that is not among them counts as reaching phones. */
  kinds: Readonly<Record<string, { isLocal?: boolean }>>
  /** Whether what reaches no phone carries live messages of an account that has nothing else. */
  sandboxLive: boolean
}

/** @param name may be anything: the id of a connection can be the name of a kind */
export function isLocal(name: string, kinds: LiveUseParts['kinds']): boolean {
  return Object.hasOwn(kinds, name) && kinds[name]?.isLocal === true
}

/**
 * The connections of a list that are for test keys only. Another connection counts for as long as it is in the list, also while it
 * rests or cannot be opened: a fault never has the sandbox take live codes.
 */
export function forTestKeysOnly<Row extends { kind: string }>(
  list: readonly Row[],
  { kinds, sandboxLive }: LiveUseParts,
): ReadonlySet<Row> {
  const local = list.filter(({ kind }) => isLocal(kind, kinds))
  return new Set(sandboxLive && local.length === list.length ? [] : local)
}
