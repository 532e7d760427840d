/** Sends as rules see them, and counts of sends before them. */
import { type JudgedSend, listCounterIds, listCounters, prefixOf } from '../../../src/domain/protection/counter.ts'
import { createCounts, type KeptCounts } from '../../../src/domain/protection/counts.ts'
import { judge } from '../../../src/domain/protection/judge.ts'
import { type ProtectionRule, ruleList, type WrittenRule } from '../../../src/domain/protection/rule.ts'
import type { KeptFinding } from '../../../src/store/schema/schema.ts'

export const noon = Date.UTC(2026, 2, 10, 12)
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** What is kept of a number here is the number itself. */
export function sendOf({ phone = '+4915112340000', ...given }: Partial<JudgedSend> = {}): JudgedSend {
  return {
    ...{ at: noon, phone, country: 'DE', numberKind: 'MOBILE', prefix: prefixOf(phone), number: phone },
    ...{ trusted: false, isCaptchaSolved: false, wasVerified: false, isUnchecked: false },
    ...given,
  }
}

/** A user may have sent one code a day. */
export const oneADay: WrittenRule = {
  ...{ id: 'user-day', by: 'user', count: 'sends', window: '24h', over: { constant: 1 } },
  do: 'block',
}

export function rulesOfList(...written: WrittenRule[]): ProtectionRule[] {
  return ruleList.parse(written)
}

export interface Judging {
  counts: KeptCounts
  /** Sends: it is counted, whatever is found. */
  send: (given?: Partial<JudgedSend>) => KeptFinding[]
  /** Sends, and the code is verified. */
  verified: (given?: Partial<JudgedSend>) => void
}

export function judging(rules: readonly ProtectionRule[]): Judging {
  const [counts, counterIds] = [createCounts(listCounters(rules)), listCounterIds(rules)]
  const send: Judging['send'] = (given) => {
    const findings = judge({ rules, counterIds, counts }, sendOf(given))
    counts.addSend(sendOf(given))
    return findings
  }
  return {
    counts,
    send,
    verified: (given) => {
      counts.addSend(sendOf(given))
      counts.addVerified(sendOf(given))
    },
  }
}

export function repeat(times: number, work: (index: number) => void): void {
  for (let index = 0; index < times; index++) work(index)
}
