/** Whether a rule that counts finds a send: what was counted, with that send, is above what the rule lets pass. */
import { type CounterIds, type CountSlot, type JudgedSend, keyOf, numberIn } from './counter.ts'
import type { SendCounts } from './counts.ts'
import type { CountingRule } from './rule.ts'
import { highestVerified, slotsIn, tallyOf, wasEverVerified } from './tally.ts'

interface CountedState {
  counts: SendCounts
  /** Those of the rule. */
  counters: CounterIds
}

export function exceeds(rule: CountingRule, { counts, counters }: CountedState, send: JudgedSend): boolean {
  const key = keyOf(rule.by, send)
  if (key === undefined) return false
  const slots = counts.slotsOf(counters.window, key)
  if (rule.count === 'countries' || rule.count === 'numbers') {
    return distinctOf(rule, slotsIn(slots, send.at, rule.window), send) > rule.over.constant
  }
  const tally = tallyOf(slots, send.at, rule.window)
  const checked = tally.sends - tally.unchecked + (send.isUnchecked ? 0 : 1)
  const counted = rule.count === 'sends' ? tally.sends + 1 : checked - tally.verified
  // Most sends end here: what the constant lets pass, is not above the greatest.
  if (counted <= rule.over.constant) return false
  const days = counters.days === undefined ? [] : counts.slotsOf(counters.days, key)
  if (counted <= thresholdOf(rule, { at: send.at, days, verified: counts.slotsOf(counters.verified, key) }))
    return false
  const { conversion_under: least, never_verified: isUnknown } = rule.when ?? {}
  if (isUnknown && wasEverVerified(days, send.at)) return false
  return least === undefined || checked === 0 || tally.verified / checked < least
}

interface Past {
  at: number
  days: readonly CountSlot[]
  /** The slots in which the verified ones are that the threshold depends on. */
  verified: readonly CountSlot[]
}

/** The greatest of what `over` names. */
function thresholdOf({ window, over }: CountingRule, past: Past): number {
  const { constant, verified, max14d } = over
  const parts = [constant]
  if (verified !== undefined) {
    const { times, per = 1, window: own = window } = typeof verified === 'object' ? verified : { times: verified }
    parts.push((times * tallyOf(past.verified, past.at, own).verified) / per)
  }
  if (max14d !== undefined) {
    const { times, per = 1 } = typeof max14d === 'object' ? max14d : { times: max14d }
    parts.push((times * highestVerified(past.days, past.at)) / per)
  }
  return Math.max(...parts)
}

/** With that of the send. */
function distinctOf(rule: CountingRule, slots: readonly CountSlot[], send: JudgedSend): number {
  if (rule.count === 'countries') {
    const verified = new Set(slots.flatMap(({ verifiedCountries }) => verifiedCountries))
    const all = new Set([...slots.flatMap(({ countries }) => countries), send.country ?? ''])
    // Where somebody behind the same was verified, people are.
    if (verified.has(send.country ?? '')) return 0
    return [...all].filter((country) => !verified.has(country)).length
  }
  const own = numberIn(rule.by, send)
  if (rule.within !== undefined) return nearOf(slots, own, rule.within)
  return new Set([...slots.flatMap(({ numbers }) => numbers), own]).size
}

/**
 * The most numbers, with `own`, of which no two are further apart. There may be hundreds, of which few are near: what is not, is
 * only looked at.
 */
function nearOf(slots: readonly CountSlot[], own: string, within: number): number {
  const place = placeOf(own)
  const near = new Set([place])
  for (const { numbers } of slots) {
    for (const one of numbers) {
      const other = placeOf(one)
      if (other >= place - within && other <= place + within) near.add(other)
    }
  }
  const sorted = [...near].toSorted((one, other) => one - other)
  const from = sorted.filter((first) => first <= place)
  return Math.max(...from.map((first) => sorted.filter((one) => one >= first && one <= first + within).length))
}

/** The last digits as a number. `Number` takes ten times as long for a text. */
function placeOf(digits: string): number {
  let place = 0
  for (let index = 0; index < digits.length; index++) place = place * 10 + digits.charCodeAt(index) - 48
  return place
}
