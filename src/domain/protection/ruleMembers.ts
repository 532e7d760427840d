/** Which members a rule has together: what counts needs all that is said of a count, and what lists needs its list. */
import type { PlacedFault } from '../../kit/reading/formFaults.ts'

/** As far as it is looked at here. */
interface RuleMembers {
  by: string
  allow?: unknown
  kinds?: unknown
  record_kinds?: unknown
  count?: string | undefined
  within?: unknown
  window?: unknown
  settles?: unknown
  over?: { constant: number; verified?: unknown; max14d?: unknown } | undefined
  when?: { conversion_under?: unknown; without_history?: unknown; never_verified?: unknown } | undefined
  only?: unknown
}

const ofCounts = ['count', 'window', 'over'] as const
const onlyOfCounts = [...ofCounts, 'within', 'settles', 'when', 'only'] as const

export function memberFaults(rule: RuleMembers): PlacedFault[] {
  const { by, allow, kinds, record_kinds } = rule
  const listing = [allow, kinds, record_kinds].some((list) => list !== undefined)
  if (!listing) return countFaults(rule)
  const idle = onlyOfCounts.filter((name) => rule[name] !== undefined)
  return [
    ...idle.map((name) => ({ path: [name], fault: 'does not go with allow, kinds or record_kinds' })),
    ...(allow !== undefined && by !== 'country' ? [{ path: ['allow'], fault: 'goes with by: country' }] : []),
    ...(kinds !== undefined && by !== 'number_kind' ? [{ path: ['kinds'], fault: 'goes with by: number_kind' }] : []),
    ...(record_kinds !== undefined && kinds === undefined
      ? [{ path: ['record_kinds'], fault: 'goes with kinds' }]
      : []),
  ]
}

function countFaults({ by, count, within, window, settles, over, when }: RuleMembers): PlacedFault[] {
  const said = { count, window, over }
  const missing = ofCounts.filter((name) => said[name] === undefined)
  if (missing.length > 0) return missing.map((name) => ({ path: [name], fault: 'is missing' }))
  const faults: PlacedFault[] = []
  if (within !== undefined && (by !== 'prefix' || count !== 'numbers')) {
    faults.push({ path: ['within'], fault: 'goes with by: prefix and count: numbers' })
  }
  if (settles !== undefined && (by !== 'country' || count !== 'unverified')) {
    faults.push({ path: ['settles'], fault: 'goes with by: country and count: unverified' })
  }
  if (when?.without_history !== undefined && when.conversion_under === undefined) {
    faults.push({ path: ['when', 'without_history'], fault: 'goes with conversion_under' })
  }
  if (count === 'countries' && by === 'country') faults.push({ path: ['count'], fault: 'is always one, by: country' })
  if (count !== 'sends' && count !== 'unverified') faults.push(...distinctFaults(over, when))
  return faults
}

/** Of distinct countries or numbers, few are kept, and nothing is known of those before the window. */
function distinctFaults(over: RuleMembers['over'], when: RuleMembers['when']): PlacedFault[] {
  const fault = 'goes with count: sends or unverified'
  const parts = (['verified', 'max14d'] as const).filter((name) => over?.[name] !== undefined)
  const conditions = (['conversion_under', 'never_verified'] as const).filter((name) => when?.[name] !== undefined)
  return [
    ...parts.map((name) => ({ path: ['over', name], fault })),
    ...conditions.map((name) => ({ path: ['when', name], fault })),
    ...((over?.constant ?? 0) > distinctMax
      ? [{ path: ['over', 'constant'], fault: `must be at most ${distinctMax} for a count of countries or numbers` }]
      : []),
  ]
}

/** A count of distinct countries or numbers ends there: what is kept of them is bounded. */
export const distinctMax = 50
