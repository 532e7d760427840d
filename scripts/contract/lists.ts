/** Lists of values: which may grow, and how a change of one is rated. */

import { type Change, formatOwner, before as formerly, lacking, type Visit } from './change.ts'

/** Who meets a new value must have been told what to go by: there, or where the codes of errors are explained. */
export function requireWordsOnGrowth(
  { 'x-may-grow': mark, enum: values, oneOf: forms = values, description }: Record<string, unknown>,
  { report }: Pick<Visit, 'report'>,
): void {
  const says = /\bmay grow\b|`ErrorCode`/.test(String(description))
  if (mark === undefined || (mark === true && Array.isArray(forms) && says)) return
  report({
    message:
      'x-may-grow must be true, beside an enum or a oneOf whose description says that it may grow, and what to go by then',
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
    if (getDirections().includes('response') && mayGrow === (formerly(change)['x-may-grow'] === true))
      tell(report, `Enum${formatOwner(change)} gained values`, now, before)
  }
}

function reportLosses(change: Change, { report, getDirections }: Visit): void {
  if (!isOfList(change) || !getDirections().includes('response')) return
  const [before, now] = [change.base?.value, change.revision?.value]
  if (now === undefined) report({ message: `Enum${formatOwner(change)} was removed.` })
  else tell(report, `Enum${formatOwner(change)} lost values`, before, now)
}

function tell(report: Visit['report'], what: string, values: unknown, others: unknown): void {
  const names = lacking(values, others).map((value) => `'${value}'`)
  if (names.length > 0) report({ message: `${what}: ${names.join(', ')}.` })
}

function isOfList({ kind, property }: Change): boolean {
  return kind === 'modified' && property === 'enum'
}
