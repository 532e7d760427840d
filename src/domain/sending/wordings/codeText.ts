/** The text that a code is sent with: in which words, and what its last lines say to the phone. */
import { segmentsOf } from '../segments.ts'
import { tagsFor } from './language.ts'
import { type ShippedWording, shippedWordings } from './shipped.ts'

export interface Autofill {
  /** The host of the page that asks for the code. */
  domain?: string | undefined
  /** By which Android's SMS Retriever knows the app. */
  appHash?: string | undefined
}

export interface CodeInput {
  code: string
  brandName?: string | undefined
  /** How long the code is valid. */
  minutes: number
  /** BCP 47. */
  locale?: string | undefined
  autofill?: Autofill | undefined
}

/** What is said where nobody asked for a language. */
export function standardText({ code, brandName }: Pick<CodeInput, 'code' | 'brandName'>): string {
  return brandName ? `Your ${brandName} code is ${code}` : `Your code is ${code}`
}

/** @returns undefined for `standardText` alone */
export function codeTextOf(input: CodeInput): string | undefined {
  const { locale, autofill = {} } = input
  if (locale === undefined && !autofill.domain && !autofill.appHash) return undefined
  return withLastLines(locale === undefined ? standardTexts(input) : shippedTexts(input, locale), input)
}

/** The same said in fewer and fewer words. */
interface Texts {
  whole: string
  shorter: readonly string[]
}

function standardTexts({ code, brandName }: CodeInput): Texts {
  return { whole: standardText({ code, brandName }), shorter: [standardText({ code })] }
}

function shippedTexts(input: CodeInput, locale: string): Texts {
  const tag = [...tagsFor(locale), 'en'].find((one) => Object.hasOwn(shippedWordings, one))!
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

/** A value is never looked into for places. */
function fill(text: string, { code, brandName = '', minutes }: CodeInput): string {
  const values: Record<string, string> = { code, brand: brandName, minutes: String(minutes) }
  return text.replace(/\{\{(code|brand|minutes)\}\}/g, (_place, name: string) => values[name]!)
}

/** Bytes of a message that the SMS Retriever looks at. */
const retrieverBytesMax = 140

/**
 * Phones look for each of them on the last line: https://wicg.github.io/sms-one-time-codes/, and the SMS Retriever, which looks
 * at no message that is too long. Its hash comes last, and what does not fit gives way to it.
 */
function withLastLines({ whole, shorter }: Texts, { code, autofill = {} }: CodeInput): string {
  const { domain, appHash } = autofill
  const bound = domain ? `${whole}\n@${domain} #${code}` : whole
  if (!appHash) return bound
  const shortest = `${code}\n${appHash}`
  return [bound, whole, ...shorter].map((text) => `${text}\n${appHash}`).find(isForRetriever) ?? shortest
}

/** Whichever way the bytes are counted: as UTF-8, or as the one segment that they are sent in. */
function isForRetriever(text: string): boolean {
  return Buffer.byteLength(text) <= retrieverBytesMax && segmentsOf(text).segments === 1
}
