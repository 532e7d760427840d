/** The limits of product use, and how long to wait for one. */
import { Problem } from '../../kit/problem.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { aheadMaxSeconds, type Rule, type SentTimes } from '../../store/sending/limit.ts'

export interface Limits {
  /** Verifications sent to one phone. The first rule is the cooldown between two. */
  sends: Rule[]
  /** Notifications sent to one phone. */
  notifications: Rule[]
  /** Wrong codes for one phone, over all of its requests. */
  wrongCodes: Rule[]
}

export const liveLimits: Limits = {
  sends: [
    { count: 1, seconds: 60 },
    { count: 5, seconds: 600 },
    { count: 10, seconds: 3600 },
    { count: 20, seconds: 86_400 },
  ],
  notifications: [{ count: 60, seconds: 3600 }],
  wrongCodes: [{ count: 10, seconds: 3600 }],
}

const noLimits: Limits = { sends: [], notifications: [], wrongCodes: [] }

interface ToPhone {
  accountId: string
  phone: string
}

/** How sends share transactions: none has two to one phone, since neither would see the other; accounts take turns. */
export const oneOfAPhone = {
  conflictOf: ({ accountId, phone }: ToPhone) => `${accountId} ${phone}`,
  ownerOf: ({ accountId }: ToPhone) => accountId,
}

/** The rule between two sends. */
export function cooldownOf(sends: readonly Rule[]): Rule | undefined {
  return sends.find(({ count }) => count === 1)
}

/** The rules with another cooldown. */
export function withCooldown(sends: readonly Rule[], seconds: number): Rule[] {
  return sends.map((rule) => (rule.count === 1 ? { ...rule, seconds } : rule))
}

/** The rules of sends for what another system asks for, which has a cooldown of its own. */
export function withoutCooldown(sends: Rule[]): Rule[] {
  return sends.filter(({ count }) => count > 1)
}

/** What holds for the phones of a mode: those of test keys have no limits. */
export function limitsOf(mode: Mode, live: Limits): Limits {
  return mode === 'test' ? noLimits : live
}

/**
 * Drafts by their mode, because limits differ by it. Most groups have one. The order of the modes is always the same: each
 * mode locks its own phones, and two groups that lock in different orders would wait for each other.
 */
export function byMode<Draft extends { mode: Mode }>(drafts: readonly Draft[]): Map<Mode, Draft[]> {
  const sorted = drafts.toSorted((one, other) => Number(one.mode > other.mode) - Number(one.mode < other.mode))
  return Map.groupBy(sorted, ({ mode }) => mode)
}

/** Wrong codes that a request allows: fewer for codes that are easier to guess. */
export function attemptsAllowed(codeLength: number): number {
  return codeLength <= 5 ? 3 : 5
}

/**
 * Whole seconds until one more passes every rule; 0 when it passes now.
 *
 * @param times newest first
 */
export function secondsToWait(rules: Rule[], times: Date[], now: Date): number {
  const waits = rules.map(({ count, seconds }) => {
    const oldest = times[count - 1]
    const ahead = oldest ? (oldest.getTime() - now.getTime()) / 1000 : Number.POSITIVE_INFINITY
    // A request that overtook this one may have put it into the future.
    return ahead > aheadMaxSeconds ? 0 : Math.min(0, ahead) + seconds
  })
  return Math.max(0, ...waits.map(Math.ceil))
}

/**
 * The refusal of a send: the cooldown, when that is all there is to wait for.
 *
 * @param times of the phone, as the statement saw them that refused
 */
export function sendRefused(
  rules: Rule[],
  times: SentTimes,
  now: Date,
): Problem<'resend_cooldown' | 'send_limit_reached'> {
  const forbidding = withThoseOfNow(rules, times, now)
  const [cooldown] = rules
  const onlyCooldown = cooldown?.count === 1 && waitFor(rules.slice(1), forbidding, now) === 0
  return new Problem(onlyCooldown ? 'resend_cooldown' : 'send_limit_reached', waitOf(rules, forbidding, now))
}

/** @param times newest first */
export function notificationRefused(rules: Rule[], times: Date[], now: Date): Problem<'send_limit_reached'> {
  const forbidding = withThoseOfNow(rules, { all: times, own: times }, now)
  return new Problem('send_limit_reached', waitOf(rules, forbidding, now))
}

/** The times may lack those of sends that other transactions make at this moment: as many of now are added as it takes to refuse. */
function withThoseOfNow(rules: Rule[], times: SentTimes, now: Date): SentTimes {
  const most = Math.max(0, ...rules.map(({ count }) => count))
  let { all, own } = times
  for (let more = 0; more < most && waitFor(rules, { all, own }, now) === 0; more++) {
    all = [now, ...all]
    own = [now, ...own]
  }
  return { all, own }
}

function waitOf(rules: Rule[], times: SentTimes, now: Date): { retryAfterSeconds: number } {
  return { retryAfterSeconds: Math.max(1, waitFor(rules, times, now)) }
}

/** The cooldown is for sends that no auth system asked for, as `withinSends` has it. */
function waitFor(rules: Rule[], { all, own }: SentTimes, now: Date): number {
  return Math.max(0, ...rules.map((rule) => secondsToWait([rule], rule.count === 1 ? own : all, now)))
}
