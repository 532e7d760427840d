/** Lists of templates as people write them: what is wrong with one, and what is kept of it. */
import { inTurns } from '../../kit/inTurns.ts'
import { atPlace, faultsOfForm, type PlacedFault } from '../../kit/reading/formFaults.ts'
import { isStorable, notStorable } from '../../kit/reading/storable.ts'
import { schemaWords } from '../../kit/reading/wrongType.ts'
import { placedRefusal, Refusal } from '../../kit/refusal.ts'
import type { Template, TemplateCategory, TemplateLocale } from '../../store/template.ts'
import type { ConnectionKind } from '../channels/connectionEntry.ts'
import { languageIn } from '../sending/wordings/language.ts'
import { characters, variablesOf, withoutPlaces } from '../sending/wordings/templateText.ts'

/** What a template says in one language, as it is written. */
export interface NewTemplateLocale {
  text: string
  /** What it says for kinds of connections, by the kind's name. */
  channels?: Readonly<Record<string, unknown>>
}

export interface NewTemplate extends NewTemplateLocale {
  slug: string
  /** `utility` when left out. */
  category?: TemplateCategory
  /** The language of the text, BCP 47. May be left out where there is no other. */
  defaultLocale?: string
  /** Its other languages, by BCP 47's tags. */
  locales?: Readonly<Record<string, NewTemplateLocale>>
}

/** A template that was read: of the languages, the default one is among them. */
export type ReadTemplate = Pick<Template, 'slug' | 'category' | 'defaultLocale' | 'locales'>

type Kinds = Readonly<Record<string, Pick<ConnectionKind, 'template' | 'templateVariables'>>>

export interface TemplateRules {
  /** What the contract lets callers name. */
  slugForm: SlugForm
  variablesMax: number
  /** Characters (code points) of a text; of a filled one too. */
  charactersMax: number
  kinds: Kinds
}

interface SlugForm {
  pattern: RegExp
  maxLength: number
}

/** What a template may be sent to. */
export const categories = ['utility', 'marketing'] as const satisfies readonly TemplateCategory[]
/** BCP 47's tag for a text whose language is not named. */
export const noLocale = 'und'
const noLanguage = 'is no language as BCP 47 writes it, like de or pt-BR'
/** Of one template, with the default one. */
export const localesMax = 50
/** Of variables that one language lacks or adds. */
const variablesShown = 5
/** Of the places in one text that are no variables. */
const straysShown = 5
/** Of a list that is applied. */
const templatesMax = 5000
/** Templates that are read in one go: a few milliseconds' work. */
const partSize = 100

/**
 * @param list each may be anything
 * @throws Refusal which names everything that is wrong; the places of faults are those of a file, in which what a template says
 *   for kinds stands beside its text
 */
export async function readTemplates(list: readonly unknown[], rules: TemplateRules): Promise<ReadTemplate[]> {
  if (list.length > templatesMax)
    throw new Refusal(`there are ${list.length} templates, and ${templatesMax} is the most`)
  const read: ReadTemplate[] = []
  const faults: PlacedFault[] = []
  const slugs = new Set<string>()
  for await (const part of inTurns([...list.entries()], partSize)) {
    for (const [index, written] of part) {
      const { template, faults: own } = readTemplate(written, rules)
      read.push(template)
      if (template.slug !== '' && slugs.has(template.slug)) own.push({ path: ['slug'], fault: 'is there twice' })
      slugs.add(template.slug)
      faults.push(...own.map(({ path, fault }) => ({ path: [index, ...path], fault })))
    }
  }
  if (faults.length > 0) throw placedRefusal(faults, (fault) => templateFaultText(fault, list))
  return read
}

/** @returns the template, of use only where there is no fault */
function readTemplate(written: unknown, rules: TemplateRules): { template: ReadTemplate; faults: PlacedFault[] } {
  if (!isMapping(written)) {
    const template = { slug: '', category: 'utility', defaultLocale: noLocale, locales: {} } as const
    return { template, faults: [{ path: [], fault: 'must be a mapping with slug and text' }] }
  }
  const { slug, category = 'utility', text } = written as Partial<Record<keyof NewTemplate, unknown>>
  const slugFault = findTextFault(slug) ?? findSlugFault(slug as string, rules.slugForm)
  const isKnown = categories.some((known) => known === category)
  const own = readLocale(written, rules)
  const { defaultLocale, locales, faults } = readLocales(written, typeof text === 'string' ? text : undefined, rules)
  return {
    template: {
      slug: typeof slug === 'string' ? slug : '',
      category: category as TemplateCategory,
      defaultLocale,
      locales: { [defaultLocale]: own.locale, ...locales },
    },
    faults: [
      ...(slugFault === undefined ? [] : [{ path: ['slug'], fault: slugFault }]),
      ...(isKnown ? [] : [{ path: ['category'], fault: `must be ${categories.join(' or ')}` }]),
      ...own.faults,
      ...faults,
    ],
  }
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is written in one language. */
function readLocale(written: Record<string, unknown>, { variablesMax, charactersMax, kinds }: TemplateRules) {
  const { text, channels: given } = written
  const body = typeof text === 'string' ? text : ''
  // Which variables there are, only a text tells.
  const variables = typeof text === 'string' ? new Set(variablesOf(text)) : undefined
  const { channels, faults } = readChannels((given ?? {}) as Record<string, unknown>, kinds, variables)
  const textFault = findTextFault(text) ?? findLengthFault(body, charactersMax) ?? findTemplateFault(body, variablesMax)
  return {
    locale: { text: body, channels },
    faults: [...(textFault === undefined ? [] : [{ path: ['text'], fault: textFault }]), ...faults] as PlacedFault[],
  }
}

/** The other languages of a template. @param text in the default language; undefined where there is none */
function readLocales(
  { defaultLocale: named, locales: given }: Record<string, unknown>,
  text: string | undefined,
  rules: TemplateRules,
) {
  const faults: PlacedFault[] = []
  const defaultLocale = languageIn(named)
  if (named !== undefined && named !== null && defaultLocale === undefined)
    faults.push({ path: ['default_locale'], fault: noLanguage })
  const others = given ?? {}
  const entries = isMapping(others) ? Object.entries(others) : []
  if (!isMapping(others)) faults.push({ path: ['locales'], fault: 'must be a mapping of languages, each with a text' })
  if (entries.length > 0 && (named === undefined || named === null))
    faults.push({ path: ['default_locale'], fault: 'is missing: it says which language the text above is in' })
  if (entries.length >= localesMax)
    faults.push({
      path: ['locales'],
      fault: `has ${entries.length + 1} languages with the default one, and ${localesMax} is the most`,
    })
  const read = new Map<string, TemplateLocale>()
  for (const [tag, written] of entries.slice(0, localesMax)) {
    const at = (fault: string, ...path: string[]) => faults.push({ path: ['locales', tag, ...path], fault })
    const language = languageIn(tag)
    if (language === undefined) at(noLanguage)
    else if (language === defaultLocale) at('is the default language, which has its text already')
    else if (read.has(language)) at('is there twice')
    if (!isMapping(written)) {
      at('must be a mapping with text')
      continue
    }
    const { locale, faults: own } = readLocale(written, rules)
    faults.push(...own.map(({ path, fault }) => ({ path: ['locales', tag, ...path], fault })))
    if (text !== undefined && typeof written.text === 'string') {
      for (const differs of findDifferences(variablesOf(locale.text), variablesOf(text))) at(differs, 'text')
    }
    if (language !== undefined) read.set(language, locale)
  }
  return { defaultLocale: defaultLocale ?? noLocale, locales: Object.fromEntries(read), faults }
}

/** How the variables of one language differ from those of the default one. */
function findDifferences(own: readonly string[], wanted: readonly string[]): string[] {
  const findPlaces = (names: readonly string[]) => {
    const more = names.length > variablesShown ? [`${names.length - variablesShown} more`] : []
    return new Intl.ListFormat('en').format([...names.slice(0, variablesShown).map((name) => `{{${name}}}`), ...more])
  }
  const [lacking, added] = [wanted.filter((name) => !own.includes(name)), own.filter((name) => !wanted.includes(name))]
  return [
    ...(lacking.length > 0 ? [`lacks ${findPlaces(lacking)}, which the default language has`] : []),
    ...(added.length > 0 ? [`has ${findPlaces(added)}, which the default language lacks`] : []),
  ]
}

/** A fault as it is told where there is no file. */
function templateFaultText({ path: [index, ...path], fault }: PlacedFault, list: readonly unknown[]): string {
  if (index === undefined) return fault
  const { slug } = (list[Number(index)] ?? {}) as { slug?: unknown }
  const label = typeof slug === 'string' ? `"${slug}"` : `template ${Number(index) + 1}`
  if (path[0] === 'slug' && typeof slug === 'string') return `${label} ${fault}`
  return atPlace(typeof slug === 'string' && path[0] === 'text' ? [] : path, fault, label)
}

function findTextFault(value: unknown): string | undefined {
  if (typeof value === 'string') return undefined
  return value === undefined || value === null ? 'is missing' : 'must be a text, in quotes if it is a number'
}

function findSlugFault(slug: string, { pattern, maxLength }: SlugForm): string | undefined {
  if (pattern.test(slug) && slug.length <= maxLength) return undefined
  return `is no slug: 1 to ${maxLength} lower-case letters, digits, - and _`
}

function findLengthFault(text: string, charactersMax: number): string | undefined {
  if (text.trim() === '') return 'it has no text'
  return characters(text) > charactersMax ? `its text has more than ${charactersMax} characters` : undefined
}

/**
 * What is wrong with a template's text, for the person who wrote it; undefined when nothing is.
 */
export function findTemplateFault(text: string, variablesMax: number): string | undefined {
  if (!isStorable(text)) return notStorable
  // To where the next one begins: of two that are not closed, each is named.
  const strays = [...new Set(withoutPlaces(text).match(/\{\{(?:(?!\{\{)[^}\n])*\}?\}?|\}\}/g))]
  if (strays.length > 0) {
    const more = strays.length > straysShown ? ` and ${strays.length - straysShown} more` : ''
    const shown = strays.slice(0, straysShown).map((stray) => `"${stray}"`)
    return `${shown.join(', ')}${more} ${strays.length === 1 ? 'is no variable' : 'are no variables'}: write {{name}}, with a name of lower-case letters, digits and _, beginning with a letter`
  }
  if (variablesOf(text).length > variablesMax) return `it has more than ${variablesMax} variables`
  return undefined
}

/** What a template says for kinds of connections, as the kinds take it. @param variables of its text, if that is known */
function readChannels(
  given: Readonly<Record<string, unknown>>,
  kinds: Kinds,
  variables: ReadonlySet<string> | undefined,
) {
  const channels: Record<string, unknown> = {}
  const faults: PlacedFault[] = []
  for (const [name, value] of Object.entries(given)) {
    const { template: form, templateVariables } = (Object.hasOwn(kinds, name) ? kinds[name] : undefined) ?? {}
    if (!form) {
      faults.push({ path: [name], fault: 'is not known: a template has no such field' })
      continue
    }
    const { data, error } = form.safeParse(value, { error: schemaWords })
    channels[name] = data
    if (!isStorable(value)) faults.push({ path: [name], fault: notStorable })
    faults.push(...faultsOfForm(error, value).map(({ path, fault }) => ({ path: [name, ...path], fault })))
    const strangers = (templateVariables?.(value) ?? []).filter(({ variable }) => variables?.has(variable) === false)
    faults.push(
      ...strangers.map(({ path, variable }) => ({
        path: [name, ...path],
        fault: `"${variable}" is no variable of the text`,
      })),
    )
  }
  return { channels, faults }
}
