/** What the rules of an account found in the last 24 hours and 14 days, and which numbers they stopped. */
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { type DayOfRule, findRuleDays, findRuleHours, type HourOfRule } from '../../store/protection/finding.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import type { RuleAct } from '../protection/rule.ts'
import { shownPhone } from '../sending/phone.ts'

/** Sends that rules found, by what was done. */
export type ActCounts = Record<RuleAct, number>

export interface StoppedNumber {
  /** Masked for who may not see more. */
  phone: string
  /** When the hour began in which it was stopped last. */
  hour: Date
  /** The ids of the rules that stopped it. */
  rules: string[]
  /** Of those that found it too, and only record. */
  noted: string[]
}

export interface RuleDay {
  /** Its beginning. */
  at: Date
  sends: number
}

export interface RuleHours {
  /** The last 24 hours, the oldest first; the running one is among them. */
  hours: { at: Date; found: ActCounts }[]
  /** By the id of the rule; without those that found nothing. */
  rules: ReadonlyMap<string, ActCounts>
  /** What each rule found on each of the last 14 days (UTC), the oldest first; without those that found nothing. */
  days: ReadonlyMap<string, readonly RuleDay[]>
  /** The latest first. */
  stopped: StoppedNumber[]
}

/** @throws Forbidden */
export type FindRuleHours = (actor: Actor, of: { accountId: string; mode: Mode }) => Promise<RuleHours>

const hourMs = 3_600_000
const hoursShown = 24
const dayMs = 24 * hourMs
const daysShown = 14
const stoppedMax = 50

export function createFindRuleHours({
  commit: { reader },
  runtime,
}: {
  commit: Pick<Commit, 'reader'>
  runtime: Pick<Runtime, 'now'>
}): FindRuleHours {
  return async (actor, of) => {
    requireRole(actor, 'viewer', of.accountId)
    const now = runtime.now().getTime()
    const since = now - (now % hourMs) - (hoursShown - 1) * hourMs
    const firstDay = now - (now % dayMs) - (daysShown - 1) * dayMs
    const [found, byDay] = await Promise.all([
      findRuleHours(reader, { ...of, since: new Date(since) }),
      findRuleDays(reader, { ...of, since: new Date(firstDay) }),
    ])
    const times = Array.from({ length: hoursShown }, (_, index) => since + index * hourMs)
    return {
      hours: times.map((at) => ({
        at: new Date(at),
        found: addUp(found.filter(({ hour }) => hour.getTime() === at)),
      })),
      rules: new Map([...Map.groupBy(found, ({ rule }) => rule)].map(([rule, own]) => [rule, addUp(own)])),
      days: new Map([...Map.groupBy(byDay, ({ rule }) => rule)].map(([rule, own]) => [rule, eachDay(own, firstDay)])),
      stopped: stoppedIn(found).map(({ phone, ...rest }) => ({ ...rest, phone: shownPhone(phone, actor) })),
    }
  }
}

function addUp(list: readonly HourOfRule[]): ActCounts {
  const sum: ActCounts = { record: 0, challenge: 0, block: 0 }
  for (const { did, sends } of list) sum[did] += sends
  return sum
}

function eachDay(found: readonly DayOfRule[], firstDay: number): RuleDay[] {
  return Array.from({ length: daysShown }, (_, index) => {
    const at = new Date(firstDay + index * dayMs)
    return { at, sends: found.find(({ day }) => day.getTime() === at.getTime())?.sends ?? 0 }
  })
}

/** A row has the latest last; of rows of one hour, nobody knows which number was later. */
function stoppedIn(found: readonly HourOfRule[]): StoppedNumber[] {
  const byPhone = new Map<string, StoppedNumber>()
  for (const { hour, rule, did, phones } of found) {
    for (const phone of phones) {
      const { rules = [], noted = [] } = byPhone.get(phone) ?? {}
      const list = did === 'record' ? noted : rules
      if (!list.includes(rule)) list.push(rule)
      byPhone.delete(phone)
      byPhone.set(phone, { phone, hour, rules, noted })
    }
  }
  return [...byPhone.values()].toReversed().slice(0, stoppedMax)
}
