/** What the rules say of a send: one pure function, which production, replay and the played attacks call. */
import type { KeptFinding } from '../../store/schema/schema.ts'
import type { CounterIds, JudgedSend } from './counter.ts'
import type { SendCounts } from './counts.ts'
import { isExcepted } from './exception.ts'
import { exceeds } from './over.ts'
import { isCounting, type ProtectionRule, type RuleAct } from './rule.ts'

export interface JudgedState {
  rules: readonly ProtectionRule[]
  /** Of these rules, by `listCounterIds`. */
  counterIds: ReadonlyMap<ProtectionRule, CounterIds>
  /** What was counted before this send. */
  counts: SendCounts
}

/** @returns what the rules found, in their order; nothing for what passes them all */
export function judge({ rules, counterIds, counts }: JudgedState, send: JudgedSend): KeptFinding[] {
  if (send.trusted) return []
  const findings: KeptFinding[] = []
  for (const rule of rules) {
    if (isExcepted(rule, send)) continue
    const found = isCounting(rule)
      ? exceeds(rule, { counts, counters: counterIds.get(rule)! }, send) && rule.do
      : actOfList(rule, send)
    if (!found) continue
    findings.push({ rule: rule.id, did: found === 'challenge' && send.isCaptchaSolved ? 'record' : found })
  }
  return findings
}

/** What becomes of the send. */
export function decideAct(findings: readonly KeptFinding[]): 'send' | 'challenge' | 'block' {
  const does = (act: RuleAct) => findings.some(({ did }) => did === act)
  return does('block') ? 'block' : does('challenge') ? 'challenge' : 'send'
}

function actOfList({ allow, kinds, record_kinds, do: act }: ProtectionRule, send: JudgedSend): RuleAct | undefined {
  if (allow !== undefined) return allow === 'all' || allow.includes(send.country ?? '') ? undefined : act
  const kind = send.numberKind.toLowerCase()
  if (kinds?.includes(kind)) return act
  return record_kinds?.includes(kind) ? 'record' : undefined
}
