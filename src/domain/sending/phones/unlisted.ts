/** Numbers that are refused because no numbering plan of this version has them: the operator is told how they begin. */
import type { Runtime } from '../../../kit/runtime.ts'
import { findMainCountry } from '../numberingPlan.ts'
import { maskPhone } from '../phone.ts'

export interface UnlistedParts {
  runtime: Pick<Runtime, 'elapsedMs' | 'log'>
  /** `prefix`: `+1436`, or `other`. */
  count: (refused: { prefix: string }) => void
}

/** Callers choose the numbers: what is counted and logged of them is bounded. */
const prefixesMax = 50
const prefixDigits = 3
/** Milliseconds between two lines about the same prefix. */
const logMs = 3600 * 1000

export function createUnlistedNote({ runtime, count }: UnlistedParts): (phone: string) => void {
  const loggedAt = new Map<string, number>()
  return (phone) => {
    const begins = phone.slice(0, 1 + findMainCountry(phone).callingCode.length + prefixDigits)
    const prefix = loggedAt.has(begins) || loggedAt.size < prefixesMax ? begins : 'other'
    count({ prefix })
    const now = runtime.elapsedMs()
    if (now - (loggedAt.get(prefix) ?? Number.NEGATIVE_INFINITY) < logMs) return
    loggedAt.set(prefix, now)
    const about = { phone: maskPhone(phone), prefix }
    runtime.log.warn(about, "refused a phone number that is not in this version's numbering plan")
  }
}
