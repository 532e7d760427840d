/** The text that a code is sent with: in which words, and what its last lines say to the phone. */

import { chooseLanguage } from './language.ts'
import { countSegments } from './segments.ts'
import { type ShippedWording, shippedWordings } from './shipped.ts'

export interface Autofill {
  /** The host of the page that asks for the code. */
  domain?: string | undefined
  /** By which Android's SMS Retriever knows the app. */
  appHash?: string | undefined
}

/** What fills the places of a text. */
export interface CodeValues {
  code: string
  brandName?: string | undefined
  /** How long the code is valid. */
  minutes: number
}

export interface CodeInput extends CodeValues {
  /** BCP 47. */
  locale?: string | undefined
  autofill?: Autofill | undefined
}

/** How an account words its codes itself. */
export interface OwnWording {
  /** BCP 47: for who names none. */
  locale: string | null
  /** For who names none. */
  domain: string | null
  /** By language. */
  texts: Readonly<Record<string, string>>
}

/** What is said where nobody asked for a language. */
export function standardText({ code, brandName }: Pick<CodeInput, 'code' | 'brandName'>): string {
  return brandName ? `Your ${brandName} code is ${code}` : `Your code is ${code}`
}

export function writeCodeText(input: CodeInput, own: OwnWording): string {
  const domain = input.autofill?.domain ?? own.domain ?? undefined
  const appHash = input.autofill?.appHash
  return withLastLines(textsFor(input, own) ?? standardTexts(input), input.code, { domain, appHash })
}

/** The same said in fewer and fewer words. */
interface Texts {
  whole: string
  shorter: readonly string[]
}

/** For each language that may do, in order, the account's own words or those that ship. */
function textsFor(input: CodeInput, own: OwnWording): Texts | undefined {
  const asked = [input.locale, own.locale].filter((locale) => typeof locale === 'string')
  for (const locale of [...asked, 'en']) {
    const shipped = asked.length > 0 ? shippedTexts(input, locale) : undefined
    const text = ownText(input, locale, own, asked.length > 0 && !shipped)
    if (text === undefined && !shipped) continue
    const { whole, shorter } = shipped ?? standardTexts(input)
    return text === undefined ? { whole, shorter } : { whole: text, shorter: [whole, ...shorter] }
  }
  return undefined
}

/** One that names a brand is for messages that have one. In another variant of the language, it is for want of a better one. */
function ownText(input: CodeInput, locale: string, { texts }: OwnWording, mayVary: boolean): string | undefined {
  const fits = (tag: string) => input.brandName !== undefined || !namesBrand(texts[tag]!)
  const chosen = chooseLanguage(locale, Object.keys(texts).filter(fits))
  return chosen && (mayVary || !chosen.isVariant) ? fill(texts[chosen.language]!, input) : undefined
}

function standardTexts({ code, brandName }: CodeInput): Texts {
  return { whole: standardText({ code, brandName }), shorter: [standardText({ code })] }
}

const shippedLanguages = Object.keys(shippedWordings)

function shippedTexts(input: CodeInput, locale: string): Texts | undefined {
  const tag = chooseLanguage(locale, shippedLanguages)?.language
  if (tag === undefined) return undefined
  const { branded, plain, valid } = shippedWordings[tag]!
  const short = fill(input.brandName ? branded : plain, input)
  const validity = fill(validityIn(tag, valid, input.minutes), input)
  // Chinese and Japanese have no space between sentences.
  const whole = short.endsWith('。') ? short + validity : `${short} ${validity}`
  return { whole, shorter: [short, fill(plain, input)] }
}

const pluralRules = new Map<string, Intl.PluralRules>()

function validityIn(tag: string, valid: ShippedWording['valid'], minutes: number): string {
  const rules = pluralRules.get(tag) ?? new Intl.PluralRules(tag)
  pluralRules.set(tag, rules)
  return valid[rules.select(minutes)] ?? valid.other
}

const place = /\{\{\s*(code|brand|minutes)\s*\}\}/g

function namesBrand(text: string): boolean {
  return Array.from(text.matchAll(place)).some(([, name]) => name === 'brand')
}

/** A value is never looked into for places. */
export function fill(text: string, { code, brandName = '', minutes }: CodeValues): string {
  const values: Record<string, string> = { code, brand: brandName, minutes: String(minutes) }
  return text.replace(place, (_place, name: string) => values[name]!)
}

/** Bytes of a message that the SMS Retriever looks at. */
const retrieverBytesMax = 140

/**
 * Phones look for each of them on the last line: https://wicg.github.io/sms-one-time-codes/, and the SMS Retriever, which looks
 * at no message that is too long. Its hash comes last, and what does not fit gives way to it.
 */
function withLastLines({ whole, shorter }: Texts, code: string, { domain, appHash }: Autofill): string {
  const bound = domain ? `${whole}\n@${domain} #${code}` : whole
  if (!appHash) return bound
  const shortest = `${code}\n${appHash}`
  return [bound, whole, ...shorter].map((text) => `${text}\n${appHash}`).find(isForRetriever) ?? shortest
}

/** Whichever way the bytes are counted: as UTF-8, or as the one segment that they are sent in. */
function isForRetriever(text: string): boolean {
  return Buffer.byteLength(text) <= retrieverBytesMax && countSegments(text).segments === 1
}
