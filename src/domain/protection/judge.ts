/** What the rules say of a send: one pure function, which production, replay and the played attacks call. */
import { counterId, historySlotSeconds, type JudgedSend, keyOf, numberIn, slotSecondsOf } from './counter.ts'
import type { SendCounts } from './counts.ts'
import { isExcepted } from './exception.ts'
import { type CountingRule, isCounting, type ProtectionRule, type RuleAct } from './rule.ts'
import { highestVerified, slotsIn, tallyOf, wasEverVerified } from './tally.ts'

/** What was found, and what follows. It says nothing of who sent, or to whom. */
export interface RuleFinding {
  /** The id of the rule. */
  rule: string
  did: RuleAct
}

export interface JudgedState {
  rules: readonly ProtectionRule[]
  /** What was counted before this send. */
  counts: SendCounts
}

/** From this score on, a captcha answers a challenge: what reCAPTCHA recommends. One without a score does, too. */
const captchaScoreMin = 0.5

/** @returns what the rules found, in their order; nothing for what passes them all */
export function judge({ rules, counts }: JudgedState, send: JudgedSend): RuleFinding[] {
  if (send.trusted) return []
  return rules.flatMap((rule) => {
    if (isExcepted(rule, send)) return []
    const found = isCounting(rule) ? isOver(rule, { rules, counts }, send) && rule.do : actOfList(rule, send)
    if (!found) return []
    return { rule: rule.id, did: found === 'challenge' && isAnswered(send) ? 'record' : found }
  })
}

/** What becomes of the send. */
export function actOf(findings: readonly RuleFinding[]): 'send' | 'challenge' | 'block' {
  const does = (act: RuleAct) => findings.some(({ did }) => did === act)
  return does('block') ? 'block' : does('challenge') ? 'challenge' : 'send'
}

function isAnswered({ captcha }: JudgedSend): boolean {
  return captcha !== undefined && (captcha.score ?? 1) >= captchaScoreMin
}

function actOfList({ allow, kinds, record_kinds, do: act }: ProtectionRule, send: JudgedSend): RuleAct | undefined {
  if (allow !== undefined) return allow === 'all' || allow.includes(send.country ?? '') ? undefined : act
  const kind = send.numberKind.toLowerCase()
  if (kinds?.includes(kind)) return act
  return record_kinds?.includes(kind) ? 'record' : undefined
}

function isOver(rule: CountingRule, state: JudgedState, send: JudgedSend): boolean {
  const key = keyOf(rule.by, send)
  if (key === undefined) return false
  const isOf = (one: ProtectionRule): one is CountingRule => isCounting(one) && one.by === rule.by
  const own = state.rules.filter(isOf)
  const slots = (window: number) => state.counts.slotsOf(counterId(rule.by, slotSecondsOf(rule.by, window, own)), key)
  if (rule.count === 'countries' || rule.count === 'numbers') {
    return distinctOf(rule, slotsIn(slots(rule.window), send.at, rule.window), send) > rule.over.constant
  }
  const days = state.counts.slotsOf(counterId(rule.by, historySlotSeconds), key)
  const tally = tallyOf(slots(rule.window), send.at, rule.window)
  const checked = tally.sends - tally.unchecked + (send.isUnchecked ? 0 : 1)
  const counted = rule.count === 'sends' ? tally.sends + 1 : checked - tally.verified
  if (counted <= thresholdOf(rule, { at: send.at, days, slots })) return false
  const { conversion_under: least, never_verified: isUnknown } = rule.when ?? {}
  if (isUnknown && wasEverVerified(days, send.at)) return false
  return least === undefined || checked === 0 || tally.verified / checked < least
}

type SlotsOf = (window: number) => ReturnType<SendCounts['slotsOf']>
type Seen = { at: number; days: ReturnType<SendCounts['slotsOf']>; slots: SlotsOf }

/** The greatest of what `over` names. */
function thresholdOf({ window, over }: CountingRule, { at, days, slots }: Seen): number {
  const { constant, verified, max14d } = over
  const parts = [constant]
  if (verified !== undefined) {
    const { times, per = 1, window: own = window } = typeof verified === 'object' ? verified : { times: verified }
    parts.push((times * tallyOf(slots(own), at, own).verified) / per)
  }
  if (max14d !== undefined) {
    const { times, per = 1 } = typeof max14d === 'object' ? max14d : { times: max14d }
    parts.push((times * highestVerified(days, at)) / per)
  }
  return Math.max(...parts)
}

/** With that of the send. */
function distinctOf(rule: CountingRule, slots: ReturnType<SendCounts['slotsOf']>, send: JudgedSend): number {
  if (rule.count === 'countries') {
    const verified = new Set(slots.flatMap(({ verifiedCountries }) => verifiedCountries))
    const all = new Set([...slots.flatMap(({ countries }) => countries), send.country ?? ''])
    // Where somebody behind the same was verified, people are.
    if (verified.has(send.country ?? '')) return 0
    return [...all].filter((country) => !verified.has(country)).length
  }
  const own = numberIn(rule.by, send)
  const all = new Set([...slots.flatMap(({ numbers }) => numbers), own])
  return rule.within === undefined ? all.size : nearOf([...all].map(Number), Number(own), rule.within)
}

/** The most numbers, with `own`, of which no two are further apart. */
function nearOf(numbers: readonly number[], own: number, within: number): number {
  const near = numbers.filter((one) => Math.abs(one - own) <= within).toSorted((one, other) => one - other)
  const from = near.filter((first) => first <= own)
  return Math.max(...from.map((first) => near.filter((one) => one >= first && one <= first + within).length))
}
