/** Countries as people write them: `DE`, `de`, `Germany`, `Deutschland`, `UK`. */
import { type CountryCode, getCountries, isSupportedCountry } from 'libphonenumber-js/max'
import { plainText } from '../../../kit/typed.ts'

/** In which names are known. English comes first. */
const languages = 'en de fr es it pt nl pl tr ru ar zh ja'.split(' ')
/** Names that people use and CLDR does not have. */
const otherNames: Readonly<Record<string, CountryCode>> = {
  uk: 'GB',
  el: 'GR',
  england: 'GB',
  greatbritain: 'GB',
  usa: 'US',
  america: 'US',
  holland: 'NL',
  czechrepublic: 'CZ',
  turkey: 'TR',
  macau: 'MO',
}

/** @returns ISO 3166-1 alpha-2; undefined for what is no country that has phone numbers */
export function readCountry(text: string): CountryCode | undefined {
  const name = makeKey(plainText(text))
  const other = otherNames[name]
  if (other) return other
  const code = name.toUpperCase()
  if (/^[A-Z]{2}$/.test(code)) return isSupportedCountry(code) ? code : undefined
  for (const language of languages) {
    const found = codesIn(language).get(name)
    if (found) return found
  }
  return undefined
}

/**
 * The codes in a list with commas, semicolons, line ends or blanks between them. What is no country stays as it was written, for
 * what is said of it.
 */
export function readCountries(text: string): string[] {
  return splitTyped(text).flatMap((part) => {
    const whole = readCountry(part)
    if (whole) return [whole]
    const words = part.split(/\s+/).filter((word) => word !== '')
    const each = words.map(readCountry)
    return each.some((country) => country === undefined) && words.some((word) => word.length > 2)
      ? [part]
      : words.map((word, index) => each[index] ?? word)
  })
}

/** The parts of a list as people type it, without empty ones. */
export function splitTyped(text: string): string[] {
  const parts = text.split(/[,;\r\n]+/).map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** Made when they are first needed: most people write codes, or names in English. */
const codesByLanguage = new Map<string, ReadonlyMap<string, CountryCode>>()

function codesIn(language: string): ReadonlyMap<string, CountryCode> {
  const known = codesByLanguage.get(language)
  if (known) return known
  const codes = new Map<string, CountryCode>()
  // The short name is another one in a few cases: `Hong Kong`.
  for (const style of ['short', 'long'] as const) {
    const names = new Intl.DisplayNames(language, { type: 'region', style })
    for (const country of getCountries()) codes.set(makeKey(names.of(country) ?? country), country)
  }
  codesByLanguage.set(language, codes)
  return codes
}

/** Without accents, blanks, marks and the article: `The Netherlands`, `Côte d’Ivoire`, `U.S.A.`. */
function makeKey(text: string): string {
  const letters = text.normalize('NFKD').toLowerCase().replaceAll('&', 'and')
  return letters.replace(/^the\s+|[^\p{L}\p{N}]/gu, '')
}
