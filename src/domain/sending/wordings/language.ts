/** Which languages serve somebody who asked for one. */
import { LRUCache } from 'lru-cache'
import { plainText } from '../../../kit/typed.ts'

/** BCP 47's, but for its rarest tags. */
const tagForm = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/
const tagLengthMax = 35

/**
 * Reads a locale as systems write it: `pt-BR`, `en_US`, `de_DE.UTF-8`, or the first of a browser's list.
 *
 * @returns undefined for what names no language: a message in another one is better than none
 */
export function readLocale(text: string): string | undefined {
  const tag = text
    .trim()
    .split(/[\s.,;@]/, 1)[0]!
    .replaceAll('_', '-')
  return tag.length <= tagLengthMax && tagForm.test(tag) ? tag : undefined
}

/**
 * Reads the one language that a person names in a setting, in the same forms. @param text may be anything
 *
 * @returns the tag as it is written as a rule: `pt-BR` for `pt_br`, `zh-Hans-CN` for `zh_hans_CN.UTF-8`; undefined if it is none
 */
export function languageIn(text: unknown): string | undefined {
  const named = typeof text === 'string' ? plainText(text) : ''
  const tag = /[\s,;]/.test(named) ? undefined : readLocale(named)
  return tag === undefined ? undefined : canonicalize(tag)
}

/** Norwegian is asked for under three names; people who read one of them read the others. */
const alsoCalled: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' }

/** To work them out takes longer than all else that a text needs. Callers name a few locales, or as many as they like. */
const worked = new LRUCache<string, string[]>({ max: 1000 })

/**
 * @param locale of BCP 47's form; a tag that breaks its other rules goes by its language
 * @returns the tags that serve it, best first: itself, then with what its language and country imply (`zh-TW` implies the script
 * `Hant`), then its language
 */
function tagsFor(locale: string): readonly string[] {
  const tags = worked.get(locale) ?? workOut(canonicalize(locale) ?? locale.split('-')[0]!)
  worked.set(locale, tags)
  return tags
}

function workOut(known: string): string[] {
  const { language, script, region } = new Intl.Locale(known).maximize()
  const implied = region ? [`${language}-${region}`, `${language}-${script}-${region}`] : []
  return [known, ...implied, `${language}-${script}`, language, alsoCalled[language] ?? []].flat()
}

export interface ChosenLanguage {
  /** One of those that there are. */
  language: string
  /** Another variant than the one that was asked for: `pt-BR` where there is no `pt-PT` and no `pt`. */
  isVariant: boolean
}

/** @returns which of the languages serves the locale best; undefined where none is of its language. @param languages as `canonicalize` writes them */
export function chooseLanguage(locale: string, languages: readonly string[]): ChosenLanguage | undefined {
  const tags = tagsFor(locale)
  const served = tags.find((tag) => languages.includes(tag))
  if (served !== undefined) return { language: served, isVariant: false }
  const like = likeLanguages(locale)
  const variant = languages.find((language) => like.includes(language.split('-', 1)[0]!))
  return variant === undefined ? undefined : { language: variant, isVariant: true }
}

/** How the language of a locale may begin in the tags that `chooseLanguage` takes for it. */
export function likeLanguages(locale: string): string[] {
  const language = tagsFor(locale).at(-1)!
  return [language, ...Object.keys(alsoCalled).filter((other) => alsoCalled[other] === language)]
}

/** @returns the tag as it is written as a rule, `pt-BR` for `pt-br`; undefined if it is none */
export function canonicalize(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
