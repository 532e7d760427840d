/** Templates of an account that a connection's provider would not send as they are: what the provider says of its own, compared. */
import { hash } from 'node:crypto'
import type { KnownTemplates } from '../../store/channels/connectionTemplates.ts'
import type { TemplateFault, TemplateFaultReason, WatchedCategory } from '../../store/schema/templateSchema.ts'
import type { Template, TemplateCategory } from '../../store/template.ts'

/** A template of a provider's, in one language as the provider writes it. */
export interface ProviderTemplateName {
  name: string
  language: string
}

/** What a provider says of one of its templates. What is left out is as it was. */
export interface TemplateWord {
  status?: 'usable' | Exclude<TemplateFaultReason, 'category_changed' | 'places_changed'>
  category?: WatchedCategory
  /** It has just become of that category. */
  isNewCategory?: true
  /** Why the account's template does not fill its places, as the end of a sentence; null where it does. */
  misfit?: string | null
}

/** What a template of the account says for a kind of connection, in one language. */
export interface TemplateUse extends ProviderTemplateName {
  slug: string
  locale: string
  category: TemplateCategory
  said: unknown
}

/** @param nameOf which of the provider's templates that is; undefined where it names none */
export function listUses(
  templates: readonly Template[],
  kind: string,
  nameOf: (said: unknown) => ProviderTemplateName | undefined,
): TemplateUse[] {
  return templates.flatMap(({ slug, category, locales }) =>
    Object.entries(locales).flatMap(([locale, { channels }]) => {
      const said = Object.hasOwn(channels, kind) ? channels[kind] : undefined
      const named = said === undefined ? undefined : nameOf(said)
      return named ? [{ ...named, slug, locale, category, said }] : []
    }),
  )
}

/** Of one connection: of more, the provider itself says at each message what is wrong. */
const faultsMax = 200
const detailMax = 200

/** Which of a template's faults one is: a new one takes the place of the old one. */
const aspects: Readonly<Record<TemplateFaultReason, 'status' | 'category' | 'places'>> = {
  paused: 'status',
  disabled: 'status',
  rejected: 'status',
  missing: 'status',
  category_changed: 'category',
  places_changed: 'places',
}

/** @returns what is known of a template once its provider has said that */
function judge(use: TemplateUse, word: TemplateWord, known: KnownTemplates, now: Date): TemplateFault[] {
  const { slug, locale, name, language } = use
  const said = digestOfSaid(use.said)
  const before = known.faults.filter((one) => isOf(one, use) && one.said === said)
  const make = (reason: TemplateFaultReason, detail?: string): TemplateFault => {
    const since = before.find((one) => one.reason === reason)?.since ?? now.toISOString()
    return { slug, locale, said, name, language, reason, ...(detail !== undefined && { detail }), since }
  }
  const kept = (aspect: string) => before.filter(({ reason }) => aspects[reason] === aspect)
  const { status, category, misfit } = word
  // A template that never was what the account says of it has always been sent: only a change is news.
  const wasOther = known.categories[keyOf(use)] !== 'utility' && kept('category').length === 0
  const isOther = use.category === 'utility' && category !== 'utility' && !(wasOther && !word.isNewCategory)
  return [
    ...(status === undefined ? kept('status') : status === 'usable' ? [] : [make(status)]),
    ...(category === undefined ? kept('category') : isOther ? [make('category_changed')] : []),
    ...(misfit === undefined ? kept('places') : misfit === null ? [] : [make('places_changed', cleanDetail(misfit))]),
  ]
}

/** Of words that are a provider's: the store takes no control characters, and no half of a character. */
function cleanDetail(misfit: string): string {
  return misfit
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, detailMax)
    .toWellFormed()
}

export interface JudgedTemplates extends KnownTemplates {
  /** Those that were not there before. */
  added: TemplateFault[]
  /** Those that are there no more. */
  ended: TemplateFault[]
}

/**
 * @param words what was said of each
 * @param isWhole what is known of all other templates is forgotten: they are not the account's any more
 */
export function judgeTemplates(
  known: KnownTemplates,
  words: readonly (readonly [TemplateUse, TemplateWord])[],
  { now, isWhole }: { now: Date; isWhole: boolean },
): JudgedTemplates {
  const judged = words.flatMap(([use, word]) => judge(use, word, known, now))
  const isJudged = new Set(words.map(([use]) => keyOf(use)))
  const others = isWhole ? [] : known.faults.filter((one) => !isJudged.has(keyOf(one)))
  const faults = [...others, ...judged].slice(0, faultsMax)
  const told = words.flatMap(([use, { category }]) => (category === undefined ? [] : [[keyOf(use), category] as const]))
  const categories = Object.fromEntries(
    [...(isWhole ? [] : Object.entries(known.categories)), ...told].slice(-categoriesMax),
  )
  const [before, after] = [new Set(known.faults.map(factOf)), new Set(faults.map(factOf))]
  return {
    ...{ faults, categories },
    added: faults.filter((one) => !before.has(factOf(one))),
    ended: known.faults.filter((one) => !after.has(factOf(one))),
  }
}

/** Templates and languages of one connection. */
const categoriesMax = 2000

type Place = Pick<TemplateFault, 'slug' | 'locale'>

function keyOf({ slug, locale }: Place): string {
  return `${slug} ${locale}`
}

function isOf(one: Place, other: Place): boolean {
  return one.slug === other.slug && one.locale === other.locale
}

function factOf(fault: TemplateFault): string {
  return `${keyOf(fault)} ${fault.said} ${fault.reason} ${fault.detail ?? ''}`
}

/** What stands for what a template says: the store gives its members in one order. */
function digestOfSaid(said: unknown): string {
  return hash('sha256', JSON.stringify(said) ?? '', 'base64url').slice(0, 16)
}

/** @returns why the provider would not send what is said there, as far as that is known */
export function findKnownFault(
  faults: readonly TemplateFault[] | null | undefined,
  said: unknown,
): TemplateFault | undefined {
  if (!faults || faults.length === 0 || said === undefined) return undefined
  const digest = digestOfSaid(said)
  return faults.find((one) => one.said === digest)
}

const sentences: Readonly<Record<TemplateFaultReason, string>> = {
  paused: 'is paused at its provider',
  disabled: 'is disabled at its provider',
  rejected: 'was rejected by its provider',
  missing: 'is not in the list of its provider any more',
  category_changed: 'is not of the category utility at its provider any more',
  places_changed: 'has other places at its provider than are filled here',
}

/** As the end of a sentence. */
export function faultText({ name, language, reason, detail }: TemplateFault): string {
  return `the template ${name} (${language}) ${sentences[reason]}${detail === undefined ? '' : `: it ${detail}`}`
}
