/**
 * A rule against SMS pumping, as `protection.yaml` has it: one schema for files, the dashboard and what the store keeps.
 * `docs/protection.md` explains each member to those who write one.
 */
import ipaddr from 'ipaddr.js'
import { isSupportedCountry } from 'libphonenumber-js/max'
import { z } from 'zod'
import type { PlacedFault } from '../../kit/reading/formFaults.ts'
import { numeric } from '../../kit/reading/numeric.ts'
import { Refusal } from '../../kit/refusal.ts'
import { durationText, secondsOfDuration } from './duration.ts'
import { exceptedPhone } from './exceptedPhone.ts'
import { memberFaults } from './ruleMembers.ts'

const windowSeconds = { min: 60, max: 86_400 }
const settlesSecondsMax = 3600
const historySeconds = { min: 86_400, max: 14 * 86_400 }
const bounds = { rules: 50, countries: 250, networks: 50, phones: 100, within: 1000, constant: 1_000_000 }

/** What a rule looks at: sends that share it are counted together. */
const ruleSubjects = ['country', 'prefix', 'number_kind', 'network', 'ip', 'user', 'device'] as const
export type RuleSubject = (typeof ruleSubjects)[number]

/** Kinds of numbers, by the library's names in lower case. */
export const numberKinds: readonly string[] = [
  ...['mobile', 'fixed_line', 'fixed_line_or_mobile', 'voip', 'premium_rate', 'shared_cost', 'toll_free'],
  ...['personal_number', 'pager', 'uan', 'voicemail'],
]

const number = (text: string) => z.number({ error: text })
export const countryList = listOf(
  'must be a list of two-letter country codes',
  z
    .string({ error: 'must be a text' })
    .transform((code) => code.toUpperCase())
    .refine((code) => isTerritory(code), 'must be a two-letter country code (ISO 3166-1)'),
  bounds.countries,
)
const kindList = listOf(
  'must be a list of kinds of numbers',
  z
    .string({ error: 'must be a text' })
    .refine((kind) => numberKinds.includes(kind), `must be one of ${numberKinds.join(', ')}`),
  numberKinds.length,
)

const durationWords = 'must be a length of time from 1m to 24h, like 10m, 1h or 24h'
const duration = createLength(durationWords, windowSeconds)
const settlesWords = 'must be a length of time from 1m to 1h, like 2m'
const historyWords = 'must be a length of time from 1d to 14d, like 7d'

function createLength(words: string, { min, max }: { min: number; max: number }) {
  return z
    .string({ error: words })
    .transform((text) => secondsOfDuration(text) ?? 0)
    .refine((seconds) => seconds >= min && seconds <= max, words)
}

const times = numeric(
  number('must be a number from 0 to 100').min(0, 'must not be below 0').max(100, 'must be at most 100'),
)
const per = numeric(
  number('must be a number from 1 to 100').min(1, 'must be at least 1').max(100, 'must be at most 100'),
)
const partWords = 'must be a number, or a mapping with times, per and window'
/** `0.2`, or with what it is reckoned by. */
const part = z.union([times, z.strictObject({ times, per: per.optional(), window: duration.optional() })], partWords)
const partOfDays = z.union(
  [times, z.strictObject({ times, per: per.optional() })],
  'must be a number, or a mapping with times and per',
)

const count = numeric(
  number('must be a number').min(0, 'must not be below 0').max(bounds.constant, `must be at most ${bounds.constant}`),
)

const over = z.strictObject({
  constant: count,
  /** Of those verified in the window, or in one of its own. */
  verified: part.optional(),
  /** Of the highest count of verified ones in a day (UTC), of the 14 days before today. */
  max14d: partOfDays.optional(),
})

const when = z.strictObject({
  conversion_under: numeric(
    number('must be a number from 0 to 1').min(0, 'must be at least 0').max(1, 'must be at most 1'),
  ).optional(),
  /** The conversion is looked at only while nothing was verified so long ago, or longer. */
  without_history: createLength(historyWords, historySeconds).optional(),
  never_verified: z.literal(true, 'must be true, or be left out').optional(),
  /** Of all sends in the window, verified ones too. */
  sends_over: count.optional(),
})

const except = z.strictObject({
  countries: countryList.optional(),
  networks: listOf(
    'must be a list of networks',
    z
      .string({ error: 'must be a text' })
      .refine(
        (text) => ipaddr.isValidCIDR(text),
        'must be a network like 10.0.0.0/8 or 2001:db8::/32; one address is 10.0.0.5/32',
      ),
    bounds.networks,
  ).optional(),
  phones: listOf('must be a list of numbers', exceptedPhone, bounds.phones).optional(),
})

export const ruleId = z
  .string({ error: 'must be a text' })
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and "-", and begin with a letter')

const rule = z
  .strictObject({
    id: ruleId,
    by: z.enum(ruleSubjects, `must be one of ${ruleSubjects.join(', ')}`),
    /** Those of the kinds are found. */
    kinds: kindList.optional(),
    /** Those of the kinds are recorded, whatever `do` says. */
    record_kinds: kindList.optional(),
    /** Those of other countries are found. */
    allow: z.union([z.literal('all'), countryList], 'must be all, or a list of two-letter country codes').optional(),
    count: z
      .enum(['sends', 'unverified', 'countries', 'numbers'], 'must be sends, unverified, countries or numbers')
      .optional(),
    /** Numbers are counted that are at most so far from the one that is sent to. */
    within: numeric(
      z
        .int({ error: 'must be a whole number' })
        .min(1, 'must be at least 1')
        .max(bounds.within, `must be at most ${bounds.within}`),
    ).optional(),
    window: duration.optional(),
    /** A code that is younger and not verified is neither verified nor unverified. */
    settles: createLength(settlesWords, { min: windowSeconds.min, max: settlesSecondsMax }).optional(),
    over: over.optional(),
    when: when.optional(),
    /** The rule holds for these countries alone. */
    only: z.strictObject({ countries: countryList }).optional(),
    do: z.enum(['record', 'challenge', 'block'], 'must be record, challenge or block'),
    except: except.optional(),
  })
  .superRefine((value, context) => {
    for (const { path, fault } of memberFaults(value))
      context.addIssue({ code: 'custom', path: [...path], message: fault })
  })

/** What has been read: windows are in seconds. */
export type ProtectionRule = z.output<typeof rule>
/** As it is written, and kept. */
export type WrittenRule = z.input<typeof rule>
export type RuleAct = ProtectionRule['do']

/** A rule that counts. */
export type CountingRule = ProtectionRule & {
  [Member in 'count' | 'window' | 'over']: NonNullable<ProtectionRule[Member]>
}

/** A list of rules; an id is in it once. */
export const ruleList = z
  .array(rule, { error: 'must be a list of rules' })
  .max(bounds.rules, `must have at most ${bounds.rules} rules`)
  .superRefine(requireOwnIds)

/** Those of a list as it is kept. @throws Refusal when another version of the service has written it, and this one cannot read it */
export function keptRules(written: readonly WrittenRule[]): ProtectionRule[] {
  const { data } = ruleList.safeParse(written)
  if (data) return data
  throw new Refusal('Another version of the service has written these rules, and this one cannot read them.')
}

/** Has each member of a list have an id of its own. */
export function requireOwnIds(list: readonly { id: string }[], context: Pick<z.RefinementCtx, 'addIssue'>): void {
  for (const { path, fault } of idsTwice(list)) context.addIssue({ code: 'custom', path: [...path], message: fault })
}

/** @param list of which each may be anything */
export function idsTwice(list: readonly unknown[]): PlacedFault[] {
  const ids = list.map((one) => (one as { id?: unknown } | null)?.id)
  return ids.flatMap((id, index) =>
    typeof id === 'string' && ids.indexOf(id) < index ? [{ path: [index, 'id'], fault: 'is there twice' }] : [],
  )
}

export function isCounting(rule: ProtectionRule): rule is CountingRule {
  return rule.count !== undefined
}

const ofSignals: ReadonlySet<RuleSubject> = new Set(['ip', 'network', 'user', 'device'])

/** What rules look at that signals alone tell: they find nothing before these are kept. */
export function signalSubjects(rules: readonly ProtectionRule[]): RuleSubject[] {
  return [...new Set(rules.map(({ by }) => by).filter((by) => ofSignals.has(by)))]
}

/** The form that `ruleList` reads. */
export function writtenRule({ window, settles, over, when, ...rest }: ProtectionRule): WrittenRule {
  const { verified } = over ?? {}
  const ownWindow = typeof verified === 'object' && verified.window !== undefined
  const { without_history: history } = when ?? {}
  const written = {
    ...rest,
    ...(window !== undefined && { window: durationText(window) }),
    ...(settles !== undefined && { settles: durationText(settles) }),
    ...(over && {
      over: ownWindow ? { ...over, verified: { ...verified, window: durationText(verified.window!) } } : over,
    }),
    ...(when && { when: history === undefined ? when : { ...when, without_history: durationText(history) } }),
  }
  return inOrderOfForm(written) as WrittenRule
}

function inOrderOfForm(written: object): object {
  const members = Object.keys(rule.shape)
  return Object.fromEntries(
    Object.entries(written).toSorted(([one], [other]) => members.indexOf(one) - members.indexOf(other)),
  )
}

function listOf<Item extends z.ZodType>(words: string, item: Item, max: number) {
  return z.array(item, { error: words }).min(1, 'must not be empty').max(max, `must have at most ${max}`)
}

/** Not the library's own word for it: with that, the schema would give a type of 250 texts. */
function isTerritory(code: string): boolean {
  return isSupportedCountry(code)
}
