/** A rule in a line, for people: what it counts, and when it is too much. */
import { durationText } from './duration.ts'
import { type CountingRule, isCounting, type ProtectionRule } from './rule.ts'

export function ruleText(rule: ProtectionRule): string {
  const { allow, kinds = [], record_kinds = [], only } = rule
  const where = only ? `, to ${only.countries.join(' ')}` : ''
  if (isCounting(rule)) return `${countedText(rule)}${conditionText(rule)}${where}`
  if (allow !== undefined) return allow === 'all' ? 'every country is allowed' : `allowed: ${allow.join(' ')}`
  const recorded = record_kinds.length > 0 ? `; only recorded: ${record_kinds.join(' ')}` : ''
  return `${kinds.join(' ')}${recorded}`
}

function countedText(rule: CountingRule): string {
  const { count, within, window, settles } = rule
  const near = within === undefined ? '' : ` within ${within} of each other`
  const after = settles === undefined ? '' : ` after ${durationText(settles)}`
  return `${count}${after}${near} in ${durationText(window)} > ${thresholdText(rule)}`
}

function thresholdText({ over: { constant, verified, max14d } }: CountingRule): string {
  const parts = [String(constant)]
  if (verified !== undefined) {
    const { times, per, window } = typeof verified === 'object' ? verified : { times: verified }
    parts.push(`${times} × verified${window === undefined ? '' : ` in ${durationText(window)}`}${perText(per)}`)
  }
  if (max14d !== undefined) {
    const { times, per } = typeof max14d === 'object' ? max14d : { times: max14d }
    parts.push(`${times} × verified on the best of 14 days${perText(per)}`)
  }
  return parts.length === 1 ? parts[0]! : `max(${parts.join(', ')})`
}

function perText(per: number | undefined): string {
  return per === undefined ? '' : ` / ${per}`
}

function conditionText({ when = {} }: CountingRule): string {
  const { conversion_under: least, without_history: history, never_verified: isUnknown, sends_over: sends } = when
  const unless = history === undefined ? '' : ` (unless one was verified ${durationText(history)} ago)`
  const conditions = [
    ...(least === undefined ? [] : [`conversion under ${least}${unless}`]),
    ...(isUnknown ? ['none verified in 14 days'] : []),
    ...(sends === undefined ? [] : [`sends > ${sends}`]),
  ]
  return conditions.length === 0 ? '' : `, and ${conditions.join(' and ')}`
}
