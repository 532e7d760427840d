/**
 * What a list of rules needs counted. Sends that a rule looks at together are counted in slots of time; rules that look at the
 * same share them, so that a send writes one row for each of prefix, address, user and so on, and none for a rule that is not
 * in force.
 */
import { type CountingRule, isCounting, type ProtectionRule, type RuleSubject } from './rule.ts'
import { distinctMax } from './ruleMembers.ts'

export interface Counter {
  /** What is counted, and in slots of how many seconds: `prefix:600`. */
  id: string
  by: RuleSubject
  slotSeconds: number
  /** A slot that is older says nothing any more, by whatever rule. */
  keepSeconds: number
  /** The longest window that one of the rules looks at. */
  windowSeconds: number
  /** Also what countries its sends went to; otherwise the slots have none. */
  countries: boolean
  /** Also what numbers its sends went to. */
  numbers: boolean
}

/** A send, as the rules see it. What identifies somebody came in as a keyed hash, and is compared with nothing but its like. */
export interface JudgedSend {
  /** Milliseconds of Unix time. */
  at: number
  /** E.164. */
  phone: string
  /** ISO 3166-1 alpha-2; undefined for a number of no country. */
  country: string | undefined
  /** As the library names it: `MOBILE`. */
  numberKind: string
  /** A keyed hash of `prefixOf(phone)`. */
  prefix: string
  /** A keyed hash of the phone; a short one is enough. Empty where no rule needs it. */
  number: string
  /** Keyed hashes of what the caller said: the address, its network, the user and the device. */
  ip?: string | undefined
  network?: string | undefined
  user?: string | undefined
  device?: string | undefined
  /** The address itself, where it is known: it is not kept. */
  address?: string | undefined
  /** The caller vouches for it. */
  trusted: boolean
  /** Somebody has solved a captcha: that answers a challenge. */
  isCaptchaSolved: boolean
  /** Another code was verified on this phone before, in the same account. */
  wasVerified: boolean
  /** Its code is not checked here, so that nobody will know whether it was verified. */
  isUnchecked: boolean
}

/** What was counted in a slot, or what is to be added to one. */
export interface CountSlot {
  /** When it begins, in milliseconds of Unix time. */
  from: number
  seconds: number
  sends: number
  /** Those whose code is not checked here. */
  unchecked: number
  /** Those that were verified, whenever that was. */
  verified: number
  countries: readonly string[]
  /** Those of the countries where one was verified. */
  verifiedCountries: readonly string[]
  /** By prefix, the last four digits; otherwise the hashes of the numbers. */
  numbers: readonly string[]
}

/** A slot of a counter and of one key, as a row of the database has it. */
export interface CounterRow extends CountSlot {
  counter: Counter
  key: string
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
export const historyDays = 14
/** Distinct things that are kept of a slot: the newest ones. */
const keptMax = distinctMax + 14

/** Digits of a number that its prefix leaves out. */
const lastDigits = 4

/** A number without its last four digits: in most plans, the block that one operator has of another. */
export function prefixOf(phone: string): string {
  return phone.slice(0, -lastDigits)
}

/** The counters of a list, each once. Ask for them once for a list, and not for each send. */
export function listCounters(rules: readonly ProtectionRule[]): Counter[] {
  const counting = rules.filter(isCounting)
  const subjects = [...new Set(counting.map(({ by }) => by))]
  return subjects.flatMap((by) => {
    const own = counting.filter((rule) => rule.by === by)
    const windows = longestBySlots(own)
    const holds = (what: 'countries' | 'numbers') => own.some(({ count }) => count === what)
    return windows.map(([slotSeconds, windowSeconds]) => ({
      id: counterId(by, slotSeconds),
      by,
      slotSeconds,
      keepSeconds: computeKeepSeconds(slotSeconds),
      windowSeconds,
      countries: slotSeconds < day && holds('countries'),
      numbers: slotSeconds < day && holds('numbers'),
    }))
  })
}

/**
 * What another list may have counted in place of it, in slots of another length: these are as good.
 *
 * @returns undefined where there is none, as by country: a list may have slots of a minute and of an hour there, side by side
 */
export function findFormer({ by, slotSeconds }: Counter): Pick<Counter, 'id' | 'slotSeconds'> | undefined {
  if (by === 'country' || slotSeconds === day) return undefined
  const former = slotSeconds === hour ? 10 * minute : hour
  return { id: counterId(by, former), slotSeconds: former }
}

/** The counters that a rule looks at, by their ids. */
export interface CounterIds {
  /** For its window, and for the time in which those were verified that `over` names. */
  window: string
  verified: string
  /** For the minutes in which codes are too young to count; undefined where it counts them all. */
  settling: string | undefined
  /** For days; undefined where it asks for none. */
  days: string | undefined
}

/** Those of each rule of a list that counts. Ask for them once for a list, as for its counters. */
export function listCounterIds(rules: readonly ProtectionRule[]): ReadonlyMap<ProtectionRule, CounterIds> {
  const counting = rules.filter(isCounting)
  return new Map(counting.map((rule) => [rule as ProtectionRule, listIds(rule, counting)]))
}

function listIds(rule: CountingRule, counting: readonly CountingRule[]): CounterIds {
  const own = counting.filter(({ by }) => by === rule.by)
  const idFor = (window: number) => counterId(rule.by, computeSlotSeconds(rule.by, window, own))
  return {
    window: idFor(rule.window),
    verified: idFor(verifiedWindowOf(rule)),
    settling: rule.settles === undefined ? undefined : idFor(rule.settles),
    days: needsHistory(rule) ? counterId(rule.by, day) : undefined,
  }
}

/** The slots that rules by the same look at, the shortest first: how long one is, and the longest window that is looked at. */
function longestBySlots(own: readonly CountingRule[]): [slotSeconds: number, windowSeconds: number][] {
  const longest = new Map<number, number>()
  const look = (slotSeconds: number, window: number) =>
    longest.set(slotSeconds, Math.max(window, longest.get(slotSeconds) ?? 0))
  for (const rule of own) {
    for (const window of listWindows(rule)) look(computeSlotSeconds(rule.by, window, own), window)
    if (needsHistory(rule)) look(day, historyDays * day)
  }
  return [...longest].toSorted(([one], [other]) => one - other)
}

function listWindows(rule: CountingRule): number[] {
  const windows = [rule.window, verifiedWindowOf(rule)]
  return rule.settles === undefined ? windows : [...windows, rule.settles]
}

function verifiedWindowOf({ window, over: { verified } }: CountingRule): number {
  return (typeof verified === 'object' ? verified.window : undefined) ?? window
}

function needsHistory({ over, when = {} }: CountingRule): boolean {
  return over.max14d !== undefined || when.never_verified === true || when.without_history !== undefined
}

/**
 * Countries are few, and their sends are counted by the minute and the hour for the charts already. For whatever else there can
 * be a row for each send, so that all windows look at the same slots: hours, or parts of them where a window is shorter.
 *
 * @param own the rules by the same
 */
function computeSlotSeconds(by: RuleSubject, window: number, own: readonly CountingRule[]): number {
  if (by === 'country') return window <= hour ? minute : hour
  return own.some((rule) => listWindows(rule).some((one) => one < hour)) ? 10 * minute : hour
}

/** Whether a send adds to it: days by country are in the figures. */
export function isWritten({ by, slotSeconds }: Pick<Counter, 'by' | 'slotSeconds'>): boolean {
  return by !== 'country' || slotSeconds !== day
}

function counterId(by: RuleSubject, slotSeconds: number): string {
  return `${by}:${slotSeconds}`
}

function computeKeepSeconds(slotSeconds: number): number {
  if (slotSeconds === minute) return hour + minute
  return slotSeconds === day ? (historyDays + 1) * day : day + slotSeconds
}

/** What a send is counted under. @returns undefined where its caller did not say: then no rule by that looks at it */
export function makeKey(by: RuleSubject, send: JudgedSend): string | undefined {
  if (by === 'country') return send.country ?? ''
  return by === 'number_kind' ? send.numberKind : send[by]
}

/** What a send adds, once it has been made. */
export function rowsOfSend(counters: readonly Counter[], send: JudgedSend): CounterRow[] {
  const unchecked = send.isUnchecked ? 1 : 0
  return rowsWith(counters, send, (counter, key, from) => ({
    ...{ counter, key, from, seconds: counter.slotSeconds, sends: 1, unchecked, verified: 0, verifiedCountries: none },
    countries: countriesIn(counter, send),
    numbers: counter.numbers ? [numberIn(counter.by, send)] : none,
  }))
}

/**
 * What it adds to the same slots when its code is verified, once. One that is not checked here, and that was confirmed, counts from then
 * on as one that is checked.
 *
 * @param send as it was judged: its time is that of the send
 */
export function rowsOfVerified(counters: readonly Counter[], send: JudgedSend): CounterRow[] {
  const unchecked = send.isUnchecked ? -1 : 0
  return rowsWith(counters, send, (counter, key, from) => ({
    ...{ counter, key, from, seconds: counter.slotSeconds, sends: 0, unchecked, verified: 1, countries: none },
    verifiedCountries: countriesIn(counter, send),
    numbers: none,
  }))
}

/** One for all: most slots have no sets. */
const none: readonly string[] = []

function countriesIn({ countries }: Counter, { country }: JudgedSend): readonly string[] {
  return countries && country !== undefined ? [country] : none
}

/** @returns the slot with what is added to it. Sets keep the newest: `docs/protection.md` says what that means */
export function withAdded(slot: CountSlot, added: CountSlot): CountSlot {
  return {
    from: slot.from,
    seconds: slot.seconds,
    sends: slot.sends + added.sends,
    unchecked: slot.unchecked + added.unchecked,
    verified: slot.verified + added.verified,
    countries: united(slot.countries, added.countries),
    verifiedCountries: united(slot.verifiedCountries, added.verifiedCountries),
    numbers: united(slot.numbers, added.numbers),
  }
}

/** By prefix, the hash of the prefix hides the number, and the last digits tell how near two are. */
export function numberIn(by: RuleSubject, { phone, number }: JudgedSend): string {
  return by === 'prefix' ? phone.slice(-lastDigits) : number
}

function rowsWith(
  counters: readonly Counter[],
  send: JudgedSend,
  rowOf: (counter: Counter, key: string, from: number) => CounterRow,
): CounterRow[] {
  const rows: CounterRow[] = []
  for (const counter of counters) {
    const key = makeKey(counter.by, send)
    if (key !== undefined) rows.push(rowOf(counter, key, send.at - (send.at % (counter.slotSeconds * 1000))))
  }
  return rows
}

function united(kept: readonly string[], added: readonly string[]): readonly string[] {
  if (added.length === 0) return kept
  const fresh = added.filter((one) => !kept.includes(one))
  return fresh.length === 0 ? kept : [...kept, ...fresh].slice(-keptMax)
}
