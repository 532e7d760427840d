/** What an account may say of its codes: the rules of its own wording, told to the person who wrote it. */
import { isStorable, notStorable } from '../../../kit/reading/storable.ts'
import { fill } from './codeText.ts'
import { canonicalOf } from './language.ts'
import { type Segments, segmentsOf } from './segments.ts'

/** As it is written in a file. */
export interface GivenWording {
  default?: string | undefined
  domain?: string | undefined
  /** By language. */
  texts: Readonly<Record<string, string>>
}

/** What the contract lets callers name. */
export interface WordingForms {
  locale: TextForm
  host: TextForm
}

interface TextForm {
  pattern: RegExp
  maxLength: number
}

/** Languages that an account may word. */
const textsMax = 100
/** An SMS costs by the segment. */
const segmentsMax = 2
/** What a text is shown with. */
export const example = { code: '482913', brandName: 'Acme', minutes: 10 }
/** The longest that a code, a brand and a time can be. Letters of GSM-7: a brand of others takes more room. */
const longest = { code: '88888888', brandName: 'M'.repeat(30), minutes: 10 }
const known = ['code', 'brand', 'minutes']
const placeForm = /\{\{\s*(\w+)\s*\}\}/g

/** @returns the wording as it is kept, and all that is wrong with it, each fault with its language */
export function readWording({ default: locale, domain, texts }: GivenWording, forms: WordingForms) {
  const languageOf = (tag: string) => (isOf(forms.locale, tag) ? canonicalOf(tag) : undefined)
  const entries = Object.entries(texts).map(([tag, text]) => ({ tag, language: languageOf(tag), text: text.trim() }))
  const faults = [
    ...(locale !== undefined && languageOf(locale) === undefined ? [`default: ${notLanguage}`] : []),
    ...(domain !== undefined && !isOf(forms.host, domain)
      ? ['domain: must be a host like acme.com, and nothing else']
      : []),
    ...(entries.length > textsMax ? [`has more than ${textsMax} languages`] : []),
    ...entries.flatMap(({ tag, language, text }, index) => {
      const isTwice = entries.findIndex((other) => other.language === language) < index
      const all = language === undefined ? [notLanguage] : [...(isTwice ? ['is there twice'] : []), ...faultsOf(text)]
      return all.map((fault) => `${nameOf(tag)}: ${fault}`)
    }),
  ]
  const kept = entries.map(({ language = '', text }) => [language, text] as const)
  const sorted = Object.fromEntries(kept.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  const standard = locale === undefined ? undefined : languageOf(locale)
  return { wording: { locale: standard ?? null, domain: domain?.toLowerCase() ?? null, texts: sorted }, faults }
}

const notLanguage = 'is no language as BCP 47 writes it, like de or pt-BR'

function isOf({ pattern, maxLength }: TextForm, text: string): boolean {
  return text.length <= maxLength && pattern.test(text)
}

/** It may be anything that a file has: what is no name is not repeated whole. */
function nameOf(tag: string): string {
  return JSON.stringify(tag.slice(0, 40)).slice(1, -1)
}

/** What is wrong with a text; it can be several things. */
export function faultsOf(text: string): string[] {
  if (text === '') return ['has no text']
  if (!isStorable(text)) return [notStorable]
  const places = Array.from(text.matchAll(placeForm), ([, name]) => name!)
  const codes = places.filter((name) => name === 'code').length
  const strangers = places.filter((name) => !known.includes(name))
  const stray = text.replaceAll(placeForm, '').match(/\{\{|\}\}/)
  const { segments, encoding } = sizesOf(text)
  return [
    ...(codes === 1 ? [] : [`must have {{code}} once, and has it ${codes === 0 ? 'not at all' : `${codes} times`}`]),
    ...strangers.map((name) => `has {{${name}}}, which is none of {{code}}, {{brand}} and {{minutes}}`),
    ...(stray ? [`has ${stray[0]} without a name: write {{code}}`] : []),
    ...(/[\p{Cc}\u2028\u2029]/u.test(text) ? ['must be one line'] : []),
    ...(hasLink(text) ? ['must have no link: people learn to trust links in such messages'] : []),
    ...(segments > segmentsMax
      ? [
          `takes ${segments} SMS with the longest brand, and may take ${segmentsMax} (it is sent as ${encodingNames[encoding]})`,
        ]
      : []),
  ]
}

/** What it takes with the longest brand and code. */
export function sizesOf(text: string): Segments {
  return segmentsOf(fill(text, longest))
}

export const encodingNames = { gsm7: 'GSM-7', ucs2: 'UCS-2' } as const

/** As in a brand: a dot with a letter or digit before it and two letters behind it, an IP address, or `://`. */
function hasLink(text: string): boolean {
  const filled = fill(text, example)
  return /[\p{L}\p{M}\d]\.\p{M}*\p{L}\p{M}*\p{L}|\d\.\d+\.\d|:\/\//u.test(filled)
}
