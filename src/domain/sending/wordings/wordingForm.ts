/** What an account may say of its codes: the rules of its own wording, told to the person who wrote it. */

import type { PlacedFault } from '../../../kit/reading/formFaults.ts'
import { isStorable, notStorable } from '../../../kit/reading/storable.ts'
import { fill } from './codeText.ts'
import { languageIn } from './language.ts'
import { countSegments, type Segments } from './segments.ts'

/** As it is written in a file, whose values may be anything. */
export interface WrittenWording {
  default?: unknown
  domain?: unknown
  /** By language. */
  texts: Readonly<Record<string, unknown>>
}

export interface GivenWording extends WrittenWording {
  default?: string | undefined
  domain?: string | undefined
  texts: Readonly<Record<string, string>>
}

/** What the contract lets callers name. */
export interface WordingForms {
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

/** @returns the wording as it is kept, of use only where there is no fault; and all that is wrong with it */
export function readWording({ default: locale, domain, texts }: WrittenWording, forms: WordingForms) {
  const entries = Object.entries(texts).map(([tag, text]) => ({ tag, language: languageIn(tag), text }))
  const [language, host] = [languageIn(locale), isOf(forms.host, domain) ? domain.toLowerCase() : undefined]
  const at = (place: string, fault: string): PlacedFault => ({ path: [place], fault })
  const faults: PlacedFault[] = [
    ...(locale !== undefined && language === undefined ? [at('default', notLanguage)] : []),
    ...(domain !== undefined && host === undefined
      ? [at('domain', 'must be a host like acme.com, and nothing else')]
      : []),
    ...(entries.length > textsMax ? [{ path: [], fault: `has more than ${textsMax} languages` }] : []),
    ...entries.flatMap(({ tag, language, text }, index) => {
      const isTwice = entries.findIndex((other) => other.language === language) < index
      const named = language === undefined ? [notLanguage] : [...(isTwice ? ['is there twice'] : [])]
      return [...named, ...faultsOfWritten(text)].map((fault) => at(tag, fault))
    }),
  ]
  const kept = entries.map(({ language = '', text }) => [language, String(text).trim()] as const)
  const sorted = Object.fromEntries(kept.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return { wording: { locale: language ?? null, domain: host ?? null, texts: sorted }, faults }
}

/** A fault with its language. */
export function wordingFaultText({ path: [place], fault }: PlacedFault): string {
  return place === undefined ? fault : `${nameOf(String(place))}: ${fault}`
}

const notLanguage = 'is no language as BCP 47 writes it, like de or pt-BR'

function isOf({ pattern, maxLength }: TextForm, text: unknown): text is string {
  return typeof text === 'string' && text.length <= maxLength && pattern.test(text)
}

/** It may be anything that a file has: what is no name is not repeated whole. */
function nameOf(tag: string): string {
  return JSON.stringify(tag.slice(0, 40)).slice(1, -1)
}

function faultsOfWritten(text: unknown): string[] {
  return typeof text === 'string' ? findFaults(text.trim()) : ['must be a text']
}

/** What is wrong with a text; it can be several things. */
export function findFaults(text: string): string[] {
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
  return countSegments(fill(text, longest))
}

export const encodingNames = { gsm7: 'GSM-7', ucs2: 'UCS-2' } as const

/** As in a brand: a dot with a letter or digit before it and two letters behind it, an IP address, or `://`. */
function hasLink(text: string): boolean {
  const filled = fill(text, example)
  return /[\p{L}\p{M}\d]\.\p{M}*\p{L}\p{M}*\p{L}|\d\.\d+\.\d|:\/\//u.test(filled)
}
