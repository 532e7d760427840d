/** The templates of an account, as its programs write them. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { type ErrorDetail, escapePointer, Problem } from '../../kit/problem.ts'
import type { PlacedFault } from '../../kit/reading/formFaults.ts'
import { Refusal } from '../../kit/refusal.ts'
import { programOf } from '../access/actor.ts'
import type { Caller } from '../access/authentication.ts'
import { languageIn } from '../sending/wordings/language.ts'
import { MissingTemplate, type Templates, type WrittenTemplate } from './template.ts'
import type { NewTemplate, NewTemplateLocale } from './templateEntry.ts'
import { sizeOfTemplate } from './templateSize.ts'

/** With all of its languages beside one another. */
export type TemplateDraft = Required<Pick<NewTemplate, 'slug' | 'category' | 'locales' | 'defaultLocale'>>

export interface PutTemplate extends WrittenTemplate {
  /** What costs and is overlooked. */
  warnings: { field: string; message: string }[]
}

export interface DeletedTemplate {
  slug: string
  /** Its last one. */
  version: number
}

export interface TemplateChanges {
  put: (caller: Caller, draft: TemplateDraft) => Promise<PutTemplate | Problem<ErrorCodeOf<'putTemplate'>>>
  remove: (caller: Caller, slug: string) => Promise<DeletedTemplate | Problem<ErrorCodeOf<'deleteTemplate'>>>
}

export interface TemplateChangesParts {
  templates: Pick<Templates, 'put' | 'remove'>
}

export function createTemplateChanges({ templates }: TemplateChangesParts): TemplateChanges {
  return {
    put: async (caller, draft) => {
      const tag = toDefaultTag(draft)
      try {
        const written = await templates.put(programOf(caller), caller.accountId, writtenAs(draft, tag))
        return { ...written, warnings: findWarnings(draft.locales) }
      } catch (error) {
        // Only what is wrong with the template: another refusal is a bug of ours.
        if (!(error instanceof Refusal) || error.faults.length === 0) throw error
        return new Problem('invalid_request', { details: listDetails(error.faults, tag) })
      }
    },
    remove: async (caller, slug) => {
      try {
        return { slug, version: await templates.remove(programOf(caller), caller.accountId, slug) }
      } catch (error) {
        if (error instanceof MissingTemplate) return new Problem('template_not_found')
        throw error
      }
    },
  }
}

/** The default language as `locales` writes it: undefined where it is not among them. */
function toDefaultTag({ defaultLocale, locales }: TemplateDraft): string | undefined {
  const tags = Object.keys(locales)
  const language = languageIn(defaultLocale)
  const isSame = (tag: string) => language !== undefined && languageIn(tag) === language
  return tags.includes(defaultLocale) ? defaultLocale : tags.find(isSame)
}

/** As in a file, where what is said in the default language stands apart from the others. */
function writtenAs({ locales, ...template }: TemplateDraft, tag: string | undefined): NewTemplate {
  const entries = Object.entries(locales)
  const [, own = {}] = entries.find(([locale]) => locale === tag) ?? []
  const others = Object.fromEntries(entries.filter(([locale]) => locale !== tag))
  return { ...template, ...(own as NewTemplateLocale), locales: others }
}

function* listDetails(faults: readonly PlacedFault[], tag: string | undefined): Generator<ErrorDetail, void> {
  const fields = new Set<string>()
  for (const { path, fault } of faults) {
    const detail = toDetail(path.slice(1), fault, tag)
    if (!fields.has(detail.field)) yield detail
    fields.add(detail.field)
  }
}

const faultLengthMax = 300

/** @param path of the file's form */
function toDetail(path: readonly PropertyKey[], fault: string, tag: string | undefined): ErrorDetail {
  const isPlaced = ['category', 'default_locale', 'locales'].includes(String(path[0]))
  if (!isPlaced && tag === undefined)
    return { field: '/default_locale', code: 'unknown', message: 'is none of the languages in locales' }
  const steps = isPlaced ? path : ['locales', tag!, ...path]
  const characters = Array.from(fault)
  const message = characters.length > faultLengthMax ? `${characters.slice(0, faultLengthMax).join('')}…` : fault
  return { field: pointerOf(steps), code: 'wrong_format', message }
}

function findWarnings(locales: TemplateDraft['locales']): PutTemplate['warnings'] {
  return Object.entries(locales).flatMap(([tag, { text }]) => {
    const { note } = sizeOfTemplate(text)
    return note === undefined ? [] : [{ field: pointerOf(['locales', tag, 'text']), message: note }]
  })
}

function pointerOf(steps: readonly PropertyKey[]): string {
  return steps.map((step) => `/${escapePointer(String(step))}`).join('')
}
