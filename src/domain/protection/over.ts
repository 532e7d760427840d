/** Whether a rule that counts finds a send: what was counted, with that send, is above what the rule lets pass. */
import { type CounterIds, type CountSlot, type JudgedSend, makeKey, numberIn } from './counter.ts'
import type { SendCounts } from './counts.ts'
import type { CountingRule } from './rule.ts'
import { countUnsettled, hasHistory, highestVerified, slotsIn, tallyUp, wasEverVerified } from './tally.ts'

interface CountedState {
  counts: SendCounts
  /** Those of the rule. */
  counters: CounterIds
}

export function exceeds(rule: CountingRule, { counts, counters }: CountedState, send: JudgedSend): boolean {
  const key = makeKey(rule.by, send)
  if (key === undefined) return false
  const slots = counts.slotsOf(counters.window, key)
  const { sends_over: sendsMin } = rule.when ?? {}
  if (sendsMin !== undefined && tallyUp(slots, send.at, rule.window).sends + 1 <= sendsMin) return false
  if (rule.count === 'countries' || rule.count === 'numbers') {
    return countDistinct(rule, slotsIn(slots, send.at, rule.window), send) > rule.over.constant
  }
  const tally = tallyUp(slots, send.at, rule.window)
  // Where codes settle, that of the send has not.
  const own = send.isUnchecked || rule.settles !== undefined ? 0 : 1
  const most = tally.sends - tally.unchecked + own
  // Most sends end here: what the constant lets pass, is not above the greatest.
  if ((rule.count === 'sends' ? tally.sends + 1 : most - tally.verified) <= rule.over.constant) return false
  const checked = Math.max(0, most - unsettledBy(rule, { counts, counters }, { key, at: send.at }))
  const counted = rule.count === 'sends' ? tally.sends + 1 : checked - tally.verified
  const days = counters.days === undefined ? [] : counts.slotsOf(counters.days, key)
  if (counted <= computeThreshold(rule, { at: send.at, days, verified: counts.slotsOf(counters.verified, key) }))
    return false
  return isMet(rule, { at: send.at, days, conversion: checked === 0 ? 0 : tally.verified / checked })
}

function unsettledBy(
  { settles }: CountingRule,
  { counts, counters: { settling } }: CountedState,
  { key, at }: { key: string; at: number },
): number {
  if (settles === undefined || settling === undefined) return 0
  return countUnsettled(counts.slotsOf(settling, key), at, settles)
}

/** Whether what `when` asks for is so. */
function isMet(
  { when = {} }: CountingRule,
  { at, days, conversion }: { at: number; days: readonly CountSlot[]; conversion: number },
): boolean {
  const { conversion_under: least, without_history: history, never_verified: isUnknown } = when
  if (isUnknown && wasEverVerified(days, at)) return false
  if (least === undefined || (history !== undefined && hasHistory(days, at, history))) return true
  return conversion < least
}

interface Past {
  at: number
  days: readonly CountSlot[]
  /** The slots in which the verified ones are that the threshold depends on. */
  verified: readonly CountSlot[]
}

/** The greatest of what `over` names. */
function computeThreshold({ window, over }: CountingRule, past: Past): number {
  const { constant, verified, max14d } = over
  let most = constant
  if (verified !== undefined) {
    const { times, per = 1, window: own = window } = typeof verified === 'object' ? verified : { times: verified }
    most = Math.max(most, (times * tallyUp(past.verified, past.at, own).verified) / per)
  }
  if (max14d !== undefined) {
    const { times, per = 1 } = typeof max14d === 'object' ? max14d : { times: max14d }
    most = Math.max(most, (times * highestVerified(past.days, past.at)) / per)
  }
  return most
}

/** With that of the send. */
function countDistinct(rule: CountingRule, slots: readonly CountSlot[], send: JudgedSend): number {
  const { constant } = rule.over
  if (rule.count === 'countries') {
    const verified = new Set(slots.flatMap(({ verifiedCountries }) => verifiedCountries))
    const own = send.country ?? ''
    // Where somebody behind the same was verified, people are.
    if (verified.has(own)) return 0
    return countUpTo(
      constant,
      own,
      slots.map(({ countries }) => countries),
      verified,
    )
  }
  const listed = slots.reduce((sum, { numbers }) => sum + numbers.length, 0)
  // Most sends end here: however different they are, they are not too many.
  if (listed + 1 <= constant) return listed + 1
  const own = numberIn(rule.by, send)
  if (rule.within !== undefined) return countNear(slots, own, rule.within)
  return countUpTo(
    constant,
    own,
    slots.map(({ numbers }) => numbers),
  )
}

/** How many there are with `own`, each once; once they are more than `most`, how many more says nothing. */
function countUpTo(most: number, own: string, lists: (readonly string[])[], without?: ReadonlySet<string>): number {
  const counted = new Set([own])
  for (const list of lists) {
    for (const one of list) if (!without?.has(one) && counted.add(one).size > most) return counted.size
  }
  return counted.size
}

/**
 * The most numbers, with `own`, of which no two are further apart. There may be thousands, and fifty rules that ask: each is only
 * looked at, and compared with none.
 */
function countNear(slots: readonly CountSlot[], own: string, within: number): number {
  // The first place is that of the least number that can be near; that of `own` is in the middle.
  const first = findPlace(own) - within
  const isThere = new Uint8Array(2 * within + 1)
  isThere[within] = 1
  for (const { numbers } of slots) {
    for (const one of numbers) {
      const place = findPlace(one) - first
      if (place >= 0 && place < isThere.length) isThere[place] = 1
    }
  }
  let [count, most] = [0, 0]
  for (let end = 0; end < isThere.length; end++) {
    count += isThere[end]! - (isThere[end - within - 1] ?? 0)
    if (end >= within) most = Math.max(most, count)
  }
  return most
}

/** The last digits as a number. `Number` takes ten times as long for a text. */
function findPlace(digits: string): number {
  let place = 0
  for (let index = 0; index < digits.length; index++) place = place * 10 + digits.charCodeAt(index) - 48
  return place
}
