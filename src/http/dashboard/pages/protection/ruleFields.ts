/**
 * A rule as the fields of a form, and back. Percentages stand for factors, countries have their names, and an empty field leaves its
 * part out. What is typed wrong goes through as it is: the schema of rules refuses it, as it does in a file.
 */
import { isDeepStrictEqual } from 'node:util'
import { durationText } from '../../../../domain/protection/duration.ts'
import { numberKinds, type ProtectionRule, type WrittenRule, writtenRule } from '../../../../domain/protection/rule.ts'
import { readCountries, splitTyped } from '../../../../domain/sending/phones/typedCountry.ts'
import type { Form } from '../../form.ts'
import { countryNamesOf } from '../../parts/country.ts'

/** The text of a field; empty when nothing is in it. */
export type RuleField = (name: string) => string

/** What a form leaves as it is: which sends are counted together, and what of them. */
export type RuleBasis = Pick<ProtectionRule, 'id' | 'by' | 'count'>

/** Lists have more than one field of a name. */
export function readRuleFields(form: Form): RuleField {
  return (name) => form.all(name).join(', ').trim()
}

export function fillRuleFields(rule: ProtectionRule): RuleField {
  const { over, when = {}, except = {}, only, allow, kinds = [], record_kinds: recorded = [] } = rule
  const [verified, best] = [toFactor(over?.verified), toFactor(over?.max14d)]
  const fields: Record<string, string | undefined> = {
    do: rule.do,
    ...lengthFields('window', rule.window),
    ...lengthFields('settles', rule.settles),
    within: text(rule.within),
    constant: text(over?.constant),
    verified: percent(verified?.times),
    verified_per: text(verified?.per),
    ...lengthFields('verified_window', verified?.window),
    best: percent(best?.times),
    best_per: text(best?.per),
    conversion: percent(when.conversion_under),
    ...lengthFields('history', when.without_history),
    never: when.never_verified ? 'yes' : undefined,
    sends: text(when.sends_over),
    only: countryNamesOf(only?.countries),
    except_countries: countryNamesOf(except.countries),
    except_networks: except.networks?.join(', '),
    except_phones: except.phones?.join(', '),
    allow: allow === 'all' ? 'all' : 'some',
    allowed: allow === 'all' ? undefined : countryNamesOf(allow),
    kinds: kinds.join(', '),
    record_kinds: recorded.join(', '),
  }
  return (name) => fields[name] ?? ''
}

/** @returns what `ruleList` reads: nothing of it is checked */
export function writeRule({ id, by, count }: RuleBasis, field: RuleField): WrittenRule {
  const except = some({
    countries: typedCountries(field('except_countries')),
    networks: list(field('except_networks')),
    phones: list(field('except_phones')),
  })
  const found = count === undefined ? listed(by, field) : counted(field)
  return some({ id, by, count, ...found, do: field('do'), except }) as unknown as WrittenRule
}

/** Whether the form has a field for all that the rule says, so that nothing is lost when it is saved. */
export function fitsForm(rule: ProtectionRule): boolean {
  return isDeepStrictEqual(writeRule(rule, fillRuleFields(rule)), plain(rule))
}

function listed(by: string, field: RuleField) {
  if (by === 'country') return { allow: field('allow') === 'all' ? 'all' : (typedCountries(field('allowed')) ?? []) }
  return { kinds: list(field('kinds')) ?? [], record_kinds: list(field('record_kinds')) }
}

function counted(field: RuleField) {
  const factor = (name: string) => {
    const [times, per, window] = [
      shifted(field(name), -2),
      typedNumber(field(`${name}_per`)),
      length(field, `${name}_window`),
    ]
    const whole = some({ times, per, window })
    return whole && per === undefined && window === undefined ? times : whole
  }
  return {
    window: length(field, 'window'),
    settles: length(field, 'settles'),
    within: typedNumber(field('within')),
    over:
      some({ constant: typedNumber(field('constant')), verified: factor('verified'), max14d: factor('best') }) ?? {},
    when: some({
      conversion_under: shifted(field('conversion'), -2),
      without_history: length(field, 'history'),
      never_verified: field('never') === '' ? undefined : true,
      sends_over: typedNumber(field('sends')),
    }),
    only: some({ countries: typedCountries(field('only')) }),
  }
}

/** As the form writes the same: a factor alone is a number, what is empty is left out, and kinds have their order. */
function plain(rule: ProtectionRule): object | undefined {
  const { over, when, except, kinds, record_kinds: recorded, ...rest } = writtenRule(rule)
  const alone = (factor: unknown) => {
    const { times, per, window } = (factor ?? {}) as { times?: number; per?: number; window?: string }
    return times !== undefined && per === undefined && window === undefined ? times : factor
  }
  return some({
    ...rest,
    over: over && some({ ...over, verified: alone(over.verified), max14d: alone(over.max14d) }),
    when: when && some(when),
    except: except && some(except),
    kinds: kinds && inOrder(kinds),
    record_kinds: recorded && inOrder(recorded),
  })
}

function inOrder(kinds: readonly string[]): string[] {
  return numberKinds.filter((kind) => kinds.includes(kind))
}

/** Without members that are undefined; undefined when none is left. */
function some<Members extends object>(members: Members): Members | undefined {
  const said = Object.entries(members).filter(([, value]) => value !== undefined)
  return said.length === 0 ? undefined : (Object.fromEntries(said) as Members)
}

function toFactor(
  factor: number | { times: number; per?: number | undefined; window?: number | undefined } | undefined,
) {
  return typeof factor === 'number'
    ? { times: factor, per: undefined, window: undefined }
    : factor && { window: undefined, ...factor }
}

function text(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

function percent(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(shifted(String(value), 2))
}

const decimal = /^\d+(\.\d+)?$/

/** What is no plain number is refused: `1,000` and `1.000` may be one or a thousand. */
export function typedNumber(typed: string): number | undefined {
  if (typed === '') return undefined
  return decimal.test(typed) && !typed.endsWith('.000') ? Number(typed) : Number.NaN
}

/** A shift of the decimal point: a product with 0.01 would not give the number again that was typed. */
function shifted(typed: string, places: number): number | undefined {
  const plain = typed.replace(/\s*%$/, '')
  return decimal.test(plain) ? Number(`${plain}e${places}`) : typedNumber(plain)
}

const unitOfLetter = { m: 'minutes', h: 'hours', d: 'days' } as const

function lengthFields(name: string, seconds: number | undefined): Record<string, string> {
  if (seconds === undefined) return {}
  const written = durationText(seconds)
  return { [name]: written.slice(0, -1), [`${name}_unit`]: unitOfLetter[written.at(-1) as keyof typeof unitOfLetter] }
}

function length(field: RuleField, name: string): string | undefined {
  const typed = field(name)
  return typed === '' ? undefined : typed + field(`${name}_unit`).slice(0, 1)
}

function list(typed: string): string[] | undefined {
  const said = splitTyped(typed)
  return said.length === 0 ? undefined : said
}

export function typedCountries(typed: string): string[] | undefined {
  const read = readCountries(typed)
  return read.length === 0 ? undefined : read
}
