/** Lists of values: which may grow, and how a change of one is rated. */

/** One place of the contract, as it was or as it is. */
interface Side {
  key: string | number
  type: { name: string }
  value: unknown
  parent?: Side
  /** What stands there, where there is a reference. */
  resolved?: Side
}
interface Change {
  kind: 'added' | 'removed' | 'modified'
  property?: string
  base?: { value: unknown }
  revision?: { value: unknown }
  node: { base?: Side; revision?: Side }
}
interface Visit {
  report: (finding: { message: string }) => void
  /** Who reads what stands here; both, of a schema that is in requests and in answers. */
  getDirections: () => ('request' | 'response')[]
}

/** Who meets a new value must have been told what to go by: there, or where the codes of errors are explained. */
export function requireWordsOnGrowth(
  { 'x-may-grow': mark, enum: values, description }: Record<string, unknown>,
  { report }: Pick<Visit, 'report'>,
): void {
  const says = /\bmay grow\b|`ErrorCode`/.test(String(description))
  if (mark === undefined || (mark === true && Array.isArray(values) && says)) return
  report({
    message: 'x-may-grow is true, beside an enum whose description says that it may grow, and what to go by then',
  })
}

/**
 * The rules of `redocly diff` for lists, whose own one takes every list of an answer for closed. What counts is what was
 * published: who reads a list without `x-may-grow` was not told to expect more.
 */
export const listRules = {
  'closed-list-gains-values': () => ({ Schema: reportGains({ mayGrow: false }) }),
  'open-list-gains-values': () => ({ Schema: reportGains({ mayGrow: true }) }),
  'list-of-an-answer-loses-values': () => ({ Schema: reportLosses }),
}

function reportGains({ mayGrow }: { mayGrow: boolean }) {
  return (change: Change, { report, getDirections }: Visit): void => {
    const [before, now] = [change.base?.value, change.revision?.value]
    // Where there was no list, any value could come.
    if (!isOfList(change) || before === undefined || now === undefined) return
    if (getDirections().includes('response') && mayGrow === couldGrow(change))
      tell(report, `Enum${nameOf(change)} gained values`, valuesOf(now), valuesOf(before))
  }
}

function reportLosses(change: Change, { report, getDirections }: Visit): void {
  if (!isOfList(change) || !getDirections().includes('response')) return
  const [before, now] = [change.base?.value, change.revision?.value]
  if (now === undefined) report({ message: `Enum${nameOf(change)} was removed.` })
  else tell(report, `Enum${nameOf(change)} lost values`, valuesOf(before), valuesOf(now))
}

function tell(report: Visit['report'], what: string, values: unknown[], others: unknown[]): void {
  const names = values.filter((value) => !others.includes(value)).map((value) => `'${value}'`)
  if (names.length > 0) report({ message: `${what}: ${names.join(', ')}.` })
}

function isOfList({ kind, property }: Change): boolean {
  return kind === 'modified' && property === 'enum'
}

function valuesOf(list: unknown): unknown[] {
  return Array.isArray(list) ? list : []
}

function couldGrow({ node: { base } }: Change): boolean {
  const schema = base?.resolved ?? base
  return (schema?.value as Record<string, unknown> | undefined)?.['x-may-grow'] === true
}

function nameOf({ node: { base, revision } }: Change): string {
  const side = revision ?? base
  const { key, parent } = side?.resolved ?? side ?? {}
  return ['SchemaProperties', 'NamedSchemas'].includes(parent?.type.name ?? '') ? ` of \`${key}\`` : ''
}
