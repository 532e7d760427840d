/** The templates that a connection's provider has for it, and templates of the account that are made of them. */
import { Refusal } from '../../kit/refusal.ts'
import type { Actor } from '../access/actor.ts'
import { variablesOf } from '../sending/wordings/templateText.ts'
import type { NewTemplate, NewTemplateLocale } from './templateEntry.ts'

/** One in one language, as its provider tells of it. */
export interface ProviderTemplate {
  name: string
  /** As the provider writes it. */
  language: string
  category: string
  status: string
  /** What its readers make of it; undefined where that is not told. */
  quality: string | undefined
  /** What there is to fill, by what people call it. */
  places: string[]
  /** The template of the account that fills every place; or the end of a sentence that says why there is none. */
  made: MadeTemplate | { unfit: string }
  /**
   * @param said what a template of the account says for the connection's kind, which may be anything
   * @returns what does not fit, place by place, as ends of sentences; undefined where that names another one, or none
   */
  faultsOf: (said: unknown) => string[] | undefined
}

/** A template of the account that is sent with one of the provider's. */
export interface TemplateUser {
  slug: string
  /** What does not fit; empty where all does. */
  faults: string[]
}

/** As it is told to people. */
export type ListedProviderTemplate = Omit<ProviderTemplate, 'faultsOf'> & { users: TemplateUser[] }

export interface MadeTemplate {
  /** BCP 47. */
  locale: string
  category: NonNullable<NewTemplate['category']>
  said: NewTemplateLocale
}

/**
 * The templates of one connection, by name and language.
 *
 * @throws Refusal when there is no such connection, when its provider has none, or does not tell them; Forbidden
 */
export type ListProviderTemplates = (
  actor: Actor,
  accountId: string,
  connection: string,
  /** The provider is not waited for any longer; without it, until it has told all. */
  limits?: { withinMs?: number | undefined },
) => Promise<ListedProviderTemplate[]>

export interface ImportedTemplates {
  /** To be added: one for each name, with all of its languages that can be had. */
  templates: NewTemplate[]
  /** The others, with the reason as the end of a sentence. */
  left: { name: string; reason: string }[]
}

/** @param known slugs of the account's templates: these stay as they are */
export function importedFrom(list: readonly ListedProviderTemplate[], known: ReadonlySet<string>): ImportedTemplates {
  const imported: ImportedTemplates = { templates: [], left: [] }
  for (const [slug, languages] of Map.groupBy(list, ({ name }) => slugOf(name))) {
    if (known.has(slug)) {
      imported.left.push({ name: slug, reason: 'is a template of the account already' })
      continue
    }
    const [first, ...others] = languages.flatMap((one) => {
      if (!('unfit' in one.made)) return [one.made]
      imported.left.push({ name: `${one.name} (${one.language})`, reason: one.made.unfit })
      return []
    })
    if (!first) continue
    const locales: Record<string, NewTemplateLocale> = {}
    for (const { locale, said } of others) {
      const isSame = variablesOf(said.text).toSorted().join() === variablesOf(first.said.text).toSorted().join()
      if (isSame) locales[locale] = said
      else imported.left.push({ name: `${slug} (${locale})`, reason: `has other variables than in ${first.locale}` })
    }
    const { locale: defaultLocale, category, said } = first
    imported.templates.push({ slug, category, defaultLocale, ...said, locales })
  }
  return imported
}

/** As the contract lets callers name it. */
function slugOf(name: string): string {
  return name.slice(0, slugMax)
}

const slugMax = 64

export function noConnection(id: string): Refusal {
  return new Refusal(`There is no channel ${id}.`)
}
