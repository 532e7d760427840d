/**
 * What the library's numbering plans say of a number, in a tenth of its time: it compiles each pattern again for each number,
 * which was an eighth of all that a send costs. What is not clear at once, the library decides.
 */
import { Metadata, type NumberType, parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/max'

export interface NumberFacts {
  /** ISO 3166-1 alpha-2; undefined for a number of no country. */
  country: string | undefined
  callingCode: string
  kind: NonNullable<NumberType>
}

/** What its types leave out of the library's `Metadata`. */
interface Plans {
  hasCallingCode: (code: string) => boolean
  getCountryCodesForCallingCode: (code: string) => string[] | undefined
  selectNumberingPlan: (codeOrCountry: string) => void
  nationalNumberPattern: () => string
  nationalPrefixForParsing: () => string | undefined
  leadingDigits: () => string | undefined
  type: (kind: string) => { pattern: () => string; possibleLengths: () => number[] | undefined } | undefined
  formats: () => {
    pattern: () => string
    format: () => string
    leadingDigitsPatterns: () => string[]
    nationalPrefixFormattingRule: () => string | undefined
  }[]
}

/** How numbers that look so are written inside of their country. */
interface NationalForm {
  /** They begin like this. */
  leading: RegExp | undefined
  pattern: RegExp
  /** With `$1` for the first group of the pattern. */
  written: string
}

/** A country, or what has a calling code of its own. */
interface Region {
  country: string | undefined
  /** Its numbers begin like this, and no others do. */
  leading: RegExp | undefined
  kindOf: (national: string) => NumberFacts['kind'] | undefined
}

interface CallingCode {
  /** What the library may cut off or put in front, before it looks. */
  prefix: RegExp | undefined
  regions: Region[]
}

/** In the order in which the library asks for them. */
const otherKinds = [
  'MOBILE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
] as const
const e164 = /^\+[1-9]\d{4,14}$/
const callingCodeDigitsMax = 3

const plans = new Metadata() as unknown as Plans
const known = new Map<string, CallingCode>()
/** By country, or by a calling code that no country has: there are some 250. */
const nationalForms = new Map<string, NationalForm[]>()

/** As the library names it; empty for what is no number that can exist. */
export function numberKindOf(phone: string): string {
  return readNumber(phone)?.kind ?? ''
}

/** @returns undefined for what is no number in E.164 form that can exist */
export function readNumber(phone: string): NumberFacts | undefined {
  return (e164.test(phone) ? readQuickly(phone) : undefined) ?? readWithLibrary(phone)
}

/** A number in E.164 form, in two. @returns undefined for what is none */
export function splitNumber(phone: string): { callingCode: string; significant: string } | undefined {
  const callingCode = e164.test(phone) ? findCallingCode(phone) : undefined
  return callingCode === undefined ? undefined : { callingCode, significant: phone.slice(1 + callingCode.length) }
}

/**
 * The digits that are dialed inside of the country: with its trunk prefix, where it has one.
 *
 * @returns undefined for what is no number in E.164 form
 */
export function findNationalDigits(phone: string): string | undefined {
  if (!e164.test(phone)) return undefined
  const facts = readQuickly(phone)
  if (!facts) return findNationalWithLibrary(phone)
  const national = phone.slice(1 + facts.callingCode.length)
  const form = findNationalForms(facts.country ?? facts.callingCode).find(
    ({ leading, pattern }) => (!leading || leading.test(national)) && pattern.test(national),
  )
  return form ? national.replace(form.pattern, form.written).replace(/\D/g, '') : national
}

/** Whether a number that has a possible length for its country is in no plan: of a range that was opened lately, or never. */
export function isUnlisted(phone: string): boolean {
  return e164.test(phone) && readNumber(phone) === undefined && findLength(phone) === undefined
}

/** What is wrong with a number that no country can have, as the end of a sentence that begins with it. */
export function lengthFault(phone: string): string {
  if (!e164.test(phone)) return lengthFaults.TOO_SHORT
  const fault = validatePhoneNumberLength(phone)
  if (fault && fault in lengthFaults) return lengthFaults[fault as keyof typeof lengthFaults]
  return 'has digits behind its country code that are dialed only inside of the country, like the 0 in +44 07'
}

const lengthFaults = {
  INVALID_COUNTRY: 'begins with a calling code that no country has',
  TOO_SHORT: 'is too short for its country',
  TOO_LONG: 'is too long for its country',
  INVALID_LENGTH: 'has a length that no number of its country has',
} as const

/** @returns undefined for a length that numbers with this calling code have */
function findLength(phone: string) {
  const fault = e164.test(phone) ? validatePhoneNumberLength(phone) : 'NOT_A_NUMBER'
  // What the library understands another way than it was written, like a trunk zero, is no number.
  return fault ?? (parsePhoneNumberFromString(phone)?.number === phone ? undefined : 'NOT_A_NUMBER')
}

/** The country that comes first where several share a calling code: the United States for 1. */
export function findMainCountry(phone: string): Pick<NumberFacts, 'country' | 'callingCode'> {
  const callingCode = findCallingCode(phone) ?? ''
  return { callingCode, country: plans.getCountryCodesForCallingCode(callingCode)?.[0] }
}

function readWithLibrary(phone: string): NumberFacts | undefined {
  const parsed = parsePhoneNumberFromString(phone)
  // It knows the kind of every number that can exist. What it understands another way than it was written (an extension,
  // say) is not E.164.
  const kind = parsed?.getType()
  if (!parsed || !kind || parsed.number !== phone) return undefined
  return { kind, callingCode: parsed.countryCallingCode, country: parsed.country }
}

function findNationalWithLibrary(phone: string): string | undefined {
  const parsed = parsePhoneNumberFromString(phone)
  return parsed?.number === phone ? parsed.formatNational().replace(/\D/g, '') : undefined
}

/** As the library chooses and writes them. */
function findNationalForms(selector: string): NationalForm[] {
  const found = nationalForms.get(selector)
  if (found) return found
  plans.selectNumberingPlan(selector)
  const forms = plans.formats().map((form): NationalForm => {
    // The last one is the most exact.
    const leading = form.leadingDigitsPatterns().at(-1)
    const rule = form.nationalPrefixFormattingRule()
    return {
      leading: leading === undefined ? undefined : new RegExp(`^(?:${leading})`),
      pattern: whole(form.pattern()),
      // The first group that is written, which the rule calls $1.
      written: rule ? form.format().replace(/(\$\d)/, rule) : form.format(),
    }
  })
  nationalForms.set(selector, forms)
  return forms
}

function readQuickly(phone: string): NumberFacts | undefined {
  const callingCode = findCallingCode(phone)
  if (!callingCode) return undefined
  const national = phone.slice(1 + callingCode.length)
  const { prefix, regions } = findRules(callingCode)
  // Argentina's matches every number, most of them without a digit.
  if (prefix?.exec(national)?.[0]) return undefined
  for (const { country, leading, kindOf } of regions) {
    if (leading && !leading.test(national)) continue
    const kind = kindOf(national)
    if (kind) return { country, callingCode, kind }
    // Nobody else has a number that begins like this.
    if (leading) return undefined
  }
  return undefined
}

function findCallingCode(phone: string): string | undefined {
  for (let digits = 1; digits <= callingCodeDigitsMax; digits++) {
    const code = phone.slice(1, 1 + digits)
    if (known.has(code) || plans.hasCallingCode(code)) return code
  }
  return undefined
}

function findRules(callingCode: string): CallingCode {
  const found = known.get(callingCode)
  if (found) return found
  plans.selectNumberingPlan(callingCode)
  const prefix = plans.nationalPrefixForParsing()
  const countries = plans.getCountryCodesForCallingCode(callingCode) ?? [undefined]
  const rules = {
    prefix: prefix ? new RegExp(`^(?:${prefix})`) : undefined,
    regions: countries.map((country) => findRegion(country, country ?? callingCode, countries.length === 1)),
  }
  known.set(callingCode, rules)
  return rules
}

function findRegion(country: string | undefined, selector: string, isAlone: boolean): Region {
  plans.selectNumberingPlan(selector)
  const leading = isAlone ? undefined : plans.leadingDigits()
  const isAny = whole(plans.nationalNumberPattern())
  const [isFixed, isMobile] = [createMatcher('FIXED_LINE'), createMatcher('MOBILE')]
  const others = otherKinds.flatMap((kind) => {
    const matches = createMatcher(kind)
    return matches ? [{ kind, matches }] : []
  })
  return {
    country,
    leading: leading ? new RegExp(`^(?:${leading})`) : undefined,
    kindOf: (national) => {
      if (!isAny.test(national)) return undefined
      if (isFixed?.(national)) return !isMobile || isMobile(national) ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE'
      return others.find(({ matches }) => matches(national))?.kind
    },
  }
}

/** For the plan that is selected; undefined where it has no numbers of that kind. */
function createMatcher(kind: string): ((national: string) => boolean) | undefined {
  const type = plans.type(kind)
  if (!type?.pattern()) return undefined
  const [pattern, lengths] = [whole(type.pattern()), type.possibleLengths()]
  return (national) => (!lengths || lengths.includes(national.length)) && pattern.test(national)
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`)
}
